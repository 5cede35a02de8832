#!/usr/bin/env python3
"""Coverage guides: what is new is kept, made small, and built upon."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403

COMPILERS = [(c, c) for c in ('clang', 'gcc') if shutil.which(c)]

HELLO = one_input('''
	if (size == 8 && data[0] == 'h' && data[1] == 'e' && data[2] == 'l' &&
		data[3] == 'l' && data[4] == 'o' && data[5] == ' ' &&
		data[6] == ':' && data[7] == ')')
		abort();''')


@each(*COMPILERS)
def hello(compiler):
    # B65: eight bytes, one branch after another, from nothing.
    r = run(build(HELLO, compiler=compiler), '-j', 2, '--fuzztime', '900s',
            '--stop-on-crash', '--verify', 1, '--seed', 3, status=1,
            patience=1000)
    equal(r.bucket().input, b'hello :)', 'the input')
    check(len(r.corpus()) >= 4, 'only %d inputs on the way', len(r.corpus()))


@each(*COMPILERS)
def exact_words_stay(compiler):
    # B79: the input with the new branch is kept itself, though it cannot be
    # made smaller.
    target = build(one_input('''
	static volatile int sink;

	if (size == 2 && data[0] == 'a' && data[1] == 'b')
		sink++;'''), compiler=compiler)
    r = run_till([lambda data: data == b'ab'], target, '-j', 1, '--fuzztime',
                 '500000x', '--seeds', seeds([b'aa']), status=0)
    check(b'ab' in r.corpus().values(), 'not kept: %r', r.corpus())


@case
def small_ones_stay():
    # B80
    target = build(one_input('''
	static volatile int sink;

	if (size == 20 && memcmp(data, "aaaaaaaaaaaaaaaaaaaa", 20) == 0)
		return 0;
	sink++;'''))
    r = run(target, '-j', 1, '--fuzztime', '30000x', '--seeds',
            seeds([b'a' * 20]), status=0)
    check(min(map(len, r.corpus().values())) <= 1, 'none is small: %r',
          r.corpus())
    check(r.events('minimized'), 'nothing was minimized')


@each(*COMPILERS)
def first_byte(compiler):
    # B109: minimization does not throw it away.
    target = build(one_input('''
	static volatile int sink;

	if (size > 0 && data[0] == '~')
		sink++;'''), compiler=compiler)
    r = run_till([lambda data: data[:1] == b'~'], target, '-j', 1,
                 '--fuzztime', '60000x', '--seeds', seeds([b'a' * 8]),
                 status=0)
    check(any(data.startswith(b'~') for data in r.corpus().values()),
          'not kept: %r', r.corpus())


@case
def minimized_input_is_equivalent():
    # What takes an input's place reaches all that the input did: a second
    # run over the corpus alone measures the same coverage.
    target = build(one_input('''
	static volatile int sink;

	for (size_t i = 0; i + 1 < size; i++)
		if (data[i] == '<')
			switch (data[i + 1]) {
			case 'a': sink += 1; break;
			case 'b': sink += 2; break;
			case '/': sink += 3; break;
			case '!': sink += 4; break;
			}'''))
    r = run(target, '-j', 2, '--fuzztime', '300000x', '--seed', 5, status=0)
    bits, finds = r.stats['coverage_bits'], len(r.events('find'))
    check(r.events('minimized'), 'nothing was minimized')
    again = run(target, '-j', 1, '--fuzztime', '%dx' % len(r.corpus()),
                status=0)
    equal(again.stats['coverage_bits'], bits, 'coverage of the corpus alone')
    equal(len(again.events('find')), finds, 'further finds')


@case
def without_instrumentation():
    # B106: said, seeds are tested first, and failures are found all the same.
    target = build(one_input('\tprobe_count();\n\tif (size > 2 && '
                             'data[1] > 200)\n\t\tabort();'),
                   env={'CFUZZ_NO_INSTRUMENT': '1'})
    r = run(target, '-j', 2, '--fuzztime', '20000x', '--seeds',
            seeds([b'aaaa', b'bbbb']), '--minimizetime', '100x', status=1)
    check(r.said('was not built with coverage instrumentation'),
          'no warning:%s', r.describe())
    check(r.said('testing seed corpus: 2/2 completed, now fuzzing'),
          'the seeds are not tested:%s', r.describe())
    check('new interesting' not in r.stdout, 'it speaks of coverage')
    equal(r.stats['instrumented'], False, 'stats.json: "instrumented"')
    equal(r.stats['counters_total'], 0, 'stats.json: "counters_total"')
    equal(r.bucket().info['what'], 'SIGABRT', 'the finding')
    equal(r.stats['execs'], 20000, 'executions')


@case
def unstable_coverage():
    # Coverage by chance: it ends, and the share is told.
    target = build(one_input('''
	static volatile int sink;

	switch (rand() % 64) {
''' + ''.join('\tcase %d: sink += %d; break;\n' % (i, i * 5 + 1)
              for i in range(64)) + '\t}'), flags=['-O0'])
    r = run(target, '-j', 2, '--fuzztime', '100000x', status=0)
    check(r.stats['stability'] < 100, 'stability of %r',
          r.stats['stability'])
    check(len(r.corpus()) < 1000, '%d inputs are kept', len(r.corpus()))


@case
def coverage_that_does_not_come_back():
    # B15: a find whose coverage is gone when it is to be minimized stays as
    # it is; that is no failure.
    target = build(one_input('''
	static uint64_t *times;
	static volatile int sink;

	if (times == NULL)
		times = probe_number("times");
	if (size > 10 && *times < 2) {
		probe_add(times);
		probe_save("find", data, size);
		sink++;
	}'''))
    r = run(target, '-j', 1, '--fuzztime', '5000x', '--seeds',
            seeds([b'a' * 8]), '--debug=log', status=0)
    equal(r.number('times'), 2, 'times: found, confirmed')
    check(re.search('job: an input is made smaller, %d bytes\\n'
                    '(.*-->.*\\n)*.*result: 1 executions, no failure\\n' %
                    len(r.saved('find')), read('log').decode()),
          'it was not tried, or not given up after one execution')
    check(r.saved('find') in r.corpus().values(), 'it is not kept: %r',
          r.corpus())
    equal(r.stats['execs'], 5000, 'executions')


@case
def library_loaded_later():
    # Code that is loaded in mid-run counts as well, or is spoken of.
    target, library = build_with_late_library()
    r = run_till([lambda data: data[:1] == b'x', lambda data: data[:1] == b'y'],
                 target, '-j', 2, '--fuzztime', '1000000x', '--seeds',
                 seeds([b'a']), env={'LIBRARY': library}, status=0)
    firsts = {data[:1] for data in r.corpus().values()}
    check(b'x' in firsts and b'y' in firsts, 'its branches are not found: %r',
          r.corpus())


@case
def deterministic():
    # The same seed, the same journal.
    target = build(one_input('''
	static volatile int sink;

	for (size_t i = 0; i < size && i < 6; i++)
		if (data[i] == "banana"[i])
			sink++;
		else
			break;
	if (size > 5 && data[5] == 'X')
		abort();'''))
    runs = [run(target, '--seed', 7, '--parallel', 1, '--deterministic',
                '--fuzztime', '50000x', '--seeds', seeds([b'bat', b'abc']),
                out='out%d' % i) for i in range(2)]
    one, two = (journal_without_times(r) for r in runs)
    equal(len(one), len(two), 'lines of the journals')
    for a, b in zip(one, two):
        equal(a, b, 'a line of the journal')
    check(len(one) > 4, 'only %d lines', len(one))
    equal(runs[0].corpus(), runs[1].corpus(), 'the corpus')


@case
def fixed_addresses():
    # A target compares its addresses, too; so they are the same in each process.
    if subprocess.run(['setarch', '-R', 'true'], stderr=subprocess.DEVNULL,
                      check=False).returncode != 0:
        raise Skip('addresses cannot be fixed here')
    target = build('''
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int sink;

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	void *heap = malloc(1);
	FILE *file = fopen(getenv("SEEN"), "a");

	fprintf(file, "%p %p %p\\n", (void *)&sink, heap, (void *)argc);
	fclose(file);
	free(heap);
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	sink += size > 0 && data[0] == 'x';
	return 0;
}
''')
    seen = os.path.abspath('seen')
    for i in range(3):
        run(target, '--deterministic', '-j', 2, '--fuzztime', '1000x',
            out='out%d' % i, env={'SEEN': seen}, status=0)
    with open(seen, encoding='ascii') as file:
        lines = file.read().splitlines()
    # Two in each run, unless a worker is at the end before the other begins.
    check(len(lines) >= 3, 'only %d processes', len(lines))
    equal(len(set(lines)), 1, 'different addresses: %s' % lines)


@case
def other_seed():
    # Another seed, another way; the seed of a run is told.
    target = build(HELLO)
    runs = [run(target, '--seed', s, '-j', 1, '--deterministic', '--fuzztime',
                '20000x', out='out%d' % s) for s in (1, 2)]
    for r, seed in zip(runs, (1, 2)):
        equal(int(r.stats['seed']), seed, 'stats.json: "seed"')
    check(runs[0].corpus() != runs[1].corpus(), 'the same corpus')


@case
def dictionary():
    # A word of eight bytes, compared at once.
    write('words', '# a comment\nkw="\\x01secret\\xff"\n')
    target = build(one_input('''
	static const char *volatile word = "\\x01secret\\xff";
	int same = 1;

	for (size_t i = 0; i < 8; i++)
		same &= i < size && data[i] == (uint8_t)word[i];
	if (same)
		abort();'''), env={'CFUZZ_NO_INSTRUMENT': '1'})
    r = run(target, '-j', 2, '--fuzztime', '900s', '--dict', 'words',
            '--stop-on-crash', '--verify', 1, status=1, patience=1000)
    check(r.bucket().input.startswith(b'\x01secret\xff'), 'the input: %r',
          r.bucket().input)


main()
