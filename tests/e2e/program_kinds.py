#!/usr/bin/env python3
"""Programs that cfuzz-cc has not built, as difficult as programs are."""

# BEGUN FIRST
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403
from ways import FREAD, WAYS, source    # noqa: E402
import control             # noqa: E402

COMPILERS = (('binary', 'cc'), ('AFL++', 'afl-clang-fast'))
FAILS, SMALLEST, PASSES = b'B!rest', b'B!', b'xx'


def program(compiler, body, fault='abort()', head='', flags=()):
    if shutil.which(compiler) is None:
        raise Skip('%s is not installed' % compiler)
    if compiler == 'afl-clang-fast':
        needs_files(256)    # the protocol has descriptors 198 and 199
    else:
        needs_x86()
    write('prog.c', source(body, fault, head))
    done = subprocess.run([compiler, '-g', '-O1', '-w', '-o', 'prog', 'prog.c',
                           *flags], capture_output=True, text=True,
                          env=dict(os.environ, AFL_QUIET='1'))
    check(done.returncode == 0, '%s: %s', compiler, done.stderr)
    return os.path.abspath('prog')


def fuzz(target, args=()):
    """Till the failure has the smallest input."""
    r = control.start(target, '-j', 1, '--seeds', seeds([FAILS, PASSES]),
                      args=args)
    r.control.until(
        lambda s: s['findings'] and
        s['findings'][0]['minimized_len'] == len(SMALLEST) and
        s['findings'][0]['state'] != 'new', 'a minimized finding')
    r.stop(1)
    nobody_left()
    equal(r.bucket().minimized, SMALLEST, 'the minimized input')
    equal(r.bucket().info['reproduced'], 5, 'replays')
    return r


@each(*[('%s-%s' % (kind, way[0]), kind, compiler) + way[1:]
        for kind, compiler in COMPILERS for way in WAYS])
def input_is_read(kind, compiler, body, args):
    r = fuzz(program(compiler, body), args)
    equal(r.stats['kind'], kind, 'kind')
    check(not [n for n in os.listdir('out') if n.startswith('.input')],
          'the input file is left')


# What a program does before it fails.
@each(*[('%s-%s' % (kind, name), compiler, head, body)
        for kind, compiler in COMPILERS
        for name, head, body in (
            ('slow-start', '''static void __attribute__((constructor))
take_time(void)
{
	sleep(2);
}
''', FREAD),
            ('own-handler', '''#include <signal.h>
static void
end(int s)
{
	signal(s, SIG_DFL);
	raise(s);
}
''', '\tsignal(SIGSEGV, end);\n' + FREAD))])
def fails(compiler, head, body):
    r = fuzz(program(compiler, body, '*(volatile int *)8 = 1', head))
    equal(r.bucket().info['what'], 'SIGSEGV', 'what')


@each(*[('%s-%s' % (kind, name), compiler, body)
        for kind, compiler in COMPILERS
        for name, body in (
            ('child', 'if (fork() == 0) for (;;) pause()'),
            ('daemon', 'if (daemon(1, 1) == 0) for (;;) pause()'),
            ('thread', '''pthread_t t;

	if (pthread_create(&t, NULL, end, NULL) == 0)
		for (;;)
			pause()'''))])
def nothing_is_left(compiler, body):
    target = program(compiler, FREAD + '\n\t' + body + ';', '(void)0',
                     '''#include <pthread.h>
static void *
end(void *arg)
{
	_exit(0);
}
''', ['-pthread'])
    r = run(target, '-j', 1, '--fuzztime', '30x', '--seeds', seeds([PASSES]),
            status=0)
    r.no_findings()
    nobody_left()


# What the program opens itself gets the numbers that it would get alone.
@each(*COMPILERS)
def low_descriptors_are_free(compiler):
    target = program(compiler, '''	for (int fd = 3; fd < 16; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			abort();
''' + FREAD, '(void)0')
    run(target, '-j', 1, '--fuzztime', '30x', '--seeds', seeds([PASSES]),
        status=0).no_findings()


# What a program wants that it does not get: noticed, with advice.
@each(*[('%s-%s' % (kind, name), compiler, condition)
        for kind, compiler in COMPILERS
        for name, condition in (
            ('terminal', '!isatty(0)'),
            ('fifo', 'fstat(0, &st) != 0 || !S_ISFIFO(st.st_mode)'))])
def reads_nothing(compiler, condition):
    target = program(compiler, 'struct stat st;\n\tif (%s) return 1;\n' %
                     condition + FREAD.replace('\tchar', '\t{ char') + ' }')
    r = start(target, '-j', 1, '--seeds', seeds([FAILS])).end_at(
        'same coverage', 0)
    r.no_findings()
    hints = [e['text'] for e in r.events('hint')]
    check(any(h.startswith('write @@') and 'neither a pipe nor a terminal' in h
              for h in hints), 'hints: %s', hints)
    nobody_left()


# The input goes through a FIFO that the program makes.
@each(*COMPILERS)
def own_fifo(compiler):
    r = fuzz(program(compiler, '''	char b[256];
	FILE *f;
	ssize_t n;
	int fd;

	unlink("fifo");
	if (mkfifo("fifo", 0600) != 0)
		return 1;
	if (fork() == 0) {
		f = fopen("fifo", "wb");
		n = fread(b, 1, sizeof(b), stdin);
		fwrite(b, 1, n, f);
		fclose(f);
		_exit(0);
	}
	fd = open("fifo", O_RDONLY);
	n = read(fd, b, sizeof(b));
	unlink("fifo");
	judge(b, n > 0 ? n : 0);'''))
    check(not os.path.exists('fifo'), 'a FIFO is left')


main()
