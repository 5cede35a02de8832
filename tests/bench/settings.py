"""What run.sh and the environment say: folders, and how long to measure."""

import os


def least(name, default, low=1):
    return max(low, int(os.environ.get(name) or default))


SRC = os.environ['CFUZZ_SRC']
BUILD = os.environ['CFUZZ_BUILD']
DIR = os.environ['BENCH_DIR']
SOURCES = os.environ['BENCH_SOURCES']
SECONDS = least('BENCH_SECONDS', 60)
ROUNDS = least('BENCH_ROUNDS', 3)
SEED_COUNT = least('BENCH_SEEDS', 5)
PUZZLES = os.environ.get('BENCH_PUZZLES', '').split()    # none: all
PROGRAMS = os.environ.get('BENCH_PROGRAMS', '').split()  # none: all
TOOLS = os.environ.get('BENCH_TOOLS', '').split()        # none: all
HERE = os.path.dirname(os.path.abspath(__file__))
REAL = os.path.join(SRC, 'tests', 'real')
SEEDS = os.path.join(REAL, 'seeds')
CFUZZ = os.path.join(BUILD, 'cfuzz')


class Skip(Exception):
    """This machine lacks what a figure needs."""
