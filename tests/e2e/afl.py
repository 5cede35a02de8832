#!/usr/bin/env python3
"""Binaries that AFL++ has built: recognised, driven, their bugs found."""

import glob
import os
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403
import control             # noqa: E402
import sandbox             # noqa: E402

HEADERS = '''
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
'''

# The bug that each program has, with a place to find it at.
PARSE = '''
static __attribute__((noinline)) void
broken(const char *bytes)
{
	if (bytes[2] & 0x40)
		abort();
}

static __attribute__((noinline)) void
parse(const char *bytes, long n)
{
	if (n > 2 && bytes[0] == 'B')
		if (bytes[1] == 'U')
			broken(bytes);
}
'''

PLAIN = HEADERS + PARSE + '''
int
main(void)
{
	char bytes[4096];
	long n = read(0, bytes, sizeof(bytes));

	parse(bytes, n);
	return n > 0 && bytes[0] == 'E';
}
'''

DEFERRED = HEADERS + PARSE + '''
int
main(void)
{
	char bytes[4096];
	long n;

	usleep(200000);
	__AFL_INIT();
	n = read(0, bytes, sizeof(bytes));
	parse(bytes, n);
	return 0;
}
'''

PERSISTENT = HEADERS + PARSE + '''
int
main(void)
{
	char bytes[4096];

	while (__AFL_LOOP(1000)) {
		memset(bytes, 0, sizeof(bytes));
		parse(bytes, read(0, bytes, sizeof(bytes)));
	}
	return 0;
}
'''

SHARED = HEADERS + PARSE + '''
__AFL_FUZZ_INIT();
int
main(void)
{
	const char *bytes;

	__AFL_INIT();
	bytes = (const char *)__AFL_FUZZ_TESTCASE_BUF;
	while (__AFL_LOOP(1000))
		parse(bytes, __AFL_FUZZ_TESTCASE_LEN);
	return 0;
}
'''

OVERFLOW = HEADERS + '''
static __attribute__((noinline)) char
peek(const char *bytes, long n)
{
	return bytes[n];
}

int
main(void)
{
	char *bytes = malloc(8);
	long n = read(0, bytes, 8);

	return n == 3 && bytes[0] == 'B' ? peek(bytes, 8) : 0;
}
'''

# Each run reads constants that the kernel does not map together. Most runs have
# a page fault for each; one that has fewer leaves a file.
CONSTANTS = HEADERS + '''
#include <sys/resource.h>

static const volatile char constants[200][1 << 16] = { { 1 } };

int
main(int argc, char **argv)
{
	struct rusage usage;
	int sum = 0;

	for (int i = 0; i < 200; i++)
		sum += constants[i][0];
	getrusage(RUSAGE_SELF, &usage);
	if (usage.ru_minflt < 100)
		close(creat(argv[2], 0600));
	return sum + argc == 0;
}
'''

# A fork server without AFL++: it has the name by which one is recognised.
FAKE = HEADERS + '''
#include <sys/shm.h>
#include <sys/wait.h>
static const char name[] = "__AFL_SHM_ID";

static void
say(uint32_t word)
{
	if (write(199, &word, 4) != 4)
		exit(9);
}

static uint32_t
hear(void)
{
	uint32_t word = 0;

	if (read(198, &word, 4) != 4)
		exit(0);
	return word;
}

static char *map;

static void
serve(void)
{
	for (;;) {
		char bytes[16] = "";
		int status;
		pid_t pid;

		(void)hear();
		pid = fork();
		if (pid == 0) {
			long n = read(0, bytes, sizeof(bytes));

			map[1]++;
			if (n > 1 && bytes[0] == 'B') {
				map[2]++;
				if (bytes[1] == 'U')
					abort();
			}
			_exit(0);
		}
		say(pid);
		waitpid(pid, &status, 0);
		say(status);
	}
}
int
main(void)
{
	map = shmat(atoi(getenv(name)), NULL, 0);
	%s
	return 0;
}
'''

# With shared memory of POSIX.
POSIX_FAKE = FAKE.replace('shmat(atoi(getenv(name)), NULL, 0)', '''mmap(NULL,
		65536, PROT_READ | PROT_WRITE, MAP_SHARED,
		shm_open(getenv(name), O_RDWR, 0600), 0)''')
assert 'shm_open' in POSIX_FAKE

NEW_HELLO = 'say(0x41464c01); if (hear() != ~0x41464c01u) return 8;'


def compile_with(compiler, source, name='target', flags=()):
    needs_files(256)    # the protocol has descriptors 198 and 199
    write(name + '.c', source)
    done = subprocess.run([compiler, '-g', '-O1', '-w', '-o', name,
                           name + '.c', *flags], capture_output=True,
                          text=True, env=dict(os.environ, AFL_QUIET='1'))
    if 'invalid linker name' in done.stderr:
        raise Skip('%s has no linker (package lld)' % compiler)
    check(done.returncode == 0, '%s: %s', compiler, done.stderr)
    return os.path.abspath(name)


def afl(source, name='target', flags=()):
    if shutil.which('afl-clang-fast') is None:
        raise Skip('afl-clang-fast (package afl++) is not installed')
    return compile_with('afl-clang-fast', source, name, flags)


def fake(body, source=FAKE):
    return compile_with('cc', source % body)


SEEDS = [b'BU-', b'B--', b'123']


def functions(bucket):
    return [f['function'] for f in bucket.info['frames']]


@each(('plain', PLAIN), ('deferred', DEFERRED), ('persistent', PERSISTENT),
      ('shared-memory', SHARED))
def bug_is_found(source):
    # Found, named, verified, made smaller, and repeated by hand.
    target = afl(source)
    r = run(target, '-j', 1, '--seeds', seeds(SEEDS), '--stop-on-crash',
            '--fuzztime', '900s', status=1, patience=1000)
    bucket = r.bucket()
    equal(bucket.info['what'], 'SIGABRT', 'the failure')
    equal(bucket.input[:2], b'BU', 'the input')
    equal(functions(bucket)[-3:], ['broken', 'parse', 'main'], 'the frames')
    check(r.stats['counters_hit'] > 3, 'edges: %d', r.stats['counters_hit'])
    status, out = repro(target, os.path.join(bucket.path, 'input'))
    equal(status, 1, 'exit status of repro')
    check('SIGABRT' in out, 'repro says:\n%s', out)


@case
def bad_access():
    # An intact stack, which ends at main().
    target = afl(PLAIN.replace('abort()', '*(volatile int *)8 = 1'))
    r = run(target, '-j', 1, '--seeds', seeds([b'BU\x7f']), '--fuzztime',
            '20x', status=1)
    equal(r.bucket().info['what'], 'SIGSEGV', 'the failure')
    equal(functions(r.bucket()), ['broken', 'parse', 'main'], 'the frames')


@case
def crash_in_a_plugin():
    # A library that only the run loads has a place.
    write('plugin.c', 'void\nplugged(int *at)\n{\n\t*at = 1;\n}\n')
    subprocess.run(['cc', '-g', '-shared', '-fPIC', '-o', 'plugin.so',
                    'plugin.c'], check=True)
    target = afl('#include <dlfcn.h>\n' + PLAIN.replace('abort()', '''{
		void (*plugged)(int *) = dlsym(
			dlopen("./plugin.so", RTLD_NOW), "plugged");

		plugged(0);
	}'''), flags=['-ldl'])
    r = run(target, '-j', 1, '--seeds', seeds([b'BU\x7f']), '--fuzztime',
            '20x', status=1)
    equal(functions(r.bucket()), ['plugged', 'broken', 'parse', 'main'],
          'the frames')


@case
def crash_of_a_child():
    # The run dies without a handler, so only its child could have told a place.
    target = afl('#include <sys/wait.h>\n' + PLAIN.replace(
        'parse(bytes, n);', """
	if (fork() == 0)
		parse(bytes, n);
	wait(NULL);
	signal(SIGABRT, SIG_DFL);
	abort();"""))
    r = run(target, '-j', 1, '--seeds', seeds([b'BU\x7f']), '--fuzztime', '1x',
            '--minimizetime', 0, '--verify', 0, status=1)
    equal(r.bucket().info['what'], 'SIGABRT', 'the failure')
    equal(functions(r.bucket()), [], 'the frames')


@case
def paused_in_a_run():
    # The input that ran before the pause is the one that ran after it.
    target = afl(PERSISTENT.replace('parse(bytes, read(0, bytes, sizeof(bytes)'
                                    '));', '''
		read(0, bytes, sizeof(bytes));
		if (bytes[0] != 'H' || access("held", F_OK) == 0)
			continue;
		close(creat("held", 0600));
		while (access("go", F_OK) != 0)
			usleep(1000);
		abort();'''))
    r = control.start(target, '-j', 1, '--seeds', seeds([b'Hold', b'x', b'yy']),
                      '--timeout', '100s', '--verify', 0, '--minimizetime', 0)
    wait_for(lambda: os.path.exists('held'), 'the run')
    r.control.command('pause')
    r.control.until(lambda s: processes().get(s['workers'][0]['child'], '--'
                                              )[1] == 'T', 'the pause')
    write('go', '')
    r.control.command('resume')
    r.control.until(lambda s: s['findings'], 'the finding')
    r.stop(1)
    equal(r.bucket().input, b'Hold', 'the input')


@case
def is_minimized():
    target = afl(SHARED)
    r = run(target, '-j', 1, '--seeds', seeds([b'BUU' + b'x' * 300]),
            '--fuzztime', '300x', status=1)
    minimized = r.bucket().minimized
    equal((len(minimized), minimized[:2]), (3, b'BU'), 'the minimized input')
    check('reproduced 5 of 5' in r.stdout, 'says:%s', r.describe())


@each(('space', 'a folder'), ('colon', 'a:folder'))
def library_that_cannot_be_loaded(folder):
    # The dynamic linker takes these as separators, and would load another one.
    target = afl(PLAIN.replace('parse(bytes, n);', '''
	if (strstr(getenv("LD_PRELOAD") ?: "", "libcfuzz"))
		abort();'''))
    os.mkdir(folder)
    for name in ('cfuzz', 'cfuzz-adapter', 'libcfuzz-crash.so'):
        shutil.copy(os.path.join(os.path.dirname(CFUZZ), name), folder)
    status, out, err = tool(os.path.join(folder, 'cfuzz'), 'run', '-j', 1,
                            '--seeds', seeds(SEEDS), '--fuzztime', '20x',
                            '-o', 'out', target)
    equal(status, 0, 'exit status of\n%s%s' % (out, err))


@case
def asan_reports():
    target = afl(OVERFLOW, flags=['-fsanitize=address'])
    r = run(target, '-j', 1, '--seeds', seeds([b'B--']), '--fuzztime', '20x',
            status=1)
    bucket = r.bucket()
    equal(bucket.info['what'], 'heap-buffer-overflow', 'the failure')
    equal(functions(bucket), ['peek', 'main'], 'the frames')
    check('AddressSanitizer' in bucket.report, 'the report is\n%s',
          bucket.report)


@case
def no_coverage_by_source():
    program = afl(PLAIN)
    start(program, '-j', 1, '--fuzztime', '20x', '--seeds',
          seeds([b'x'])).end(0)
    status, out, err = tool(CFUZZ, 'report', 'out', '--lcov', '-')
    equal((status, out), (2, ''), 'a tracefile')
    check('--lcov: no coverage: %s: the compiler wrote no PC table' % program
          in err, 'said: %s', err)


@case
def exit_is_no_failure():
    target = afl(PLAIN)
    r = run(target, '-j', 1, '--seeds', seeds([b'E']), '--fuzztime', '20x',
            status=0)
    r.no_findings()


@case
def exit_status_is_the_programs():
    # 70 is the status of our own child when the program is lost.
    target = afl(PLAIN.replace("bytes[0] == 'E'", "bytes[0] == 'E' ? 70 : 0"))
    r = run(target, '-j', 1, '--seeds', seeds([b'E']), '--fuzztime', '20x',
            '--fail-on-exit', '--minimizetime', 0, status=1)
    equal(r.bucket().info['what'], 'exit 70', 'the failure')


EXITS = HEADERS + PARSE + '''
static __attribute__((noinline)) void
refuse(int status)
{
	exit(status);
}

static __attribute__((noinline)) void
give_up(int status)
{
	QUIT(status);
}

static __attribute__((noinline)) void
choose(const char *bytes, long n)
{
	parse(bytes, n);
	if (n == 2 && bytes[0] == 'X')
		refuse(bytes[1] - '0');
	if (n == 2 && bytes[0] == 'Y')
		give_up(bytes[1] - '0');
}

int
main(void)
{
	char bytes[4096];
'''
EXITS_ONCE = EXITS + '''
	choose(bytes, read(0, bytes, sizeof(bytes)));
	return 0;
}
'''
EXITS_LOOP = EXITS + '''
	while (__AFL_LOOP(1000))
		choose(bytes, read(0, bytes, sizeof(bytes)));
	return 0;
}
'''


@each(('exit', EXITS_ONCE, 'exit'), ('quick_exit', EXITS_ONCE, 'quick_exit'),
      ('loop', EXITS_LOOP, 'exit'))
def exits_have_places(source, leave):
    # Two findings of one status, and none for exit(0).
    target = afl(source, flags=['-DQUIT=' + leave])
    r = run(target, '-j', 1, '--seeds', seeds([b'X0', b'X1', b'Y1']),
            '--fuzztime', '3x', '--fail-on-exit', '--minimizetime', 0,
            status=1)
    places = [functions(bucket) for bucket in r.buckets()]
    equal(sorted(p[:3] for p in places),
          [['give_up', 'choose', 'main'], ['refuse', 'choose', 'main']],
          'the frames')


@each(('_exit', (), '_exit', ' by _exit() or execve(), which leave no place'),
      ('static', ('-static',), 'exit', ''))
def exits_without_a_place(flags, leave, how):
    # In a static program nothing of ours can see how it ended.
    target = afl(EXITS_ONCE, flags=['-DQUIT=' + leave, *flags])
    write('input', b'Y1')
    status, out, err = tool(CFUZZ, 'repro', '--fail-on-exit', target, 'input')
    equal(status, 1, 'status')
    check('the target ended the process%s: exit status 1' % how in out + err,
          'said: %s%s', out, err)


@each(('plain', ()), ('asan', ('-fsanitize=address',)))
def exit_status_of_no_sanitizer(flags):
    # 77 is the status after a sanitizer's report, of which there is none.
    target = afl(PLAIN.replace(
        "bytes[0] == 'E'", "bytes[0] == 'E' ? fputs(\"skipped\", stderr), "
        '77 : 0').replace('#include', '#include <stdio.h>\n#include', 1),
                 flags=flags)
    r = run(target, '-j', 1, '--seeds', seeds([b'E']), '--fuzztime', '20x',
            status=0)
    r.no_findings()


@case
def traced_by_its_parent():
    # Each signal stops such a run, and its fork server must let it go on.
    may_be_traced()
    target = afl(HEADERS + PARSE + '''
#include <sys/ptrace.h>

static void
on_usr1(int signo)
{
}

int
main(void)
{
	char bytes[4096];

	signal(SIGUSR1, on_usr1);
	ptrace(PTRACE_TRACEME, 0, 0, 0);
	raise(SIGUSR1);
	parse(bytes, read(0, bytes, sizeof(bytes)));
	return 0;
}
''')
    r = run(target, '-j', 1, '--seeds', seeds([b'x', b'BU@']), '--fuzztime',
            '20x', '--minimizetime', 0, status=1)
    bucket = r.bucket()
    equal(bucket.info['what'], 'SIGABRT', 'the failure')
    equal(functions(bucket), ['broken', 'parse', 'main'], 'the frames')


@case
def hang_is_found():
    target = afl(HEADERS + '''
int
main(void)
{
	char bytes[16];

	if (read(0, bytes, sizeof(bytes)) == 2 && bytes[0] == 'H')
		for (;;)
			continue;
	return 0;
}
''')
    r = run(target, '-j', 1, '--seeds', seeds([b'Hi', b'x']), '--timeout',
            1000, '--fuzztime', '20x', '--minimizetime', 0, status=1)
    equal(r.bucket('hangs').info['kind'], 'hang', 'the kind')


WORD = HEADERS + '''
int
main(int argc, char **argv)
{
	char bytes[64] = "";
	uint32_t number;
	FILE *f = argc > 1 ? fopen(argv[1], "rb") : stdin;

	if (f == NULL || fread(bytes, 1, sizeof(bytes) - 1, f) < 16)
		return 0;
	memcpy(&number, bytes, sizeof(number));
	if (number == 0x6b8b4567)
		if (strcmp(bytes + 6, "two words") == 0)
			abort();
	return 0;
}
'''


@each(('stdin', ()), ('file', ('@@',)))
def comparisons_are_solved(args):
    # A number of 32 bits and a text, which are not found by chance.
    target = afl(WORD)
    os.environ['AFL_LLVM_CMPLOG'] = '1'
    second = afl(WORD, 'with_cmplog')
    del os.environ['AFL_LLVM_CMPLOG']
    r = run(target, '-j', 1, '--cmplog', second, '--seeds', seeds([b'x' * 20]),
            '--stop-on-crash', '--fuzztime', '900s', args=args, status=1,
            patience=1000)
    equal(r.bucket().info['what'], 'SIGABRT', 'the failure')


STALL = '''
static void
stall(void)
{
	int fd = open(getenv("STALLED"), O_WRONLY | O_CREAT | O_APPEND, 0600);

	if (write(fd, "x", 1) == 1)
		pause();
}
'''


@case
def comparisons_are_no_hang():
    # The run with CmpLog has its own limit, longer than this one. A machine may
    # stand still so long as well, but not each time.
    source = WORD.replace('abort();', 'return 1;')    # it may be solved
    target = afl(source)
    os.environ['AFL_LLVM_CMPLOG'] = '1'
    second = afl(source.replace('\nint\nmain', STALL + '\nint\nmain').replace(
        'return 0;', 'stall();'), 'with_cmplog')
    del os.environ['AFL_LLVM_CMPLOG']
    stalled = write('stalled', '')
    r = start(target, '-j', 1, '--cmplog', second, '--seeds', seeds([b'x' * 20]),
              '--timeout', 400, '--verify', 0, '--fuzztime', '600s',
              env={'STALLED': os.path.abspath(stalled)})
    r.wait_for(lambda: os.path.getsize(stalled) >= 6, 'runs with CmpLog')
    r.signal(signal.SIGINT)
    r.end()
    equal(r.buckets('crashes'), [], 'crashes')
    check(r.stats['hangs_seen'] < 3, '%d hangs in %d such runs:%s',
          r.stats['hangs_seen'], os.path.getsize(stalled), r.describe())


@each(('missing', '/no/such/file', 'cannot be read'),
      ('other', '/bin/true', 'is no program of AFL++'))
def bad_cmplog(name, said):
    r = run(fake('say(0); serve();'), '-j', 1, '--cmplog', name,
            '--fuzztime', '20x', status=2)
    check(said in r.stdout + r.stderr, 'says:%s', r.describe())


@case
def cmplog_without_afl():
    r = run(build('empty.c'), '--cmplog', '/bin/true', '--fuzztime', '20x',
            status=2)
    check('--cmplog is only for programs' in r.stderr, 'says:%s', r.describe())


@each(('stdin', PLAIN, ()), ('file', WORD.replace('0x6b8b4567', '1').replace(
    '"two words"', '""'), ('@@',)))
def exported(source, args):
    # reproduce.sh runs the program, without cfuzz.
    target = afl(source)
    r = control.start(target, '-j', 1, '--verify', 2, '--seeds',
                      seeds([b'BU\x7f', b'\1\0\0\0\0\0' + bytes(20)]),
                      args=args)
    f = r.control.until(
        lambda s: s['findings'] and s['findings'][0]['minimized_len'] and
        s['findings'][0]['state'] != 'new' and s, 'a finding')['findings'][0]
    r.control.command('export %s "%s"' % (f['id'], os.path.abspath('sent')))
    r.stop(1)
    equal(r.stats['kind'], 'AFL++', 'the kind of the target')
    done = subprocess.run(['./sent/reproduce.sh'], stdin=subprocess.DEVNULL,
                          env=dict(os.environ, PATH='/usr/bin:/bin'))
    equal(done.returncode, -signal.SIGABRT, 'status of the script')


@case
def is_repeated():
    # The other commands take the arguments of the campaign.
    target = afl(PLAIN.replace('read(0,', 'read(open(argv[1], 0),').replace(
        'main(void)', 'main(int argc, char **argv)'))
    r = run(target, '-j', 1, '--seeds', seeds([b'BU\x7f' + b'x' * 50]),
            '--fuzztime', '300x', args=['@@'], status=1)
    bucket = r.bucket()
    status, out = repro(target, os.path.join(bucket.path, 'input'))
    equal(status, 1, 'exit status of repro')
    check('broken' in out, 'repro says:\n%s', out)
    status, out, _ = tool(CFUZZ, 'check', r.out)
    equal(status, 1, 'exit status of check')
    check('1 still fails' in out, 'check says:\n%s', out)
    status, out, _ = tool(CFUZZ, 'min', '--timeout', '20s', target,
                          os.path.join(bucket.path, 'input'), '-o', 'small')
    equal((status, len(read('small'))), (0, 3), 'the result of min')
    status, out, _ = tool(CFUZZ, 'cmin', '--timeout', '20s', target,
                          r.path('corpus'), '-o', 'fewer')
    equal(status, 0, 'exit status of cmin')
    check(os.listdir('fewer'), 'cmin has kept nothing')


@case
def runs_inherit_pages():
    # The fork server learns which pages of its files the runs read.
    target, few = afl(CONSTANTS), os.path.abspath('few')
    run(target, '-j', 1, '--seeds', seeds([b'1']), '--fuzztime', '2x',
        args=['@@', few], status=0)
    check(not os.path.exists(few), 'the first runs have few page faults')
    run(target, '-j', 1, '--seeds', seeds([b'1']), '--fuzztime', '50x',
        args=['@@', few], status=0)
    check(os.path.exists(few), 'no run has few page faults')


@each(('killed', sandbox.KILL, ''), ('trapped', sandbox.TRAP, ''),
      ('aborts', sandbox.TRAP, 'signal(SIGSYS, (void (*)(int))abort); '))
def sandboxed_till_the_end(action, handler):
    # What our library does at the end of a run is not held against the input.
    # No file can be opened for it.
    head = '#include <signal.h>\n' + sandbox.without('openat')
    source = PLAIN.replace('int\nmain(void)', head + '\nint\nmain(void)')
    target = afl(source.replace('long n = read', '%ssandbox(%s);\n'
                                '\tlong n = read' % (handler, action)))
    r = run(target, '-j', 1, '--seeds', seeds([b'123']), '--fuzztime', '40x',
            status=0)
    r.no_findings()


@case
def is_isolated():
    # root is nobody there, so that the folder must be readable for all.
    os.chmod('.', 0o755)
    target = afl(PLAIN)
    r = run(target, '-j', 1, '--isolate', '--seeds', seeds([b'BU\x7f']),
            '--fuzztime', '20x')
    if r.status == 2 and '--isolate: ' in r.stderr:
        raise Skip(r.stderr.strip())
    check(r.status == 1, 'says:%s', r.describe())
    equal(r.bucket().info['what'], 'SIGABRT', 'the failure')


@each(('target', []), ('cmplog', ['--cmplog', 'home/second']))
def not_the_home(options):
    # The program sees its folder, which must not be all that the user has.
    os.chmod('.', 0o755)
    os.makedirs('home/bin')
    program = fake('say(0); serve();')
    shutil.copy(program, 'home/second')
    shutil.copy(program, 'home/bin/first' if options else 'home/first')
    r = run('home/bin/first' if options else 'home/first', '-j', 1, *options,
            '--isolate', '--fuzztime', '1x', status=2,
            env={'HOME': os.path.abspath('home')})
    if r.stderr.startswith('cfuzz: --isolate: '):
        raise Skip(r.stderr.strip())
    check('home: move the program to another folder' in r.stderr, 'says:%s',
          r.describe())


@each(('memory', """
	if (n > 1 && bytes[0] == 'G') {
		char *volatile held = malloc(300 << 20);

		memset(held, 1, 300 << 20);
		pause();
	}""", 'oom', ('--rss-limit', 200, '--timeout', '30s', '--verify', 0)),
      ('time', """
	while (n > 1 && bytes[0] == 'G')
		continue;""", 'hang', ('--timeout', 1000, '--verify', 1)))
def isolated_limits(body, what, options):
    # The run is no child of the worker, but of the program in between.
    os.chmod('.', 0o755)
    target = afl(PLAIN.replace('parse(bytes, n);', body))
    r = run(target, '-j', 1, '--isolate', '--seeds', seeds([b'GU\x7f']),
            '--fuzztime', '3x', '--minimizetime', 0, *options)
    if r.status == 2 and '--isolate: ' in r.stderr:
        raise Skip(r.stderr.strip())
    check(r.status == 1, 'says:%s', r.describe())
    bucket = r.bucket(what + 's')
    equal(bucket.info['kind'], what, 'the kind')
    check(what != 'hang' or 'main' in functions(bucket), 'no stack: %s',
          bucket.info)
    equal(r.stats['workers'][0]['restarts'], 0, 'restarts')


@each(('old', 'say(0xc0000001 | (8 - 1) << 1); serve();'),
      ('first', 'say(0); serve();'),
      ('new', NEW_HELLO + 'say(1); say(8); say(0x41464c01); serve();'),
      ('new-words', NEW_HELLO + '''say(0x801); say(8); say(4);
        write(199, "\\3abc", 4); say(0x41464c01); serve();'''))
def both_handshakes(body):
    # The fork server is ours: Debian's AFL++ speaks only the old one.
    r = run(fake(body), '-j', 1, '--seeds', seeds(SEEDS), '--fuzztime', '20x',
            status=1)
    equal(r.bucket().info['what'], 'SIGABRT', 'the failure')
    equal(r.stats['counters_hit'], 2, 'edges')
    equal([e['words'] for e in r.events('words')],
          [1] if 'abc' in body else [], 'words of the dictionary')


@case
def link_time():
    # afl-clang-lto brings a dictionary of what the program compares with.
    if shutil.which('afl-clang-lto') is None:
        raise Skip('afl-clang-lto is not installed')
    target = compile_with('afl-clang-lto', WORD)
    r = run(target, '-j', 1, '--seeds', seeds([b'x' * 20]), '--fuzztime',
            '20x', status=0)
    check(r.events('words'), 'no dictionary')
    r = run(target, '-j', 1, '--seeds', seeds([b'gE\x8bk__two words' +
                                               bytes(4)]),
            '--fuzztime', '20x', out='other', status=1)
    equal(functions(r.bucket()), ['main'], 'the frames')


GCC = '''
extern unsigned char *__afl_area_ptr;
#define EDGE(n) __afl_area_ptr[n]++
'''


@case
def gcc_plugin():
    # Debian's plugin refuses every gcc but the one that it was built with.
    if shutil.which('afl-gcc-fast') is None:
        raise Skip('afl-gcc-fast is not installed')
    write('target.c', PLAIN)
    done = subprocess.run(['afl-gcc-fast', '-g', '-O1', '-w', '-o', 'target',
                           'target.c'], capture_output=True, text=True)
    said = done.stdout + done.stderr
    if done.returncode != 0 and 'incompatible versions' in said:
        raise Skip('afl-gcc-fast was built for another gcc')
    equal(done.returncode, 0, 'afl-gcc-fast:\n%s' % said)
    r = run('./target', '-j', 1, '--seeds', seeds(SEEDS), '--stop-on-crash',
            '--fuzztime', '900s', status=1, patience=1000)
    equal(functions(r.bucket())[-3:], ['broken', 'parse', 'main'],
          'the frames')
    equal(r.stats['kind'], 'AFL++', 'kind')


@case
def gcc():
    # What afl-gcc-fast makes, by hand: its plugin is for another gcc.
    runtime = '/usr/lib/afl/afl-compiler-rt.o'
    if not os.path.exists(runtime):
        raise Skip('no runtime of AFL++')
    target = compile_with(
        'gcc', GCC + PLAIN.replace('broken(bytes);', '{ EDGE(700); '
                                   'broken(bytes); }').replace(
            'parse(bytes, n);', 'EDGE(99); parse(bytes, n);'),
        flags=[runtime, '-lrt', '-ldl', '-lm'])
    r = run(target, '-j', 1, '--seeds', seeds(SEEDS + [b'BU\x7f']),
            '--fuzztime', '20x', status=1)
    equal(functions(r.bucket()), ['broken', 'parse', 'main'], 'the frames')
    equal(r.stats['kind'], 'AFL++', 'kind')
    check(r.stats['counters_hit'] > 1, 'edges: %d', r.stats['counters_hit'])


@case
def late_leaves_no_memory():
    # A program is killed at its start: so are the names of its memory.
    body = '''
	FILE *f = fopen("worker", "w");

	fprintf(f, "%d", getppid());
	fclose(f);
	for (;;)
		pause();'''
    r = run(fake(body, POSIX_FAKE), '-j', 1, '--start-timeout', 5000, status=2)
    check('start in time' in r.stdout + r.stderr, 'says:%s', r.describe())
    worker = read('worker').decode()
    check(worker.isdigit(), 'the worker: "%s"', worker)
    equal(glob.glob('/dev/shm/cfuzz-%s-*' % worker), [], 'memory')


@each(('ends', 'return 3;', 'ended (exit status 3) before it answered'),
      ('dies', 'abort();', 'ended (Aborted) before it answered'),
      ('nonsense', 'say(0x12345678); serve();', 'answers 0x12345678'),
      ('version', 'say(0x41464c07); hear(); serve();', 'speaks version 7'),
      ('map', NEW_HELLO + 'say(1); say(1 << 30); serve();',
       'needs a map of 1073741824 counters'),
      ('error', 'say(0xf800048f); serve();', 'cannot open the shared memory'),
      ('new-error', NEW_HELLO + 'say(0xeffe0008);', 'cannot attach'),
      ('dictionary', NEW_HELLO + 'say(0x801); say(8); say(1u << 31);',
       'a dictionary of 2147483648 bytes'),
      ('end', NEW_HELLO + 'say(1); say(8); say(1); serve();',
       'answers 0x00000001'))
def bad_hello(body, said):
    # One clear sentence, nothing is left running.
    r = run(fake(body), '-j', 1, '--fuzztime', '20x', status=2)
    check(said in r.stdout + r.stderr, 'says:%s', r.describe())


KILLS = 'if (n > 1 && bytes[0] == \'K\') kill(getppid(), SIGKILL);'


def killing(kills, source=FAKE):
    """The fake with these lines and without its bug, which may be found."""
    return source.replace('abort();', '_exit(0);').replace(
        'map[1]++;', 'map[1]++; ' + kills)


@each(('system-v', FAKE), ('posix', POSIX_FAKE))
def starts_again(source):
    # A run ends the fork server: the program starts again, not the worker.
    r = run(fake('say(0); serve();', killing(KILLS, source)), '-j', 1,
            '--seeds', seeds([b'BA', b'KA']), '--fuzztime', '200x',
            '--minimizetime', 0, status=0)
    r.no_findings()
    equal(r.stats['workers'][0]['restarts'], 0, 'restarts')
    equal(r.stats['counters_hit'], 2, 'edges')


ONCE = """
	int first = open("once", O_CREAT | O_EXCL, 0600) >= 0;

	if (first) {
		kill(getppid(), SIGKILL);
		_exit(0);
	}
"""


@case
def crash_after_a_new_start():
    # The new process lies at other addresses: its crashes have names as well.
    source = FAKE.replace('map[1]++;', ONCE + 'map[1]++;').replace(
        'serve(void)', '__attribute__((noinline)) serve(void)')
    r = run(fake('say(0); serve();', source), '-j', 1, '--seeds',
            seeds([b'BU', b'BA']), '--fuzztime', '50x', '--minimizetime', 0,
            status=1)
    check(os.path.exists('once'), 'the fork server has not ended')
    equal([f.get('function') for f in r.bucket().info['frames']][-2:],
          ['serve', 'main'], 'the frames')
    equal(r.stats['workers'][0]['restarts'], 0, 'restarts')


def starting_again(how):
    """Its first run ends the fork server; each later start does `how` first."""
    return fake('if (access("once", F_OK) == 0) { %s; } say(0); serve();' %
                how, killing(ONCE))


@case
def starts_again_slowly():
    # The time of that start is not the input's.
    r = run(starting_again('usleep(2500000)'), '-j', 1, '--timeout', 1000,
            '--seeds', seeds([b'BA']), '--fuzztime', '50x', '--minimizetime',
            0, status=0)
    check(os.path.exists('once'), 'the fork server has not ended')
    r.no_findings()
    equal(r.stats['workers'][0]['restarts'], 0, 'restarts')


@case
def starts_again_with_much_memory():
    # The program's own process is exempt from the limit, the new one, too.
    r = run(fake('''
		mmap(NULL, 150 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE |
			MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
		say(0);
		serve();''', killing(ONCE + 'usleep(200000);')), '-j', 1,
            '--rss-limit', 200, '--seeds', seeds([b'BA']), '--fuzztime', '10x',
            '--minimizetime', 0, status=0)
    check(os.path.exists('once'), 'the fork server has not ended')
    r.no_findings()
    equal(r.stats['workers'][0]['restarts'], 0, 'restarts')


@case
def starts_again_while_minimizing():
    # The new process is exempt for the rest of that call, too.
    once = ONCE.replace('first = ', 'first = n < 12 && ')
    slow = 'if (memcmp(bytes, "BU", 3) == 0) usleep(200000);'
    target = fake('''
		say(0);
		mmap(NULL, 150 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE |
			MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
		serve();''', FAKE.replace(
        'map[1]++;', once + slow + 'map[1]++;'))
    write('found', b'BU' + b'x' * 10)
    status, out, err = tool(CFUZZ, 'min', '--timeout', '20s', '--rss-limit',
                            200, '-o', 'small', target, 'found')
    equal(status, 0, 'exit status: %s' % (out + err))
    check(os.path.exists('once'), 'the fork server has not ended')
    equal(read('small'), b'BU', 'the smaller input')


@case
def never_starts_again():
    # The new start has the limit of a start; the input is not to blame.
    r = run(starting_again('if (open("late", O_CREAT | O_EXCL, 0600) >= 0) '
                           'for (;;) pause()'),
            '-j', 1, '--timeout', 1000, '--seeds', seeds([b'BA']),
            '--fuzztime', '50x', '--minimizetime', 0, status=0)
    r.no_findings()
    equal(r.stats['workers'][0]['restarts'], 1, 'restarts')
    check([e for e in r.events('worker') if 'start in time' in str(e)],
          'no reason:%s', r.describe())


@case
def killed_at_a_new_start():
    # A worker ends with its engine, even while it waits for the program.
    r = start(starting_again('close(creat("again", 0600)); for (;;) pause()'),
              '-j', 1, '--timeout', '100s', '--seeds', seeds([b'BA']))
    r.wait_for(lambda: os.path.exists('again'), 'the new start')
    r.signal(signal.SIGKILL)
    r.wait()
    nobody_left()


@case
def cannot_start_again():
    # No input is to blame for that, and the reason is said.
    kills = KILLS.replace('kill(', 'unlink("%s"), kill(' %
                          os.path.abspath('target'))
    r = run(fake('say(0); serve();', killing(kills)), '-j', 1, '--seeds',
            seeds([b'BA', b'KA']), '--fuzztime', '20x', '--minimizetime', 0)
    check(r.status not in (0, 1), 'the status is %s:%s', r.status,
          r.describe())
    r.no_findings()
    last = (r.stdout + r.stderr).split('no worker is left: ')[-1]
    check('target cannot be read' in last, 'says:%s', r.describe())


@each(('target', ()), ('cmplog', ('--cmplog', 'with_cmplog')))
def built_again(options):
    # Another program has taken its place: the campaign is not about that one.
    name = options[1] if options else 'target'
    other = compile_with('cc', killing('') % 'say(0); serve();', 'other')
    kills = KILLS.replace('kill(', 'rename("%s", "%s"), kill(' % (
        other, os.path.abspath(name)))
    target = fake('say(0); serve();', killing(kills))
    if options:
        compile_with('cc', killing('') % 'say(0); serve();', name)
    r = run(target, '-j', 1, *options, '--seeds', seeds([b'BA', b'KA']),
            '--fuzztime', '200x', '--minimizetime', 0)
    check(r.status not in (0, 1), 'the status is %s:%s', r.status,
          r.describe())
    r.no_findings()
    last = (r.stdout + r.stderr).split('no worker is left: ')[-1]
    check(name + ' was built again' in last, 'says:%s', r.describe())


@each(('dies', 'say(0); hear(); return 4;', 'has ended'),
      ('pid', 'say(0); for (;;) { hear(); say(-1); }', 'nonsense'))
def bad_run(body, said):
    # The worker ends, and the run with it; it says why.
    r = run(fake(body), '-j', 1, '--fuzztime', '20x')
    check(said in r.stdout + r.stderr, 'says:%s', r.describe())


main()
