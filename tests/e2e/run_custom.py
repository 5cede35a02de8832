#!/usr/bin/env python3
"""The mutators that a target brings along: used, and borne."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403

ADDRESS = ['-fsanitize=address']


def mutators(flags=()):
    return build('mutator.c', flags=flags)


def said(r):
    return [n for n in r.stdout.splitlines() if n.startswith('warning: ') and
            ('custom' in n or 'mutator' in n)]


BUILDS = ('plain',), ('asan', *ADDRESS)


@each(*BUILDS)
def finds_behind_a_sum(*flags):
    # Behind a checksum that only its own mutator gets right.
    r = run(mutators(flags), '-j', 1, '--fuzztime', '900s', '--stop-on-crash',
            env={'MODE': 'find'}, status=1, patience=1000)
    check(r.bucket().input[1:4] == b'fuz', 'the input: %r', r.bucket().input)
    equal(said(r), [], 'what is said of it')


@each(*BUILDS)
def keeps_the_sum_right(*flags):
    # Of many executions: comparisons are solved without its mutator.
    r = run(mutators(flags), '-j', 1, '--fuzztime', '20000x', '--seeds',
            seeds([b'one seed', b'another seed']), status=0)
    check(r.number('right') * 2 > r.number('calls'),
          '%d of %d inputs have the right sum', r.number('right'),
          r.number('calls'))
    check(r.number('crossings') > 100, '%d crossings', r.number('crossings'))
    equal(said(r), [], 'what is said of it')


@case
def a_thousand_mutations():
    r = run(mutators(), '-j', 1, '--fuzztime', '300x', '--max-len', 1000,
            env={'MODE': 'thousand'}, status=0)
    equal(said(r), [], 'what is said of it')


WRONG = (
    # name, what is said, compiler's flags
    ('behind', 'writing behind its buffer', []),
    ('before', 'wrote before its buffer', []),
    ('abort', 'SIGABRT', []),
    ('fail', 'a bad day', []),
    ('exit', 'ended the process: exit 0', []),
    ('hang', 'exceeded 2500 ms', []),
    ('behind', 'outside of its buffer', ADDRESS),
    ('before', 'outside of its buffer', ADDRESS),
)


@each(*[(w[0] + ('-asan' if w[2] else ''),) + w for w in WRONG])
def goes_wrong(mode, text, flags):
    # Said once, no finding, and the campaign goes on. What takes longer than
    # the limit beside load is a suspect.
    r = run(mutators(flags), '-j', 1, '--fuzztime', '30000x', '--timeout',
            '2500' if mode == 'hang' else '10000', env={'MODE': mode},
            status=0)
    lines = said(r)
    equal(len(lines), 1, 'lines: %s' % lines)
    check(lines[0].startswith('warning: custom ') and text in lines[0],
          'what is said: %s', lines[0])
    check(1 <= len(r.events('mutator')) < 10, '%d events',
          len(r.events('mutator')))
    equal(r.stats['execs'], 30000, 'executions')
    for folder in 'crashes', 'hangs', 'suspects':
        equal(r.buckets(folder), [], folder)


@case
def returns_too_much():
    r = run(mutators(), '-j', 1, '--fuzztime', '5000x', '--max-len', 100,
            env={'MODE': 'too-much'}, status=0)
    equal(len(said(r)), 1, 'lines')
    check('more bytes than the maximum' in said(r)[0], 'what is said: %s',
          said(r)[0])
    check(all(len(c) <= 100 for c in r.corpus().values()), 'a longer input')


@case
def ends_all_there_is():
    # A target that cannot be forked: each failure ends the whole process.
    r = run(build('#include "probe.h"\n' + THREAD + '''
size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
	unsigned int seed)
{
	abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return 0;
}
'''), '-j', 1, '--fuzztime', '5000x', status=0)
    equal(len(said(r)), 1, 'lines')
    equal(r.stats['execs'], 5000, 'executions')
    equal(r.buckets('crashes'), [], 'crashes')


# A crossover alone; MODE says what is wrong with it, once in a while.
CROSSES = one_input('\tprobe_count();', '''
size_t
LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size,
	const uint8_t *other, size_t other_size, uint8_t *out, size_t max,
	unsigned seed)
{
	static uint64_t *calls;

	if (calls == NULL)
		calls = probe_number("crossings");
	if (probe_add(calls) % 8 == 0) {
		if (probe_is("behind"))
			((volatile uint8_t *)out)[max] = 1;
		if (probe_is("before"))
			((volatile uint8_t *)out)[-1] = 1;
		if (probe_is("abort"))
			abort();
		if (probe_is("too-much"))
			return max + 1;
	}
	if (other_size > max)
		other_size = max;
	memcpy(out, other, other_size);
	if (other_size > 0)
		out[seed % other_size] = one_size > 0 ? one[0] : 'x';
	return other_size;
}
''')

WRONG_CROSSES = (
    ('behind', 'writing behind its buffer', []),
    ('before', 'wrote before its buffer', []),
    ('abort', 'SIGABRT', []),
    ('too-much', 'more bytes than the maximum', []),
    ('behind', 'outside of its buffer', ADDRESS),
)


@each(*[(w[0] + ('-asan' if w[2] else ''),) + w for w in WRONG_CROSSES])
def crosses_wrong(mode, text, flags):
    r = run(build(CROSSES, flags=flags), '-j', 2, '--fuzztime', '30000x',
            '--max-len', 100, '--seeds', seeds([b'one seed', b'the other']),
            env={'MODE': mode}, status=0)
    lines = said(r)
    equal(len(lines), 1, 'lines: %s' % lines)
    check(text in lines[0], 'what is said: %s', lines[0])
    check(r.number('crossings') >= 8, '%d crossings', r.number('crossings'))
    equal(r.stats['execs'], 30000, 'executions')
    check(all(len(c) <= 100 for c in r.corpus().values()), 'a longer input')
    for folder in 'crashes', 'hangs', 'suspects':
        equal(r.buckets(folder), [], folder)


@case
def empties_everything():
    # A mutator that makes nothing of anything: ours go on.
    r = run(build(one_input('\tprobe_count();', '''
size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	return 0;
}
''')), '-j', 1, '--fuzztime', '20000x', '--seeds', seeds([b'a seed']),
            status=0)
    equal(said(r), [], 'what is said of it')
    equal(r.calls, 20000 + r.stats['replays'], 'calls of the target')


@case
def by_hand():
    # No mutator is called for an input that somebody gives it.
    write('input', b'\x00xyz')
    status, out, err = tool(mutators(), 'input', env={'MODE': 'abort'})
    equal(status, 0, 'status (%s%s)' % (out, err))


main()
