#!/usr/bin/env python3
"""Programs that take their inputs in a loop, in one process."""

# BEGUN FIRST
import os
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403
import control    # noqa: E402

HEAD = '''#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void __attribute__((noinline))
judge(const unsigned char *b, size_t n)
{
	if (n > 1 && b[0] == 'B' && b[1] == '!') {
		%s;
	}
}
'''
INIT = '''#ifdef __AFL_HAVE_MANUAL_CONTROL
	__AFL_INIT();
#endif
'''
DEFERRED = INIT + '''	unsigned char b[256];
	ssize_t n = read(0, b, sizeof(b));

	judge(b, n > 0 ? n : 0);'''
STDIN = '''	while (__AFL_LOOP(1000)) {
		unsigned char b[256];
		ssize_t n = read(0, b, sizeof(b));

		judge(b, n > 0 ? n : 0);
		%s;
	}'''
TESTCASE = INIT + '''	unsigned char *b = __AFL_FUZZ_TESTCASE_BUF;

	while (__AFL_LOOP(10000)) {
		int n = __AFL_FUZZ_TESTCASE_LEN;

		if (n < 1)
			continue;
		b[n] = 0;
		judge(b, n);
		%s;
	}'''
HF = '''	for (;;) {
		const uint8_t *b;
		size_t n;

		HF_ITER(&b, &n);
		judge(b, n);
		%s;
	}'''
HF_HEAD = '''#ifdef __cplusplus
extern "C"
#endif
void HF_ITER(const uint8_t **, size_t *);
'''
COVERAGE = TESTCASE.replace('judge(b, n);', '''__AFL_COVERAGE_ON();
		judge(b, n);
		__AFL_COVERAGE_OFF();
		if (n > 100)
			__AFL_COVERAGE_DISCARD();
		if (n > 200)
			__AFL_COVERAGE_SKIP();
		__AFL_LSAN_OFF();
		__AFL_LSAN_ON();
		__AFL_LEAK_CHECK();''')
COVERAGE_HEAD = '''__AFL_FUZZ_INIT();
__AFL_COVERAGE();
__AFL_COVERAGE_START_OFF();
'''
LOOP = STDIN.replace('__AFL_LOOP', 'cfuzz_loop')
CFUZZ = '#include <cfuzz.h>\n'
THREADS = '''#include <pthread.h>
static void *
rest(void *arg)
{
	for (;;)
		pause();
	return arg;
}
static void __attribute__((constructor))
begin(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, rest, NULL);
}
'''
FUZZ_INIT = '__AFL_FUZZ_INIT();\n'
# Inputs that are a byte away from the failure.
NEARLY = [b'xx', b'B?rest']


def program(body, fault='abort()', head='', then='', **more):
    """A program that judges its inputs, and then does something."""
    if '%s' in body:
        body %= then
    return build(HEAD % fault + head + '''
int
main(int argc, char **argv)
{
%s
	return argc < 1 || argv == NULL;
}
''' % body, name='prog', **more)


def fuzz(target, *options, args=(), found=1, time='900s', **more):
    """Till the first finding, or without one."""
    stop = ('--stop-on-crash',) if found else ()
    return run(target, '-j', 1, '--fuzztime', time, *stop,
               '--seeds', seeds(NEARLY), *options, args=args, status=found,
               patience=1000, **more)


STYLES = (('deferred', DEFERRED, ''),
          ('stdin', STDIN, ''),
          ('testcase', TESTCASE, FUZZ_INIT),
          ('honggfuzz', HF, HF_HEAD),
          ('honggfuzz-header', HF, '#include "libhfuzz/libhfuzz.h"\n'),
          ('honggfuzz-system', HF, '#include <libhfuzz.h>\n'),
          ('coverage', COVERAGE, COVERAGE_HEAD),
          ('loop', LOOP, CFUZZ))
CXX = {'tool': 'cfuzz-c++', 'flags': ['-x', 'c++']}


@each(*[s + ({},) for s in STYLES],
      *[('%s-c++' % s[0], s[1], s[2], CXX) for s in STYLES],
      ('gcc', TESTCASE, FUZZ_INIT, {'compiler': 'gcc'}),
      ('static', TESTCASE, FUZZ_INIT, {'flags': ['-static']}),
      ('asan', TESTCASE, FUZZ_INIT, {'flags': ['-fsanitize=address']}),
      ('asan-stdin', STDIN, '', {'flags': ['-fsanitize=address']}))
def found(body, head, more):
    # Found, minimized, in one bucket, repeated; by hand it runs once.
    target = program(body, head=head, **more)
    r = fuzz(target)
    equal(r.stats['kind'], 'main()', 'kind')
    bucket = r.bucket()
    equal(bucket.minimized[:2], b'B!', 'the minimized input')
    equal(bucket.info['reproduced'], 5, 'replays')
    check(bucket.info['where'].startswith('judge'), 'where: %s',
          bucket.info['where'])
    write('witness', bucket.minimized)
    status, out = repro(target, 'witness')
    equal(status, 1, 'repro:\n%s' % out)
    done = subprocess.run([target], input=bucket.minimized,
                          stderr=subprocess.DEVNULL)
    equal(done.returncode, -signal.SIGABRT, 'by hand')
    done = subprocess.run([target], input=b'xx', timeout=PATIENCE)
    equal(done.returncode, 0, 'by hand')


SLURP = '''int armed;
#include <fcntl.h>

static ssize_t
slurp(const char *name, void *b, size_t n)
{
	int fd = open(name, O_RDONLY);
	ssize_t got = read(fd, b, n);

	close(fd);
	return got;
}
'''


@each(('stdin', STDIN, (), ()),
      ('file', STDIN.replace('read(0', 'slurp(argv[2]'), ('--in', '@@'), ()),
      ('named', STDIN.replace('read(0', 'slurp("the file"'), (),
       ('--input-file', 'the file')))
def exported_sequence(body, args, options):
    # All of its inputs run in one process.
    target = program(body, fault='extern int armed; if (armed) abort()',
                     head=SLURP,
                     then='armed |= n > 1 && b[0] == 65')
    r = control.start(target, '-j', 1, '--verify', 2, '--minimizetime', 0,
                      '--seeds', seeds([b'A1', b'B!']), *options, args=args)
    f = r.control.until(
        lambda s: s['findings'] and s['findings'][0]['sequence'] > 1 and
        s['findings'][0]['state'] == 'confirmed' and s,
        'a sequence')['findings'][0]
    r.control.command('export %s "%s"' % (f['id'], os.path.abspath('sent')))
    r.stop(1)
    done = subprocess.run(['./sent/reproduce.sh'], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=dict(os.environ, PATH='%s:/usr/bin:/bin' % BUILD))
    equal(done.returncode, 1, 'status of the script:\n%s' %
          done.stdout.decode())
    check(b'SIGABRT' in done.stdout, 'what it says: %s', done.stdout)


@case
def no_process_for_each():
    # One process runs many inputs, and a new one goes on after the number.
    then = 'static int runs; if (runs++ == 0) { FILE *f = fopen(' \
        'getenv("COUNT"), "a"); fputs("x", f); fclose(f); }'
    target = program(TESTCASE, 'return', FUZZ_INIT, then)
    r = fuzz(target, found=0, time='30000x',
             env={'COUNT': os.path.abspath('count')})
    many = len(read('count'))
    check(1 < many < r.stats['execs'] / 20, '%d processes for %d inputs',
          many, r.stats['execs'])


@each(('exit', 'if (n > 1 && b[0] == 120) exit(3)'),
      ('return', 'if (n > 1 && b[0] == 120) return 3'),
      ('break', 'if (n > 1 && b[0] == 120) break'),
      ('_exit', 'if (n > 1 && b[0] == 120) _exit(3)'))
def left(then):
    # To leave the loop is no failure, and ends that input alone.
    for out, body, head in ('one', TESTCASE, FUZZ_INIT), ('two', STDIN, ''):
        target = program(body, head=head, then=then)
        r = fuzz(target, out=out)
        equal(r.bucket().info['reproduced'], 5, 'replays')
        equal(len(r.stats['findings']), 1, 'findings')


@each(('exit', 'exit(0)'), ('status', 'exit(3)'), ('return', 'return 0'),
      ('quick', '_exit(0)'))
def left_with_threads(then):
    # The worker itself has left the loop, and is started again. That takes a
    # while, so few inputs do it.
    target = program(STDIN, head=THREADS, flags=['-pthread'], then='''
		if (n == 2 && b[0] == 120 && b[1] == 120) ''' + then)
    r = fuzz(target)
    equal(r.bucket().info['what'], 'SIGABRT', 'what')
    equal(r.bucket().info['reproduced'], 5, 'replays')
    equal(len(r.stats['findings']), 1, 'findings')


@each(('process', '', {}, 'L', 1, 'n > 0 && memchr(b, 76, n) != NULL', 'exit'),
      ('threads', THREADS, {'flags': ['-pthread']}, 'L', 1,
       'n > 0 && memchr(b, 76, n) != NULL', 'exit'),
      ('gcc', '', {'compiler': 'gcc'}, 'L', 1,
       'n > 0 && memchr(b, 76, n) != NULL', 'exit'),
      ('others', '', {}, 'm', 5, 'n > 0 && n < 5', '_exit'))
def left_is_minimized(head, more, byte, least, condition, leave):
    # Each of its tries leaves the loop, and so needs a process of its own; or
    # only too short ones do, at once, so that the child cannot save its state.
    start = b'm' * 20 + byte.encode() + b'm' * 20
    target = program(LOOP, 'return', CFUZZ + head,
                     'if (%s) %s(3)' % (condition, leave), **more)
    r = control.start(target, '-j', 1, '--minimizetime', 0, '--seeds',
                      seeds([start]))
    r.control.until(lambda s: s['state'] == 'fuzzing', 'fuzzing')
    r.control.command('set minimizetime 60s')
    r.control.command('minimize %s' % sha(start)[:16])
    r.control.until(lambda s: any(
        m['start_len'] == len(start) and m['len'] == least
        for m in s['minimized']), 'a smaller input')
    r.stop()


@case
def left_is_failure():
    target = program(TESTCASE, head=FUZZ_INIT, fault='exit(3)')
    r = fuzz(target, '--fail-on-exit')
    equal(r.bucket().info['kind'], 'exit', 'kind')


@case
def left_has_coverage():
    # Edges of an execution that ends by exit() count.
    target = program(TESTCASE, 'return', FUZZ_INIT, '''
		if (n > 1 && b[1] == 'a')
			exit(1);
		if (n > 1 && b[1] == 'b')
			exit(2)''')
    r = run_till([lambda b: b[1:2] == b'a', lambda b: b[1:2] == b'b'], target,
                 '-j', 1, '--fuzztime', '20000x', '--seeds', seeds([b'xc']),
                 status=0)
    check({b'a', b'b'} <= {b[1:2] for b in r.corpus().values()},
          'not kept: %r', r.corpus())


@case
def long_jump():
    body = '''	static jmp_buf back;

	(void)setjmp(back);
''' + TESTCASE
    target = program(body, head=FUZZ_INIT, then='if (n > 2) longjmp(back, 1)')
    equal(fuzz(target).bucket().info['reproduced'], 5, 'replays')


@case
def leak():
    target = program(TESTCASE, head=FUZZ_INIT,
                     fault='char *volatile p = (char *)malloc(77);'
                           ' p[0] = 1; p = NULL',
                     flags=['-fsanitize=address'])
    r = fuzz(target)
    check('judge' in r.bucket('leaks').info['where'], 'where: %s',
          r.bucket('leaks').info['where'])


@case
def hang():
    target = program(TESTCASE, head=FUZZ_INIT,
                     fault='for (;;) n = n * 3 + 1')
    r = fuzz(target, '--timeout', 1000, '--minimizetime', '20s')
    check('judge' in r.bucket('hangs').info['where'], 'where: %s',
          r.bucket('hangs').info['where'])


@case
def sanitizer_report():
    target = program(TESTCASE, head=FUZZ_INIT,
                     fault='char *volatile p = (char *)malloc(2); p[n] = 1',
                     flags=['-fsanitize=address'])
    r = fuzz(target)
    equal(r.bucket().info['what'], 'heap-buffer-overflow', 'what')


@case
def file_named():
    # The file of @@ is written as well.
    target = program('''	while (__AFL_LOOP(1000)) {
		unsigned char b[256];
		FILE *f = fopen(argv[1], "rb");
		size_t n;

		if (f == NULL)
			return 4;
		n = fread(b, 1, sizeof(b), f);
		fclose(f);
		judge(b, n);
	}''')
    r = fuzz(target, args=['@@'])
    equal(r.bucket().info['reproduced'], 5, 'replays')


@case
def function_beside():
    # A main() with a loop may call the fuzz target's function.
    target = program(TESTCASE.replace('judge(', 'LLVMFuzzerTestOneInput('),
                     head=FUZZ_INIT + '''int
LLVMFuzzerTestOneInput(const uint8_t *b, size_t n)
{
	judge(b, n);
	return 0;
}
''')
    equal(fuzz(target).stats['kind'], 'main()', 'kind')


@case
def function_instead():
    # A main() for AFL++ alone is left out where there is a fuzz target.
    target = build(HEAD % 'abort()' + '''
int
LLVMFuzzerTestOneInput(const uint8_t *b, size_t n)
{
	judge(b, n);
	return 0;
}
#ifdef __AFL_COMPILER
int
main(void)
{
	return 1;
}
#endif
''')
    equal(fuzz(target).stats['kind'], 'function', 'kind')


if __name__ == '__main__':
    sys.exit(main())
