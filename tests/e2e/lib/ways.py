"""Programs that read their input in all the ways that programs do."""

HEAD = '''#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void *volatile kept;

static __attribute__((noinline)) void
judge(const char *b, size_t n)
{
	if (n > 1 && b[0] == 'B' && b[1] == '!') {
		%s;
	}
	if (n > 1 && b[0] == 'B')
		fputs("nearly", stdout);
}
'''
FREAD = '''	char b[256];
	size_t n = fread(b, 1, sizeof(b), stdin);

	judge(b, n);'''
OPENED = '''	char b[256];
	const char *name = argv[argc - 1];
	FILE *f = fopen(name, "rb");
	size_t n;

	if (f == NULL)
		return 4;
	n = fread(b, 1, sizeof(b), f);
	fclose(f);
'''


WAYS = (
    ('stdin', FREAD, ()),
    ('read', '''	char b[256];
	ssize_t n = read(0, b, sizeof(b));

	judge(b, n > 0 ? n : 0);
	close(0);''', ()),
    ('twice', '''	char b[256];
	size_t n;

	while (getchar() != EOF)
		continue;
	rewind(stdin);
	n = fread(b, 1, sizeof(b), stdin);
	judge(b, n);''', ()),
    ('map', '''	struct stat st;
	char *b;

	if (fstat(0, &st) != 0 || st.st_size == 0)
		return 1;
	b = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, 0, 0);
	judge(b, st.st_size);''', ()),
    ('redirects', FREAD.replace('\tjudge', '''	dup2(open("/dev/null", O_RDONLY), 0);
	judge'''), ()),
    ('child', '''	char b[256];
	int ends[2], n;

	if (pipe(ends) != 0)
		return 1;
	if (fork() == 0) {
		n = fread(b, 1, sizeof(b), stdin);
		_exit(write(ends[1], b, n) != n);
	}
	close(ends[1]);
	n = read(ends[0], b, sizeof(b));
	judge(b, n > 0 ? n : 0);''', ()),
    ('writes', FREAD.replace('\tjudge', '''	fclose(fopen("made", "w"));
	mkdir("folder", 0700);
	judge'''), ()),
    ('file', OPENED + '\tjudge(b, n);', ('-x', '@@')),
    ('both', OPENED + '''	if (strcmp(argv[1], argv[2]) == 0)
		judge(b, n);''', ('@@', '@@')),
    ('option', OPENED.replace('argv[argc - 1]',
                              'strchr(argv[argc - 1], 61) + 1') +
     '\tjudge(b, n);', ('--in=@@',)),
    ('removed', OPENED + '\tunlink(name);\n\tjudge(b, n);', ('@@',)),
    ('replaced', OPENED + '''	rename(name, "old");
	mkdir(name, 0700);
	judge(b, n);''', ('@@',)),
    ('shortened', OPENED + '\ttruncate(name, 1);\n\tjudge(b, n);', ('@@',)))


def source(body, fault='abort()', head=''):
    """A program that judges its input."""
    return HEAD % fault + head + '''
int
main(int argc, char **argv)
{
%s
	return 0;
}
''' % body
