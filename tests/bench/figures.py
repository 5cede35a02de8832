"""What cfuzz alone must reach: starts, memory, console, deaths, workers."""

import os
import random
import shlex
import shutil
import statistics
import subprocess
import sys
import time

from process import TICKS, children, process_stat, read, run, wait_for_end
from results import number, result
from settings import BUILD, CFUZZ, ROUNDS, SECONDS, SEEDS, Skip
from targets import asan, fresh, target
from tools import NAMES, cfuzz

MIB = 1024 * 1024
BOTH = (('', target), (', ASan', asan))
STEADY_AFTER = 5    # seconds: all workers have started


def campaign(*args, **options):
    stats, ended = cfuzz(*args, **options)
    if stats is None:
        sys.exit('bench: cfuzz did not end:\n' + ended.output[-2000:])
    return stats, ended


def cjson(cores):
    stats, ended = campaign(target('cjson'), SECONDS, '-j', '1',
                            cores={cores[0]}, seeds=SEEDS + '/cjson')
    result('cjson', 'cJSON, %d s' % SECONDS, stats['execs'] / ended.cpu,
           'exec/s', 200_000, note='%s/s by the clock, %d coverage bits' % (
               number(stats['execs'] / ended.seconds),
               stats['coverage_bits']))


# ---- start ------------------------------------------------------------------

def start_command(tool, path):
    if tool == 'cfuzz':
        return [CFUZZ, 'run', '--fuzztime', '10x', '-j', '1', '-o',
                fresh('out'), path]
    if tool == 'libfuzzer':
        return [path, '-runs=10', fresh('libfuzzer')]
    raise Skip('its target is started by an engine of its own')


def start_seconds(tool, path):
    stamp = os.path.join(fresh('stamp'), 'time')
    command = start_command(tool, path)
    began = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    run(command, env={'BENCH_STAMP': stamp})
    if not os.path.exists(stamp):
        sys.exit('bench: the target was never called')
    return (int(read(stamp)) - began) / 1e9


def start(cores):
    del cores
    for suffix, build in BOTH:
        times = [start_seconds('cfuzz', build('first')) for _ in range(5)]
        result('start', 'start to first execution' + suffix,
               statistics.median(times), 's', 0.2, True,
               'slowest of 5: %.3g s' % max(times))
    try:
        path = target('first', 'libfuzzer')
    except Skip:
        return
    times = [start_seconds('libfuzzer', path) for _ in range(5)]
    result('start', 'start to first execution, ' + NAMES['libfuzzer'],
           statistics.median(times), 's')


# ---- calls ------------------------------------------------------------------

def call(cores):
    """Each seed is a call of one execution; with twice as many, their share."""
    seconds = []
    for n in (2000, 22000):
        folder = fresh('call-seeds')
        for i in range(n):
            with open(os.path.join(folder, str(i)), 'wb') as f:
                f.write(b'%032d' % i)
        began = time.monotonic()
        campaign(target('empty'), 60, '-j', '1', '--fuzztime', '%dx' % n,
                 cores={cores[0]}, seeds=folder)
        seconds.append(time.monotonic() - began)
    result('call', 'a call of one execution',
           (seconds[1] - seconds[0]) / 20000 * 1e6, 'us')


# ---- memory -----------------------------------------------------------------

def anonymous_kb(pid):
    for line in read('/proc/%d/status' % pid).splitlines():
        if line.startswith('RssAnon:'):
            return int(line.split()[1])
    return 0


def make_many_seeds(n):
    seeds = fresh('seeds')
    dice = random.Random(1)
    for i in range(n):
        with open('%s/%05d' % (seeds, i), 'w') as f:
            f.write('{"%d": [%s]}' % (i, ', '.join(
                str(dice.randrange(1000)) for _ in range(i % 12))))
    return seeds


def memory(cores):
    del cores
    most = [0]

    def watch(pid):
        try:
            most[0] = max(most[0], anonymous_kb(pid))
        except OSError:
            pass
    stats, _ = campaign(target('empty'), max(5, SECONDS // 6), '-j', '2',
                        seeds=make_many_seeds(10_000), watch=watch)
    result('memory', 'engine, %s inputs, 2 workers' % number(stats['corpus']),
           most[0] * 1024 / MIB, 'MiB', 30, True, 'most anonymous memory')
    if stats['corpus'] < 10_000:
        sys.exit('bench: the corpus has %d entries, not 10 000' %
                 stats['corpus'])


# ---- console ----------------------------------------------------------------

def find_console(launcher):
    """The launcher's child in its own session; the engine left it."""
    found = children(launcher)
    if len(found) != 2:
        return None
    session = process_stat(launcher)[2]
    same = [p for p in found if process_stat(p)[2] == session]
    other = [p for p in found if p not in same]
    return (same[0], other[0]) if len(same) == 1 else None


def await_console(tmux, launcher):
    """Waits until the console shows the campaign."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        pids = find_console(launcher)
        if pids is not None and 'exec' in screen_of(tmux):
            return pids
        # A terminal gives no event that a screen was painted.
        time.sleep(0.1)
    sys.exit('bench: cfuzz-tui showed no campaign')


def screen_of(tmux):
    return subprocess.run(tmux + ['capture-pane', '-p'], check=False,
                          capture_output=True, text=True).stdout


def watch_console(tmux, seconds):
    """(share of a core of the console, of its engine, pid of the engine,
    lines on the screen)"""
    launcher = int(subprocess.run(
        tmux + ['list-panes', '-F', '#{pane_pid}'], check=True,
        capture_output=True, text=True).stdout)
    console_pid, engine_pid = await_console(tmux, launcher)
    before = process_stat(console_pid)[0], process_stat(engine_pid)[0]
    began = time.monotonic()
    if wait_for_end(console_pid, seconds):
        sys.exit('bench: the console ended by itself')
    took = (time.monotonic() - began) * TICKS / 100
    after = process_stat(console_pid)[0], process_stat(engine_pid)[0]
    lines = sum(1 for line in screen_of(tmux).splitlines() if line.strip())
    return ((after[0] - before[0]) / took, (after[1] - before[1]) / took,
            engine_pid, lines)


def console(cores):
    del cores
    program = os.path.join(BUILD, 'cfuzz-tui')
    if not os.path.exists(program) or not shutil.which('tmux'):
        raise Skip('no cfuzz-tui or no tmux')
    command = 'exec ' + shlex.join(
        [program, '-j', '2', '--stop-on-hangup', '-o', fresh('out'),
         '--seeds', SEEDS + '/cjson', target('cjson')])
    tmux = ['tmux', '-S', os.path.join(fresh('tmux'), 'socket'), '-f',
            '/dev/null']
    if subprocess.run(tmux + ['new-session', '-d', '-x', '120', '-y', '40',
                              command], check=False).returncode != 0:
        raise Skip('tmux cannot have a terminal')
    try:
        share, engine_share, engine_pid, lines = watch_console(
            tmux, max(3, min(20, SECONDS)))
    finally:
        subprocess.run(tmux + ['kill-server'], check=False)
    if not wait_for_end(engine_pid, 10):
        sys.exit('bench: the engine outlived its terminal')
    result('console', 'console, 120 x 40, 2 workers', share, '% core', 2,
           True, 'its engine: %.2g %%; %d lines on the screen' % (
               engine_share, lines))


# ---- deaths -----------------------------------------------------------------

def deaths(cores):
    for suffix, build in BOTH:
        stats, ended = campaign(build('crash'), max(2, SECONDS // 12), '-j',
                                '1', '--verify', '0', '--minimizetime', '0',
                                cores={cores[0]})
        seen = stats['crashes_seen']
        result('deaths', 'deaths' + suffix, seen / ended.seconds, '/s',
               note='%.2g ms of processor each' % (
                   1000 * ended.cpu / max(1, seen)))
        result('deaths', 'making a child' + suffix,
               max(w['fork_us'] for w in stats['workers']) / 1000, 'ms',
               1 if suffix else 0.5, True)


# ---- workers ----------------------------------------------------------------

def pair(cores):
    if len(cores) < 2:
        raise Skip('there is one core only')
    return set(cores[:2])


def rate(name, n, seconds, seed, cores):
    """(executions per second by the clock, the same of processor time)"""
    stats, ended = campaign(target(name), seconds, '-j', str(n), '--seed',
                            str(seed), cores=cores, seeds=SEEDS + '/cjson')
    return stats['execs'] / ended.seconds, stats['execs'] / ended.cpu


def workers(cores):
    both, seconds = pair(cores), max(2, SECONDS // 6)
    for name in 'empty', 'cjson':
        rounds = [(rate(name, 1, seconds, seed, both),
                   rate(name, 2, seconds, seed, both))
                  for seed in range(1, ROUNDS + 1)]
        clock = statistics.median(two[0] / one[0] for one, two in rounds)
        cpu = statistics.median(2 * two[1] / one[1] for one, two in rounds)
        result('workers', '%s: two workers, one is 1' % name, clock, 'times',
               1.9, note='%.3g by processor time' % cpu)


class Steady:
    """Processor time of a program between its start and its end: both take
    more than the time between them, however long that is."""

    def __init__(self, since, until):
        self.since, self.until = since, until    # seconds after the start
        self.began = time.monotonic()
        self.first = self.last = None

    def watch(self, pid):
        now = time.monotonic()
        if self.since <= now - self.began <= self.until:
            self.last = now, process_stat(pid)[0]
            self.first = self.first or self.last

    def share(self):
        (from_s, before), (to_s, after) = self.first, self.last
        return (after - before) / TICKS / (to_s - from_s)


def many(cores):
    """The engine's own processor time, over all of its life and without its
    start and its end."""
    n, seconds = 64, max(20, SECONDS)
    steady = Steady(STEADY_AFTER, seconds)
    stats, ended = campaign(target('cjson'), seconds, '-j', str(n),
                            cores=pair(cores), seeds=SEEDS + '/cjson',
                            watch=steady.watch)
    idle = sum(1 for w in stats['workers'] if w['execs'] == 0)
    if idle:
        sys.exit('bench: %d of %d workers did no work' % (idle, n))
    name = 'engine, %d workers on two cores' % n
    result('many', name, 100 * ended.own_cpu / ended.seconds, '% core', 5,
           True, 'from start to end, %.0f s, %d finds; %s exec/s by the '
           'clock' % (ended.seconds, stats['interesting'],
                      number(stats['execs'] / ended.seconds)))
    result('many', name + ', steady', 100 * steady.share(), '% core', 5, True,
           'from second %d to %d' % (STEADY_AFTER, seconds))
