#!/usr/bin/env python3
"""Minimizations in a campaign: of all kinds of failures, by all rules."""

# BEGUN FIRST
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403
import control             # noqa: E402

HANG = '''
	size_t i;

	for (i = 0; i < size; i++)
		while (data[i] == 'H')
			usleep(1000);'''

# Slow enough to be taken for a hang by who has less patience.
SLOW = '''
	size_t i, hangs = 0;

	for (i = 0; i < size; i++)
		hangs += data[i] == 'H';
	if (hangs >= 3)
		for (;;)
			usleep(1000);
	if (hangs == 2)
		usleep(300 * 1000);'''

HOG = '''
	static char *pieces[4096];
	size_t i, n;

	for (i = 0; i < size; i++)
		for (n = 0; data[i] == 'M' && n < 4096; n++) {
			pieces[n] = malloc(1 << 20);
			memset(pieces[n], 1, 1 << 20);
		}'''

ERROR = '''
	size_t i;

	for (i = 0; i < size; i++)
		if (data[i] == 'E')
			cfuzz_fail("it has an E");'''


def minimized(source, start, *words, kind):
    """The finding of that kind whose input is the start, in the end."""
    r = control.start(build(one_input(source)), '-j', 2, '--verify', 1,
                      '--seeds', seeds([start]), *words)

    def done(s):
        return any(f['kind'] == kind and f['len'] == len(start) and
                   f['minimized_len'] for f in s['findings'])
    r.control.until(done, 'a minimized input')
    r.stop()
    found = [b for b in r.buckets() if b.input == start]
    equal(len(found), 1, 'findings of the start')
    return found[0]


@each(('hang', HANG, b'abcHdef' + b'x' * 40, 'hang', ['--timeout', 2000],
       b'H'),
      ('slow_is_no_hang', SLOW, b'HaHH', 'hang',
       ['-j', 4, '--timeout', 1000], b'HHH'),
      ('oom', HOG, b'abcMdef' + b'x' * 40, 'oom', ['--rss-limit', 64], b'M'),
      ('error', ERROR, b'abcEdef' + b'x' * 40, 'error', [], b'E'))
def all_kinds(source, start, kind, words, smallest):
    equal(minimized(source, start, *words, kind=kind).minimized, smallest,
          'the smallest input')


# One bug, which two lines of its caller reach.
TWICE = '''
#include "probe.h"
#include <stdlib.h>

static volatile int on = 1, n;

static __attribute__((noinline)) void
boom(void)
{
	if (on)
		abort();
}

static __attribute__((noinline)) void
use(size_t size)
{
	if (size >= 20) {
		boom();
		n++;
	}
	if (size >= 3) {
		boom();
		n += 2;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 0 && data[0] == 'y')
		use(size);
	return 0;
}
'''


@each(('goes-on', ()), ('stops', ('--stop-on-crash',)))
def the_same_from_another_line(options):
    # A seed that fails would end the run.
    r = run(build(TWICE), '-j', 1, '--fuzztime', '100000x', '--verify', 1,
            *options, '--seeds', seeds([b'x' * 64]), status=1)
    equal(len(r.bucket().minimized), 3, 'bytes of the smallest input')


@case
def bytes_that_do_not_matter():
    start = b'abcdefgh' * 4
    source = '''
	if (size >= 20 && data[3] == 'd')
		abort();'''
    found = minimized(source, start, '--minimize-blank', kind='signal')
    equal(found.minimized, b'   d' + b' ' * 16, 'the smallest input')


@case
def nothing_smaller():
    # Who has asked for it gets an answer.
    r = control.start(build(one_input('''
	static volatile int runs;

	if (size == 2 && data[0] == 'A' && data[1] == 'B')
		runs++;''')), '-j', 1, '--seeds', seeds([b'AB']))
    name = sha(b'AB')[:16]
    r.control.until(lambda s: s['state'] == 'fuzzing', 'fuzzing')
    r.control.command('minimize ' + name)
    r.control.until(lambda s: any(
        e['kind'] == 'minimized' and e['about'] == name
        for e in s['events']), 'an answer')
    r.stop()
    event = [e for e in r.events('minimized') if e.get('input') == name][0]
    equal(event['failed'], True, 'failed')
    check(event['text'].startswith('not made smaller: none keeps '),
          'text: %s', event['text'])


@case
def what_fails_now_and_then():
    # What cannot be relied upon is not made smaller, and still kept.
    start = b'now and then'
    r = run(build(one_input('''
	char *path = getenv("ONCE");

	if (size == 12 && access(path, F_OK) != 0) {
		close(open(path, O_CREAT, 0600));
		abort();
	}''')), '-j', 1, '--verify', 2, '--fuzztime', '1000x', '--seeds',
            seeds([start]), env={'ONCE': os.path.abspath('once')}, status=1)
    bucket = r.bucket()
    equal(bucket.input, start, 'the input')
    check(not bucket.has('minimized'),
          'it is called minimized')
    equal(bucket.info['state'], 'flaky', 'the state')


main()
