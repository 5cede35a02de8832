"""Small programs that measure one part of src/shared: texts and mutators."""

import glob
import os
import subprocess

from results import note_run, result
from settings import DIR, HERE
from targets import build, fresh

FROM = 1024    # bytes; below, what there is to do once is most of it


def measure(name):
    """Builds tests/bench/NAME.c with src/shared; the words of its lines."""
    source = os.path.join(HERE, '..', '..', 'src')
    program = os.path.join(fresh(name), name)
    files = [path for path in sorted(glob.glob(source + '/shared/**/*.c',
                                              recursive=True))
             if not os.path.basename(path).startswith('rpc')]
    build(['cc', '-O2', '-D_GNU_SOURCE', '-I' + source,
           os.path.join(HERE, name + '.c')] + files + ['-o', program])
    done = subprocess.run([program], stdout=subprocess.PIPE, check=True,
                          text=True, cwd=DIR)
    return [line.split() for line in done.stdout.splitlines()]


def mutate(cores):
    """A mutation costs what it changes, not what it might."""
    del cores
    ratios = []
    for name, size, small, large in measure('mutate'):
        note_run('mutate', name, 'cfuzz', size=int(size), ns=float(large))
        ratios.append(float(large) / float(small))
        print('    %-10s %7s bytes %10s ns' % (name, size, large))
    result('mutate', 'a mutation with a capacity of 100 MiB', max(ratios),
           'times', 2, below=True, note='the worst, against a small capacity')


def encoding(cores):
    """Time per byte must not grow with the size."""
    del cores
    rows = [[float(cell) for cell in row] for row in measure('encoding')]
    for size, encoded, decoded in rows:
        note_run('encoding', 'bytes', 'cfuzz', size=size,
                 encode_ns=encoded, decode_ns=decoded)
    for column, what in (1, 'written'), (2, 'read'):
        times = [row[column] for row in rows if row[0] >= FROM]
        result('encoding', 'texts of 1 KiB to 1 MiB are ' + what,
               max(times) / min(times), 'times', 1.5, below=True,
               note='the slowest size against the fastest; %.1f ns per byte '
                    'of 1 MiB' % times[-1])
