#!/usr/bin/env python3
"""Measures cfuzz, and compares it with libFuzzer and AFL++ if they are there.

Started by run.sh, which says what there is to choose. Prints figures with
their goals, and writes all of them, and the runs behind them, as JSON.
"""

import functools
import json
import os
import resource
import sys

import attached
import callgrind
import compare
import consoles
import ends
import figures
import minimize
import programs
import puzzles
import reports
import shared
from process import GRACE, adopt_orphans, choose_cores, end_orphans
from results import results, runs
from settings import BUILD, ROUNDS, SECONDS, SEED_COUNT, Skip
from targets import LIBRARIES

FIGURES = {
    'empty': compare.empty,
    'cjson': figures.cjson,
    'start': figures.start,
    'memory': figures.memory,
    'console': figures.console,
    **consoles.FIGURES,
    **attached.FIGURES,
    'ends': ends.figure,
    'reports': reports.figure,
    'deaths': figures.deaths,
    'minimize': minimize.figure,
    'encoding': shared.encoding,
    'mutate': shared.mutate,
    'call': figures.call,
    'workers': figures.workers,
    'many': figures.many,
    'callgrind': callgrind.figure,
    **{'compare-' + name: functools.partial(compare.compare, name)
       for name in LIBRARIES},
    'programs': programs.figure,
    'puzzles': puzzles.figure,
}


def write(cores):
    path = os.path.join(BUILD, os.environ.get('BENCH_JSON') or 'bench.json')
    with open(path + '.new', 'w') as f:
        json.dump({'core': cores[0], 'seconds': SECONDS, 'rounds': ROUNDS,
                   'seeds': SEED_COUNT, 'machine': os.uname().machine,
                   'results': results, 'runs': runs}, f, indent=1)
        f.write('\n')
    os.rename(path + '.new', path)
    return path


def measure(name, cores):
    try:
        FIGURES[name](cores)
    except Skip as e:
        print('%s left out: %s' % (name, e), flush=True)


def main():
    wanted = sys.argv[1:] or list(FIGURES)
    for name in wanted:
        if name not in FIGURES:
            sys.exit('bench: there is no figure %s, only: %s' % (
                name, ' '.join(FIGURES)))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    adopt_orphans()
    cores = choose_cores()
    print('on core %d, clang -O2, exec/s per second of processor time%s' % (
        cores[0], '' if SECONDS >= 60 else
        '; goals are for BENCH_SECONDS=60'))
    try:
        for name in wanted:
            measure(name, cores)
        compare.summarize()
    finally:
        end_orphans(GRACE)
        path = write(cores)
    missed = sum(1 for r in results if r['met'] is False)
    print('%s; %s' % ('%d goals missed' % missed if missed else
                      'all goals reached', path))


if __name__ == '__main__':
    main()
