#!/usr/bin/env python3
"""Measures cfuzz, and compares it with libFuzzer and AFL++ if they are there.

Started by run.sh. Each figure is a function; what it measures on one core
runs on one core, chosen once. Speeds are per second of processor time that
the tool used with all its processes, which is what a core of its own would
give: so a busy machine does not distort them. The wall clock's are noted.
"""

import glob
import json
import os
import random
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
import time

SRC = os.environ['CFUZZ_SRC']
BUILD = os.environ['CFUZZ_BUILD']
DIR = os.environ['BENCH_DIR']
SOURCES = os.environ['BENCH_SOURCES']
SECONDS = max(1, int(os.environ.get('BENCH_SECONDS') or 30))
ROUNDS = max(1, int(os.environ.get('BENCH_ROUNDS') or 3))
CFUZZ = os.path.join(BUILD, 'cfuzz')
HERE = os.path.dirname(os.path.abspath(__file__))
REAL = os.path.join(SRC, 'tests', 'real')
SEEDS = os.path.join(REAL, 'seeds')
PATIENCE = 60    # seconds after which what should have ended is hung
MIB = 1024 * 1024


class Skip(Exception):
    """This machine lacks what a figure needs."""


# ---- results ----------------------------------------------------------------

results = []


def result(figure, name, value, unit, goal=None, below=False, note=''):
    """A goal is a least value, or (below) a value that is not reached."""
    met = None if goal is None else value < goal if below else value >= goal
    results.append({'figure': figure, 'name': name, 'value': value,
                    'unit': unit, 'goal': goal,
                    'goal_is': 'below' if below else 'at least',
                    'met': met, 'note': note})
    wish = '' if goal is None else '%s %s' % ('<' if below else '>=',
                                              number(goal))
    verdict = {None: '', True: 'ok', False: 'MISSED'}[met]
    print('%-36s %12s %-7s %-12s %-7s %s' % (
        name, number(value), unit, wish, verdict, note), flush=True)


def number(value):
    if value >= 100 or value == int(value):
        return '{:,}'.format(round(value)).replace(',', ' ')
    return '%.3g' % value


# ---- processes --------------------------------------------------------------

def read(path):
    with open(path, errors='replace') as f:
        return f.read()


def core_times():
    times = {}
    for line in read('/proc/stat').splitlines():
        words = line.split()
        if words[0].startswith('cpu') and words[0] != 'cpu':
            times[int(words[0][3:])] = int(words[4])
    return times


def choose_core():
    allowed = os.sched_getaffinity(0)
    if os.environ.get('BENCH_CORE'):
        return int(os.environ['BENCH_CORE'])
    before = core_times()
    time.sleep(1)
    after = core_times()
    return max(allowed, key=lambda core: after.get(core, 0) -
               before.get(core, 0))


class Ended:
    def __init__(self, status, seconds, usage, output):
        self.status = status
        self.seconds = seconds
        self.cpu = usage.ru_utime + usage.ru_stime
        self.output = output


def start(command, core=None, env=None, out=None):
    def place():
        os.setsid()
        if core is not None:
            os.sched_setaffinity(0, {core})
    environment = dict(os.environ, **(env or {}))
    for name in ('CFUZZ_SRC', 'CFUZZ_BUILD'):
        environment.pop(name, None)
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out,
                            stderr=subprocess.STDOUT, env=environment,
                            preexec_fn=place, cwd=DIR)


def run(command, core=None, env=None, seconds=0, watch=None):
    """Runs to the end. watch(pid) is called ten times a second. The usage is
    that of the process with all that it, and they, waited for."""
    log = os.path.join(DIR, 'log')
    with open(log, 'wb') as out:
        began = time.monotonic()
        process = start(command, core, env, out)
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid != 0:
                break
            if time.monotonic() - began > seconds + PATIENCE:
                os.killpg(process.pid, 9)
            if watch is not None:
                watch(process.pid)
            time.sleep(0.1 if watch else 0.01)
        process.returncode = os.waitstatus_to_exitcode(status)
    return Ended(process.returncode, time.monotonic() - began, usage,
                 read(log))


def build(command):
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        sys.exit('bench: failed: %s\n%s' % (shlex.join(command), done.stdout))


def fresh(name):
    path = os.path.join(DIR, name)
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return path


# ---- targets ----------------------------------------------------------------

def sources(name):
    if name == 'cjson':
        home = os.path.join(SOURCES, 'cjson')
        files = [os.path.join(home, 'cJSON.c')]
        flags = ['-I' + home]
    elif name == 'yaml':
        home = os.path.join(SOURCES, 'libyaml')
        files = [f for f in glob.glob(home + '/src/*.c')]
        flags = ['-I' + home + '/include', '-I' + home + '/src',
                 '-DYAML_VERSION_STRING="0"', '-DYAML_VERSION_MAJOR=0',
                 '-DYAML_VERSION_MINOR=0', '-DYAML_VERSION_PATCH=0']
    else:
        return [os.path.join(HERE, name + '.c')]
    if not os.path.isdir(home):
        raise Skip('no sources of ' + name)
    return flags + [os.path.join(REAL, name + '.c')] + files


TOOLS = {
    'cfuzz': ([os.path.join(BUILD, 'cfuzz-cc')], []),
    'libfuzzer': (['clang', '-fsanitize=fuzzer'], []),
    'afl': (['afl-clang-fast', '-fsanitize=fuzzer'], []),
    'edges': (['clang', '-fsanitize-coverage=trace-pc-guard'],
              [os.path.join(HERE, 'edges.c')]),
}


def target(name, tool='cfuzz', flags=('-O2',)):
    path = os.path.join(DIR, '%s.%s%s' % (
        name, tool, '.asan' if '-fsanitize=address' in flags else ''))
    compiler, more = TOOLS[tool]
    if not shutil.which(compiler[0]):
        raise Skip(compiler[0] + ' is not installed')
    os.environ['AFL_QUIET'] = '1'
    build(compiler + ['-g', *flags] + sources(name) + more + ['-o', path])
    return path


# ---- campaigns --------------------------------------------------------------

def cfuzz(path, seconds, *options, core=None, seeds=None, watch=None, env=None):
    """(stats, Ended); the output folder is DIR/out."""
    out = fresh('out')
    ended = run([CFUZZ, 'run', '--fuzztime', '%ds' % seconds, '-o', out] +
                (['--seeds', seeds] if seeds else []) + list(options) + [path],
                core, env, seconds, watch)
    if ended.status not in (0, 1):
        sys.exit('bench: cfuzz run ended with exit status %d\n%s' % (
            ended.status, ended.output[-2000:]))
    return json.loads(read(out + '/stats.json')), ended


def speed(executions, ended):
    return executions / max(ended.cpu, 0.001)


def wall(executions, ended):
    return '%s/s by the clock' % number(executions / ended.seconds)


def figure_empty():
    seconds = max(1, SECONDS // 3)
    stats, ended = cfuzz(target('empty'), seconds, '-j', '1', core=CORE)
    result('empty', 'empty target', speed(stats['execs'], ended), 'exec/s',
           1_000_000, note=wall(stats['execs'], ended))


def figure_cjson():
    stats, ended = cfuzz(target('cjson'), SECONDS, '-j', '1', core=CORE,
                         seeds=SEEDS + '/cjson')
    result('cjson', 'cJSON, %d s' % SECONDS, speed(stats['execs'], ended),
           'exec/s', 200_000, note='%s, %d coverage bits' % (
               wall(stats['execs'], ended), stats['coverage_bits']))


def start_seconds(path):
    stamp = os.path.join(fresh('stamp'), 'time')
    began = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    run([CFUZZ, 'run', '--fuzztime', '10x', '-j', '1', '-o', fresh('out'),
         path], env={'BENCH_STAMP': stamp})
    if not os.path.exists(stamp):
        sys.exit('bench: the target was never called')
    return (int(read(stamp)) - began) / 1e9


def figure_start():
    for flags, name in (('-O2',), 'start to first execution'), (
            ('-O1', '-fsanitize=address'), 'start to first execution, ASan'):
        path = target('first', flags=flags)
        times = [start_seconds(path) for _ in range(5)]
        result('start', name, statistics.median(times), 's', 0.2, True,
               'slowest of 5: %.3g s' % max(times))


def anonymous_kb(pid):
    for line in read('/proc/%d/status' % pid).splitlines():
        if line.startswith('RssAnon:'):
            return int(line.split()[1])
    return 0


def figure_memory():
    seeds = fresh('seeds')
    dice = random.Random(1)
    for i in range(10_000):
        with open('%s/%05d' % (seeds, i), 'w') as f:
            f.write('{"%d": [%s]}' % (i, ', '.join(
                str(dice.randrange(1000)) for _ in range(i % 12))))
    most = [0]

    def watch(pid):
        try:
            most[0] = max(most[0], anonymous_kb(pid))
        except OSError:
            pass
    stats, _ = cfuzz(target('empty'), max(5, SECONDS // 3), '-j', '2',
                     seeds=seeds, watch=watch)
    result('memory', 'engine, %s inputs, 2 workers' % number(stats['corpus']),
           most[0] * 1024 / MIB, 'MiB', 30, True, 'most anonymous memory')
    if stats['corpus'] < 10_000:
        sys.exit('bench: the corpus has %d entries, not 10 000' %
                 stats['corpus'])


def process_ticks(pid):
    """(user + system time, parent, session) of a process."""
    words = read('/proc/%d/stat' % pid).rsplit(')', 1)[1].split()
    return int(words[11]) + int(words[12]), int(words[1]), int(words[3])


def children(pid):
    found = []
    for entry in os.listdir('/proc'):
        if entry.isdigit():
            try:
                if process_ticks(int(entry))[1] == pid:
                    found.append(int(entry))
            except OSError:
                pass
    return found


def find_console(launcher):
    """The launcher's child in its own session; the engine left it."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        found = children(launcher)
        if len(found) >= 2:
            session = process_ticks(launcher)[2]
            same = [p for p in found if process_ticks(p)[2] == session]
            other = [p for p in found if p not in same]
            if len(same) == 1 and len(other) == 1:
                return same[0], other[0]
        time.sleep(0.1)
    sys.exit('bench: the processes of cfuzz-tui were not found')


def figure_console():
    program = os.path.join(BUILD, 'cfuzz-tui')
    if not os.path.exists(program) or not shutil.which('tmux'):
        raise Skip('no cfuzz-tui or no tmux')
    path = target('cjson')
    seconds = max(3, min(20, SECONDS))
    socket = os.path.join(fresh('tmux'), 'socket')
    command = 'exec ' + shlex.join([program, '-j', '2', '-o', fresh('out'),
                                    '--seeds', SEEDS + '/cjson', path])
    tmux = ['tmux', '-S', socket, '-f', '/dev/null']
    if subprocess.run(tmux + ['new-session', '-d', '-x', '120', '-y', '40',
                              command], check=False).returncode != 0:
        raise Skip('tmux cannot have a terminal')
    try:
        launcher = int(subprocess.run(
            tmux + ['list-panes', '-F', '#{pane_pid}'], check=True,
            capture_output=True, text=True).stdout)
        console, engine = find_console(launcher)
        time.sleep(2)
        before = process_ticks(console)[0], process_ticks(engine)[0]
        began = time.monotonic()
        time.sleep(seconds)
        took = (time.monotonic() - began) * os.sysconf('SC_CLK_TCK') / 100
        after = process_ticks(console)[0], process_ticks(engine)[0]
        screen = subprocess.run(tmux + ['capture-pane', '-p'],
                                capture_output=True, text=True).stdout
    finally:
        subprocess.run(tmux + ['kill-server'], check=False)
    deadline = time.monotonic() + 10
    while os.path.exists('/proc/%d' % engine):
        if time.monotonic() > deadline:
            sys.exit('bench: the engine outlived its terminal')
        time.sleep(0.1)
    result('console', 'console, 120 x 40, 2 workers',
           (after[0] - before[0]) / took, '% core', 2, True,
           'its engine: %.2g %%; %d lines on the screen' % (
               (after[1] - before[1]) / took,
               sum(1 for line in screen.splitlines() if line.strip())))


def figure_deaths():
    for flags, name in (('-O2',), 'deaths'), (
            ('-O1', '-fsanitize=address'), 'deaths, ASan'):
        stats, ended = cfuzz(target('crash', flags=flags),
                             max(2, SECONDS // 6), '-j', '1', '--verify', '0',
                             '--minimizetime', '0', core=CORE)
        seen = stats['crashes_seen']
        result('deaths', name, seen / ended.seconds, '/s',
               note='%.2g ms of processor each' % (
                   1000 * ended.cpu / max(1, seen)))


# ---- comparisons --------------------------------------------------------------

def run_cfuzz(path, seeds, seconds):
    stats, ended = cfuzz(path, seconds, '-j', '1', core=CORE, seeds=seeds)
    return stats['execs'], ended, DIR + '/out/corpus'


def run_libfuzzer(path, seeds, seconds):
    corpus = fresh('libfuzzer')
    ended = run([path, '-max_total_time=%d' % seconds, '-timeout=10',
                 '-print_final_stats=1', '-artifact_prefix=%s/' %
                 fresh('libfuzzer-artifacts'), corpus, seeds], CORE,
                seconds=seconds)
    for line in ended.output.splitlines():
        if line.startswith('stat::number_of_executed_units:'):
            return int(line.split()[1]), ended, corpus
    raise Skip('libFuzzer gave no numbers')


def run_afl(path, seeds, seconds):
    out = fresh('afl')
    env = {'AFL_NO_UI': '1', 'AFL_SKIP_CPUFREQ': '1', 'AFL_NO_AFFINITY': '1',
           'AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES': '1'}
    ended = run(['afl-fuzz', '-i', seeds, '-o', out, '-V', str(seconds), '--',
                 path], CORE, env, seconds)
    try:
        stats = dict(line.split(':', 1) for line in read(
            out + '/default/fuzzer_stats').splitlines() if ':' in line)
    except OSError as e:
        raise Skip('afl-fuzz did not run: ' + ended.output[-200:]) from e
    names = {k.strip(): v for k, v in stats.items()}
    return int(names['execs_done']), ended, out + '/default/queue'


PEERS = {'cfuzz': run_cfuzz, 'libfuzzer': run_libfuzzer, 'afl': run_afl}


def compare(name):
    """Same seed, same time, one core; the tools take turns."""
    seeds = SEEDS + '/' + name
    seconds = max(1, SECONDS // 3)
    edges = target(name, 'edges')
    paths, rows = {}, {}
    for tool in PEERS:
        try:
            paths[tool] = target(name, tool)
            rows[tool] = []
        except Skip as e:
            print('compare-%s: %s left out: %s' % (name, tool, e))
    for _ in range(ROUNDS):
        for tool in list(paths):
            try:
                execs, ended, corpus = PEERS[tool](paths[tool], seeds, seconds)
            except Skip as e:
                print('compare-%s: %s left out: %s' % (name, tool, e))
                del paths[tool], rows[tool]
                continue
            reached = subprocess.run([edges, corpus, seeds], check=True,
                                     capture_output=True, text=True).stdout
            rows[tool].append((speed(execs, ended), int(reached.split()[0]),
                               execs / ended.seconds))
    for tool, rounds in rows.items():
        found = sorted(r[1] for r in rounds)
        result('compare-' + name, '%s, %s' % (name, tool),
               statistics.median(r[0] for r in rounds), 'exec/s',
               note='%d edges (%d to %d) after %d s' % (
                   statistics.median(found), found[0], found[-1], seconds))
        results[-1]['edges'] = found


FIGURES = {
    'empty': figure_empty,
    'cjson': figure_cjson,
    'start': figure_start,
    'memory': figure_memory,
    'console': figure_console,
    'deaths': figure_deaths,
    'compare-cjson': lambda: compare('cjson'),
    'compare-yaml': lambda: compare('yaml'),
}


def main():
    wanted = sys.argv[1:] or list(FIGURES)
    for name in wanted:
        if name not in FIGURES:
            sys.exit('bench: there is no figure %s, only: %s' % (
                name, ', '.join(FIGURES)))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    print('on core %d, clang -O2, exec/s per second of processor time' % CORE)
    print('%-36s %12s %-7s %-12s %-7s %s' % (
        'figure', 'result', 'unit', 'goal', '', 'note'), flush=True)
    for name in wanted:
        try:
            FIGURES[name]()
        except Skip as e:
            print('%-36s left out: %s' % (name, e), flush=True)
    path = os.path.join(BUILD, 'bench.json')
    with open(path, 'w') as f:
        json.dump({'core': CORE, 'seconds': SECONDS, 'rounds': ROUNDS,
                   'machine': os.uname().machine, 'results': results}, f,
                  indent=1)
        f.write('\n')
    missed = sum(1 for r in results if r['met'] is False)
    print('%s; %s' % ('%d goals missed' % missed if missed else
                      'all goals reached', path))


CORE = choose_core()
if __name__ == '__main__':
    main()
