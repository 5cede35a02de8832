#!/usr/bin/env python3
"""Targets that fail on half of their inputs: the run goes on to its end."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403

SITES = 8

# Every second input fails, in one of several functions, whatever is known.
SOURCE = '''
static volatile int last;

#define SITE(n) \\
	__attribute__((noinline)) static void \\
	fail_##n(void) \\
	{ \\
		last = n; \\
		FAIL; \\
		last = 0; \\
	}
SITE(0) SITE(1) SITE(2) SITE(3) SITE(4) SITE(5) SITE(6) SITE(7)

static void (*const sites[])(void) = { fail_0, fail_1, fail_2, fail_3, fail_4,
	fail_5, fail_6, fail_7 };
'''

BODY = '''
	static uint64_t *failures;
	uint32_t hash = (uint32_t)size;

	probe_count();
	if (failures == NULL)
		failures = probe_number("failures");
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ data[i]) * 0x9e3779b1u;
	hash ^= hash >> 15;
	if (hash & 1) {
		probe_add(failures);
		sites[hash >> 1 & 7]();
	}'''


def crashy(fail, flags=()):
    return build(one_input(BODY, '#define FAIL %s\n%s' % (
        fail, SOURCE)), flags=flags)


def half_fails(r, limit):
    """All was run, half of it failed, and each way of failing is known."""
    stats = r.stats
    equal(stats['execs'], limit, 'stats.json: "execs"')
    equal(r.calls, limit, 'calls of the target')
    failures = r.number('failures')
    check(limit / 4 < failures < limit * 3 / 4, 'of %d inputs %d failed',
          limit, failures)
    equal(stats['crashes_seen'], failures, 'stats.json: "crashes_seen"')
    equal(sum(b.info['count'] for b in r.buckets()), failures,
          'the counts of all findings together')
    equal(len(r.buckets('crashes')), SITES, 'findings')
    equal(stats['suspects'], 0, 'stats.json: "suspects"')
    # One that starts late may find that the others have done all of it.
    check(all(w['fork_us'] > 0 for w in stats['workers'] if w['execs'] > 0),
          'stats.json: what a fork costs is not told')


@each(('one-worker', 1), ('two-workers', 2), ('four-workers', 4))
def aborts(workers):
    # Each failure is a death: as many children as failures.
    r = run(crashy('abort()'), '-j', workers, '--fuzztime', '3000x',
            '--verify', 0, '--minimizetime', 0, status=1)
    half_fails(r, 3000)


@each(('fault', '*(volatile int *)8 = 1', 1500, []),
      ('exit', 'exit(last)', 1500, []),
      ('told', 'cfuzz_fail("site %d", last)', 3000, []),
      ('asan', '((volatile char *)malloc(2))[2] = 1', 600,
       ['-fsanitize=address', '-fno-omit-frame-pointer']))
def other_ways(fail, limit, flags):
    r = run(crashy(fail, flags), '-j', 2, '--fuzztime', '%dx' % limit,
            '--verify', 0, '--minimizetime', 0, status=1)
    half_fails(r, limit)


@case
def with_all_that_follows():
    # Verified and minimized beside all the other failures.
    r = run(crashy('abort()'), '-j', 2, '--fuzztime', '4000x', '--verify', 2,
            '--minimizetime', '20x', status=1)
    equal(r.stats['execs'], 4000, 'stats.json: "execs"')
    equal(len(r.buckets('crashes')), SITES, 'findings')
    for bucket in r.buckets():
        equal(bucket.info['state'], 'confirmed',
              'the state of %s' % bucket.folder)
    equal(r.calls, 4000 + r.stats['replays'], 'calls of the target')


@case
def no_worker_is_started_again():
    # The fork server survives every death of its child.
    r = run(crashy('abort()'), '-j', 2, '--fuzztime', '2000x', '--verify', 0,
            '--minimizetime', 0, status=1)
    for worker in r.stats['workers']:
        equal(worker['restarts'], 0, 'restarts of worker %d' % worker['id'])


main()
