"""Programs of Debian as people fuzz them, beside afl-fuzz on the same core.

Each is built by its own build system with CC=cfuzz-cc and CC=afl-clang-fast,
and is also taken as Debian ships it, without instrumentation. The fuzzers
take turns. Edges of all corpora are counted by afl-showmap.
"""

import glob
import os
import re
import shutil
import statistics
import subprocess

import settings
from results import note_run, number, result, row
from settings import BUILD, DIR, ROUNDS, SECONDS, SOURCES, Skip
from targets import build, fresh
from tools import AFL_ENVIRONMENT, CAMPAIGNS

# Debian's patches leave files of automake newer than what it makes of them.
NO_AUTOTOOLS = [name + '=:' for name in
                ('AUTOMAKE', 'ACLOCAL', 'AUTOCONF', 'AUTOHEADER')]
CMAKE_OFF = ['-D%s=OFF' % name for name in (
    'BUILD_SHARED_LIBS cxx jbig jpeg lerc libdeflate lzma pixarlog webp zlib '
    'zstd').split()]
SEED_MOST = 5000    # bytes

# seeds: of the package's own tests; program: where the build leaves it.
PROGRAMS = {
    'xmllint': {
        'package': 'libxml2', 'seeds': 'test/*/*.x*', 'args': ['@@'],
        'configure': ['--disable-shared', '--without-lzma', '--without-python',
                      '--without-threads', '--without-zlib'],
        'make': ['xmllint'], 'program': 'xmllint'},
    'tiffinfo': {
        'package': 'tiff', 'seeds': 'test/images/*.tif*',
        'args': ['-D', '@@'], 'cmake': CMAKE_OFF, 'make': ['tiffinfo'],
        'program': 'tools/tiffinfo'},
    'file': {
        'package': 'file', 'seeds': 'tests/*.testfile',
        'args': ['-m', 'magic/magic.mgc', '@@'],
        'configure': ['--disable-shared', '--disable-bzlib',
                      '--disable-libseccomp', '--disable-xzlib',
                      '--disable-zlib'],
        'make': [], 'program': 'src/file'},
}
COMPILERS = {'cfuzz': os.path.join(BUILD, 'cfuzz-cc'), 'afl': 'afl-clang-fast'}

# name, goal of executions, goal of edges; which program each of the two runs
RATIOS = (
    ('cfuzz-cc, afl-fuzz is 1', ('cfuzz', 'cfuzz'), ('afl', 'afl'), 1.2, 1),
    ('AFL++ binary, afl-fuzz is 1', ('cfuzz', 'afl'), ('afl', 'afl'), 1, 1),
    ('plain binary, afl-fuzz -n is 1', ('cfuzz', 'debian'),
     ('afl', 'debian'), 0.8, None),
)
RUNS = (('cfuzz', 'cfuzz'), ('afl', 'afl'), ('cfuzz', 'afl'),
        ('cfuzz', 'debian'), ('afl', 'debian'))


def is_built(folder, kind):
    """A build by an older cfuzz-cc or with an older runtime is made anew."""
    marker = os.path.join(folder, 'built')
    tools = glob.glob(BUILD + '/*cfuzz-cc') + glob.glob(BUILD + '/libcfuzz.a')
    return os.path.exists(marker) and (kind == 'afl' or all(
        os.path.getmtime(tool) < os.path.getmtime(marker) for tool in tools))


def make_program(name, kind):
    """Builds it once per compiler; the folder of the build."""
    program = PROGRAMS[name]
    source = os.path.join(SOURCES, program['package'])
    if not os.path.isdir(source):
        raise Skip('no sources of ' + program['package'])
    if not shutil.which(COMPILERS[kind]):
        raise Skip(COMPILERS[kind] + ' is not installed')
    folder = os.path.join(DIR, 'program-%s-%s' % (name, kind))
    if is_built(folder, kind):
        return folder
    fresh(os.path.basename(folder))
    settings = ['env', 'CC=' + COMPILERS[kind], 'CFLAGS=-O2 -g']
    if 'cmake' in program:
        build(settings + ['cmake', '-S', source, '-B', folder] +
              program['cmake'], kind == 'afl')
    else:
        build(settings + ['sh', '-c', 'cd "$0" && exec "$@"', folder,
                          source + '/configure'] + program['configure'],
              kind == 'afl')
    build(['make', '-j2', '-C', folder] + NO_AUTOTOOLS + program['make'],
          kind == 'afl')
    open(os.path.join(folder, 'built'), 'w').close()
    return folder


def command_of(name, kind):
    """The program with its arguments."""
    program = PROGRAMS[name]
    data = make_program(name, 'cfuzz')
    args = [os.path.join(data, word) if '/' in word else word
            for word in program['args']]
    if kind != 'debian':
        return [os.path.join(make_program(name, kind),
                             program['program'])] + args
    path = shutil.which(name)
    if path is None:
        raise Skip(name + ' is not installed')
    return [path] + args


def collect_seeds(name):
    program = PROGRAMS[name]
    folder = fresh('program-seeds')
    for path in sorted(glob.glob(os.path.join(
            SOURCES, program['package'], program['seeds']))):
        if 0 < os.path.getsize(path) <= SEED_MOST:
            shutil.copy(path, folder)
    return folder


def count_edges(command, folders):
    """Of all inputs together, as afl-showmap counts them."""
    inputs = fresh('program-inputs')
    for number_of, folder in enumerate(folders):
        for path in glob.glob(folder + '/*'):
            shutil.copy(path, '%s/%d-%s' % (inputs, number_of,
                                            os.path.basename(path)[:50]))
    done = subprocess.run(
        ['afl-showmap', '-C', '-i', inputs, '-o', os.path.join(DIR, 'map'),
         '--'] + command, env=dict(os.environ, **AFL_ENVIRONMENT),
        check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True)
    found = re.search(r'coverage of (\d+) edges', done.stdout)
    if not found:
        raise Skip('afl-showmap failed: ' + done.stdout[-500:])
    return int(found.group(1))


def measure(name, tool, kind, seeds, seed, core):
    """(executions per second of processor time, by the clock, edges)"""
    options = ('-n',) if (tool, kind) == ('afl', 'debian') else ()
    run = CAMPAIGNS[tool](command_of(name, kind), seeds, SECONDS, seed,
                          {core}, options)
    edges = count_edges(command_of(name, 'afl'), [run.corpus, seeds])
    note_run('programs', name, tool, built=kind, seed=seed, execs=run.execs,
             cpu_s=run.ended.cpu, elapsed_s=run.ended.seconds,
             execs_per_s=run.speed(), edges=edges, crashes=run.found,
             hangs=run.hangs)
    row('  %s, %s' % (tool, kind), [
        number(run.speed()), number(run.clock_speed()), edges, run.found,
        run.hangs])
    return run.speed(), run.clock_speed(), edges


def compare(name, core):
    seeds, rounds = collect_seeds(name), {}
    row(name, ['exec/s of CPU', 'exec/s', 'edges', 'crashes', 'hangs'])
    for seed in range(1, ROUNDS + 1):
        for pair in RUNS:
            try:
                found = measure(name, *pair, seeds, seed, core)
                rounds.setdefault(pair, []).append(found)
            except Skip as e:
                print('programs: %s: %s with %s left out: %s' % (
                    name, pair[0], pair[1], e), flush=True)
    judge(name, rounds)


def median(rounds, pair, column):
    return statistics.median(found[column] for found in rounds[pair])


def judge(name, rounds):
    for what, ours, peer, speed, edges in RATIOS:
        if ours not in rounds or peer not in rounds:
            continue
        by_clock = median(rounds, ours, 1) / median(rounds, peer, 1)
        result('programs', '%s: %s' % (name, what),
               median(rounds, ours, 0) / median(rounds, peer, 0), 'times',
               speed, note='executions; %.3g by the clock' % by_clock)
        if edges is not None:
            result('programs', '%s: %s' % (name, what),
                   median(rounds, ours, 2) / median(rounds, peer, 2), 'times',
                   edges, note='edges')


def figure(cores):
    for name in settings.PROGRAMS or PROGRAMS:
        try:
            compare(name, cores[0])
        except Skip as e:
            print('programs: %s left out: %s' % (name, e), flush=True)
