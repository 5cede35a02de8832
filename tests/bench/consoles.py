"""The console on a terminal of ours: how quick, how much, how heavy.

Campaigns that must be the same each time come from an engine that is none
(tests/unit/lib/play.c); where the engine matters, it is a real one.
"""

import contextlib
import os
import random
import resource
import statistics
import subprocess
import sys
import time

from process import GRACE, children, end_orphans, process_stat, read
from results import number, result
from settings import BUILD, ROUNDS, SECONDS, SEEDS, SRC, Skip
from targets import fresh, target

sys.path.insert(0, os.path.join(SRC, 'tests', 'e2e', 'lib'))
from terminals import Session    # noqa: E402

TUI = os.path.join(BUILD, 'cfuzz-tui')
PLAY = os.path.join(BUILD, 'tests', 'ui', 'console', 'test_launcher')
SIZE = (120, 40)
VIEWS = '1234567'
CLEAR = b'\x1b[2J'    # what ^L does, and nothing else
KIB = 1024


@contextlib.contextmanager
def session(words, env=None, wait='FUZZING'):
    if not os.path.exists(words[0]):
        raise Skip('there is no ' + words[0])
    home = fresh('home')
    s = Session(words, *SIZE, feed=False, env=dict(
        {'COLORTERM': None, 'NO_COLOR': None, 'XDG_STATE_HOME': home,
         'XDG_CONFIG_HOME': home}, **(env or {})))
    try:
        s.expect(wait)
        yield s
    finally:
        s.close()
        if s.shell:
            os.waitpid(s.shell, 0)
        end_orphans(GRACE)    # an engine that lost its console


def real(*options):
    return [TUI, '-o', fresh('out'), '--seeds', SEEDS + '/cjson',
            '--stop-on-hangup', *options, target('cjson')]


def play(snapshot):
    return [PLAY, 'play', '-o', fresh('play'), snapshot]


def console_of(s):
    """The launcher's child in its session; the engine left it."""
    session_id = process_stat(s.job)[2]
    found = [p for p in children(s.job) if process_stat(p)[2] == session_id]
    if len(found) != 1:
        sys.exit('bench: no console: %s' % found)
    return found[0]


def has_ended(out):
    """A real campaign; its engine stays as long as the console."""
    with open(os.path.join(out, 'journal.jsonl')) as f:
        return '"event":"end"' in f.readlines()[-1]


def leave(s, over):
    """The result stays until a key."""
    if over:
        os.write(s.master, b'q')


def used(pid):
    """Seconds of processor time, to the nanosecond."""
    return int(read('/proc/%d/schedstat' % pid).split()[0]) / 1e9


def share(pid, s, seconds):
    """Percent of a core in that time."""
    before, began = used(pid), time.monotonic()
    s.rest(seconds)
    return 100 * (used(pid) - before) / (time.monotonic() - began)


# ---- from a key to the screen ----------------------------------------------

@contextlib.contextmanager
def spinners(n):
    """Processes that do nothing, as fast as they can: somebody else's, so
    in a session of their own, as the scheduler shares by sessions."""
    running = [subprocess.Popen(['sh', '-c', 'while :; do :; done'],
                                start_new_session=True) for _ in range(n)]
    try:
        yield
    finally:
        for p in running:
            p.kill()
            p.wait()


def press(s):
    """Seconds from ^L until the terminal has it."""
    while s.pump():
        pass
    s.seen = b''
    began = time.monotonic()
    os.write(s.master, b'\x0c')
    while CLEAR not in s.seen:
        s.pump(1)
        if time.monotonic() - began > 10:
            sys.exit('bench: the console does not answer keys')
    return time.monotonic() - began


@contextlib.contextmanager
def favoured():
    """Who measures must not wait for those who spin: of the time from a key
    to the screen, that is half. Not for children. Says what came of it."""
    policy, note = os.SCHED_OTHER, ', measured with our own waits'
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK,
                              os.sched_param(1))
        note = ''
    except OSError:
        pass
    try:
        yield note
    finally:
        os.sched_setscheduler(0, policy, os.sched_param(0))


def key(cores):
    n = len(cores)
    dice = random.Random(1)
    times = []
    with session(real('-j', str(n))) as s, spinners(2 * n), \
            favoured() as note:
        for _ in range(max(300, 15 * SECONDS)):
            s.rest(dice.uniform(0.012, 0.06))
            times.append(1000 * press(s))
    times.sort()
    result('key', 'key to screen, p99, 2 spinners per core',
           times[len(times) * 99 // 100], 'ms', 30, True,
           'median %.2g, most %.3g; %d presses, %d workers%s' % (
               statistics.median(times), times[-1], len(times), n, note))


# ---- from the start to the screen -------------------------------------------

def paint(words):
    """Seconds from exec to the first frame on the terminal."""
    home = fresh('home')
    began = time.monotonic()
    s = Session(words, *SIZE, feed=False,
                env={'XDG_STATE_HOME': home, 'XDG_CONFIG_HOME': home})
    try:
        # The header's first word, and what every footer ends a start with.
        s.wait(lambda: b'cfuzz' in s.seen and b'quit' in s.seen,
               'the first frame')
        return time.monotonic() - began
    finally:
        s.close()
        if s.shell:
            os.waitpid(s.shell, 0)
        end_orphans(GRACE)


def first_paint(cores):
    del cores
    times = sorted(1000 * paint(real('-j', '1'))
                   for _ in range(max(5, 3 * ROUNDS)))
    result('first-paint', 'start to first frame, median',
           statistics.median(times), 'ms', 100, True,
           'most %.3g; %d starts' % (times[-1], len(times)))


# ---- a large campaign ------------------------------------------------------

def many(cores):
    del cores
    seconds = max(3, SECONDS // 6)
    env = {'PLAY_WORKERS': '64', 'PLAY_CORPUS': '100000'}
    with session(play('busy'), env) as s:
        pid = console_of(s)
        for digit in VIEWS:
            s.key(digit.encode())
            s.rest(0.5)
            before = read('/proc/%d/status' % pid)
            result('console-many', 'console, view %s, 64 workers' % digit,
                   share(pid, s, seconds), '% core', 2, True,
                   '%s inputs; %s' % (number(100_000), ' '.join(
                       line for line in before.splitlines()
                       if line.startswith('RssAnon')).replace('\t', ' ')))


# ---- a week ----------------------------------------------------------------

def anonymous(pid):
    for line in read('/proc/%d/status' % pid).splitlines():
        if line.startswith('RssAnon:'):
            return int(line.split()[1])
    return 0


def week(cores):
    """As many snapshots as there is time for, as fast as they are taken."""
    del cores
    total = max(5000, min(50_000, 1000 * SECONDS))
    sizes = []
    with session(play('busy'), {'PLAY_SNAPSHOTS': str(total)}) as s:
        pid = console_of(s)
        began = time.monotonic()
        while s.status is None:
            s.rest(0.2)
            leave(s, len(children(s.job)) == 1)
            try:
                sizes.append(anonymous(pid))
            except OSError:
                break
        took = time.monotonic() - began
    sizes = [size for size in sizes if size > 0]
    early = max(sizes[:max(1, len(sizes) // 5)])
    result('console-week', 'growth over %s snapshots' % number(total),
           (max(sizes) - early) / KIB, 'MiB', 0.5, True,
           '%.3g MiB after a fifth; %s snapshots/s' % (
               early / KIB, number(total / took)))


# ---- a terminal that is not read -------------------------------------------

def cost(reads, executions):
    """Processor time of the same work, of all processes that have a part in
    it: engine, console and worker."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = fresh('out')
    with session([TUI, '-o', out, '--seeds', SEEDS + '/cjson',
                  '-j', '1', '--deterministic', '--seed', '1', '--fuzztime',
                  '%dx' % executions, target('cjson')]) as s:
        # Unread, it is full soon; what the launcher says at the end must be.
        while s.status is None and children(s.job):
            leave(s, has_ended(out))
            s.pump(0.1, read=reads)
        s.wait(lambda: s.status is not None, 'the end')
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime -
            before.ru_utime - before.ru_stime)


def stuck(cores):
    del cores
    executions = 100_000 * max(3, SECONDS // 10)
    target('cjson')    # is built before anything is measured
    ratios = []
    for n in range(max(5, 3 * ROUNDS)):
        # Who is first has the better machine half of the times.
        both = {reads: cost(reads, executions)
                for reads in ((True, False) if n % 2 else (False, True))}
        ratios.append(both[True] / both[False])
    result('terminal-stuck', 'cost of a terminal that is not read',
           100 * (1 - statistics.median(ratios)), '%', 5, True,
           'of executions per processor time; %d pairs of %s: %s' % (
               len(ratios), number(executions), ' '.join(
                   '%.2f' % r for r in ratios)))


# ---- bytes per frame -------------------------------------------------------

def bytes_written(s, seconds):
    """Bytes per frame, where there are ten in a second."""
    while s.pump():
        pass
    total, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        s.seen = b''
        s.pump(max(0, end - time.monotonic()))
        total += len(s.seen)
    return total / (10 * seconds)


def idle_bytes(cores):
    del cores
    seconds = max(4, SECONDS // 6)
    with session(real('-j', '2')) as s:
        s.rest(2)
        fuzzing = bytes_written(s, seconds)
        s.key(b'p')
        s.expect('PAUSED')
        s.rest(1)
        paused = bytes_written(s, seconds)
    note = 'dashboard, %d x %d, ten frames a second' % SIZE
    result('idle-bytes', 'bytes per frame, paused', paused, 'bytes', 200,
           True, note)
    result('idle-bytes', 'bytes per frame, fuzzing', fuzzing, 'bytes',
           note='most of the numbers change')


FIGURES = {
    'first-paint': first_paint,
    'key': key,
    'console-many': many,
    'console-week': week,
    'terminal-stuck': stuck,
    'idle-bytes': idle_bytes,
}
