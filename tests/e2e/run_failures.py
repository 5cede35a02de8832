#!/usr/bin/env python3
"""Every way to fail: kept once, with the bytes that really failed, smaller."""

# BEGUN FIRST
import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403

SEED = b'harmless seed'


WAYS = (
    # name, folder, what crash.json says, further options
    ('abort', 'crashes', 'SIGABRT'),
    ('null', 'crashes', 'SIGSEGV'),
    ('call-null', 'crashes', 'SIGSEGV'),
    ('trap', 'crashes', 'SIG'),
    ('divide', 'crashes', 'SIGFPE'),
    ('bus', 'crashes', 'SIGBUS'),
    ('exit-0', 'crashes', 'exit 0'),
    ('exit-1', 'crashes', 'exit 1'),
    ('exit-70', 'crashes', 'exit 70'),
    ('exit-77', 'crashes', 'exit 77'),
    ('exit-now', 'crashes', 'exit 3'),
    ('fail', 'crashes', 'error'),
    ('fail-and-log', 'crashes', 'error'),
    ('thread-exit', 'crashes', 'exit 0'),
    ('longjmp', 'crashes', ''),
    ('stack', 'crashes', 'SIGSEGV'),
    ('write-input', 'crashes', 'input'),
    ('handlers-reset', 'crashes', 'SIGSEGV'),
    ('signals-blocked', 'crashes', 'SIGSEGV'),
    ('signals-ignored', 'crashes', 'SIGSEGV'),
    ('close-all', 'crashes', 'SIGABRT'),
    ('umask', 'crashes', 'SIGABRT'),
    ('chdir', 'crashes', 'SIGABRT'),
    ('loop', 'hangs', 'hang'),
    ('sleep', 'hangs', 'hang'),
    ('deaf', 'hangs', 'hang'),
    ('stop', 'hangs', 'SIGSTOP'),
)


@each(*[(w[0],) + w for w in WAYS])
def way_to_fail(mode, folder, what):
    # B47, B50, B85, B91: kept, under a true name, with the very bytes that
    # the target had; and it fails again by hand and in cfuzz repro.
    target = build('ways.c', flags=['-pthread'])
    env = {'MODE': mode}
    limit = ['--timeout', '300' if folder == 'hangs' else '10000']
    # 200 executions find it on average; each 700th campaign takes over 2000.
    r = run(target, '-j', 1, '--fuzztime', '200000x', *limit,
            '--minimizetime', 0, '--seeds', seeds([SEED]), '--stop-on-crash',
            env=env, status=1)
    bucket = r.bucket(folder)
    check(bucket.input != SEED, 'the finding is the seed')
    check(what in bucket.info['what'], 'kind "%s", not "%s":%s',
          bucket.info['what'], what, r.describe())
    # The last call before the first death is the first that the probe keeps.
    equal(bucket.input, r.saved('first'), 'the input in %s' % bucket.folder)
    check(r.said(bucket.folder), 'its path is not told:%s', r.describe())
    equal(bucket.info['state'], 'confirmed', 'the state of the finding')
    status, out = repro(target, bucket.path, options=limit, env=env)
    check(status == 1, 'cfuzz repro: status %d:\n%s', status, out)


@each(('abort', 'abort'), ('exit', 'exit-1'), ('fail', 'fail'),
      ('stack', 'stack'), ('stop', 'stop'))
def minimized(mode):
    # A process-killing failure shrinks as any other: to its essence, "!".
    # All of them end at once, also the one that stops: none needs a limit.
    target = build('ways.c', flags=['-pthread'])
    r = start(target, '-j', 1, '--verify', 1, '--seeds',
              seeds([b'some words in front!!']), env={'MODE': mode})
    r.end_at('minimized: ', 1)
    bucket = r.bucket('hangs' if mode == 'stop' else 'crashes')
    equal(bucket.minimized, b'!', 'the minimized input')
    check(bucket.has('report.txt') or mode in ('stop', 'fail'),
          'there is no report')


@each(('going-on', False), ('stopping', True))
def minimized_to_fifty(stopping):
    # B76: inputs of 50 bytes and more fail, if one is not zero.
    target = build(one_input('''
	for (size_t i = 0; i < size && size >= 50; i++)
		if (data[i] != 0) {
			cfuzz_fail("%s of length %zu", size == 50 ?
				"got the minimum size!" : "too long:", size);
			break;
		}'''))
    r = start(target, '-j', 1, '--seeds', seeds([b'\0' * 100]),
              *(['--stop-on-crash'] if stopping else []))
    r.end(1) if stopping else r.end_at('minimized: ', 1)
    bucket = r.bucket()
    equal(len(bucket.minimized), 50, 'bytes of the minimized input')
    check(bucket.minimized.strip(b'\0') != b'', 'it does not fail')
    check(r.said('got the minimum size! of length 50'),
          'the message is not that of the minimized input:%s', r.describe())
    status, out = repro(target, os.path.join(bucket.path, 'minimized'))
    equal(status, 1, 'status of cfuzz repro')
    check('of length 50' in out, 'cfuzz repro does not tell: %s', out)
    status, out, err = tool(target, os.path.join(bucket.path, 'minimized'))
    equal(status, 1, 'status of the target run by hand')
    check('of length 50' in err, 'the target does not tell: %s', err)


@case
def exit_is_told_once():
    # B77; it is minimized as well: here a process that ends is no loss.
    target = build(one_input('\tif (size > 4 && data[3] > 100)\n'
                             '\t\texit(99);'))
    r = run(target, '-j', 1, '--fuzztime', '20000x', '--stop-on-crash',
            '--minimizetime', 0, status=1)
    equal(r.stdout.count('exit status 99'), 1, 'times that it is told')
    check('minimizing' not in r.stdout, 'it minimizes:%s', r.describe())
    status, out = repro(target, r.bucket().path)
    equal(status, 1, 'status of cfuzz repro')
    check('exit 99' in out, 'cfuzz repro does not tell: %s', out)


@each(('plain', [], False), ('asan', ['-fsanitize=address'], False),
      ('threads', [], True))
def each_exit_has_its_place(flags, threads):
    # Two that end the process alike are two findings, each with its line. Of
    # _exit() there is none, and that is said.
    target = build(one_input('''
	if (size > 1 && data[0] == 'E')
		data[1] == 'a' ? way_one() : data[1] == 'b' ? way_two() :
			_exit(7);''', head='''
#include <pthread.h>
#include <unistd.h>
__attribute__((noinline)) static void way_one(void) { exit(3); }
__attribute__((noinline)) static void way_two(void) { exit(3); }
static void *rest(void *arg) { pause(); return arg; }

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	pthread_t thread;

	(void)argc, (void)argv;
	return %d ? pthread_create(&thread, NULL, rest, NULL) : 0;
}
''' % threads), flags=flags + ['-g', '-pthread'])
    # What it takes a start to try is not minimized here.
    told = 'crash: exit' if threads else 'minimized: crash: exit'
    r = start(target, '-j', 1, '--verify', 1, '--minimizetime',
              0 if threads else '60s', '--seeds', seeds([b'Ea', b'Eb', b'E_']))
    r.wait_for(lambda: r.stdout.count(told) == 3, 'three that are told')
    r.wait_named(3)
    r.signal(signal.SIGINT)
    r.end(1)
    equal(sorted(b.info.get('where', '').split(' ')[0] for b in r.buckets()),
          ['', 'way_one', 'way_two'], 'where they are')
    for b in r.buckets():
        exits = '_exit()' if b.info['what'] == 'exit 7' else 'process: '
        check(exits in b.info['text'], 'what is said of it: %s', b.info)
    equal(r.stdout.count('exit status 7'), 1 if threads else 2,
          'times that 7 is told')


@each(('plain', ''), ('asan', 'o'))
def threads_change_no_stack(more):
    # A target that cannot be forked dies with all of its worker. What lies
    # outside of the target's function is told as little as of any other, and
    # what a sanitizer has said counts as much.
    body, head = '''
	if (size == 2 && data[0] == 'E')
		switch (data[1]) {
		case 'n': way_null(); break;
		case 'a': way_abort(); break;
		case 'c': way_check(size); break;
		case 'e': way_exit(); break;
		case 'h': way_hang(); break;
		case 'o': way_over(); break;
		}''', '''
#include <assert.h>
#define WAY __attribute__((noinline)) static void
static volatile int sink;
WAY way_null(void) { *(volatile int *)NULL = 1; }
WAY way_abort(void) { abort(); }
WAY way_check(size_t size) { assert(size == 99); }
WAY way_exit(void) { exit(3); }
WAY way_hang(void) { for (;;) sink++; }
WAY way_over(void) { volatile char *at = malloc(8); at[8 + sink] = 1; }
'''
    flags = ['-pthread'] + ['-fsanitize=address'] * bool(more)
    ways = 'naceh' + more

    # What is late beside load looks like a hang, or has no stack; its replay
    # has more time.
    def stacks(head, out):
        r = start(build(one_input(body, head), flags=flags), '-j', 1,
                  '--timeout', '1s', '--verify', 1, '--minimizetime', 0,
                  '--seeds', seeds([b'E' + way.encode() for way in ways]),
                  out=out)
        r.wait_for(lambda: r.stdout.count('to re-run') >= len(ways),
                   'all ways')
        r.wait_named(len(ways))
        r.signal(signal.SIGINT)
        r.end(1)
        return sorted((b.info['what'], b.info['text'],
                       [f.get('function') for f in b.info['frames']])
                      for b in r.buckets())

    alone, beside = stacks(head, 'alone'), stacks(head + THREAD, 'beside')
    equal(beside, alone, 'what is told of a target with threads')
    for what, _, names in beside:
        check(len(names) == 2 and names[0].startswith('way_') and
              names[1] == 'LLVMFuzzerTestOneInput', '%s: %s', what, names)


# Mutations that change a byte and leave the length as it is: what is short comes
# from nowhere but a minimization.
SAME_LENGTH = '''
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	if (size == 0 && max > 0)
		size = 1;
	data[seed % 8 % size] += 1 + (seed >> 8) % 255;
	return size;
}'''


@case
def hardly_minimized():
    # B78: with one execution the finding is there, if not small.
    target = build(one_input('\tif (size >= 50 && data[7] != 0)\n'
                             '\t\tcfuzz_fail("too long");', SAME_LENGTH))
    r = run(target, '-j', 1, '--fuzztime', '20000x', '--minimizetime', '1x',
            '--stop-on-crash', '--seeds', seeds([b'\0' * 100]), status=1)
    bucket = r.bucket()
    kept = 'minimized' if bucket.has('minimized') else 'input'
    check(len(bucket.file(kept)) > 50, 'it is smallest after one execution')
    equal(repro(target, os.path.join(bucket.path, kept))[0], 1,
          'status of cfuzz repro')
    # What is kept is not small because no time was left, not because it
    # cannot be.
    tool(CFUZZ, 'min', target, os.path.join(bucket.path, kept), '-o', 'small')
    equal(len(read('small')), 50, 'bytes of the smallest')


@case
def crash_while_minimizing_coverage():
    # B81: it is minimized itself, and told of once.
    target = build(one_input('''
	static volatile int sink;

	if (size >= 100) {
		if (data[7] != 0xff)
			sink++;
		return 0;
	}
	if (size == 1)
		fputs("got the minimum size!\\\n", stderr);
	if (size > 0)
		cfuzz_fail("bad input");''', SAME_LENGTH))
    options = ['-j', 1, '--fuzztime', '20000x', '--stop-on-crash', '--seeds',
               seeds([b'\xff' * 100])]
    run(target, *options, '--minimizetime', 0, out='without', status=0)
    r = run(target, *options, status=1)
    bucket = r.bucket()
    equal(len(bucket.minimized), 1, 'bytes of the minimized input')
    equal(r.stdout.count('\n    bad input'), 2, 'times that it is told: as '
          'found, and minimized')


@case
def death_while_minimizing_coverage():
    # B82
    target = build(one_input('''
	static volatile int sink;

	if (size == 1)
		exit(1);
	if (size > 1 && data[0] == 'x')
		sink++;''', SAME_LENGTH))
    options = ['-j', 1, '--fuzztime', '200000x', '--stop-on-crash', '--seeds',
               seeds([b'y' * 70])]
    run(target, *options, '--minimizetime', 0, out='without', status=0)
    r = run(target, *options, '--minimizetime', '100000x', status=1)
    equal(len(r.bucket().input), 1, 'bytes of the input')


@case
def crash_wins_over_coverage():
    # While an input of the corpus is made smaller another one crashes: it is
    # kept and minimized, and the corpus entry's turn comes later or never.
    target = build(one_input('''
	static volatile int sink;

	if (size == 64 && data[0] == 'x')
		sink++;
	if (size > 2 && size < 64)
		abort();''', SAME_LENGTH))
    r = run(target, '-j', 1, '--fuzztime', '100000x', '--verify', 1,
            '--stop-on-crash', '--seeds', seeds([b'y' * 64]), status=1)
    bucket = r.bucket()
    equal(len(bucket.minimized), 3, 'bytes of the minimized crash')
    kinds = [e['event'] for e in r.journal]
    check('minimized' not in kinds[:kinds.index('crash')],
          'coverage went before the crash: %s', kinds)


@case
def second_crash_while_stopping():
    # Under --stop-on-crash what else crashes meanwhile, here while the first
    # is minimized, is no second finding to wait for.
    target = build(one_input('''
	if (size > 8 && data[0] == 'x')
		abort();
	if (size > 2 && size <= 8)
		*(volatile int *)8 = 1;''', SAME_LENGTH))
    r = run(target, '-j', 1, '--fuzztime', '100000x', '--stop-on-crash',
            '--seeds', seeds([b'y' * 64]), status=1)
    first = [b for b in r.buckets() if b.info['what'] == 'SIGABRT']
    equal(len(first), 1, 'findings that are the first')
    equal(first[0].minimized[:1], b'x', 'what the first needs')
    equal(len(first[0].minimized), 9, 'bytes of the first, minimized')
    check(r.stats['execs'] < 100000, 'it went on: %d executions',
          r.stats['execs'])


@case
def crashes_of_others_while_stopping():
    # Nor is what the other workers meet before they have heard of the first.
    target = build(one_input('''
	if (size == 64 && data[0] != 'y')
		exit(1 + data[0] % 100);''', SAME_LENGTH))
    folder = seeds([b'y' * 64])
    # Whether they meet anything in time is chance.
    for i in range(5):
        r = run(target, '-j', 4, '--fuzztime', '1000000x', '--stop-on-crash',
                '--minimizetime', 0, '--verify', 3, '--seeds', folder,
                out='out%d' % i, status=1)
        equal(len(r.buckets()), 1, 'findings')


@each(*[(str(k), k) for k in (3, 4, 5, 7, 10, 13, 17, 20)])
def death_soon_after_a_failure(k):
    # B110: the k-th execution after a failure that returned kills the
    # process: what is kept is what ran last.
    target = build(one_input('''
	static uint64_t *failed, *after;
	uint64_t n = strtoul(getenv("AFTER"), NULL, 10);

	if (!failed) {
		failed = probe_number("failed");
		after = probe_number("after");
	}
	if (*failed && probe_add(after) == n) {
		probe_save("killer", data, size);
		abort();
	}
	if (size > 3 && !*failed) {
		probe_add(failed);
		cfuzz_fail("the first");
	}'''))
    r = run(target, '-j', 1, '--fuzztime', '20000x', '--verify', 0,
            '--seeds', seeds([b'ABCDEFGHIJKLMNOPQ']), env={'AFTER': str(k)},
            status=1)
    killer = [b for b in r.buckets() if b.info['what'] == 'SIGABRT']
    equal(len(killer), 1, 'findings that killed')
    equal(killer[0].input, r.saved('killer'), 'the input that killed')


@each(('100', 100), ('101', 101), ('97', 97))
def kept_is_what_ran(n):
    # B91: the n-th call of all ends the process.
    target = build(one_input('''
	if (probe_count() == strtoul(getenv("AT"), NULL, 10)) {
		probe_save("last", data, size);
		exit(1);
	}'''))
    r = run(target, '-j', 1, '--fuzztime', '110x', '--verify', 0,
            '--minimizetime', 0, '--seeds', seeds([b'some seed', b'another']),
            env={'AT': str(n)}, status=1)
    equal(r.bucket().input, r.saved('last'), 'the input')


@case
def not_reproducible():
    # It fails once in a while, by count: kept, and called flaky.
    target = build(one_input('''
	static uint64_t *calls;

	if (!calls)
		calls = probe_number("calls");
	if (probe_add(calls) == 500) {
		probe_save("last", data, size);
		abort();
	}'''))
    r = run(target, '-j', 1, '--fuzztime', '1000x', status=1)
    bucket = r.bucket()
    equal(bucket.input, r.saved('last'), 'the input')
    equal(bucket.info['state'], 'flaky', 'the state of the finding')
    equal(bucket.info['reproduced'], 0, 'replays that failed')
    check(not bucket.has('minimized'), 'it was minimized')


@case
def two_bugs():
    # Both are kept, each once, and the campaign goes on between them.
    target = build('''#include "probe.h"
__attribute__((noinline)) static void
first(const uint8_t *data)
{
	if (data[1] > 200)
		abort();
}

__attribute__((noinline)) static void
second(const uint8_t *data)
{
	if (data[2] > 200)
		*(volatile int *)8 = data[2];
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	probe_count();
	if (size > 2 && size % 2)
		first(data);
	else if (size > 2)
		second(data);
	return 0;
}
''')
    r = run(target, '-j', 2, '--fuzztime', '20000x', '--verify', 2,
            '--seeds', seeds([b'aaaaaa']), status=1)
    equal(sorted(b.info['what'] for b in r.buckets()),
          ['SIGABRT', 'SIGSEGV'], 'the findings')
    equal(r.stats['execs'], 20000, 'executions')
    for bucket in r.buckets():
        check(bucket.info['count'] > 1, 'seen only once: %s', bucket.folder)
        equal(bucket.info['state'], 'confirmed', 'state of %s' % bucket.folder)
    check(r.said('2 distinct findings'), 'the last line:%s', r.describe())


@each(('clang', 'clang'), ('gcc', 'gcc'))
def address_sanitizer(compiler):
    # Its report is kept, and the same overflow is found in fewer bytes.
    if not shutil.which(compiler):
        raise Skip(compiler + ' is not installed')
    target = build(one_input('''
	volatile char *copy = malloc(8);

	if (size > 2 && data[0] == 'o')
		copy[size + 6] = 1;
	free((void *)copy);'''), flags=['-fsanitize=address'], compiler=compiler)
    r = run(target, '-j', 2, '--fuzztime', '50000x', '--stop-on-crash',
            '--verify', 2, '--seeds', seeds([b'Overflow, in the end']),
            status=1)
    bucket = r.bucket()
    info = bucket.info
    equal(info['kind'], 'sanitizer', 'the kind')
    equal(info['what'], 'heap-buffer-overflow', 'what')
    equal(len(bucket.minimized), 3, 'bytes of the minimized input')
    check('AddressSanitizer' in bucket.report, 'no report: %s', bucket.report)
    equal(r.stats['sanitizer'], 'address', 'stats.json: "sanitizer"')
    equal(repro(target, bucket.path)[0], 1, 'status of cfuzz repro')


@case
def undefined_behaviour():
    # A sanitizer that says its word and lets the program go on.
    target = build(one_input('''
	volatile int sum = 0x7ffffff0;

	if (size > 3)
		sum += data[1];'''), flags=['-fsanitize=undefined'])
    r = run(target, '-j', 1, '--fuzztime', '20000x', '--stop-on-crash',
            '--minimizetime', 0, status=1)
    info = r.bucket().info
    equal(info['kind'], 'sanitizer', 'the kind')
    check('overflow' in info['what'] + info['text'], 'what it is: %r', info)


@case
def much_memory():
    # Over --rss-limit: kind oom, with the input that asked for it.
    target = build(one_input('''
	if (size > 3 && data[2] > 128) {
		probe_save("hog", data, size);
		for (size_t n = 0;; n++)
			*(char *volatile *)memset(malloc(1 << 20), 1, 1 << 20);
	}'''))
    r = run(target, '-j', 1, '--fuzztime', '5000x', '--rss-limit', '64',
            '--timeout', '10s', '--stop-on-crash', '--minimizetime', 0,
            '--verify', 0, status=1)
    bucket = r.bucket('ooms')
    equal(bucket.info['kind'], 'oom', 'the kind')
    equal(bucket.input, r.saved('hog'), 'the input')
    check(r.said('64 MB'), 'the limit is not told:%s', r.describe())


@case
def much_memory_slowly():
    # A run that the usual limit would end has not shown that the input is fine:
    # neither a replay nor a try of a smaller input.
    write('mark', b'')
    target = build(one_input('''
	if ((size == 4 || size == 8) && memcmp(data, "abcdefgh", size) == 0) {
		if (access(getenv("MARK"), F_OK) != 0)
			usleep(2200000);
		unlink(getenv("MARK"));
		for (size_t n = 0;; n++)
			*(char *volatile *)memset(malloc(1 << 20), 1, 1 << 20);
	}'''))
    env = {'MARK': os.path.abspath('mark')}
    r = run(target, '-j', 1, '--fuzztime', '400x', '--rss-limit', '64',
            '--timeout', '2s', '--seeds', seeds([b'abcdefgh']), env=env, status=1)
    bucket = r.bucket('ooms')
    info = bucket.info
    equal((info['state'], info['reproduced'], info['replays']),
          ('confirmed', 1, 1), 'the finding')
    equal(bucket.minimized, b'abcd', 'the smaller input')
    status, out, _ = tool(CFUZZ, 'check', r.out, r.target, env=env)
    check(status == 1 and 'still fails' in out, 'cfuzz check: %d %s', status,
          out)
    write('mark', b'')
    write('large', b'abcdefgh')
    status, out, err = tool(CFUZZ, 'min', '--rss-limit', '64', '--timeout',
                            '2s', r.target, 'large', '-o', 'small', env=env)
    check(status == 0, 'cfuzz min: %d %s', status, out + err)
    equal(open('small', 'rb').read(), b'abcd', 'what cfuzz min wrote')


HOG = '''
#include <pthread.h>

/* More than the limit, and less than the machine has. */
static void *
hog(void *arg)
{
	for (size_t n = 0; n < 192; n++)
		*(char *volatile *)memset(malloc(1 << 20), 1, 1 << 20);
	probe_wait_for_ever();
	return arg;
}

/* A process of its own, on whatever thread. */
static void *
start_hog(void *arg)
{
	if (fork() == 0)
		hog(arg);
	probe_wait_for_ever();
	return arg;
}

static pthread_t thread;
'''


@each(('child', 'if (fork() == 0) hog(0);'),
      ('grandchild', 'if (fork() == 0) start_hog(0);'),
      ('orphan', 'if (fork() == 0) { if (fork() == 0) hog(0); _exit(0); }'),
      ('thread', 'pthread_create(&thread, NULL, hog, NULL);'),
      ('child-of-thread', 'pthread_create(&thread, NULL, start_hog, NULL);'),
      ('no-fork', 'hog(0);'), ('no-fork-child', 'start_hog(0);'))
def much_memory_elsewhere(statement):
    # Whoever of the target's processes takes it: the input is told.
    head = HOG
    if CURRENT[0].startswith('no-fork'):
        head += THREAD
    target = build(one_input('''
	if (size == 4 && data[0] == 'h') {
		%s
		probe_wait_for_ever();
	}''' % statement, head), flags=['-pthread'])
    r = run(target, '-j', 1, '--rss-limit', '64', '--timeout', '100s',
            '--fuzztime', '1x', '--minimizetime', 0, '--verify', 0, '--seeds',
            seeds([b'hogs']), status=1)
    bucket = r.bucket('ooms')
    equal(bucket.input, b'hogs', 'the input')
    check(r.said('64 MB'), 'the limit is not told:%s', r.describe())


# The process dies without a handler, so only its child could have told a place.
FORKED = '''
#include <signal.h>
#include <sys/wait.h>

static volatile int sink;

static __attribute__((noinline)) void
fall(volatile int *where)
{
	*where = 1;
}

static __attribute__((noinline)) void
of_child(void)
{
	fall(NULL);
	sink++;
}

static void
go(void)
{
	pid_t pid = fork();

	if (pid == 0)
		of_child();
	waitpid(pid, NULL, 0);
	signal(SIGSEGV, SIG_DFL);
	fall(NULL);
}
'''


@each(('function', one_input('if (size > 0) go();', FORKED)),
      ('main', HEAD + FORKED + 'int main(void) { go(); return 0; }'))
def crash_of_a_child(source):
    # What a process of the target's own leaves is not the place of a failure.
    r = run(build(source), '-j', 1, '--fuzztime', '1x', '--minimizetime', 0,
            '--verify', 0, '--seeds', seeds([b'x']), status=1)
    info = r.bucket().info
    equal(info['what'], 'SIGSEGV', 'what')
    check('of_child' not in json.dumps(info), 'it has a stack: %s', info)


@each(('function', one_input('if (size > 1 && data[0] == 102) go();',
                             '%s')),
      ('main', HEAD + '%s\nint main(void) { if (getchar() == 102) go(); '
       'return 0; }'))
def report_of_a_child(source):
    # A sanitizer opens a file for each process that has no descriptor for it.
    target = build(source % '''
#include <sys/wait.h>

static volatile int sink;

static __attribute__((noinline)) void
go(void)
{
	int status = 0;

	if (fork() == 0) {
		volatile char *p = malloc(1);

		sink = p[1];
		_exit(0);
	}
	wait(&status);
	if (status != 0)
		abort();
}
''', flags=['-fsanitize=address'])
    r = run(target, '-j', 1, '--fuzztime', '1x', '--minimizetime', 0,
            '--verify', 0, '--seeds', seeds([b'fxx']), status=1)
    left = [n for n in os.listdir('.') if n[:1] == '.' and n[1:].isdigit()]
    equal(left, [], 'files of reports')
    equal(r.bucket().info['what'], 'heap-buffer-overflow', 'what')


@case
def report_of_an_earlier_child():
    # What an earlier input's child reported, and the target ignored, is not the
    # failure of a later input of the same process.
    target = build(one_input('''
	static int n;

	if (++n == 20 && fork() == 0) {
		volatile char *p = malloc(1);

		sink = p[1];
		_exit(0);
	}
	if (n == 20)
		wait(NULL);
	if (n > 20)
		abort();''', '''
#include <sys/wait.h>

static volatile int sink;
'''), flags=['-fsanitize=address'])
    r = run(target, '-j', 1, '--fuzztime', '30x', '--minimizetime', 0,
            '--verify', 0, '--seeds', seeds([b'xx']), status=1)
    equal(r.bucket().info['what'], 'SIGABRT', 'what')


@case
def traced_by_its_parent():
    # Against debuggers: any signal stops it, and its parent must let it go on.
    may_be_traced()
    target = build(one_input('''
	ptrace(PTRACE_TRACEME, 0, 0, 0);
	raise(SIGUSR1);
	if (size == 2)
		abort();''', '''
#include <signal.h>
#include <sys/ptrace.h>

static void
on_usr1(int signo)
{
}

__attribute__((constructor)) static void
take(void)
{
	signal(SIGUSR1, on_usr1);
}
'''))
    r = run(target, '-j', 1, '--fuzztime', '100x', '--minimizetime', 0,
            '--seeds', seeds([b'x', b'xx']), status=1)
    equal(r.bucket().info['what'], 'SIGABRT', 'what')
    equal(r.suspects(), [], 'suspects')


@case
def traced_sends_itself_the_signal_of_a_trap():
    # It looks like the kernel's at the begin of another program.
    may_be_traced()
    target = build(one_input('''
	ptrace(PTRACE_TRACEME, 0, 0, 0);
	if (size == 2)
		kill(getpid(), SIGTRAP);''', '''
#include <signal.h>
#include <sys/ptrace.h>
'''))
    r = run(target, '-j', 1, '--fuzztime', '100x', '--minimizetime', 0,
            '--seeds', seeds([b'x', b'xx']), status=1)
    equal(r.bucket().info['what'], 'SIGTRAP', 'what')


@case
def hang_goes_on():
    # A hang is told with its limit, and the campaign goes on. There is one
    # hang, so its limit can be more than a busy machine takes from others.
    target = build(one_input('''
	probe_count();
	if (size == 3 && probe_add(probe_number("hanging")) == 1)
		probe_wait_for_ever();'''))
    r = run(target, '-j', 1, '--fuzztime', '1000x', '--timeout', '5000',
            '--verify', 0, '--minimizetime', 0, '--seeds', seeds([b'ab']),
            status=1)
    equal(len(r.bucket('hangs').input), 3, 'bytes of the input')
    check(r.said('5000 ms'), 'the limit is not told:%s', r.describe())
    equal(r.calls, 1000, 'calls of the target')


main()
