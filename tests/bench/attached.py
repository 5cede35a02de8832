"""Front ends that attach to a campaign: how quick, and what they cost it."""

import contextlib
import multiprocessing
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import time

from consoles import SIZE, TUI, used
from process import GRACE, children, end_orphans, process_stat
from results import number, result
from settings import CFUZZ, ROUNDS, SECONDS, SEEDS, SRC
from targets import fresh, target

sys.path.insert(0, os.path.join(SRC, 'tests', 'e2e', 'lib'))
from control import Control, attach, connect    # noqa: E402
from terminals import Session    # noqa: E402

ENTRIES = 100_000
WATCHERS = 20
SILENT = 1000
PATIENCE = 600    # seconds for the seeds to be executed


@contextlib.contextmanager
def campaign(seeds, *options):
    out = fresh('out')
    engine = subprocess.Popen(
        [CFUZZ, 'run', '-o', out, '-j', '1', '--seeds', seeds, *options,
         target('cjson')], stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        c = attach(out)
        c.until(lambda s: s['state'] == 'fuzzing', 'fuzzing', PATIENCE)
        yield out, engine.pid, c
        c.close()
    finally:
        engine.send_signal(signal.SIGTERM)
        engine.wait()
        end_orphans(GRACE)


# ---- from attach to the screen ----------------------------------------------

def paint(out):
    """Seconds from exec until the terminal shows the campaign."""
    home = fresh('home')
    began = time.monotonic()
    s = Session([TUI, 'attach', '-r', out], *SIZE, feed=False,
                env={'XDG_STATE_HOME': home, 'XDG_CONFIG_HOME': home})
    try:
        s.wait(lambda: b'FUZZING' in s.seen, 'the campaign')
        return time.monotonic() - began
    finally:
        s.close()
        os.waitpid(s.shell, 0)


def attach_paint(cores):
    del cores
    seeds = fresh('entries')
    for n in range(ENTRIES):
        with open('%s/%06d' % (seeds, n), 'w') as f:
            f.write('[%d]' % n)
    with campaign(seeds) as (out, _, c):
        times = sorted(1000 * paint(out) for _ in range(max(5, 5 * ROUNDS)))
        entries = c.snapshot['corpus']
    result('attach-paint', 'attach to the screen, median',
           statistics.median(times), 'ms', 100, True,
           'most %.3g; %d times, %s inputs' % (times[-1], len(times),
                                               number(entries)))


# ---- what others cost the campaign ------------------------------------------

def watch(out, n, ready, done):
    """A process that reads as `n` consoles do."""
    Control.open.clear()    # those are our parent's
    clients = [attach(out, role='watch') for _ in range(n)]
    ready.set()
    while not done.is_set():
        clients[0].next_snapshot()    # all are read meanwhile
    for c in clients:
        c.close()


@contextlib.contextmanager
def watched(out, n):
    ready, done = multiprocessing.Event(), multiprocessing.Event()
    p = multiprocessing.Process(target=watch, args=(out, n, ready, done))
    p.start()
    if not ready.wait(PATIENCE / 10):
        sys.exit('bench: %d clients cannot attach' % n)
    try:
        yield
    finally:
        done.set()
        p.join()


@contextlib.contextmanager
def silent(out, n):
    """Connections that greet and never read. Of those that the engine does
    not take, none is left."""
    socks = []
    for k in range(n):
        socks.append(connect(out))
        try:
            socks[k].sendall(b'{"hello": {"version": 1, "role": "watch"}}\n')
        except OSError:
            pass    # it was refused
    try:
        yield
    finally:
        for sock in socks:
            sock.close()


@contextlib.contextmanager
def nobody(out, n):
    yield


def work(engine):
    """Processor time of the engine, its worker and the worker's child."""
    all_ = [engine] + children(engine)
    return sum(used(p) for p in all_ + [p for q in all_[1:]
                                        for p in children(q)])


def rate(out, engine, c, seconds, others, n):
    """(executions per processor time, percent of a core of the engine)"""
    with others(out, n):
        c.next_snapshot()
        execs, began = c.snapshot['execs'], time.monotonic()
        cpu, total = used(engine), work(engine)
        while time.monotonic() < began + seconds:
            c.next_snapshot()
        took = time.monotonic() - began
        return ((c.snapshot['execs'] - execs) / (work(engine) - total),
                100 * (used(engine) - cpu) / took)


def compare(figure, name, others, n, seconds, rounds):
    """Both in turn, as the machine is not the same all the time."""
    ratios, costs = [], []
    with campaign(SEEDS + '/cjson') as (out, engine, c):
        for _ in range(rounds):
            alone = rate(out, engine, c, seconds, nobody, 0)
            both = rate(out, engine, c, seconds, others, n)
            ratios.append(both[0] / alone[0])
            costs.append(both[1] - alone[1])
    result(figure, 'engine, ' + name, statistics.median(costs), '% core', 2,
           True, 'more than alone; most %.2g' % max(costs))
    result(figure, 'executions, ' + name, statistics.median(ratios), 'x', 0.99,
           note='of those alone, per processor time; %s' % ' '.join(
               '%.3f' % r for r in ratios))


def watchers(cores):
    del cores
    compare('watchers', '%d watch' % WATCHERS, watched, WATCHERS,
            max(4, SECONDS // 6), max(5, 3 * ROUNDS))


def silence(cores):
    """Seconds enough that some are dropped."""
    del cores
    compare('silent', '%d do not read' % SILENT, silent, SILENT, 14,
            max(3, ROUNDS))


# ---- consoles that come and go ----------------------------------------------

def leave(s, dice, shown):
    """One of the ways in which a console ends; keys only once it reads them."""
    how = dice.randrange(0 if shown else 1, 4)
    consoles = children(s.job)
    if how == 0:
        os.write(s.master, b'd')
        s.wait(lambda: s.status is not None, 'the end')
    elif how == 1 and consoles:
        os.kill(dice.choice(consoles), signal.SIGKILL)
        s.wait(lambda: s.status is not None, 'the end')
    elif how == 2:
        os.kill(s.job, signal.SIGKILL)
        s.wait(lambda: s.status is not None, 'the end')
    # else the window is closed


def living(engine):
    """Children of ours, adopted ones too, that do not end by themselves."""
    end = time.monotonic() + 5 * GRACE
    while True:
        found = [p for p in children(os.getpid())
                 if p != engine and process_stat(p)[3] != 'Z']
        if not found or time.monotonic() > end:
            return found
        time.sleep(0.05)


def come_and_go(cores):
    """ATTACHES consoles, of which some are killed before they show anything."""
    del cores
    total = int(os.environ.get('ATTACHES') or 5 * SECONDS)
    dice = random.Random(1)
    home = fresh('home')
    with campaign(SEEDS + '/cjson') as (out, engine, c):
        fds = '/proc/%d/fd' % engine
        before, execs = len(os.listdir(fds)), c.next_snapshot()['execs']
        began = time.monotonic()
        for _ in range(total):
            s = Session([TUI, 'attach', out], *SIZE, feed=False,
                        env={'XDG_STATE_HOME': home, 'XDG_CONFIG_HOME': home})
            shown = dice.random() < 0.7
            if shown:
                s.wait(lambda: b'FUZZING' in s.seen, 'the campaign')
            leave(s, dice, shown)
            s.close()
            os.waitpid(s.shell, 0)
            c.read(0)
        took = time.monotonic() - began
        c.until(lambda s: s['watchers'] == 0 or s['controller'] == '' or
                c.role['role'] == 'watch' and s['watchers'] == 1,
                'nobody else')
        left = living(engine)
        result('attaches', 'consoles left of %s' % number(total), len(left),
               '', 1, True, '%.3g a second; the engine has %+d descriptors, '
               '%s executions meanwhile, %s' % (
                   total / took, len(os.listdir(fds)) - before,
                   number(c.next_snapshot()['execs'] - execs),
                   c.snapshot['state']))


FIGURES = {
    'attach-paint': attach_paint,
    'watchers': watchers,
    'silent': silence,
    'attaches': come_and_go,
}
