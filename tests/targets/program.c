/*
 * A program with a main() of its own: the first letter of its standard input
 * says how it behaves.
 */

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int *volatile null_pointer;

/* Does standard input hold this, from its start to its end? */
static int
holds(const char *text)
{
	char b[64];
	ssize_t n = pread(0, b, sizeof(b), 0);

	return n == (ssize_t)strlen(text) && memcmp(b, text, (size_t)n) == 0;
}

static int
behave(char letter)
{
	switch (letter) {
	case 'a':
		abort();
	case 's':
		return *null_pointer;
	case 'x':
		return 3;
	case 'q':
		_exit(5);
	case 'c':
		close(0);
		return 0;
	case 'o': /* a child outlives the run */
		if (fork() == 0)
			for (;;)
				pause();
		return 0;
	case 'd': /* a daemon does as well */
		if (fork() == 0 && setsid() > 0 && fork() == 0)
			for (;;)
				pause();
		return 0;
	case 'S':
		raise(SIGSTOP);
		return 0;
	case 'l': /* a shorter input follows a longer one */
		if (!holds("l") && !holds("longer"))
			abort();
		return 0;
	case 'w':
		return write(0, "w", 1) >= 0 ? abort(), 1 : 0;
	default:
		return 0;
	}
}

int
main(int argc, char **argv)
{
	char letter = 0;

	if (read(0, &letter, 1) != 1)
		return 1;
	return behave(letter);
}
