#!/usr/bin/env python3
"""Minimizations by steps: what an operator's keys do, by their commands."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403
import control             # noqa: E402
from control import Refused    # noqa: E402

# Fails at one place with a '!', else at another one with a '?'.
TWO = one_input('''
	size_t i;

	for (i = 0; i < size; i++)
		if (data[i] == '!')
			abort();
	for (i = 0; i < size; i++)
		if (data[i] == '?')
			cfuzz_fail("a question");''')
START = b'a' * 10 + b'?' + b'b' * 29 + b'!' + b'c' * 23


class Steps:
    """A campaign with one minimization that is held before its first try."""

    def __init__(self, source=TWO, start=START, *words, name=None):
        self.run = control.start(build(source), '-j', 1, '--minimizetime', 0,
                                 '--verify', 1, '--timeout', 10000, '--seeds',
                                 seeds([start]), *words)
        self.c = self.run.control
        if name is None:
            self.c.until(lambda s: any(
                f['kind'] == 'signal' and f['state'] == 'confirmed'
                for f in s['findings']), 'a finding')
            name = [f['id'] for f in self.c.snapshot['findings']
                    if f['kind'] == 'signal'][0]
        self.c.until(lambda s: s['state'] == 'fuzzing', 'fuzzing')
        self.name = name
        self.c.command('set minimizetime 60s')
        self.c.command('minimize %s held' % self.name)

    def step(self, action):
        return self.c.command('step %s %s' % (action, self.name))

    def look(self):
        return self.c.query('minimization', name=self.name, count=65536)

    def until(self, condition, what):
        """Of the answer to a question."""
        found = []

        def holds(s):
            try:
                found[:] = [self.look()]
            except Refused:
                return False
            return condition(found[0])
        self.c.until(holds, what)
        return found[0]

    def tries(self, n):
        return self.until(lambda m: m['last'] == n, 'try %d' % n)


def numbers(answer):
    return [t['number'] for t in answer['tries']]


@case
def one_by_one():
    s = Steps()
    m = s.look()
    equal((m['last'], m['start_len'], m['best_len'], m['coverage']),
          (0, len(START), len(START), False), 'the beginning')
    equal(bytes.fromhex(m['best']), START, 'the best input')
    for n in range(1, 6):
        s.step('next')
        m = s.tries(n)
        equal(numbers(m), list(range(1, n + 1)), 'tries that are told')
    now = [x for x in s.c.snapshot['minimizations']
           if x['entry'] == s.name][0]
    check(now['by_steps'] and now['held'], 'not held: %s', now)
    said = s.c.command('minimize %s held' % s.name)    # it is under way
    check('is held' in said, 'it says: %s', said)
    s.run.stop()


@case
def the_next_accepted_one():
    s = Steps()
    for n in (1, 2):
        s.step('accepted')
        m = s.until(lambda m: sum(t['verdict'] == 'same'
                                  for t in m['tries']) == n, 'acceptance')
        equal(m['tries'][-1]['verdict'], 'same', 'the last try')
    check(b'!' in bytes.fromhex(m['best']), 'it would not fail: %s', m)
    check(m['best_len'] < len(START), 'nothing was cut')
    s.run.stop()


@case
def a_failure_of_another_kind():
    # It becomes a finding of its own, and is not taken for a success.
    s = Steps()
    s.step('go')
    s.c.until(lambda x: any(f['kind'] == 'error' for f in x['findings']),
              'the other finding')
    m = s.until(lambda m: m['ended'], 'its end')
    told = [t for t in m['tries'] if t['verdict'] in ('finding', 'other')]
    check(told, 'no such try: %s', m['tries'])
    s.c.until(lambda x: any(f['minimized_len'] == 1 for f in x['findings']),
              'the smallest input')
    s.run.stop()
    inputs = sorted(b.input for b in s.run.buckets())
    equal(len(inputs), 2, 'findings')
    equal([b.minimized for b in s.run.buckets() if b.input == START], [b'!'],
          'the minimized input')


@case
def back_and_undo():
    s = Steps()
    equal(s.step('undo'), 'no cut has been accepted so far', 'its answer')
    s.step('accepted')
    first = s.until(lambda m: m['best_len'] < len(START), 'a cut')
    s.step('accepted')
    second = s.until(lambda m: m['best_len'] < first['best_len'], 'another')
    # Looking back changes nothing.
    s.step('back')
    m = s.until(lambda m: m['at'] == second['last'] - 1, 'the try before')
    equal((m['last'], m['best_len']), (second['last'], first['best_len']),
          'looking back')
    s.step('next')
    m = s.until(lambda m: m['at'] == m['last'], 'now')
    equal(m['last'], second['last'], 'no further try')
    equal(m['best'], second['best'], 'the best input')
    # Undone, the cut is refused, and history goes on from before it.
    s.step('undo')
    m = s.until(lambda m: m['best_len'] == first['best_len'], 'the cut undone')
    equal(m['tries'][-1]['verdict'], 'undone', 'what is told of it')
    s.step('undo')
    m = s.until(lambda m: m['best_len'] == len(START), 'all undone')
    equal(bytes.fromhex(m['best']), START, 'the best input')
    s.step('go')
    m = s.until(lambda m: m['ended'], 'its end')
    check(b'!' in bytes.fromhex(m['best']), 'it would not fail: %s', m)
    s.run.stop()


@case
def phases_left_out():
    s = Steps()
    seen = [s.look()['phase']]
    for _ in range(12):
        try:
            s.step('skip')
        except Refused:
            # The last phase was over before its end was told.
            m = s.until(lambda m: m['ended'], 'the end')
            break
        m = s.until(lambda m: m['ended'] or m['phase'] not in seen,
                    'another phase')
        if m['ended']:
            break
        check(m['skipped'] & 1 << seen[-1], 'phase %d is not told as left out',
              seen[-1])
        seen.append(m['phase'])
    check(m['ended'] and len(seen) > 3, 'it goes on: %s %s', seen, m)
    equal(m['best_len'], len(START), 'nothing was tried')
    s.run.stop()


@case
def accepted_as_it_is():
    s = Steps()
    s.step('accepted')
    m = s.until(lambda m: m['best_len'] < len(START), 'a cut')
    s.step('accept')
    x = s.c.until(lambda x: any(f['minimized_len'] == m['best_len']
                                for f in x['findings']), 'what was accepted')
    told = [(r['start_len'], r['len'], r['tries']) for r in x['minimized']
            if r['entry'] == s.name]
    equal(told, [(len(START), m['best_len'], m['last'])],
          'what is told of it later')
    s.run.stop()
    equal([b.minimized.hex() for b in s.run.buckets() if b.input == START],
          [m['best']], 'the minimized input')


@case
def never_larger_than_before():
    # What is smaller stays, whatever comes of a second minimization.
    s = Steps()
    s.step('go')

    def kept(x):
        return any(f['id'] == s.name and f['minimized_len'] == 1 and
                   not f['minimizing']
                   for f in x['findings'])
    s.c.until(kept, 'the smallest input')
    s.c.command('minimize %s held' % s.name)
    s.step('accepted')
    first = s.until(lambda m: m['best_len'] < len(START), 'a cut')
    s.step('accepted')
    s.until(lambda m: m['best_len'] < first['best_len'], 'another')
    s.step('undo')
    s.until(lambda m: m['best_len'] == first['best_len'], 'the cut undone')
    said = s.step('accept')
    s.until(lambda m: m['ended'], 'its end')
    s.c.until(kept, 'the smallest input')
    s.run.stop()
    equal([b.minimized for b in s.run.buckets() if b.input == START], [b'!'],
          'the minimized input')
    check('stays' in said, 'it is not said: %s', said)


@case
def stopped_while_held():
    # What is best so far is kept.
    s = Steps()
    s.step('accepted')
    m = s.until(lambda m: m['best_len'] < len(START), 'a cut')
    s.run.stop()
    equal([b.minimized.hex() for b in s.run.buckets() if b.input == START],
          [m['best']], 'the minimized input')


@case
def slow_and_fast():
    s = Steps()
    for _ in range(3):
        s.step('slower')
    s.step('go')
    s.until(lambda m: m['last'] > 0, 'a try')
    s.c.until(lambda x: any(m['by_steps'] and m['pace'] > 0 and not m['held']
                            for m in x['minimizations']), 'its pace')
    try:
        for _ in range(12):
            s.step('faster')
    except Refused as e:    # that fast it was
        check('is not being minimized' in str(e), 'another reason: %s', e)
    s.until(lambda m: m['ended'], 'its end')
    s.run.stop()


@case
def quit_when_minimized():
    # A held one is let go, as nobody would wait for it.
    s = Steps()
    s.step('next')
    s.tries(1)
    s.c.command('quit minimized')
    s.run.end(1)
    equal([b.minimized for b in s.run.buckets() if b.input == START], [b'!'],
          'the minimized input')


@case
def an_input_of_the_corpus():
    # What it reaches is kept, and what it does not need goes.
    start = b'm' * 50 + b'x' + b'm' * 50
    s = Steps(one_input('''
	static volatile int sink;
	size_t i;

	for (i = 0; i < size; i++)
		if (data[i] == 'x') {
			sink++;
			return 0;
		}'''), start, '--fuzztime', '1000000s', name=sha(start)[:16])
    equal(s.look()['coverage'], True, 'coverage')
    s.step('next')
    s.tries(1)
    s.step('go')
    m = s.until(lambda m: m['ended'], 'its end')
    check(b'x' in bytes.fromhex(m['best']), 'lost: %s', m['best'])
    check(m['best_len'] < len(start), 'nothing was cut')
    s.run.stop()


@each(('no_action', 'step jump', 'write: step'),
      ('nothing', 'step next', 'nothing is being minimized'),
      ('no_input', 'step next 0123456789abcdef', 'is not being minimized'),
      ('no_finding', 'minimize 0123456789abcdef', 'no finding or input'),
      ('no_option', 'set nosuch 1', 'there is no option nosuch'),
      ('no_word', 'minimize 0123456789abcdef now', 'write: minimize INPUT held'))
def refused(line, why):
    # Of this target there is never anything to be minimized.
    r = control.start(build(one_input('')), '-j', 1)
    r.control.until(lambda s: s['execs'] > 0, 'an execution')
    try:
        fail('it is not refused: %s', r.control.command(line))
    except Refused as e:
        check(why in str(e), 'another reason: %s', e)
    r.stop()


main()
