#!/usr/bin/env python3
"""Twenty bugs, twenty findings: none twice, none in another's folder, and what
is kept fails so again."""

# BEGUN FIRST
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403
from planted import *    # noqa: E402,F401,F403

def reproducers(bucket):
    return [os.path.join(bucket.path, name) for name in
            ['input'] + ['minimized'] * bucket.has('minimized')]


def wrong_reproducers(target, buckets, options):
    """Files that fail otherwise, or not at all, when they are run again."""
    wrong = []
    for bucket in buckets:
        for path in reproducers(bucket):
            status, out = repro(target, path, options=options)
            if status != 1 or ' fails: %s' % bucket.info['what'] not in out:
                wrong.append('%s: %s' % (path, out[:300]))
    return wrong


def strayed_reproducers(r, options):
    """How often each bucket was not seen again, though its reproducers are
    the seeds of a campaign that goes on."""
    files = {'%02d-%s' % (i, os.path.basename(path)): read(path)
             for i, b in enumerate(r.buckets()) for path in reproducers(b)}
    want = {b.folder: b.info['count'] + len({sha(read(p)) for p in
            reproducers(b)}) for b in r.buckets()}
    again = run(r.target, '-j', 1, '--fuzztime', '%dx' % len(set(files.values())),
                '--minimizetime', 0, '--verify', 0, '--seeds',
                seeds(files, 'again'), *options,
                status=1, patience=4 * PATIENCE)
    got = {b.folder: b.info['count'] for b in again.buckets()}
    return {f: got.get(f, 0) - want.get(f, 0)
            for f in set(want) | set(got) if got.get(f) != want.get(f)}


@each(('plain -O0', '-O0', []), ('plain -O2', '-O2', []),
      ('sanitizers -O0', '-O0', SANITIZERS),
      ('sanitizers -O2', '-O2', SANITIZERS))
def planted(optimize, flags):
    target = build_planted(optimize, flags)
    limits = ['--timeout', '4000', '--rss-limit', '150']
    r = run(target, '-j', 2, '--fuzztime', '4000x', '--minimizetime', '60x',
            '--verify', 1, '--seeds', seeds(planted_seeds()), *limits,
            status=1, patience=4 * PATIENCE)
    buckets = r.buckets()
    of = {letter: [b for b in buckets if letter in letters_of(b)]
          for letter in LETTERS}
    merges = [b for b in buckets if len(letters_of(b)) > 1]
    splits = {l: [b.info['identity'] for b in found]
              for l, found in of.items() if len(found) > 1}
    missed = [l for l, found in of.items() if not found]
    wrong = wrong_reproducers(target, buckets, limits)
    signatures = sum(len(b.info['signatures']) for b in buckets)
    strayed = strayed_reproducers(r, limits)
    print('   %s: %d buckets of %d signatures, %d false merges, %d false '
          'splits, %d wrong reproducers' % (
              CURRENT[0], len(buckets), signatures, len(merges),
              len(splits), len(wrong) + len(strayed)))
    equal(missed, [], 'bugs that were not found')
    equal([(b.folder, letters_of(b)) for b in merges], [], 'false merges')
    equal(splits, {}, 'false splits')
    equal(len(buckets), len(LETTERS), 'buckets')
    equal(wrong, [], 'wrong reproducers')
    equal(strayed, {}, 'reproducers of other buckets')
    check(signatures > len(buckets), 'nothing was merged')


main()
