"""The fuzzers: how each is run for a time, and until it has solved a puzzle.

All get the same seeds, the same time and the same core. Speeds are per second
of processor time that a tool used with all its processes, which is what a
core of its own would give: so a busy machine does not distort them.
"""

import glob
import json
import os
import shutil
import sys

from process import read, run
from settings import CFUZZ, DIR, Skip
from targets import fresh

NAMES = {'cfuzz': 'cfuzz', 'libfuzzer': 'libFuzzer', 'afl': 'AFL++'}


class Campaign:
    """What a tool did in its time."""

    def __init__(self, execs, ended, corpus, found, hangs=0):
        self.execs = execs
        self.ended = ended
        self.corpus = corpus    # folder of inputs
        self.found = found      # crashes that the tool itself reported
        self.hangs = hangs

    def speed(self):
        return self.execs / max(self.ended.cpu, 0.001)

    def clock_speed(self):
        return self.execs / max(self.ended.seconds, 0.001)


def words(path):
    """A program with its arguments is a list."""
    return [path] if isinstance(path, str) else list(path)


def cfuzz(path, seconds, *options, cores=None, seeds=None, watch=None,
          env=None, wake_fd=None):
    """(stats, Ended); the output folder is DIR/out. Stats are None if it did
    not come to its end."""
    out = fresh('out')
    ended = run([CFUZZ, 'run', '--fuzztime', '%ds' % seconds, '-o', out] +
                (['--seeds', seeds] if seeds else []) + list(options) +
                words(path), cores, env, seconds, watch, wake_fd)
    if wake_fd is not None or ended.late:
        return None, ended
    if ended.status not in (0, 1):
        sys.exit('bench: cfuzz run ended with exit status %d\n%s' % (
            ended.status, ended.output[-2000:]))
    return json.loads(read(out + '/stats.json')), ended


def campaign_cfuzz(path, seeds, seconds, seed, cores, options=(), env=None):
    stats, ended = cfuzz(path, seconds, '-j', '1', '--seed', str(seed),
                         *options, cores=cores, seeds=seeds, env=env)
    if stats is None:
        raise Skip('cfuzz did not end')
    return Campaign(stats['execs'], ended, DIR + '/out/corpus',
                    stats['crashes'], stats['hangs'])


def campaign_libfuzzer(path, seeds, seconds, seed, cores, options=(),
                       env=None):
    corpus, artifacts = fresh('libfuzzer'), fresh('libfuzzer-artifacts')
    ended = run([path, '-max_total_time=%d' % seconds, '-timeout=10',
                 '-seed=%d' % seed, '-print_final_stats=1', '-print_funcs=0',
                 '-artifact_prefix=%s/' % artifacts, *options, corpus, seeds],
                cores, env, seconds)
    for line in ended.output.splitlines():
        if line.startswith('stat::number_of_executed_units:'):
            return Campaign(int(line.split()[1]), ended, corpus,
                            len(os.listdir(artifacts)))
    raise Skip('libFuzzer gave no numbers: ' + ended.output[-300:])


def afl_stats(out, ended):
    try:
        text = read(out + '/default/fuzzer_stats')
    except OSError as e:
        raise Skip('afl-fuzz did not run: ' + ended.output[-500:]) from e
    return {k.strip(): v.strip() for k, v in (
        line.split(':', 1) for line in text.splitlines() if ':' in line)}


def afl_executions(out, ended, blind):
    """Without instrumentation (-n), plot_data has the only count."""
    if not blind:
        return int(afl_stats(out, ended)['execs_done'])
    try:
        rows = read(out + '/plot_data').split('\n')
        return int(rows[-2].split(',')[11])
    except (OSError, IndexError) as e:
        raise Skip('afl-fuzz did not run: ' + ended.output[-500:]) from e


AFL_ENVIRONMENT = {
    'AFL_NO_UI': '1', 'AFL_SKIP_CPUFREQ': '1', 'AFL_NO_AFFINITY': '1',
    'AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES': '1'}


def campaign_afl(path, seeds, seconds, seed, cores, options=(), env=None):
    if not shutil.which('afl-fuzz'):
        raise Skip('afl-fuzz is not installed')
    out = fresh('afl')
    ended = run(['afl-fuzz', '-i', seeds, '-o', out, '-s', str(seed), '-V',
                 str(seconds), *options, '--'] + words(path), cores,
                dict(AFL_ENVIRONMENT, **(env or {})), seconds)
    blind = '-n' in options
    folder = out if blind else out + '/default'
    return Campaign(afl_executions(out, ended, blind), ended,
                    folder + '/queue',
                    len(glob.glob(folder + '/crashes/id*')),
                    len(glob.glob(folder + '/hangs/id*')))


CAMPAIGNS = {'cfuzz': campaign_cfuzz, 'libfuzzer': campaign_libfuzzer,
             'afl': campaign_afl}

# Ends with the first crash, without looking at it any further.
UNTIL_SOLVED = {
    'cfuzz': (('--stop-on-crash', '--verify', '0', '--minimizetime', '0'), {}),
    'libfuzzer': ((), {}),
    'afl': ((), {'AFL_BENCH_UNTIL_CRASH': '1'}),
}


def campaign(tool, path, seeds, seconds, seed, cores):
    return CAMPAIGNS[tool](path, seeds, seconds, seed, cores)


def solve(tool, path, seeds, seconds, seed, cores, env):
    options, more = UNTIL_SOLVED[tool]
    return CAMPAIGNS[tool](path, seeds, seconds, seed, cores, options,
                           dict(env, **more))
