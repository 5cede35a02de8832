#!/usr/bin/env python3
"""The demonstration target: its three bugs are found, and told apart."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403

DEMO = os.path.join(BUILD, 'demo')
DICT = os.path.join(SRC, 'src', 'demo', 'tiles.dict')
BUGS = {    # where, and what: the depth grows
    ('read_comment', 'heap-buffer-overflow'),
    ('fill_run', 'heap-buffer-overflow'),
    ('move_tiles', 'heap-use-after-free'),
}
# Pictures that just reach each of them.
REACH = {
    'read_comment': b'TILE\4\4C\1x',
    'fill_run': b'TILE\4\4P\3abcT\6\0\0\1\1\xff\0',
    'move_tiles': b'TILE\4\4P\3abcT\6\0\0\1\1\0\0D\1\0M\2\0\1',
}


def bugs(r):
    """The function and the kind of each finding.

    An overflow of the last block before memory that is not mapped yet is a
    SEGV, as no redzone of AddressSanitizer follows: a bug that is in BUGS.
    """
    found = sorted((b.info['where'].split(' ')[0], b.info['what'])
                   for b in r.buckets())
    return [(function, what) for function, what in found
            if what != 'SEGV' or function not in REACH]


@case
def campaign():
    # From nothing, by executions: a slow machine takes its time. Each is one
    # finding, and there is no fourth.
    r = run(DEMO, '-j', 1, '--deterministic', '--fuzztime', '500000x',
            '--dict', DICT, '--minimizetime', 0, status=1)
    found = bugs(r)
    check(set(found) <= BUGS, 'there are others: %s', found)
    equal(len(found), len(set(found)), 'findings, of as many bugs')
    check(('read_comment', 'heap-buffer-overflow') in found,
          'the first is not found: %s', found)


@case
def three_depths():
    # A picture for each, far apart from the others.
    r = run(DEMO, '-j', 1, '--fuzztime', '2000x', '--seed', 1, '--seeds',
            seeds(list(REACH.values())), '--minimizetime', 0, status=1)
    found = bugs(r)
    equal(found, sorted(BUGS), 'the bugs')


if not os.path.exists(DEMO):
    print('there is no demo')
    sys.exit(77)
main()
