#!/usr/bin/env python3
"""The target of tests/faults is one for other fuzzers, too: with the same source
they can be measured beside us.
"""

import glob
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403

TESTS = os.path.join(SRC, 'tests')


@each(('libFuzzer', 'clang'), ('afl', 'afl-clang-fast'))
def other_fuzzer(compiler):
    if shutil.which(compiler) is None:
        raise Skip('no %s' % compiler)
    done = subprocess.run(
        [compiler, '-g', '-O1', '-fsanitize=fuzzer', '-pthread',
         '-I' + os.path.join(TESTS, 'e2e', 'lib'),
         '-I' + os.path.join(SRC, 'include'), '-o', 'target'] +
        glob.glob(os.path.join(TESTS, 'faults', 'target', '*.c')) + ['-ldl'],
        capture_output=True, text=True)
    if done.returncode != 0 and 'libclang_rt.fuzzer' in done.stderr:
        raise Skip('clang has no libFuzzer')
    equal(done.returncode, 0, 'status of %s: %s' % (compiler, done.stderr))
    for data, fails in ((b'Fault', True), (b'none', False)):
        with open('input', 'wb') as f:
            f.write(data)
        status = subprocess.run(['./target', 'input'], capture_output=True,
                                env=dict(os.environ, FAULT='abort')).returncode
        equal(status != 0, fails, 'of %r it fails' % data)


main()
