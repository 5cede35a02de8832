"""cfuzz beside its peers on real libraries: speed, and edges reached.

Edges are counted by a build of the library that none of the tools had to do
with. The tools take turns; each round has a random seed of its own.
"""

import statistics
import subprocess

from results import geometric, note_run, number, result, row
from settings import ROUNDS, SECONDS, SEEDS, TOOLS, Skip
from targets import PEERS, target
from tools import NAMES, campaign

# Executions per second, times AFL++'s, that are our goal.
FASTER = {'cjson': 5, 'yaml': 5, 'expat': 5, 'lua': 3}
EDGES_MEAN = 1.08

compared = {}    # target -> tool -> (speed, edges), medians


def count_edges(replayer, folders):
    """(edges, all edges, files that could not be replayed)."""
    done = subprocess.run([replayer] + folders, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True)
    return [int(word) for word in done.stdout.splitlines()[-1].split()]


def build_all(figure, name, **options):
    """tool -> path, of the tools that are there."""
    paths = {}
    for tool in NAMES:
        if TOOLS and tool not in TOOLS and tool != 'cfuzz':
            continue
        try:
            paths[tool] = target(name, tool, **options)
        except Skip as e:
            if tool == 'cfuzz':
                raise
            print('%s: %s left out: %s' % (figure, NAMES[tool], e))
    return paths


def measure(figure, name, tool, path, replayer, seeds, seed, core):
    run = campaign(tool, path, seeds, SECONDS, seed, {core})
    edges, total, lost = count_edges(replayer, [run.corpus, seeds])
    note_run(figure, name, tool, seed=seed, execs=run.execs,
             cpu_s=run.ended.cpu, elapsed_s=run.ended.seconds,
             execs_per_s=run.speed(), edges=edges, edges_total=total,
             lost=lost)
    if run.ended.seconds < SECONDS * 0.9 or run.ended.late or lost:
        print('%s: %s ran %.1f s of %d, %d files could not be replayed' % (
            figure, NAMES[tool], run.ended.seconds, SECONDS, lost))
    return run.speed(), edges


def compare(name, cores):
    figure, seeds = 'compare-' + name, SEEDS + '/' + name
    replayer = target(name, 'edges')
    paths = build_all(figure, name)
    rounds = {tool: [] for tool in paths}
    for seed in range(1, ROUNDS + 1):
        for tool in list(paths):
            try:
                rounds[tool].append(measure(figure, name, tool, paths[tool],
                                            replayer, seeds, seed,
                                            cores[0]))
            except Skip as e:
                if tool == 'cfuzz':
                    raise
                print('%s: %s left out: %s' % (figure, NAMES[tool], e))
                del paths[tool], rounds[tool]
    show(figure, name, rounds)


def show(figure, name, rounds):
    medians = {tool: (statistics.median(r[0] for r in found),
                      statistics.median(r[1] for r in found))
               for tool, found in rounds.items()}
    compared[name] = medians
    row(name, [NAMES[tool] for tool in medians])
    row('  executions/s', [number(m[0]) for m in medians.values()])
    row('  edges', [number(m[1]) for m in medians.values()])
    row('  from ... to', ['%d %d' % (min(r[1] for r in found),
                                     max(r[1] for r in found))
                          for found in rounds.values()])
    judge(figure, name, medians)


def judge(figure, name, medians):
    speed, edges = medians['cfuzz']
    if 'afl' in medians:
        result(figure, '%s: speed, AFL++ is 1' % name,
               speed / medians['afl'][0], 'times', FASTER[name])
    if 'libfuzzer' in medians:
        result(figure, '%s: speed, libFuzzer is 1' % name,
               speed / medians['libfuzzer'][0], 'times')
    peers = [medians[p][1] for p in PEERS if p in medians]
    if peers:
        result(figure, '%s: edges, the better peer is 1' % name,
               edges / max(peers), 'times', 1)


def summarize():
    """Over all libraries that were compared."""
    for peer in PEERS:
        both = [m for m in compared.values() if peer in m]
        if both:
            result('compare', 'speed, %s is 1, geometric mean' % NAMES[peer],
                   geometric(m['cfuzz'][0] / m[peer][0] for m in both),
                   'times', note=over(both))
    both = [m for m in compared.values() if len(m) > 1]
    if both:
        result('compare', 'edges, the better peer is 1, geom. mean',
               geometric(m['cfuzz'][1] / max(m[p][1] for p in PEERS if p in m)
                         for m in both), 'times', EDGES_MEAN, note=over(both))


def over(both):
    return '%d targets, %d s, median of %d' % (len(both), SECONDS, ROUNDS)


def empty(cores):
    """The empty target: what is left is the cost of the tool itself."""
    seconds = max(2, SECONDS // 6)
    for tool, path in build_all('empty', 'empty').items():
        speeds, clocks = [], []
        for seed in range(1, ROUNDS + 1):
            run = campaign(tool, path, SEEDS + '/cjson', seconds, seed,
                           {cores[0]})
            speeds.append(run.speed())
            clocks.append(run.clock_speed())
            note_run('empty', 'empty', tool, seed=seed, execs=run.execs,
                     cpu_s=run.ended.cpu, elapsed_s=run.ended.seconds,
                     execs_per_s=run.speed())
        result('empty', 'empty target, ' + NAMES[tool],
               statistics.median(speeds), 'exec/s',
               5_000_000 if tool == 'cfuzz' else None,
               note='%s/s by the clock' % number(statistics.median(clocks)))
