#!/usr/bin/env python3
"""How a campaign is ended from outside: nothing is lost, nobody stays."""

import os
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403
import control             # noqa: E402

HANGS = one_input('\tif (probe_count() > 20)\n\t\tprobe_wait_for_ever();')
DEAF = one_input('''
	sigset_t all;

	if (probe_count() > 20) {
		sigfillset(&all);
		sigprocmask(SIG_SETMASK, &all, NULL);
		probe_wait_for_ever();
	}''', '#include <signal.h>')
SLOW = one_input('\tprobe_count();\n\tusleep(2000);')


@each(('INT-1', signal.SIGINT, 1), ('INT-4', signal.SIGINT, 4),
      ('TERM', signal.SIGTERM, 2), ('HUP', signal.SIGHUP, 2))
def ended_by_the_user(signo, workers):
    # B118: ^C to the whole group, and others to the engine: a normal end.
    r = start(build(QUIET), '-j', workers, '--seeds', seeds([b'a']))
    r.wait_fuzzing()
    if signo == signal.SIGINT:
        os.killpg(r.pid, signo)
    else:
        r.signal(signo)
    r.end(0)
    check(r.stdout.rstrip().splitlines()[-1].startswith('PASS'),
          'the last line:%s', r.describe())
    check('execs:' in r.stdout.rstrip().splitlines()[-2],
          'no last numbers:%s', r.describe())
    r.no_findings()
    check(not r.suspects(), 'there are suspects')


def deaf_to(signo):
    """A shell that ignores this signal, as nohup does, and as a script's shell
    does for the jobs that it does not wait for."""
    return ['sh', '-c', 'trap "" %s; exec "$@"' % signo.name[3:], 'sh']


@each(('HUP', signal.SIGHUP), ('INT', signal.SIGINT))
def ignored_from_the_start(signo):
    # Whoever starts a campaign decides which signals are for it.
    target = build(SLOW)
    r = start(target, '-j', 2, '--fuzztime', '1500x', '--seeds',
              seeds([b'a']), before=deaf_to(signo))
    r.wait_fuzzing()
    r.signal(signo)
    r.end(0)
    check(r.stats['execs'] >= 1500, 'it did not go on:%s', r.describe())
    r = start(target, '-j', 2, before=deaf_to(signo))
    r.wait_fuzzing()
    r.signal(signo)
    before = r.calls
    r.wait_for(lambda: r.calls > before + 500, 'further executions')
    r.signal(signal.SIGTERM)
    r.end(0)
    r.no_findings()


@each(('HUP', signal.SIGHUP), ('INT', signal.SIGINT))
def ignored_by_a_tool(signo):
    # The choice of inputs goes on and is written.
    target = build(SLOW)
    files = seeds([b'%d' % i for i in range(300)])
    os.mkdir('probe')
    process = subprocess.Popen(
        deaf_to(signo) + [CFUZZ, 'cmin', '-j', '1', '-o', 'out', target,
                          files],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        start_new_session=True,
        env=dict(os.environ, PROBE=os.path.abspath('probe')))
    wait_for(lambda: os.path.exists('probe/calls') or
             process.poll() is not None, 'an execution')
    os.kill(process.pid, signo)
    equal(process.wait(PATIENCE), 0, 'the status')
    check(os.listdir('out'), 'nothing is written')


@each(('hanging', HANGS), ('deaf', DEAF), ('slow', SLOW))
def ended_while_an_input_runs(source):
    # The ladder: asked, interrupted, killed. What ran is no finding.
    r = start(build(source), '-j', 2, '--timeout', '60s', '--stop-step',
              '100', '--seeds', seeds([b'a']))
    wait_for(lambda: r.calls > 20, 'executions')
    r.signal(signal.SIGINT)
    r.end(0)
    r.no_findings()
    check(not r.suspects(), 'there are suspects: %r', r.suspects())


@case
def impatience():
    # Further ^C are the next steps of the ladder.
    r = start(build(DEAF), '-j', 2, '--timeout', '60s', '--stop-step', '60s',
              '--seeds', seeds([b'a']))
    wait_for(lambda: r.calls > 20, 'executions')
    for line in ('', '', ''):
        r.signal(signal.SIGINT)
        wait_for(lambda: not pending(r.pid), 'the signal is taken')
    r.end(0)
    r.no_findings()


def pending(pid):
    try:
        with open('/proc/%d/status' % pid) as f:
            for line in f:
                if line.startswith(('SigPnd', 'ShdPnd')) and \
                        int(line.split()[1], 16) & 2:
                    return True
    except OSError:
        pass
    return False


@case
def ended_before_it_began():
    target = build('''#include "probe.h"
int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	probe_add(probe_number("calls"));
	probe_wait_for_ever();
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return 0;
}
''')
    r = start(target, '-j', 2, '--stop-step', '100')
    wait_for(lambda: r.calls > 0, 'a start')
    r.signal(signal.SIGINT)
    r.end(0)
    equal(r.stats['execs'], 0, 'executions')


@case
def one_worker_is_interrupted():
    # B112: SIGINT to one fork server, and to one child: no crash, it goes on.
    r = start(build(QUIET), '-j', 2, '--seeds', seeds([b'a']))
    all_fuzz(r, 2)
    fork_server = wait_for(r.workers, 'workers')[0]
    os.kill(fork_server, signal.SIGINT)
    child = wait_for(r.children, 'children')[0]
    os.kill(child, signal.SIGINT)
    wait_for(lambda: processes().get(child, (0, 'Z'))[1] == 'Z',
             'the end of the child')
    before = r.calls
    wait_for(lambda: r.calls > before + 100000, 'further executions')
    r.signal(signal.SIGINT)
    r.end(0)
    r.no_findings()


@each(('TERM', signal.SIGTERM), ('KILL', signal.SIGKILL),
      ('SEGV', signal.SIGSEGV))
def fork_server_dies(signo):
    # The worker is started again; its strays are gone, no crash is kept
    # that fails by itself.
    r = start(build(QUIET), '-j', 2, '--seeds', seeds([b'a']), '--verify', 2)
    r.wait_fuzzing()
    fork_servers = wait_for(lambda: len(r.workers()) == 2 and r.workers(),
                       'both workers')
    os.kill(fork_servers[0], signo)
    wait_for(lambda: {processes().get(p, (0,))[0] for p in r.children()} -
             set(fork_servers) - {0}, 'a new worker with a child')
    before = r.calls
    wait_for(lambda: r.calls > before + 100000, 'further executions')
    r.signal(signal.SIGINT)
    r.end()
    check(sum(w['restarts'] for w in r.stats['workers']) >= 1,
          'no restart is counted')
    for bucket in r.buckets():
        check(bucket.info['state'] != 'confirmed', 'a false finding: %s',
              bucket.folder)


@each(('busy', QUIET), ('hanging', HANGS), ('deaf', DEAF))
def engine_is_killed(source):
    # B117: kill -9 leaves nobody, and no file but what is saved.
    shared = shared_memory_left()
    temporary = os.path.abspath('tmp')
    os.mkdir(temporary)
    r = start(build(source), '-j', 3, '--timeout', '60s', '--seeds',
              seeds([b'a']), env={'TMPDIR': temporary})
    wait_for(lambda: r.calls > 20, 'executions')
    # A disk may be slower than those.
    wait_for(lambda: os.path.exists(r.path('journal.jsonl')) and r.journal,
             'the first line of its journal')
    r.signal(signal.SIGKILL)
    r.wait()
    nobody_left()
    equal(os.listdir(temporary), [], 'files in $TMPDIR')
    # That of other tests may be without its maker for a moment.
    wait_for(lambda: not shared_memory_left() - shared, lambda:
             'the end of shared memory: %s' % (shared_memory_left() - shared))
    # And the directory can be used again.
    run(build(QUIET), '--fuzztime', '50x', out='out2', status=0)
    again = run(build(source) if source is QUIET else r.target, '--fuzztime',
                '2x', '--timeout', '200', '--verify', 0)
    check(again.events('resume'), 'it is not resumed')


def all_fuzz(r, n):
    """Each of n workers has begun: the processes of a start are gone."""
    def begun():
        workers = r.stats['workers']
        return len(workers) == n and all(w['execs'] for w in workers)

    r.wait_for(lambda: os.path.exists(r.path('stats.json')) and begun(),
               'executions of each worker')


# The second worker takes its time to start.
LATE = one_input('\tprobe_count();', '''
int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	if (probe_add(probe_number("starts")) == 2)
		sleep(2);
	return 0;
}''')


@each(('fuzzing', QUIET, all_fuzz),
      ('starting', LATE, lambda r, n: wait_for(
          lambda: r.calls > 20 and r.number('starts') == n, 'a start')))
def engine_is_killed_while_workers_are_stopped(source, wait):
    # Who is stopped hears of nothing by himself.
    r = start(build(source), '-j', 2, '--seeds', seeds([b'a']))
    wait(r, 2)
    for pid in r.workers() + r.children():
        os.kill(pid, signal.SIGSTOP)
    r.signal(signal.SIGKILL)
    r.wait()
    nobody_left()


THREADS = '''#include <pthread.h>
#include <signal.h>
#include "probe.h"

static void *
stay(void *arg)
{
	probe_wait_for_ever();
	return arg;
}

/* In a session of its own, and deaf. */
static void
start_stray(void)
{
	if (fork() != 0)
		return;
	setsid();
	for (int signo = 1; signo < 65; signo++)
		signal(signo, SIG_IGN);
	if (fork() == 0)
		probe_add(probe_number("strays"));
	probe_wait_for_ever();
}

static void
start(void)
{
	%s
}

__attribute__((constructor)) static void
construct(void)
{
	%s
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	pthread_t thread;

	start();
	return pthread_create(&thread, NULL, stay, NULL);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	probe_count();
	%s
	return 0;
}
'''
WAIT = 'probe_count(); probe_wait_for_ever();'


@each(('busy',), ('stopped', '', '', '', True), ('sleeping', WAIT),
      ('hanging', 'for (;;)\n\t\tprobe_add(probe_number("turns"));'),
      ('starting', '', 'start_stray();\n\t' + WAIT),
      ('constructing', '', '', WAIT),
      ('with-strays', 'start_stray();\n\t' + WAIT, 'start_stray();'))
def engine_is_killed_beside_threads(execute='', initialize='', construct='',
                                    stop=False):
    # Where the target runs in the worker's own process, that sees nothing.
    r = start(build(THREADS % (initialize, construct, execute),
                    flags=['-pthread']), '-j', 2, '--timeout', '60s',
              '--start-timeout', '60s', '--seeds', seeds([b'a']))
    wait_for(lambda: r.calls > 0, 'executions')
    if initialize:
        wait_for(lambda: r.number('strays') > 1, 'strays')
    if stop:
        # One that is stopped before its first instruction cannot take care.
        wait_for(lambda: [len(os.listdir('/proc/%d/task' % pid))
                          for pid in r.workers()] == [2, 2], 'threads')
        for pid in r.workers():
            os.kill(pid, signal.SIGSTOP)
    r.signal(signal.SIGKILL)
    r.wait()
    nobody_left()


@case
def engine_is_killed_with_strays():
    # Children of the target, in sessions of their own.
    target = build(one_input('''
	if (probe_count() % 10 == 0 && fork() == 0) {
		setsid();
		for (int signo = 1; signo < 65; signo++)
			signal(signo, SIG_IGN);
		probe_wait_for_ever();
	}''', '#include <signal.h>'))
    r = start(target, '-j', 2, '--seeds', seeds([b'a']))
    wait_for(lambda: r.calls > 50, 'executions')
    r.signal(signal.SIGKILL)
    r.wait()
    nobody_left()


@each(('ended', signal.SIGINT), ('fork-server-dies', signal.SIGKILL))
def others_are_spared(signo):
    # Children of the process that became the engine are not its own, nor are
    # the orphans that they leave to it.
    target = build(QUIET)
    engine = os.fork()
    if engine == 0:
        os.setsid()
        os.environ['PROBE'] = os.path.abspath('.')
        for path in ('/dev/null', 'log'):
            fd = os.open(path, os.O_RDWR | os.O_CREAT)
            os.dup2(fd, 0 if path == '/dev/null' else 1)
        os.dup2(1, 2)
        os.execv('/bin/sh', ['sh', '-c', '''
            sleep 1000 & echo $! > first
            (sleep 1000 & echo $! > second
            until [ -e go ]; do sleep 0.1; done) &
            exec "$@"''', 'sh', CFUZZ, 'run', '-j', '1', '-o', 'out',
            '--seeds', seeds([b'a']), target])
    def calls():
        try:
            return int.from_bytes(read('calls')[:8], sys.byteorder)
        except FileNotFoundError:
            return 0

    wait_for(lambda: calls() > 20, 'executions')
    write('go', b'')    # earlier, the orphan would not be the engine's
    wait_for(lambda: os.path.exists('second') and read('second'), 'another')
    others = [int(read(name)) for name in ('first', 'second')]
    wait_for(lambda: processes()[others[1]][0] == engine, 'an orphan')
    if signo == signal.SIGKILL:
        fork_server = next(p for p, row in processes().items()
                      if row[0] == engine and session(p) == p and
                      row[2] not in HELPERS)
        before = calls()
        os.kill(fork_server, signo)
        wait_for(lambda: calls() > before + 100000, 'further executions')
    os.kill(engine, signal.SIGINT)
    equal(os.waitpid(engine, 0)[1], 0, 'the status')
    for other in others:
        check(processes().get(other, (0, 'Z'))[1] != 'Z', 'it was killed')
        os.kill(other, signal.SIGKILL)


CRASH = one_input('''
	size_t sum = 0;

	probe_count();
	if (size > 3) {
		for (size_t i = 0; i < size; i++)
			sum += data[i] == '!';
		if (sum > 0) {
			usleep(20000);
			abort();
		}
	}''')


def long_input():
    return b'a' * 1500 + b'!' + b'b' * 1499


@case
def time_for_minimizing_runs_out():
    # B111: what is reached by then is kept.
    r = run(build(CRASH), '-j', 1, '--fuzztime', '60s', '--minimizetime',
            '3s', '--verify', 1, '--seeds', seeds([long_input()], 's'),
            '--stop-on-crash', '--max-len', '4096', status=1,
            env={'MODE': 'x'})
    check(r.said('failure while testing seed'), 'no failing seed')
    write('out/corpus/' + sha(long_input())[:16], long_input())
    os.chmod('out/corpus/' + sha(long_input())[:16], 0o600)
    r = run(build(CRASH), '-j', 1, '--fuzztime', '60s', '--minimizetime',
            '3s', '--verify', 1, '--stop-on-crash', '--max-len', '4096',
            '--schedule', 'fifo', status=1)
    bucket = r.bucket()
    equal(bucket.input, long_input(), 'the input')
    check(4 < len(bucket.minimized) < 3000, 'minimized to %d bytes',
          len(bucket.minimized))
    check(b'!' in bucket.minimized, 'it does not fail: %r', bucket.minimized)


@case
def ended_while_minimizing():
    # B111: the same on ^C.
    r = control.start(build(CRASH), '-j', 1, '--verify', 1, '--seeds',
                      seeds([long_input()]), '--max-len', '4096')
    r.control.until(lambda s: any(0 < m['best_len'] < 3000
                                  for m in s['minimizations']),
                    'a smaller input')
    r.signal(signal.SIGINT)
    r.end(1)
    bucket = r.bucket()
    check(len(bucket.minimized) < 3000, 'all that was reached is lost')
    check(b'!' in bucket.minimized, 'it does not fail')


# No input below 1000 bytes fails, and each one is slow once another has failed.
SLOW_TRIES = one_input('''
	static uint64_t *failed;

	if (failed == NULL)
		failed = probe_number("failed");
	if (memchr(data, '!', size) == NULL)
		return 0;
	if (size >= 1000) {
		probe_add(failed);
		abort();
	}
	if (*failed > 0)
		usleep(200000);''')


@case
def minimizing_is_turned_off():
    # The finding that ends the run does not wait for more time to minimize it.
    r = control.start(build(SLOW_TRIES), '-j', 2, '--verify', 1, '--max-len',
                      '4096', '--timeout', 10000, '--stop-on-crash', '--seeds',
                      seeds([b'a' * 3000]))
    r.control.until(lambda s: s['state'] == 'minimizing' and
                    any(0 < m['best_len'] < 2500 for m in s['minimizations']),
                    'a smaller input')
    r.control.command('set minimizetime 0')
    r.control.wait(lambda: r.control.bye, 'the end')
    r.end(1)
    minimized = r.bucket().minimized
    check(1000 <= len(minimized) < 2500, 'minimized to %d bytes',
          len(minimized))
    check(b'!' in minimized, 'it does not fail: %r', minimized)


@case
def stopped_and_continued():
    # SIGSTOP to the engine, then to everybody: nobody is to blame for it.
    r = start(build(SLOW), '-j', 2, '--timeout', '1500', '--seeds',
              seeds([b'a']))
    all_fuzz(r, 2)
    group = [r.pid]
    for who in ([r.pid], group + r.workers() + r.children()):
        for pid in who:
            os.kill(pid, signal.SIGSTOP)
        wait_for(lambda: all(processes().get(p, (0, 'T'))[1] == 'T'
                             for p in who), 'a stop')
        moment = os.times().elapsed + 2
        wait_for(lambda: os.times().elapsed > moment, 'some time')
        for pid in reversed(who):
            os.kill(pid, signal.SIGCONT)
    before = r.calls
    wait_for(lambda: r.calls > before + 50, 'further executions')
    r.signal(signal.SIGINT)
    r.end()
    r.no_findings()
    check(not r.said('the process was stopped'), 'an input is to blame:%s',
          r.describe())


main()
