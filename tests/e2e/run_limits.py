#!/usr/bin/env python3
"""Limits: executions are counted exactly, over all workers; times end runs."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403

EMPTY = one_input('\tprobe_count();')

# Branches, so that there are finds, confirmations and minimizations.
BRANCHES = one_input('''
	static volatile int deep;

	probe_count();
	for (size_t i = 0; i < size && i < 4; i++)
		if (data[i] == "cats"[i])
			deep++;
		else
			break;''')

# As before, and one input in some dozens fails, each time dying.
DIES = one_input('''
	probe_count();
	if (size > 2 && data[1] == 'd')
		abort();
	if (size > 2 && data[1] == 'e')
		cfuzz_fail("an e");''')


# Much to be minimized: the limit is reached in the middle of that.
LONG = one_input('''
	static volatile int sink;

	probe_count();
	if (size > 20 && data[size / 2] > 200)
		cfuzz_fail("a large one");
	for (size_t i = 0; i < size; i++)
		if (data[i] == 'q')
			sink++;''')


@each(*[('%s-%d-workers' % (name, j), source, j, more)
        for name, source, more in (
            ('empty', EMPTY, []),
            ('finds', BRANCHES, []),
            ('minimizing', BRANCHES, ['--minimizetime', '60s']),
            ('dying', DIES, ['--minimizetime', '5x']),
            ('long', LONG, ['--minimizetime', '60s']))
        for j in (1, 2, 4)])
def exact_count(source, workers, more):
    # B69: warm-up, finds, confirmation, minimization: all within the limit.
    for limit in (1000, 1003):
        r = run(build(source), '-j', workers, '--fuzztime', '%dx' % limit,
                '--verify', 0, '--seeds', seeds(['aaaaaa', 'bb', 'c' * 60]),
                *(more or ['--minimizetime', '1x']),
                out='out%d' % limit)
        equal(r.calls, limit, 'calls of the target')
        equal(r.stats['execs'], limit, 'stats.json: "execs"')
        os.remove('probe/calls')


@case
def exact_count_with_replays():
    # Replays that verify a finding are counted apart, outside the limit.
    r = run(build(DIES), '-j', 2, '--fuzztime', '3000x', '--verify', 3,
            '--minimizetime', 0, '--seeds', seeds(['a,a', 'bbbb']))
    equal(r.stats['execs'], 3000, 'stats.json: "execs"')
    check(r.buckets(), 'nothing was found')
    check(r.stats['replays'] >= 3, 'no replays: %r', r.stats['replays'])
    equal(r.calls, 3000 + r.stats['replays'], 'calls of the target')


@each(('1x', 1), ('2x', 2), ('3x', 3))
def fewer_executions_than_workers(limit):
    # More workers than executions: the limit holds all the same.
    r = run(build(EMPTY), '-j', 4, '--fuzztime', '%dx' % limit, status=0)
    equal(r.calls, limit, 'calls of the target')


@case
def empty_target_twice():
    # B60
    target = build(one_input(''))
    r = run(target, '-j', 1, '--fuzztime', '10000x', status=0)
    check(r.said('new interesting: 1 (total: 1)'), 'not one input:%s',
          r.describe())
    equal(len(r.corpus()), 1, 'files in corpus/')
    r = run(target, '-j', 1, '--fuzztime', '2x', status=0)
    check(r.said('new interesting: 0 (total: 1)'), 'not the same one:%s',
          r.describe())
    equal(len(r.corpus()), 1, 'files in corpus/')


@case
def minimization_is_limited():
    # B70: after the first failure three further executions, no more.
    target = build(one_input('''
	static uint64_t *failed, *after;

	if (!failed) {
		failed = probe_number("failed");
		after = probe_number("after");
	}
	if (*failed)
		probe_add(after);
	if (size > 0 && data[0] != '0') {
		probe_add(failed);
		abort();
	}'''))
    r = run(target, '-j', 1, '--fuzztime', '10000x', '--minimizetime', '3x',
            '--verify', 0, '--stop-on-crash', '--seeds', seeds(['0' * 357]),
            status=1)
    equal(r.number('after'), 3, 'executions after the first failure')
    check(r.said('fuzz: minimizing'), 'no line about minimizing:%s',
          r.describe())


@case
def one_execution():
    # B104: the only execution is the seed; without one it is a mutant.
    target = build(one_input('\tprobe_count();\n\tif (!probe_is("good"))\n'
                             '\t\tcfuzz_fail("always");'))
    r = run(target, '--fuzztime', '1x', '--seeds', seeds(['good seed']),
            env={'MODE': 'good'}, status=0)
    equal(r.calls, 1, 'calls of the target')
    r = run(target, '--fuzztime', '1x', '--verify', 0, out='out2', status=1)
    equal(len(r.buckets('crashes')), 1, 'folders in crashes/')


@each(('1-worker', 1), ('4-workers', 4))
def coverage_that_depends_on_state(workers):
    # B108: new coverage for inputs that are in the corpus already.
    target = build(one_input('''
	static volatile unsigned sink;
	static unsigned n;

	probe_count();
	switch (n++ / 4 % 16) {
''' + ''.join('\tcase %d: sink += %d; break;\n' % (i, i * 7 + 1)
              for i in range(16)) + '\t}'))
    r = run(target, '-j', workers, '--fuzztime', '100x', '--seeds',
            seeds(['0', '1', '2']), status=0)
    equal(r.calls, 100, 'calls of the target')


@case
def time_limit():
    # B68: --fuzztime ends a run; --timeout is for one execution.
    r = run(build(EMPTY), '-j', 1, '--fuzztime', '1500ms', '--timeout', '500',
            status=0)
    check(r.stats['elapsed_s'] >= 1.5, 'it ended after %r s',
          r.stats['elapsed_s'])
    r.no_findings()


@each(('time', '2500ms'), ('executions', '100x'))
def no_deadline_is_seen(limit):
    # B66: whatever the limits of campaign and execution are, the target has no
    # timer, no limit of processor time, and no variable that tells of one.
    target = build(one_input('''
	struct itimerval timer;
	struct rlimit cpu;

	for (int which = 0; which < 3; which++)
		if (getitimer(which, &timer) != 0 ||
			timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0)
			cfuzz_fail("timer %d", which);
	if (getrlimit(RLIMIT_CPU, &cpu) != 0 || cpu.rlim_cur != RLIM_INFINITY)
		cfuzz_fail("a limit of processor time");
	for (char **e = __environ; *e != NULL; e++)
		if (strncmp(*e, "CFUZZ", 5) == 0)
			cfuzz_fail("%s", *e);
	probe_count();''', '#include <sys/resource.h>\n#include <sys/time.h>'))
    r = run(target, '-j', 1, '--fuzztime', limit, '--timeout', 5000, '--seeds',
            seeds([b'a']), status=0)
    check(r.calls >= 100 or limit.endswith('ms'), 'it was not called')
    check(r.calls > 0, 'it was not called')


@case
def time_counts_after_the_seeds():
    # However long the seeds take, all of --fuzztime is left for mutations. It
    # is longer than a busy machine stands still.
    target = build(one_input('''
	probe_count();
	if (size == 3)
		usleep(40000);'''))
    r = run(target, '-j', 1, '--fuzztime', '2500ms', '--timeout', '10s',
            '--seeds', seeds([b'%03d' % i for i in range(20)]), status=0)
    check(r.said('20/20 completed, now fuzzing'), 'not all seeds ran:%s',
          r.describe())
    # Mutations may leave the length as it is, each time.
    check(r.calls > 20, 'nothing was fuzzed:%s', r.describe())
    check(r.stats['elapsed_s'] >= 3.3, 'seeds and time take 3.3 s, not %r',
          r.stats['elapsed_s'])


# So many make the whole thousand of the original's own test.
MANY = int(os.environ.get('MANY_RUNS', '16'))


@each(('1-worker', 1), ('4-workers', 4), ('32-workers', 32))
def many_short_runs(workers):
    # B116: the end of time is no failure, however busy the machine is.
    target = build(BRANCHES)
    for i in range(MANY):
        r = run(target, '-j', workers, '--fuzztime', '20ms', status=0,
                out='out%d' % i)
        equal(r.stderr, '', 'what it says on standard error')
        r.no_findings()


@each(('negative-time', '-1ms', 'invalid duration'),
      ('negative-count', '-1x', 'invalid count'),
      ('tail', '0xy', 'invalid'), ('no-unit', '10', ''), ('empty', '', ''))
def bad_budget(text, want):
    # B74: refused before the target runs.
    target = build(EMPTY)
    for option in ('--fuzztime', '--minimizetime'):
        r = run(target, option, text, status=2)
        check(want in r.stderr, 'no "%s": %s', want, r.stderr)
        check(option[2:] in r.stderr, 'the option is not named: %s', r.stderr)
        equal(r.calls, 0, 'calls of the target')
        check(not os.path.exists('out'), 'it left an output directory')


@each(('0s', '0s'), ('0x', '0x'), ('0', '0'))
def no_minimization(text):
    # B75
    target = build(one_input('\tif (size > 3 && data[2] > 9)\n'
                             '\t\tcfuzz_fail("too much");'))
    r = run(target, '--fuzztime', '100000x', '--minimizetime', text,
            '--stop-on-crash', '--seeds', seeds(['\0' * 30]), status=1)
    check('minimizing' not in r.stdout, 'it minimizes:%s', r.describe())
    equal(r.stdout.count('too much'), 1, 'times that the failure is told')
    check(not r.bucket().has('minimized'), 'there is a minimized input')


@case
def many_different_inputs():
    # B90: at least ten different ones in a hundred, from nothing.
    target = build(one_input('''
	char hex[2 * 16 + 1] = "";

	for (size_t i = 0; i < size && i < 16; i++)
		sprintf(hex + 2 * i, "%02x", data[i]);
	probe_log("inputs", hex);'''))
    r = run(target, '-j', 1, '--fuzztime', '100x', status=0)
    inputs = r.logged('inputs')
    equal(len(inputs), 100, 'inputs')
    check(len(set(inputs)) >= 10, 'only %d different ones', len(set(inputs)))


main()
