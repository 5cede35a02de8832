"""Which share of a fuzzing process's instructions is the target's.

The real fuzzer runs a target that has callgrind.c linked in: the process that
runs inputs is put under callgrind by itself. Counted is everything that this
process executes in 30,000 executions behind a warm-up, and of it what is
executed inside LLVMFuzzerTestOneInput. The executions are taken from ten
places, since neighbours come from the same few inputs, and the median of the
ten shares counts, so that a few large inputs do not speak for all.

All tools start from one corpus, the smaller inputs of what cfuzz gathered at
full speed, and cfuzz does not minimize: so what is seen is fuzzing, and not
the rush of finds at the begin. AFL++ mutates in another process, so its
share says how much its loop costs and no more.
"""

import glob
import os
import re
import shutil
import statistics
import subprocess

from compare import build_all
from process import run
from results import note_run, number, result
from settings import BUILD, SECONDS, SEEDS, Skip
from targets import LIBRARIES, fresh, target
from tools import AFL_ENVIRONMENT, NAMES, campaign, cfuzz

WARM = 50_000
WINDOWS = 10
COUNT = 3000            # executions in each
SKIP = 17_000           # between two
LEN_MAX = 4096          # of an input
LEN_SEED_MAX = 512
PATIENCE = 180          # seconds for all of it
GOAL = 80               # per cent
ENTRY = 'LLVMFuzzerTestOneInput'
# No -g: valgrind cannot read all debug information that clang writes.
FLAGS = ('-O2', '-g0', '-Wl,-S', '-Wl,--wrap=' + ENTRY)


class Profile:
    """What of callgrind's output is asked for."""

    def __init__(self, path):
        self.names = {}
        self.total = 0
        self.inside = 0     # in ENTRY and what it calls
        self.own = {}       # function -> instructions of its own
        self.function = self.callee = None
        self.is_call = False
        with open(path) as f:
            for line in f:
                self.take(line.rstrip('\n'))

    def share(self):
        return 100 * self.inside / max(1, self.total)

    def name(self, text):
        """Names are given once, then only their numbers."""
        match = re.match(r'\((\d+)\)(?: (.*))?$', text)
        if match is None:
            return text
        if match.group(2) is not None:
            self.names[match.group(1)] = match.group(2)
        return self.names.get(match.group(1), '')

    def take(self, line):
        key, equals, value = line.partition('=')
        if line.startswith('totals:'):
            self.total = int(line.split()[1])
        elif equals and key == 'fn':
            self.function = self.name(value).split("'")[0]
        elif equals and key == 'cfn':
            self.callee = self.name(value).split("'")[0]
        elif equals and key == 'calls':
            self.is_call = True
        elif line[:1].isdigit() or line[:1] in '+-*':
            words = line.split()    # a cost of nothing is left out
            self.take_cost(int(words[1]) if len(words) > 1 else 0)

    def take_cost(self, cost):
        if not self.is_call:
            self.own[self.function] = self.own.get(self.function, 0) + cost
        elif self.callee == ENTRY and self.function != ENTRY:
            self.inside += cost
        self.is_call = False


def runtime_names():
    """The functions of our runtime, also those that are no longer visible."""
    done = subprocess.run(['nm', '--defined-only', *glob.glob(
        os.path.join(BUILD, 'runtime', '*', '*.o'))], check=False,
        capture_output=True, text=True)
    words = (line.split() for line in done.stdout.splitlines())
    return {w[2] for w in words if len(w) == 3 and w[1] in 'tTW'}


def largest(profiles, known):
    """Where the runtime itself spends most."""
    own, total = {}, sum(p.total for p in profiles)
    for name, cost in (item for p in profiles for item in p.own.items()):
        if name in known:
            own[name] = own.get(name, 0) + cost
    return ', '.join('%s %.3g %%' % (name, 100 * own[name] / total) for name in
                     sorted(own, key=own.get, reverse=True)[:3])


def run_cfuzz(path, seeds, env, wake_fd, core):
    return cfuzz(path, PATIENCE, '-j', '1', '--seed', '1', '--deterministic',
                 '--minimizetime', '0', '--max-len', str(LEN_MAX), '--timeout',
                 '60000', '--rss-limit', '0', '--start-timeout', '60s',
                 cores={core}, seeds=seeds, env=env,
                 wake_fd=wake_fd)[1]


def run_libfuzzer(path, seeds, env, wake_fd, core):
    return run([path, '-seed=1', '-max_total_time=%d' % PATIENCE,
                '-max_len=%d' % LEN_MAX, '-rss_limit_mb=0',
                fresh('libfuzzer'), seeds], {core}, env, PATIENCE,
               wake_fd=wake_fd)


def run_afl(path, seeds, env, wake_fd, core):
    more = dict(AFL_ENVIRONMENT, AFL_FORKSRV_INIT_TMOUT='60000', **env)
    return run(['afl-fuzz', '-i', seeds, '-o', fresh('afl'), '-s', '1', '-t',
                '60000', '-G', str(LEN_MAX), '-V', str(PATIENCE), '--', path],
               {core}, more, PATIENCE, wake_fd=wake_fd)


RUNS = {'cfuzz': run_cfuzz, 'libfuzzer': run_libfuzzer, 'afl': run_afl}


def profile_all(tool, path, seeds, core):
    folder = fresh('callgrind')
    done = os.path.join(folder, 'done')
    os.mkfifo(done)
    # For both directions: opening waits for nobody.
    wake_fd = os.open(done, os.O_RDWR | os.O_CLOEXEC | os.O_NONBLOCK)
    env = {'BENCH_CALLGRIND': folder + '/counts', 'BENCH_DONE': done,
           'BENCH_VALGRIND': shutil.which('valgrind'),
           'BENCH_WARM': str(WARM), 'BENCH_COUNT': str(COUNT),
           'BENCH_SKIP': str(SKIP), 'BENCH_WINDOWS': str(WINDOWS)}
    try:
        ended = RUNS[tool](path, seeds, env, wake_fd, core)
    finally:
        os.close(wake_fd)
    found = [Profile(path) for path in glob.glob(folder + '/counts.*')]
    if len(found) < WINDOWS:
        raise Skip('%s gave %d of %d profiles: %s' % (
            NAMES[tool], len(found), WINDOWS, ended.output[-300:]))
    return found


def gather(name, core):
    """A corpus to start from."""
    run_of = campaign('cfuzz', target(name), SEEDS + '/' + name,
                      max(2, SECONDS // 6), 1, {core})
    corpus = fresh('callgrind-corpus')
    for path in glob.glob(run_of.corpus + '/*'):
        if os.path.getsize(path) <= LEN_SEED_MAX:
            shutil.copy(path, corpus)
    return corpus


def one(name, tool, path, seeds, core, known):
    profiles = profile_all(tool, path, seeds, core)
    shares = sorted(p.share() for p in profiles)
    each = sum(p.total for p in profiles) / len(profiles) / COUNT
    note_run('callgrind', name, tool, shares=shares,
             instructions_per_exec=each)
    note = '%.3g to %.3g; %s instructions each' % (
        shares[0], shares[-1], number(each))
    if tool == 'cfuzz':
        note += '; ' + largest(profiles, known)
    result('callgrind', '%s: in the target, %s' % (name, NAMES[tool]),
           statistics.median(shares), '%', GOAL if tool == 'cfuzz' else None,
           note=note)


def figure(cores):
    if shutil.which('valgrind') is None:
        raise Skip('valgrind is not installed')
    if not os.path.exists('/usr/include/valgrind/callgrind.h'):
        raise Skip("valgrind's headers are not installed")
    known = runtime_names()
    for name in LIBRARIES:
        try:
            paths = build_all('callgrind', name, flags=FLAGS,
                              kind='callgrind', helpers=('callgrind',))
        except Skip as e:
            print('callgrind: %s left out: %s' % (name, e))
            continue
        seeds = gather(name, cores[0])
        for tool, path in paths.items():
            try:
                one(name, tool, path, seeds, cores[0], known)
            except Skip as e:
                print('callgrind: %s: %s' % (name, e))
