#!/usr/bin/env python3
"""Fuzzes our own parsers: each target of tests/fuzz/ in turn.

Seeds are tests/data/fuzz/NAME/ and what earlier runs have left in
build/self/out/NAME. A line for each target: executions, edges, inputs, findings.

usage: run.py [NAME]...     (all)
TIME=60s or TIME=100000000x for each; LEN=65536 is the longest input; GROW=1 adds
to tests/data/fuzz/ the smallest set of inputs that reach as much, at most 60 of
them.
"""

import glob
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SRC = os.path.dirname(os.path.dirname(HERE))
CFUZZ = os.path.join(os.environ.get('CFUZZ_BUILD') or
                     os.path.join(SRC, 'build'), 'cfuzz')
TARGETS = os.path.join(SRC, 'build', 'self', 'fuzz')
OUT = os.path.join(SRC, 'build', 'self', 'out')
DATA = os.path.join(SRC, 'tests', 'data', 'fuzz')
KEPT_MAX = 60
KEPT_BYTES_MAX = 4096


def fuzz(name, time):
    out, seeds = os.path.join(OUT, name), os.path.join(DATA, name)
    os.makedirs(OUT, exist_ok=True)
    command = [CFUZZ, 'run', '--fuzztime', time, '-o', out, '--max-len',
               os.environ.get('LEN') or '65536', '--timeout', '5000']
    if os.path.isdir(seeds):
        command += ['--seeds', seeds]
    with open(out + '.log', 'w') as log:
        status = subprocess.run(command + [os.path.join(TARGETS, name)],
                                stdin=subprocess.DEVNULL, stdout=log,
                                stderr=log, env=sanitizers()).returncode
    if status not in (0, 1):
        with open(out + '.log') as log:
            print(log.read()[-2000:])
        return status, {}
    with open(os.path.join(out, 'stats.json')) as f:
        return status, json.load(f)


def sanitizers():
    """Leaks are looked for; a read of nothing much is not to cost a time-out."""
    return dict(os.environ, UBSAN_OPTIONS='print_stacktrace=1')


def grow(name):
    small = os.path.join(OUT, name + '.small')
    shutil.rmtree(small, ignore_errors=True)
    subprocess.run([CFUZZ, 'cmin', os.path.join(TARGETS, name),
                    os.path.join(OUT, name, 'corpus'), '-o', small],
                   check=True, stdout=subprocess.DEVNULL)
    files = sorted((os.path.getsize(p), p)
                   for p in glob.glob(os.path.join(small, '*')))
    os.makedirs(os.path.join(DATA, name), exist_ok=True)
    room = KEPT_MAX - len(os.listdir(os.path.join(DATA, name)))
    for size, path in files[:max(room, 0)]:
        if size <= KEPT_BYTES_MAX:
            shutil.copyfile(path, os.path.join(DATA, name,
                                               os.path.basename(path)))


def main():
    names = sys.argv[1:] or sorted(
        os.path.basename(p)[:-2] for p in glob.glob(HERE + '/*.c'))
    failed = 0
    for name in names:
        status, stats = fuzz(name, os.environ.get('TIME') or '60s')
        failed += status != 0
        print('%-4s %-12s %13s executions %8.0f/s %6s edges %6s inputs' % (
            'FAIL' if status else 'ok', name, stats.get('execs'),
            stats.get('execs_per_sec_avg') or 0, stats.get('counters_hit'),
            stats.get('corpus')), flush=True)
        if status == 1:
            print('     its findings: cfuzz findings %s' %
                  os.path.join(OUT, name))
        if os.environ.get('GROW'):
            grow(name)
    print('%d passed, %d failed' % (len(names) - failed, failed))
    sys.exit(failed > 0)


main()
