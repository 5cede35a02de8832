#!/usr/bin/env python3
"""One line of the table of check-real, and a verdict.

usage: report.py NAME OUTPUT STATUS    (of `cfuzz run -o OUTPUT`)
       report.py --head
"""

import json
import os
import sys

MARKS = (1, 5, 15, 30)        # seconds
EXECS_MIN = 100_000           # in a minute; less for less
BITS_MIN = 100                # more than the seed reached
COLUMNS = (('target', 11), ('execs', 12), ('exec/s', 9)) + tuple(
    ('bits %d s' % mark, 11) for mark in MARKS) + (
        ('bits end', 10), ('corpus', 8), ('findings', 10))


def row(cells):
    line = ''
    for (name, width), cell in zip(COLUMNS, cells):
        line += '%-*s' % (width, cell) if name == 'target' else \
            '%*s' % (width, cell)
    return line


def read_journal(path):
    events = []
    with open(path, encoding='utf-8', errors='replace') as f:
        for line in f:
            try:
                events.append(json.loads(line))
            except ValueError:
                pass
    return [e for e in events if isinstance(e, dict)]


def coverage_at(events, total, mark):
    """Bits after `mark` seconds. The journal has what each find added; what
    the seeds reached is the rest of the total."""
    finds = [e for e in events if e.get('event') == 'find']
    base = total - sum(e['bits'] for e in finds)
    return base + sum(e['bits'] for e in finds if e['at_s'] <= mark)


def verdict(stats, events, status):
    bits = stats['coverage_bits']
    grown = bits - coverage_at(events, bits, -1)
    least = EXECS_MIN * min(1, stats['elapsed_s'] / 60)
    if status not in (0, 1):
        return 'cfuzz run ended with exit status %d' % status
    if stats['execs'] < least:
        return '%d executions, fewer than %d' % (stats['execs'], least)
    if grown < BITS_MIN:
        return 'coverage grew by %d bits, less than %d' % (grown, BITS_MIN)
    return None


def main():
    if sys.argv[1:] == ['--head']:
        print(row(name for name, _ in COLUMNS), flush=True)
        return 0
    name, output, status = sys.argv[1], sys.argv[2], int(sys.argv[3])
    try:
        with open(os.path.join(output, 'stats.json')) as f:
            stats = json.load(f)
        events = read_journal(os.path.join(output, 'journal.jsonl'))
    except (OSError, ValueError) as e:
        print('%s: exit status %d, %s' % (name, status, e), file=sys.stderr)
        return 1
    bits = stats['coverage_bits']
    found = sum(stats.get(k, 0) for k in ('crashes', 'hangs', 'ooms',
                                          'leaks'))
    print(row([name, stats['execs'],
               round(stats['execs'] / max(stats['elapsed_s'], 0.001))] +
              [coverage_at(events, bits, mark)
               if mark <= stats['elapsed_s'] + 1 else '-'
               for mark in MARKS] + [bits, stats['corpus'], found]), flush=True)
    problem = verdict(stats, events, status)
    if problem:
        print('%s: %s' % (name, problem), file=sys.stderr)
    return 1 if problem else 0


if __name__ == '__main__':
    sys.exit(main())
