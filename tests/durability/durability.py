#!/usr/bin/env python3
"""Lets calls of the engine fail, the disk be full and processes be killed, at
every moment of a short campaign, and looks from outside what comes of it.

usage: durability.py [--core] [--jobs N] [--every] [--kills N] [WORD]...

WORD is a part of what a case is called: its campaign (fresh, resume, threads),
its kind (malloc, write, sync, rename, fork, mmap, pipe, disk, kill, tui), once or
ever, a number. --core takes a few of each kind. --every lets every single
allocation fail, and not just one of each place that asks for memory. What has
passed is not run again until something is built anew: build/durability has that.
"""

import argparse
import collections
import hashlib
import multiprocessing
import os
import sys
import tempfile
import traceback

PLACE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, PLACE)
import calls    # noqa: E402
import disk    # noqa: E402
import kills    # noqa: E402
from campaign import *    # noqa: E402,F401,F403

STRIDE = 50     # of allocations, beside one from each place
STEPS = 60      # of the disk that gets full
CORE = {'malloc': 8, 'write': 6, 'sync': 3, 'rename': 3, 'fork': 4, 'mmap': 3,
        'pipe': 2, 'disk': 6, 'kill': 20, 'tui': 9}
CORE_KILLS = 5


# ---- one case, in a process of its own ------------------------------------

def perform(job):
    """(job, why it failed or None, what the case tells of itself)."""
    function, case, past = job
    here, told, why = os.getcwd(), None, None
    folder = tempfile.mkdtemp(prefix='cd-', dir='/tmp')
    try:
        os.chdir(folder)
        told = function(case, past)
    except Failure as failure:
        why = str(failure)
    except Exception:
        why = traceback.format_exc()
    kill_all()
    os.chdir(here)
    if not (why and os.environ.get('KEEP')):
        shutil.rmtree(folder, ignore_errors=True)
    return job, why, told


def who_of(case):
    """What is to happen in it: a call fails, a disk is full, somebody dies."""
    kind = case[1]
    return '%s %s' % (kind, case[3]) if kind in ('disk', 'kill', 'tui') else kind


def name_of(case):
    return ' '.join('ever' if w is True else 'once' if w is False else str(w)
                    for w in case)


# ---- what there is to do --------------------------------------------------

def all_jobs(options, place):
    scenarios = ('fresh',) if options.core else SCENARIOS
    past = None if options.core else make_past(os.path.join(place, 'past'))
    times = CORE_KILLS if options.core else options.kills
    for scenario in scenarios:
        numbers, sites = count(scenario, past)
        print('%s: %s; %d places ask for memory' % (scenario, ', '.join(
            '%d %s' % (n, kind) for kind, n in numbers.items()), len(sites)))
        for case in calls.cases(scenario, numbers, sites,
                                0 if options.every else STRIDE):
            yield calls.fail_call, case, past
        if scenario != 'threads':
            steps = disk.cases(scenario, disk.written(scenario, past), STEPS)
            for case in steps:
                yield disk.fill, case, past
            for function, case in kills.cases(scenario, times):
                yield function, case, past


def chosen(options, place):
    jobs = [j for j in all_jobs(options, place)
            if all(w in name_of(j[1]).split() for w in options.words)]
    if not options.core:
        return jobs
    some = []
    for kind, n in CORE.items():
        # The console's engine is killed in console.py with every change.
        of_kind = [j for j in jobs if j[1][1] == kind and
                   (kind != 'tui' or j[1][3] != 'engine')]
        n = min(n, len(of_kind))
        some += [of_kind[(2 * i + 1) * len(of_kind) // (2 * n)]
                 for i in range(n)]
    return some


class Passed:
    """Cases that have passed already, with these programs and these tests: each
    name, and whether there happened what was to happen."""

    def __init__(self, core):
        files = [CFUZZ] + [
            os.path.join(BUILD, n) for n in ('cfuzz-tui', 'libcfuzz.a')] + [
            os.path.join(PLACE, n) for n in sorted(os.listdir(PLACE))
            if n.endswith('.py')]
        digest = hashlib.sha256(b''.join(map(read, files))).hexdigest()[:16]
        folder = os.path.join(BUILD, 'durability')
        os.makedirs(folder, exist_ok=True)
        self.path = os.path.join(folder, 'passed-' + digest)
        self.names = {}
        if os.path.exists(self.path) and not core:
            rows = [line.partition('\t') for line in
                    read(self.path).decode().splitlines()]
            self.names = {name: what == 'happened' for name, _, what in rows}

    def add(self, name, happened):
        with open(self.path, 'a') as f:
            f.write('%s\t%s\n' % (name, 'happened' if happened else 'nothing'))


# ---- the score ------------------------------------------------------------

class Score:
    def __init__(self):
        self.passed = collections.Counter()
        self.failed = collections.Counter()
        self.tried = collections.Counter()
        self.happened = collections.Counter()
        self.sites = set()

    def count(self, case, happened):
        """One that has passed, now or before."""
        self.passed[case[1]] += 1
        self.tried[who_of(case)] += 1
        self.happened[who_of(case)] += happened

    def note(self, case, why, told):
        kind = case[1]
        if why:
            self.failed[kind] += 1
            print('FAIL %s: %s' % (name_of(case), why.replace('\n', '\n    ')),
                  flush=True)
            return
        self.count(case, bool(told))
        if told and kind == 'malloc':
            self.sites.add(tuple(told))

    def tell(self):
        for who, n in sorted(self.tried.items()):
            print('%s: happened in %d of %d cases' % (who, self.happened[who],
                                                      n))
        if self.sites:
            print('malloc: failed at %d places' % len(self.sites))
        for kind in sorted(set(self.passed) | set(self.failed)):
            print('%s: %d of %d' % (kind, self.passed[kind], self.passed[
                kind] + self.failed[kind]))
        all_passed = sum(self.passed.values())
        print('%d of %d cases are survived' % (
            all_passed, all_passed + sum(self.failed.values())))
        # Then its cases have shown nothing.
        never = [who for who in sorted(self.tried) if not self.happened[who]]
        for who in never:
            print('FAIL %s: it never happened' % who)
        return not self.failed and not never


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--core', action='store_true')
    parser.add_argument('--every', action='store_true')
    parser.add_argument('--jobs', type=int, default=8)
    parser.add_argument('--kills', type=int, default=100)
    parser.add_argument('words', nargs='*')
    options = parser.parse_args()
    os.nice(0 if options.core else 10)
    become_subreaper()
    done, score = Passed(options.core), Score()
    with tempfile.TemporaryDirectory(prefix='cd-', dir='/tmp') as place:
        os.chdir(place)
        jobs = chosen(options, place)
        fresh = [j for j in jobs if name_of(j[1]) not in done.names]
        for _, case, _ in jobs:
            if name_of(case) in done.names:
                score.count(case, done.names[name_of(case)])
        print('%d cases, %d of them have passed before' % (
            len(jobs), len(jobs) - len(fresh)), flush=True)
        with multiprocessing.Pool(options.jobs, become_subreaper) as pool:
            for job, why, told in pool.imap_unordered(perform, fresh):
                score.note(job[1], why, told)
                if not why:
                    done.add(name_of(job[1]), bool(told))
        os.chdir('/')
    sys.exit(0 if score.tell() else 1)


if __name__ == '__main__':
    main()
