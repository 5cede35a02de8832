"""A failing input of 4 KiB is made smaller: by us, afl-tmin and libFuzzer.

All have the address sanitizer, the same source and the same core. The time is
processor time of a tool with all its processes, so that a busy machine does
not distort it; of libFuzzer, which ends when it has found nothing smaller for
a while, the time up to its last success.
"""

import json
import os
import random
import re
import shutil
import statistics

from process import TICKS, read, run
from results import note_run, number, result, row
from settings import CFUZZ, ROUNDS, SECONDS, Skip
from targets import asan, fresh, target
from tools import AFL_ENVIRONMENT, NAMES

LEN = 4096
PART = 0.2        # of the time of a peer is our goal
RATES = (('', target, 2000, 3000), (', ASan', asan, 300, 600))
ASAN = ('-O1', '-g', '-fsanitize=address')


class Minimized:
    """What a tool made of the input."""

    def __init__(self, size, execs, cpu, seconds):
        self.size = size
        self.execs = execs
        self.cpu = cpu
        self.seconds = seconds


# ---- the input --------------------------------------------------------------

def record(kind, payload):
    return kind + len(payload).to_bytes(2, 'little') + payload


def words(dice, n):
    return bytes(dice.choice(b'abcdefghijklmnopqrstuvwxyz ,.')
                 for _ in range(n))


def runs(dice, pixels):
    out = b''
    while True:
        n = dice.randrange(1, 9)
        if n > pixels:
            return out
        out += bytes([n, dice.randrange(256)])
        pixels -= n


def make_input():
    """Records as overflow.c reads them; those of a run come much too late."""
    dice = random.Random(1)
    out = b'REC1' + record(b'T', words(dice, 120))
    out += record(b'C', bytes(dice.randrange(256) for _ in range(256)))
    out += record(b'D', bytes([40, 30]))
    pixels = 40 * 30
    while len(out) < 2500:
        kind = dice.choice('TTXP')
        if kind == 'P':
            n = min(pixels, dice.randrange(20, 90))
            pixels -= n
            out += record(b'P', runs(dice, n))
        else:
            out += record(kind.encode(), words(dice, dice.randrange(10, 160)))
    out += record(b'P', bytes(byte for _ in range(40)
                              for byte in (60, dice.randrange(256))))
    while len(out) < LEN - 180:
        out += record(b'T', words(dice, dice.randrange(10, 160)))
    out += record(b'T', words(dice, LEN - len(out) - 3))
    path = os.path.join(fresh('minimize'), 'input')
    with open(path, 'wb') as f:
        f.write(out)
    return path


# ---- the tools --------------------------------------------------------------

def cfuzz_min(path, start, cores, *options):
    """(Ended, what it says of itself, the path of the result)"""
    out = os.path.join(fresh('minimized'), 'cfuzz')
    ended = run([CFUZZ, 'min', '--json', *options, '-o', out, path, start],
                cores, None, SECONDS)
    for line in ended.output.splitlines():
        if line.startswith('{"event":"minimized"'):
            return ended, json.loads(line), out
    raise Skip('cfuzz min said nothing: ' + ended.output[-500:])


def minimize_cfuzz(path, start, cores, seed):
    del seed
    ended, said, out = cfuzz_min(path, start, cores)
    return Minimized(os.path.getsize(out), said['tries'], ended.cpu,
                     ended.seconds)


def minimize_afl(path, start, cores, seed):
    del seed
    if not shutil.which('afl-tmin'):
        raise Skip('afl-tmin is not installed')
    out = os.path.join(fresh('minimized'), 'afl')
    ended = run(['afl-tmin', '-i', start, '-o', out, '-m', 'none', '-t',
                 '5000', '--', path], cores, AFL_ENVIRONMENT, 10 * SECONDS)
    text = re.sub('\x1b\\[[0-9;]*m', '', ended.output)
    execs = re.search(r'Number of execs done : (\d+)', text)
    if execs is None or not os.path.exists(out):
        raise Skip('afl-tmin did not end well: ' + text[-500:])
    return Minimized(os.path.getsize(out), int(execs.group(1)), ended.cpu,
                     ended.seconds)


def cpu_with_children(pid):
    fields = read('/proc/%d/stat' % pid).rsplit(')', 1)[1].split()
    return sum(int(field) for field in fields[11:15]) / TICKS


def minimize_libfuzzer(path, start, cores, seed):
    out = os.path.join(fresh('minimized'), 'libfuzzer')
    last = [None, 0.0]    # time of the file's last change, processor time

    def watch(pid):
        if os.path.exists(out) and os.stat(out).st_mtime_ns != last[0]:
            try:
                last[1] = cpu_with_children(pid)
            except OSError:
                return
            last[0] = os.stat(out).st_mtime_ns
    ended = run([path, '-minimize_crash=1', '-max_total_time=%d' % max(
        3, SECONDS // 6), '-seed=%d' % seed, '-exact_artifact_path=' + out,
                 start], cores, None, 30 * SECONDS, watch)
    if not os.path.exists(out):
        raise Skip('libFuzzer made nothing smaller: ' + ended.output[-500:])
    execs = sum(int(n) for n in re.findall(r'(?m)^#(\d+)\s+(?:DONE|pulse)',
                                           ended.output))
    return Minimized(os.path.getsize(out), execs or None, last[1],
                     ended.seconds)


MINIMIZERS = {'cfuzz': minimize_cfuzz, 'libfuzzer': minimize_libfuzzer,
              'afl': minimize_afl}


# ---- side by side -----------------------------------------------------------

def measure(start, cores):
    """tool -> one Minimized for each round"""
    done = {}
    for tool, minimize in MINIMIZERS.items():
        try:
            path = target('overflow', tool, flags=ASAN, kind='asan')
            done[tool] = [minimize(path, start, {cores[0]}, seed)
                          for seed in range(1, ROUNDS + 1)]
        except Skip as e:
            if tool == 'cfuzz':
                raise
            print('minimize: %s left out: %s' % (NAMES[tool], e), flush=True)
            continue
        for seed, one in enumerate(done[tool], 1):
            note_run('minimize', 'overflow', tool, seed=seed, size=one.size,
                     execs=one.execs, cpu_s=one.cpu, elapsed_s=one.seconds)
    return done


def median(rounds, what):
    values = [getattr(one, what) for one in rounds]
    return None if None in values else statistics.median(values)


def show(done):
    row('4 KiB, ASan', ('bytes', 'executions', 'processor s', 'elapsed s'))
    for tool, rounds in done.items():
        row(NAMES[tool], ['-' if value is None else number(value) for value in (
            median(rounds, what) for what in
            ('size', 'execs', 'cpu', 'seconds'))])


def compare(done):
    ours = done['cfuzz']
    for tool, rounds in done.items():
        if tool == 'cfuzz':
            continue
        result('minimize', 'minimized size, beside ' + NAMES[tool],
               median(ours, 'size'), 'bytes', median(rounds, 'size') + 1,
               True)
        result('minimize', 'time for it, %s is 1' % NAMES[tool],
               median(ours, 'cpu') / max(median(rounds, 'cpu'), 0.001),
               'times', PART, True)


# ---- candidates that die ----------------------------------------------------

def rates(start, cores):
    """Each candidate kills its process, and in another way than the start."""
    for suffix, build, goal, tries in RATES:
        ended, said, _ = cfuzz_min(build('deaths'), start, {cores[0]},
                                   '--minimizetime', '%dx' % tries,
                                   '--verify', '1')
        result('minimize', 'deadly candidates' + suffix,
               said['tries'] / ended.cpu, '/s', goal,
               note='%s/s by the clock' % number(
                   said['tries'] / said['seconds']))


def figure(cores):
    start = make_input()
    done = measure(start, cores)
    show(done)
    compare(done)
    rates(start, cores)
