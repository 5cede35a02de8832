#!/usr/bin/env python3
"""The corpus: it holds what is new and nothing else, with many workers, with
coverage by chance, in a second run, and when memory has no room for it."""

import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403
from search import PLAIN, SAME, SINK, cases    # noqa: E402

# ---- many workers ---------------------------------------------------------

FIELDS = one_input('''
	probe_count();
	for (size_t i = 0; i < size && i < 12; i++)
		switch (data[i] ^ i) {
%s		}''' % cases(256), SINK)


@each(('one-worker', 1), ('two-workers', 2), ('four-workers', 4))
def nothing_twice(workers):
    # They find the same things at the same time; one of them is credited.
    given = [b'seed', b'other']
    target = build(FIELDS, flags=PLAIN)
    r = run(target, '-j', workers, '--fuzztime', '300000x', '--seeds',
            seeds(given), status=0)
    finds, corpus = r.events('find'), r.corpus()
    check(len(finds) > 100, 'only %d finds', len(finds))
    equal(len({e['input'] for e in finds}), len(finds), 'inputs of the finds')
    equal(len(set(corpus.values())), len(finds), 'different inputs on disk')
    equal(r.stats['corpus'], len(finds) + len(given), 'stats.json: "corpus"')
    check(all(e['bits'] > 0 for e in finds), 'a find of nothing')
    equal(r.events('warm')[0]['bits'] + sum(e['bits'] for e in finds),
          r.stats['coverage_bits'], 'bits of all finds together')
    equal(r.stats['execs'], 300000, 'executions')
    equal(r.calls, 300000 + r.stats['replays'], 'calls of the target')
    # All that was credited is in the inputs, and nothing that was not.
    bits = r.stats['coverage_bits']
    again = run(target, '-j', 1, '--fuzztime', '%dx' %
                (len(corpus) + len(given)), '--seeds', 'seeds', status=0)
    equal(again.stats['coverage_bits'], bits,
          'coverage of the corpus alone')


# ---- coverage by chance ---------------------------------------------------

WORD = b'sure'

# Some of 64 branches are no deed of the input; the stairs to a word are.
CHANCE = one_input('''
	static uint64_t state;
	size_t n;

	if (state == 0)
		state = (uint64_t)getpid() * 0x9e3779b97f4a7c15u;
	for (int i = 0; i < 8; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		switch (state >> 58) {
%s		}
	}
	for (n = 0; n < size && n < 4 && data[n] == (uint8_t)"sure"[n]; n++)
		switch (n) {
%s		}
	if (n == 0 && size > 0 && MAY_FAIL && data[0] %% 32 == 7)
		abort();''' % (cases(64), cases(4)), SINK +
    '#define MAY_FAIL probe_is("fail")\n')


@each(('one-worker', 1, 0), ('two-workers', 2, 0), ('many-deaths', 2, 1))
def chance_is_told_apart(workers, status):
    # Said once, told in numbers; what it reaches does not fill the corpus,
    # not even when each new child has all of it before it.
    r = run(build(CHANCE, flags=PLAIN), '-j', workers, '--fuzztime',
            '20000x' if status else '3000000x', '--verify', 0,
            '--minimizetime', 0, status=status,
            env={'MODE': 'fail' if status else ''})
    stats = r.stats
    equal(len(r.events('unstable')), 1, 'times that it is said')
    check(stats['counters_masked'] >= 32, '%d counters are masked',
          stats['counters_masked'])
    check(stats['stability'] < 100, 'a stability of %r', stats['stability'])
    check(stats['counters_stable'] < 100, 'stable counters: %r',
          stats['counters_stable'])
    check(len(r.corpus()) < 64 + 16, '%d inputs are kept', len(r.corpus()))
    check(status or any(d.startswith(WORD) for d in r.corpus().values()),
          'the word is not found: %r', list(r.corpus().values()))


@case
def stable_ones_are_not_doubted():
    r = run(build(FIELDS, flags=PLAIN), '-j', 2, '--fuzztime', '200000x',
            status=0)
    equal(r.events('unstable'), [], 'doubts')
    equal(r.stats['counters_masked'], 0, 'masked counters')
    equal(r.stats['stability'], 100, 'stability')


# ---- a second run ---------------------------------------------------------

# Tells which of the inputs that begin with a letter it was made from.
LETTERS = '''
	static uint64_t *seen[26];
	unsigned letter;
	char name[2] = "";

	if (size < %d || data[0] < 'A' || data[0] > 'Z')
		return 0;
	letter = data[0] - 'A';
	if (seen[letter] == NULL) {
		name[0] = (char)data[0];
		seen[letter] = probe_number(name);
	}
	probe_add(seen[letter]);
	switch (letter) {
%s	}'''


def turns(r, n):
    return [r.number(chr(ord('A') + i)) for i in range(n)]


SCHEDULES = [(name, name) for name in ('energy', 'fast', 'even', 'fifo')]


@each(*SCHEDULES)
def resumed_inputs_are_parents(schedule):
    # The second run has nothing but its corpus: each is run, and built upon.
    target = build(one_input(LETTERS % (8, cases(26)), SINK), flags=PLAIN)
    r = run(target, '--fuzztime', '1x', status=0)
    for i in range(26):
        data = bytes([ord('A') + i]) + b'-letter-'
        os.chmod(write(r.path('corpus', sha(data)[:16]), data), 0o600)
    r = run(target, *SAME, '--fuzztime', '50000x', '--schedule', schedule,
            '--minimizetime', 0, status=0)
    warm = r.events('warm')[-1]
    check(warm['inputs'] >= 26, 'inputs of the warm-up: %d', warm['inputs'])
    check(warm['bits'] >= 26, 'their bits: %d', warm['bits'])
    check(min(turns(r, 26)) > 10, 'turns of each: %s', turns(r, 26))
    check(schedule == 'fifo' or r.stats['favoured'] >= 26, '%d are favoured',
          r.stats['favoured'])


# Six numbers, one behind the other.
STAIRS = one_input('''
	static const uint32_t wanted[] = { 0x1badcafe, 0x2bad1dea, 0x3bad5eed,
		0x4badc0de, 0x5badf00d, 0x6badbeef };
	uint32_t number;
	int i;

	if (size != 24)
		return 0;
	for (i = 0; i < 6; i++) {
		memcpy(&number, data + 4 * i, 4);
		if (number != wanted[i])
			break;
		switch (i) {
%s		}
	}
	if (i == 6)
		abort();''' % cases(6), SINK)

NUMBERS = struct.pack('=6I', 0x1badcafe, 0x2bad1dea, 0x3bad5eed, 0x4badc0de,
                      0x5badf00d, 0x6badbeef)


def climbed(r):
    return max(len(os.path.commonprefix([data, NUMBERS]))
               for data in r.corpus().values()) // 4


@case
def resumed_goes_on():
    # Each run is too short for all of it, and goes on where the last one was.
    target = build(STAIRS, flags=PLAIN)
    r = run(target, *SAME, '--fuzztime', '100x', '--seeds', seeds([bytes(range(65, 89))]),
            status=0)
    reached = [0]
    while r.status == 0 and len(reached) < 30:
        r = run(target, '-j', 1, '--seed', len(reached), '--deterministic',
                '--fuzztime', '1000x', '--stop-on-crash', '--verify', 1,
                '--seeds', 'seeds')
        reached.append(climbed(r))
    equal(r.status, 1, 'exit status after %s' % reached)
    equal(reached, sorted(reached), 'what each run had reached')
    equal(r.bucket().input, NUMBERS, 'the input')


# ---- no room in memory ----------------------------------------------------

@each(*[(name, name) for name in ('energy', 'even', 'fifo')])
def more_than_memory_has_room_for(schedule):
    # Of six inputs the memory has room for four: the others have their turn
    # all the same.
    big = 4000000
    target = build(one_input(LETTERS % (big, cases(26)), SINK), flags=PLAIN)
    given = seeds([bytes([ord('A') + i]) + b'-' * big for i in range(6)])
    r = run(target, *SAME, '--fuzztime', '2000x', '--corpus-mem', 16,
            '--max-len', big + 1, '--schedule', schedule, '--seeds', given,
            '--minimizetime', 0, status=0)
    check(min(turns(r, 6)) > 30, 'turns of each: %s', turns(r, 6))
    equal(r.stats['execs'], 2000, 'executions')


main()
