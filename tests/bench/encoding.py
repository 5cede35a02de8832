"""Texts of typed inputs: time per byte, which must not grow with the size."""

import glob
import os
import subprocess

from results import note_run, result
from settings import DIR, HERE
from targets import build, fresh

FROM = 1024    # bytes; below, what there is to do once is most of it


def figure(cores):
    del cores
    source = os.path.join(HERE, '..', '..', 'src')
    program = os.path.join(fresh('encoding'), 'encoding')
    files = [path for path in sorted(glob.glob(source + '/shared/*.c'))
             if not os.path.basename(path).startswith('rpc')]
    build(['cc', '-O2', '-D_GNU_SOURCE', '-I' + source,
           os.path.join(HERE, 'encoding.c')] + files + ['-o', program])
    done = subprocess.run([program], stdout=subprocess.PIPE, check=True,
                          text=True, cwd=DIR)
    rows = [[float(cell) for cell in line.split()]
            for line in done.stdout.splitlines()]
    for size, encoded, decoded in rows:
        note_run('encoding', 'bytes', 'cfuzz', size=size,
                 encode_ns=encoded, decode_ns=decoded)
    for column, what in (1, 'written'), (2, 'read'):
        times = [row[column] for row in rows if row[0] >= FROM]
        result('encoding', 'texts of 1 KiB to 1 MiB are ' + what,
               max(times) / min(times), 'times', 1.5, below=True,
               note='the slowest size against the fastest; %.1f ns per byte '
                    'of 1 MiB' % times[-1])
