#!/bin/sh
# Each mutant of tests/mutants still applies: its lines stand once in their file,
# and its tests exist. Whether the tests notice it, `make check-mutants` sees.

set -u
cd "$(dirname "$0")/../.." || exit 1
exec tests/mutants/run.py --check
