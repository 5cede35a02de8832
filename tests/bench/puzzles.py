"""Puzzles: small programs that abort when they are solved, and how long each
tool takes from its start to that moment (solved.c notes it).

A puzzle that a tool solves at once says more of the tool's start than of its
wits, so the time from the target's own start on is noted, too."""

import glob
import os
import statistics
import time

from compare import build_all
from process import read
from results import NEVER, geometric, note_run, number, result, row
from settings import HERE, PUZZLES, SECONDS, SEED_COUNT, Skip
from targets import PEERS, fresh
from tools import NAMES, solve

CAP = min(60, SECONDS)    # seconds
FASTER = 0.5              # of the better peer's median, at most
SEED_INPUT = b'seed of 24 plain letters'

solved = {}    # puzzle -> tool -> list of seconds, NEVER among them
begun = {}     # the same, from the target's start on


def names():
    found = sorted(os.path.basename(path)[:-2] for path in
                   glob.glob(os.path.join(HERE, 'puzzles', '*.c')))
    for name in PUZZLES:
        if name not in found:
            raise Skip('there is no puzzle %s, only: %s' % (
                name, ' '.join(found)))
    return [name for name in found if name in PUZZLES or not PUZZLES]


def make_seeds():
    seeds = fresh('puzzle-seeds')
    with open(seeds + '/seed', 'wb') as f:
        f.write(SEED_INPUT)
    return seeds


def solve_once(puzzle, tool, path, seeds, seed, core):
    """Seconds to the solution, from the start of the tool and from that of
    the target. A tool must have noticed that it has it."""
    folder = fresh('stamp')
    stamp, begin = folder + '/end', folder + '/begin'
    began = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    run = solve(tool, path, seeds, CAP, seed, {core},
                {'BENCH_STAMP': stamp, 'BENCH_BEGIN': begin})
    took, inner = NEVER, NEVER
    if os.path.exists(stamp):
        took = (int(read(stamp)) - began) / 1e9
        inner = (int(read(stamp)) - int(read(begin))) / 1e9
        if not run.found:
            print('%s, seed %d: %s did not report the solution' % (
                puzzle, seed, NAMES[tool]))
    if took > CAP or not run.found:
        took, inner = NEVER, NEVER
    note_run('puzzles', puzzle, tool, seed=seed, execs=run.execs,
             solved_s=None if took == NEVER else took,
             from_target_s=None if took == NEVER else inner,
             elapsed_s=run.ended.seconds, cpu_s=run.ended.cpu)
    return took, inner


def is_hopeless(times):
    """The median is known: the rest of a peer's seeds would change nothing."""
    return times.count(NEVER) > SEED_COUNT // 2


def solve_puzzle(puzzle, seeds, core):
    paths = build_all('puzzles', 'puzzles/' + puzzle, helpers=('solved',),
                      flags=('-O2', '-g', '-Wl,--wrap=abort'))
    times = {tool: [] for tool in paths}
    inner = {tool: [] for tool in paths}
    for seed in range(1, SEED_COUNT + 1):
        for tool, path in paths.items():
            took = NEVER, NEVER
            if tool == 'cfuzz' or not is_hopeless(times[tool]):
                try:
                    took = solve_once(puzzle, tool, path, seeds, seed, core)
                except Skip as e:
                    print('%s, seed %d: %s' % (puzzle, seed, e))
            times[tool].append(took[0])
            inner[tool].append(took[1])
    solved[puzzle], begun[puzzle] = times, inner
    row(puzzle, [cell(times.get(tool)) for tool in NAMES], 22)


def cell(times):
    """Median, and how often it was solved."""
    if times is None:
        return '-'
    median = statistics.median(times)
    often = sum(1 for t in times if t != NEVER)
    return '%s  %d/%d' % (number(median) + ' s' if median != NEVER else
                          '> %d s' % CAP, often, len(times))


def ratio(times):
    """Our median by the better peer's; what nobody solved took the cap."""
    peers = [statistics.median(times[p]) for p in PEERS if p in times]
    return min(statistics.median(times['cfuzz']), CAP) / min(peers + [CAP])


def figure(cores):
    seeds = make_seeds()
    row('puzzle', [NAMES[tool] for tool in NAMES], 22)
    for puzzle in names():
        solve_puzzle(puzzle, seeds, cores[0])
    judge()


def judge():
    ours = [t for times in solved.values() for t in times['cfuzz']]
    result('puzzles', 'solved within %d s' % CAP,
           sum(1 for t in ours if t != NEVER), 'runs', len(ours),
           note='%d puzzles, %d seeds' % (len(solved), SEED_COUNT))
    if not any(len(times) > 1 for times in solved.values()):
        return
    ratios = {puzzle: ratio(times) for puzzle, times in solved.items()}
    inner = {puzzle: ratio(times) for puzzle, times in begun.items()}
    for puzzle, value in ratios.items():
        result('puzzles', '%s: time, the better peer is 1' % puzzle, value,
               'times', FASTER, True, "%s from the target's start on" %
               number(inner[puzzle]))
    result('puzzles', 'time, the better peer is 1, geom. mean',
           geometric(ratios.values()), 'times', FASTER, True,
           "%s from the target's start on" % number(geometric(
               inner.values())))
