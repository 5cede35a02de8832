"""What the durability tests share: a short campaign that meets a crash and a
hang, makes both smaller, and what has to hold whatever became of it."""

import json
import os
import re
import shutil
import struct
import subprocess
import sys

PLACE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(PLACE, '..', 'faults'))
from lab import *    # noqa: E402,F401,F403
from lab import CFUZZ, shim    # noqa: E402

# A run that takes longer hangs. It takes a second or two.
HARD_LIMIT = 200

TARGET = one_input('''
	static volatile int n;
	size_t i;

	probe_count();
	if (size > 2 && data[0] == 'C')
		abort();
	if (size > 3 && !memcmp(data, "HHHH", 4))
		for (;;)
			pause();
	for (i = 0; i < size && i < 8 && data[i] == "harmless"[i]; i++)
		n += i;''')
# Each of its deaths costs a start: more processes are begun.
THREADS = TARGET + '#include "%s"\n' % os.path.abspath(os.path.join(
    PLACE, '..', 'targets', 'parts', 'threads.h'))
SEEDS = {'g': b'GGGG', 'h': b'harm', 'crash': b'CCCCCCCC', 'hang': b'HHHHHH'}
KINDS = ('io', 'malloc', 'write', 'sync', 'rename', 'fork', 'mmap',
         'pipe')
OPTIONS = ('--seed', '1', '--fuzztime', '150x', '--timeout',
           '150', '--verify', '1', '--minimizetime', '20x')
SCENARIOS = ('fresh', 'resume', 'threads')


def target(scenario):
    if scenario == 'threads':
        return build(THREADS, 'threads', ('-pthread',))
    return build(TARGET)


def prepare(scenario, past):
    """The folder that the campaign begins with."""
    for name in ('out', 'probe', 'fired', 'full'):
        if os.path.isdir(name):
            shutil.rmtree(name)
        elif os.path.exists(name):
            os.unlink(name)
    if scenario == 'resume':
        subprocess.run(['cp', '-a', past, 'out'], check=True)
    os.makedirs('tmp', exist_ok=True)
    seeds(SEEDS)


def campaign(scenario, env=None, options=()):
    words = ['-j', '2' if scenario == 'threads' else '1', *OPTIONS, *options,
             '--seeds', 'seeds']
    return start(target(scenario), *words, env=dict(
        {'LD_PRELOAD': shim(), 'TMPDIR': os.path.abspath('tmp'),
         'SHIM_FIRED': os.path.abspath('fired')}, **(env or {})))


def make_past(place):
    """A directory that an earlier campaign has left."""
    here = os.getcwd()
    os.makedirs(place)
    os.chdir(place)
    prepare('fresh', None)
    campaign('fresh', options=('--fuzztime', '100x')).end(1)
    os.chdir(here)
    return os.path.join(place, 'out')


def count(scenario, past):
    """({kind: calls}, [the first call of each place that asks for memory])."""
    prepare(scenario, past)
    name = os.path.abspath('counted')
    campaign(scenario, env={'SHIM_COUNT': name}).end(1)
    numbers = struct.unpack('%dq' % len(KINDS), read(name + '.count'))
    calls = dict(zip(KINDS, numbers))
    with open(name + '.sites', 'rb') as f:
        sites = struct.unpack('%dQ' % calls['malloc'],
                              f.read(8 * calls['malloc']))
    first = {}
    for n, site in enumerate(sites):
        first.setdefault(site, n + 1)
    os.unlink(name + '.sites')
    return calls, sorted(first.values())


# ---- what holds -----------------------------------------------------------

def announced(r):
    """{path: bytes} of the files that it said are there."""
    said = re.findall(r'^    (out/\S+/(?:input|minimized))   (\d+) bytes',
                      r.stdout, re.M)
    return {path: int(n) for path, n in said}


def whole(r, promised):
    """Nothing torn, and everything that was promised."""
    for path, n in promised.items():
        check(os.path.exists(path), '%s was announced and is gone: %s', path,
              r.describe())
        # The next run goes on with what the last one had no time for.
        check(os.path.getsize(path) == n or
              path.endswith('/minimized') and os.path.getsize(path) < n,
              'bytes of %s: %d, not %d', path, os.path.getsize(path), n)
        first = b'C' if '/crashes/' in path else b'H'
        equal(read(path)[:1], first, 'the first byte of %s' % path)
    if not os.path.isdir('out'):
        return
    for folder, _, files in os.walk('out'):
        for name in files:
            path = os.path.join(folder, name)
            if name.startswith('.'):
                continue
            if folder == 'out/corpus' or folder.endswith('/more'):
                check(sha(read(path)).startswith(name), 'torn: %s', path)
            elif name.endswith('.json'):
                try:
                    json.loads(read(path))
                except ValueError:
                    fail('torn: %s: %r', path, read(path))
            elif name == 'input':
                check(read(path)[:1] in (b'C', b'H'), 'torn: %s', path)


def gone():
    """Nobody is left, and nothing."""
    wait_for(lambda: reap() or not descendants(), lambda:
             'the end of processes: %s' % descendants(), 20)
    left = os.listdir('tmp')
    check(not left, 'left in the folder for temporary files: %s', left)
    if os.path.isdir('out'):
        check_files('out')


def check_files(out):
    for folder, _, files in os.walk(out):
        for name in files:
            path = os.path.join(folder, name)
            # The next campaign replaces the socket of one that was killed.
            if path != os.path.join(out, 'control.sock'):
                check(os.path.isfile(path) and not os.path.islink(path),
                      'no file: %s', path)


def next_one(scenario, promised):
    """A campaign without any fault uses what is there."""
    r = start(target(scenario), '-j', '1', '--fuzztime', '30x', '--timeout',
              '150', '--verify', '1', '--minimizetime', '0', '--seeds',
              seeds({'g': b'GGGG'}, 'harmless'))
    r.wait(HARD_LIMIT)
    gone()
    check(r.status in (0, 1), 'the next run ends with %d: %s', r.status,
          r.describe())
    whole(r, promised)
    check_output(r)
    return r
