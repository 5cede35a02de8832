#!/usr/bin/env python3
"""Whether a bug that was put back was found, and all that follows.

usage: bug.py NAME OUTPUT TARGET EXPECTED    (of `cfuzz run -o OUTPUT`)
       bug.py --head

EXPECTED is "WHAT ACCESS WHERE", regular expressions, - for any access.
"""

import json
import os
import re
import subprocess
import sys

COLUMNS = (('library', -9), ('found after', 11), ('bytes', 8), ('minimized', 10),
           ('repro', 7), ('buckets', 8), ('what', 0))


def row(cells):
    return ' '.join('%*s' % (width, cell) if width else str(cell)
                    for (_, width), cell in zip(COLUMNS, cells))


def cfuzz(*words):
    return subprocess.run(['cfuzz', *words], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)


def is_it(finding, what, access, where):
    return (re.search(what, finding['what']) and
            (access == '-' or access in finding['text']) and
            re.search(where, finding['where']))


def problem(output, target, finding, path):
    """None: it is minimized, fails again alone, and is shown."""
    if not finding['minimized_len']:
        return 'it was not minimized'
    again = cfuzz('repro', target, os.path.join(path, 'minimized'))
    if again.returncode != 1:
        return 'the minimized input does not fail: ' + again.stdout[-500:]
    shown = cfuzz('show', output, finding['id'])
    if shown.returncode != 0 or finding['where'].split()[0] not in \
            shown.stdout:
        return 'cfuzz show does not show it: ' + shown.stdout[-500:]
    return None


def main():
    if sys.argv[1:] == ['--head']:
        print(row([name for name, _ in COLUMNS]))
        return 0
    name, output, target, expected = sys.argv[1:]
    what, access, where = expected.split()
    listed = cfuzz('findings', output, '--json')
    if listed.returncode not in (0, 1):
        print('%s: no findings: %s' % (name, listed.stdout[-500:]))
        return 1
    findings = json.loads(listed.stdout)
    if isinstance(findings, dict):
        findings = findings['findings']
    found = [f for f in findings if is_it(f, what, access, where)]
    if len(found) != 1:
        print('%s: %d findings are the bug, of: %s' % (
            name, len(found), ', '.join('%s in %s' % (f['what'], f['where'])
                                        for f in findings) or 'none'))
        return 1
    path = os.path.join(output, found[0]['folder'])
    why = problem(output, target, found[0], path)
    if why:
        print('%s: %s' % (name, why))
        return 1
    with open(os.path.join(path, 'crash.json'), encoding='utf-8') as f:
        info = json.load(f)
    print(row([name, '%.1f s' % info['first_s'], info['len'],
               info['minimized_len'], '%d/%d' % (info['reproduced'],
                                                 info['replays']),
               len(findings), '%s in %s' % (info['what'], info['where'])]))
    return 0


sys.exit(main())
