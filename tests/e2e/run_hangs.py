#!/usr/bin/env python3
"""Hangs are told apart by where they hang, however they are met."""

# BEGUN FIRST
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403

# Each seed is one of them; of all that is executed, a part hangs as well.
HANGS = {'l': 'hangs_loop', 'd': 'hangs_dive', 'r': 'hangs_read',
         's': 'hangs_sleep', 'm': 'hangs_lock'}

ALL = {'HANGS_ALL': '1'}


def counted(r, n):
    """Until all are found, and have been met several times."""
    def enough():
        return r.process.poll() is not None or \
            r.stats['hangs'] >= n and \
            sum(f['count'] for f in r.stats['findings']) > 4 * n
    wait_for(lambda: os.path.exists(r.path('stats.json')), 'statistics')
    wait_for(enough, lambda: 'hits' + r.describe())
    r.signal(2)
    return r.end(1)


@each(('plain', ()), ('asan', ('-fsanitize=address',)),
      ('tsan', ('-fsanitize=thread',)))
def each_is_one_finding(flags):
    target = build('hangs.c', flags=flags)
    # All others are cut off: what is made of a seed mostly hangs as it does.
    r = start(target, '-j', 2, '--timeout', 200, '--verify', 1,
              '--minimizetime', 0, '--max-len', 1, '--seeds',
              seeds([c.encode() for c in HANGS] + [b'x']))
    counted(r, len(HANGS))
    buckets = r.buckets('hangs')
    where = sorted(b.info['where'].split()[0] for b in buckets)
    equal(where, sorted(HANGS.values()), 'where they hang')
    for bucket in buckets:
        check(bucket.info['state'] == 'confirmed' or
              bucket.info['replays'] == 0, 'state of %s', bucket.folder)
        equal(bucket.info['kind'], 'hang', 'the kind')
    equal(len(r.buckets()), len(HANGS), 'findings')
    check(sum(b.info['count'] for b in buckets) > 4 * len(HANGS),
          'they were met seldom')


@each(('deaf', 'b'), ('owner', 'o'))
def without_an_answer(how):
    # Nothing can be known of these: found all the same, as one.
    r = run(build('hangs.c'), '-j', 1, '--timeout', 200, '--verify', 1,
            '--minimizetime', 0, '--fuzztime', '20x', '--max-len', 1,
            '--seeds', seeds([how.encode()]), env=ALL, status=1)
    bucket = [b for b in r.buckets('hangs') if b.input == how.encode()]
    equal(len(bucket), 1, 'findings with this input')
    equal(bucket[0].info['frames'], [], 'its frames')


@case
def ended_by_its_own_timer():
    # Run again with five times the limit, it is ended before that.
    r = run(build(one_input("""
	alarm(3);
	while (size > 0 && data[0] == 'H')
		usleep(1000);
	alarm(0);""", '#include <signal.h>\n')), '-j', 1, '--timeout', 1000,
            '--verify', 1, '--minimizetime', 0, '--fuzztime', '20x', '--seeds',
            seeds([b'x', b'H']), '--max-len', 1, status=1)
    equal([b.info['what'] for b in r.buckets()], ['hang'], 'findings')


@case
def memory_hog():
    # Where it asks for memory, at the moment when it has too much.
    r = run(build('hangs.c'), '-j', 1, '--timeout', '10s', '--rss-limit', 64,
            '--verify', 0, '--minimizetime', 0, '--fuzztime', '3x',
            '--max-len', 1, '--seeds', seeds([b'h']), env=ALL, status=1)
    info = r.bucket('ooms').info
    check('hangs_hog' in [f.get('function') for f in info['frames']],
          'its frames: %r', info['frames'])


@each(('at once', 'le'), ('late', 'l '))
def crash_whose_stack_never_ends(how):
    # The walk through it is stopped; the death is a crash and no hang.
    r = run(build('broken.c', flags=['-fno-builtin']), '-j', 1, '--timeout',
            1000, '--verify', 1, '--minimizetime', 0, '--fuzztime', '3x',
            '--seeds', seeds([how.encode()]), status=1)
    # Only of this input is it known: one that is made of it may really hang.
    bucket = [b for b in r.buckets() if b.input == how.encode()]
    equal([b.info['what'] for b in bucket], ['SIGABRT'], 'its kind')


RETRY = r"""
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
static volatile int sum;
__attribute__((noinline)) static void
retry_once(const std::string &text)
{
	std::string copy = text + "!";
	for (int i = 0; i < 1000; i++)
		sum = sum + copy[0];
	throw std::invalid_argument(copy);
}
__attribute__((noinline)) static void
retry(const std::string &text)
{
	for (;;) {
		try {
			retry_once(text);
		} catch (const std::exception &) {
			sum = sum + 1;
		}
	}
}
extern "C" int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 0 && data[0] == 'R')
		retry(std::string((const char *)data, size));
	return 0;
}
"""


@each(('gcc', 'g++'), ('clang', 'clang++'))
def loop_of_exceptions(compiler):
    # They find their way over the frames that are watched.
    if not shutil.which(compiler):
        raise Skip('no ' + compiler)
    target = build(RETRY, 'retry', tool='cfuzz-c++',
                   env={'CFUZZ_CXX': compiler})
    write('R', b'R')
    for _ in range(3):
        status, out = repro(target, 'R', options=('--timeout', '200'))
        equal(status, 1, 'status of repro')
        check('fails: hang in retry' in out, 'what it says: %s', out)


RACE = one_input("""
	if (size > 0 && data[0] == 'R')
		race_begin();""", """
#include <dlfcn.h>
#include <pthread.h>
#include <unwind.h>
static volatile int race_began, race_sum;
_Unwind_Ptr (*volatile race_same_library)(struct _Unwind_Context *) =
	_Unwind_GetIP;

/* As where it waits for a lock that the report holds. */
__attribute__((visibility("default"), no_sanitize("thread")))
_Unwind_Reason_Code
_Unwind_Backtrace(_Unwind_Trace_Fn fn, void *arg)
{
	static _Unwind_Reason_Code (*walk)(_Unwind_Trace_Fn, void *);

	while (race_began)
		sleep(1);
	if (walk == NULL)
		walk = dlsym(RTLD_NEXT, "_Unwind_Backtrace");
	return walk(fn, arg);
}

__attribute__((noinline)) static void *
race_run(void *arg)
{
	race_sum++;
	return arg;
}

__attribute__((noinline)) static void
race_begin(void)
{
	pthread_t thread;

	race_began = 1;
	pthread_create(&thread, NULL, race_run, NULL);
	race_sum++;
	pthread_join(thread, NULL);
}
""")


@each(('gcc', 'gcc'), ('clang', 'clang'))
def race_that_is_reported(compiler):
    # Its report has the stack: nothing unwinds it again, and waits for a lock.
    if not shutil.which(compiler):
        raise Skip('no ' + compiler)
    target = build(RACE, 'race', flags=['-fsanitize=thread', '-pthread',
                                      '-ldl'],
                   env={'CFUZZ_CC': compiler})
    write('R', b'R')
    status, out = repro(target, 'R', options=('--timeout', '1s'))
    equal(status, 1, 'status of repro')
    check('fails: data-race in race_' in out, 'what it says: %s', out)


main()
