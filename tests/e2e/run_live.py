#!/usr/bin/env python3
"""Steering a campaign that runs: limits, pause, and the ladder of a stop."""

# BEGUN FIRST
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403
import control             # noqa: E402
from control import Refused    # noqa: E402

# The longest input so far is told; a long one takes time.
LENGTHS = one_input('''
	static uint64_t *longest;

	if (!longest)
		longest = probe_number("longest");
	probe_count();
	if (size > *longest)
		*longest = size;''')


# The same of those that run while there is a file.
LENGTHS_THEN = one_input('''
	static volatile int sink;
	uint64_t *longest = probe_number("longest"), *n = probe_number("n");

	for (size_t i = 0; i < size && i < 5; i++)
		if (data[i] == "bytes"[i])
			sink++;
	if (access(getenv("GO"), F_OK) == 0) {
		probe_add(n);
		if (size > *longest)
			*longest = size;
	}''')

# Allocates much, as soon as there is a file.
LARGE = one_input('''
	void *volatile much;

	calm(1000);
	probe_count();
	if (access(getenv("GO"), F_OK) == 0) {
		much = malloc(600u << 20);
		free(much);
		probe_add(probe_number("large"));
	}''', CALM_HEAD)

# Neither ends nor heeds a polite signal.
DEAF = one_input('''
	sigset_t all;

	if (probe_count() > 20) {
		sigfillset(&all);
		sigprocmask(SIG_SETMASK, &all, NULL);
		probe_add(probe_number("deaf"));
		probe_wait_for_ever();
	}''', '#include <signal.h>')

# Uses its processor for ever, from some execution on.
SPINS = one_input('''
	static volatile int turns;

	if (probe_count() > 20)
		for (;;)
			turns++;''')

THREADS = one_input('\tprobe_count();', THREAD)
THREADS_SPIN = one_input('''
	static volatile int turns;

	if (probe_count() > 20)
		for (;;)
			turns++;''', THREAD)

# Fails at once, and takes long to be minimized.
SHRINKS = one_input('''
	probe_count();
	if (size > 8 && data[0] == 'a') {
		usleep(3000);
		cfuzz_fail("an a");
	}''')


def fuzzing(r):
    r.control.until(lambda s: s['state'] == 'fuzzing', 'fuzzing')
    return r.control


@each(*[(row[0], *row) for row in (
      ('timeout', '20s', 'soon', 'milliseconds'),
      ('rss-limit', '512M', '7x', 'size'),
      ('max-len', '4K', '0', 'out of range'),
      ('parallel', '2', '0', 'out of range'),
      ('fuzztime', '2h', '0s', 'more than 0'),
      ('minimizetime', '5s', 'ever', 'duration'),
      ('chain', '3', '0', 'out of range'),
      ('schedule', 'even', 'best', 'choose one of'),
      ('dict', 'words.dict', 'missing.dict', 'missing.dict'))])
def a_limit(name, good, bad, why):
    # Each limit of the dialog: refused in words, or taken and journalled.
    write('words.dict', '"one"\n"two"\n')
    r = control.start(build(CALM), '-j', 1)
    c = fuzzing(r)
    before = c.next_snapshot()['limits'][name]['value']
    try:
        c.command('set %s %s' % (name, bad))
        fail('%s may be "%s"', name, bad)
    except Refused as e:
        check(why in str(e), 'refused with other words: %s', e)
    equal(c.next_snapshot()['limits'][name]['value'], before, 'the value')
    check('is now' in c.command('set %s %s' % (name, good)), 'no consent')
    limit = c.next_snapshot()['limits'][name]
    check(limit['value'] != before or name == 'parallel', 'as before: %s',
          limit)
    equal(limit['origin'], 'key', 'where it comes from')
    r.stop(0)
    event = [e for e in r.events('limit') if e['limit'] == name][0]
    check('execs_per_sec' in event and event['before'] == before,
          'the event: %s', event)


@case
def what_a_limit_does():
    # Its journal says how fast it was before, and how fast some seconds on.
    r = control.start(build(CALM), '-j', 1)
    c = fuzzing(r)
    c.until(lambda s: s['execs_per_sec'] > 0, 'a rate')
    c.command('set timeout 20s')
    wait_for(lambda: c.next_snapshot() and
             [e for e in r.events('limit') if 'seconds' in e], 'the effect')
    r.stop(0)
    event = [e for e in r.events('limit') if 'seconds' in e][0]
    check(event['seconds'] >= 5, 'too early: %s', event)
    check(event['execs_per_sec_before'] > 0 and
          event['execs_per_sec_after'] > 0, 'no rates: %s', event)
    check('timeout 10s -> 20s: ' in event['text'] and
          ' before, ' in event['text'], 'the text: %s', event)


@case
def another_limit_ends_the_look():
    # What comes behind it is not the first one's doing.
    r = control.start(build(CALM), '-j', 1)
    c = fuzzing(r)
    c.command('set timeout 20s')
    for after in (lambda: c.command('set timeout 30s'), lambda: r.stop(0)):
        at_s = c.next_snapshot()['elapsed_s']
        c.until(lambda s: s['elapsed_s'] > at_s + 1.5, 'a second')
        after()
    first, second = [e for e in r.events('limit') if 'seconds' not in e][:2]
    event = [e for e in r.events('limit') if 'seconds' in e][0]
    check('timeout 10s -> 20s: ' in event['text'], 'the text: %s', event)
    check(event['seconds'] <= second['at_s'] - first['at_s'] + 0.1,
          'longer than it lasted: %s, then %s, then %s', first, second, event)


@case
def longer_inputs():
    # Beyond the memory of the workers: they are started again one by one.
    r = control.start(build(LENGTHS), '-j', 3, '--max-len', 64, '--schedule',
                      'fifo', '--seeds', seeds([b'a' * 60]))
    c = fuzzing(r)
    c.until(lambda s: all(w['execs'] > 0 for w in s['workers']), 'all three')
    first = {w['id']: w['pid'] for w in c.next_snapshot()['workers']}
    check('one by one' in c.command('set max-len 4K'), 'not said')

    def anew():
        longest = r.number('longest')
        s = c.next_snapshot()
        away = [w for w in s['workers'] if w['state'] in
                ('down', 'starting', 'stopping')]
        check(len(away) <= 1, 'several are away: %s', away)
        done = all(w['restart_why'] == 'longer inputs' and w['pid'] and
                   w['restarts'] == 1 and w['restart_asked'] and
                   w['pid'] != first[w['id']] for w in s['workers'])
        check(done or longest <= 64, 'too long, too early: %d', longest)
        return done

    wait_for(anew, 'the restarts')
    wait_for(lambda: r.number('longest') > 64, 'a longer input')
    c.command('set max-len 100')
    equal(c.next_snapshot()['limits']['max-len']['value'], '100', 'the limit')
    r.stop(0)
    check(r.number('longest') <= 4096, 'too long')


@each(*[(name, name) for name in ('energy', 'fifo')])
def no_longer_inputs(schedule):
    # Also of an input that is longer than the new limit. The calls of a worker
    # that has started again are made with it.
    go = os.path.abspath('go')
    r = control.start(build(LENGTHS_THEN), '-j', 1, '--schedule', schedule,
                      '--minimizetime', 0, '--seeds', seeds([b'a' * 3000]),
                      env={'GO': go})
    c = fuzzing(r)
    first = c.until(lambda s: s['workers'][0]['execs'] > 0,
                    'its calls')['workers'][0]['pid']
    c.command('set max-len 60')
    c.command('stop 0')
    c.until(lambda s: s['workers'][0]['pid'] not in (0, first), 'the restart')
    write(go, b'')
    wait_for(lambda: r.number('n') > 20000, 'executions')
    r.stop(0)
    equal(r.number('longest'), 60, 'the longest input')


@each(('raised', '256', '1G', 0), ('none', '256', '0', 0),
      ('lowered', '1G', '256', 1))
def memory_of_a_sanitizer(before, after, findings):
    # A sanitizer reads its limit at the start of its process; a worker that is
    # paused restarts when it goes on.
    go = os.path.abspath('go')
    r = control.start(build(LARGE, flags=['-fsanitize=address']), '-j', 2,
                      '--rss-limit', before, env={'GO': go})
    c = fuzzing(r)
    c.until(lambda s: all(w['execs'] > 0 for w in s['workers']), 'both')
    first = [w['pid'] for w in c.next_snapshot()['workers']]
    c.command('pause 1')
    check('restart' in c.command('set rss-limit ' + after), 'not said')
    c.command('resume 1')
    c.until(lambda s: all(w['pid'] not in (0, pid) and w['restart_asked'] and
                          w['restart_why'] == 'another rss-limit'
                          for w, pid in zip(s['workers'], first)),
            'the restarts')
    write(go, b'')
    if findings:
        f = c.until(lambda s: s['findings'] and
                    s['findings'][0]['state'] == 'confirmed',
                    'a finding')['findings'][0]
        equal(f['kind'], 'sanitizer', 'the kind')
    else:
        wait_for(lambda: r.number('large') > 100, 'allocations')
    r.stop(findings)
    equal(len(r.stats['findings']), findings, 'findings')


@each(('forked', QUIET), ('threads', THREADS))
def what_a_worker_uses(source):
    # Of a target that cannot be forked, too.
    r = control.start(build(source), '-j', 1)
    fuzzing(r).until(lambda s: all(
        w['rss_kb'] > 0 and w['cpu'] > 0 for w in s['workers']),
        'memory and processor time of the worker')
    r.stop(0)


@each(('quick', QUIET), ('spinning', SPINS), ('minimizing', SHRINKS),
      ('threads', THREADS), ('threads-spinning', THREADS_SPIN))
def pause_rests(source):
    # No processor time but the engine's few news; its clock stands still.
    r = control.start(build(source), '-j', 2, '--timeout', '60s', '--verify',
                      0, '--seeds', seeds([b'a' * 2000]))
    c = r.control
    least = 4 if source in (QUIET, SPINS) else 2
    wait_for(lambda: c.next_snapshot() and r.calls > 20 and
             len(r.workers() + r.children()) >= least, 'executions')
    c.command('pause')

    def rest():    # calls end, or are held
        before = ticks(r.workers() + r.children())
        for _ in range(3):
            c.next_snapshot()
        return ticks(r.workers() + r.children()) == before

    wait_for(rest, 'a rest')
    # Between two of a minimization's tries there may be no child.
    workers = r.workers() + r.children()
    check(len(workers) >= least, 'too few processes: %s', workers)
    before, used, calls = c.next_snapshot(), ticks(workers), r.calls
    engine = ticks([r.pid])
    for _ in range(15):
        c.next_snapshot()
    after = c.snapshot
    equal(ticks(workers), used, 'processor time of the workers')
    check(ticks([r.pid]) - engine <= 40, 'the engine is busy: %d ticks',
          ticks([r.pid]) - engine)
    equal(r.calls, calls, 'executions')
    equal(after['state'], 'paused', 'the state')
    check(after['seq'] >= before['seq'] + 15, 'no news')
    equal(round(after['elapsed_s'], 3), round(before['elapsed_s'], 3),
          'the clock')
    check(after['paused_s'] > before['paused_s'] + 1, 'the pause: %s',
          after['paused_s'])
    c.command('resume')
    c.until(lambda s: s['elapsed_s'] > before['elapsed_s'], 'the clock')
    if source not in (SPINS, THREADS_SPIN):
        wait_for(lambda: c.next_snapshot() and r.calls > calls, 'executions')
    r.stop()


@each(('longer', 'set max-len 2M'), ('stopped', 'stop 1'))
def pause_outlives_a_restart(line):
    # A worker that is paused alone stays so in its next process.
    r = control.start(build(CALM), '-j', 2)
    c = fuzzing(r)
    c.until(lambda s: all(w['execs'] > 0 for w in s['workers']), 'both')
    c.command('pause 1')
    pid = c.until(lambda s: s['workers'][1]['state'] == 'paused',
                  'the pause')['workers'][1]['pid']
    c.command(line)
    s = c.until(lambda s: s['workers'][1]['pid'] not in (0, pid) and
                s['workers'][1]['state'] != 'starting', 'a new one')
    execs = s['workers'][0]['execs']
    s = c.until(lambda s: s['workers'][0]['execs'] > execs + 100 and
                s['workers'][0]['state'] == 'fuzzing', 'the other one')
    equal(s['workers'][1]['state'], 'paused', 'the state')
    execs = s['workers'][1]['execs']
    c.command('resume 1')
    c.until(lambda s: s['workers'][1]['execs'] > execs, 'that it goes on')
    r.stop(0)


@case
def pause_leaves_children():
    # What the target's own thread starts it can also wait for.
    r = control.start(build(one_input('\tprobe_count();', '''
#include <pthread.h>
#include <sys/wait.h>

static void *
start_children(void *arg)
{
	for (;;) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(0);
		if (pid > 0)
			probe_add(probe_number(waitpid(pid, NULL, 0) == pid ?
				"waited" : "lost"));
	}
	return arg;
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	pthread_t thread;

	return pthread_create(&thread, NULL, start_children, NULL);
}
''')), '-j', 1)
    c = fuzzing(r)
    wait_for(lambda: r.calls > 20 and r.number('waited') > 20, 'children')
    c.command('pause')
    c.next_snapshot()
    before = r.number('waited')
    wait_for(lambda: c.next_snapshot() and r.number('waited') > before + 300,
             'more children')
    equal(r.number('lost'), 0, 'children that nobody could wait for')
    r.stop(0)


@case
def finds_and_pauses():
    # A call that a pause ends may bring a find: it is no older than that, and
    # no younger.
    r = control.start(build('steps.c'), '-j', 2)
    c = r.control
    for _ in range(20):
        c.until(lambda s: s['state'] == 'fuzzing', 'fuzzing')
        for line in ('pause', 'resume'):
            c.command(line)
            s = c.next_snapshot()
            check(-1 <= s['last_find_s'] <= s['elapsed_s'] + 1,
                  '%s: the last find is %s s old', line, s['last_find_s'])
    check(c.snapshot['plateau_gap_s'] <= c.snapshot['elapsed_s'] + 1,
          'a gap of %s s', c.snapshot['plateau_gap_s'])
    r.stop()


@case
def pause_and_fuzztime():
    # The time of the campaign stands still, too. The pause may come late.
    r = control.start(build(CALM), '-j', 1, '--fuzztime', '6s')
    c = fuzzing(r)
    c.command('pause')
    before = c.next_snapshot()
    equal(before['state'], 'paused', 'the state')
    c.until(lambda s: s['paused_s'] > 6.5, 'a pause')
    equal(round(c.snapshot['elapsed_s'], 3), round(before['elapsed_s'], 3),
          'the clock')
    equal(c.snapshot['state'], 'paused', 'the state')
    c.command('resume')
    c.wait(lambda: c.bye, 'the end')
    c.close()
    r.end(0)
    check(r.stats['paused_s'] > 6.5, 'the pause: %s', r.stats['paused_s'])
    check(r.stats['elapsed_s'] >= 6, 'the clock: %s', r.stats['elapsed_s'])


def steps(worker):
    return worker['stop_step'], worker['next_step_s'] >= 0


@each(('one', ' 0'), ('all', ''))
def ladder(which):
    # Each rung is seen with its count-down, and each press takes one.
    r = control.start(build(DEAF), '-j', 2, '--timeout', '60s',
                      '--stop-step', '60s', '--seeds', seeds([b'a']))
    c = r.control
    wait_for(lambda: c.next_snapshot() and r.number('deaf') >= 2,
             'two that hang')
    pid = c.snapshot['workers'][0]['pid']
    for step, words in (('closed', 'asked to end'),
                        ('interrupt', 'interrupted')):
        told = c.command('stop' + which)
        check(which or words in told, 'it says: %s', told)
        s = c.next_snapshot()
        first, second = s['workers']
        equal(first['stop_step'], step, 'the step')
        check(0 < first['next_step_s'] <= 60, 'the count-down: %s', first)
        equal(first['state'], 'stopping', 'the state')
        equal(second['stop_step'], 'none' if which else step,
              'the other one')
        equal(s['stop_step'], 'none' if which else step, 'the campaign')
    c.command('stop' + which)
    if not which:
        c.wait(lambda: c.bye, 'the end')
        c.close()
        return r.end(0)
    s = c.until(lambda s: s['workers'][0]['pid'] not in (0, pid), 'a new one')
    equal(s['workers'][0]['restart_why'], 'stopped by hand', 'the reason')
    check(s['workers'][0]['restart_asked'], 'not asked for')
    for _ in range(3):
        c.command('stop')
    c.wait(lambda: c.bye, 'the end')
    c.close()
    r.end(0)


# No worker starts while there is a lock.
LOCKED = one_input('\tcalm(1000);\n\tprobe_count();', CALM_HEAD + '''
__attribute__((constructor)) PROBE void
look_for_lock(void)
{
	if (access(getenv("LOCK"), F_OK) == 0)
		_exit(7);
}
''')


@each(('stop', 'stop 0'), ('workers', 'workers 2'), ('fewer', 'workers 1'))
def given_up(line):
    # One that no longer starts is started when it is wanted again, and does
    # not stand for one that runs.
    lock = os.path.abspath('lock')
    r = control.start(build(LOCKED), '-j', 2, env={'LOCK': lock})
    c = fuzzing(r)
    # One that has a process need not have looked for the lock yet.
    s = c.until(lambda s: all(w['execs'] > 0 for w in s['workers']), 'both')
    pids = [w['pid'] for w in s['workers']]
    write(lock, b'')
    os.kill(pids[0], signal.SIGKILL)
    r.wait_for(lambda: [e for e in r.events('worker') if 'no longer starts: '
                        'exit status 7' in str(e)], 'the last start')
    os.unlink(lock)
    c.command(line)
    if line != 'workers 1':
        c.until(lambda s: s['workers'][0]['pid'], 'a new one')
    calls = r.calls
    wait_for(lambda: r.calls > calls + 100, 'more executions')
    equal(c.next_snapshot()['workers'][-1]['pid'], pids[1], 'the other one')
    r.stop(0)


@case
def a_name_that_is_no_text():
    # The first words name the target, each snapshot does, and so do the last.
    os.mkdir('bytes')
    name = os.path.abspath(b'bytes/target\xff')
    shutil.copy(build(CALM), name)
    r = control.start(os.fsdecode(name), '-j', 1)
    for said in (r.control.target, r.control.next_snapshot()['target']):
        check('target\\xff' in said or 'target\ufffd' in said,
              'it is called %r', said)
    r.stop(0)

main()
