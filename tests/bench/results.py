"""Figures as they come: a line each, with its goal, and kept for JSON."""

import math

results = []     # one per line that was printed
runs = []        # what they were computed from: one per run of a tool
NEVER = math.inf    # a puzzle that was not solved


def number(value):
    if value == NEVER:
        return 'never'
    if value >= 100 or value == int(value):
        return '{:,}'.format(round(value)).replace(',', ' ')
    return '%.3g' % value


def result(figure, name, value, unit, goal=None, below=False, note=''):
    """A goal is a least value, or (below) a value that is not reached."""
    met = None if goal is None else value < goal if below else value >= goal
    results.append({'figure': figure, 'name': name,
                    'value': None if value == NEVER else value,
                    'unit': unit, 'goal': goal,
                    'goal_is': 'below' if below else 'at least',
                    'met': met, 'note': note})
    wish = '' if goal is None else '%s %s' % ('<' if below else '>=',
                                              number(goal))
    verdict = {None: '', True: 'ok', False: 'MISSED'}[met]
    print(('%-40s %12s %-7s %-12s %-7s %s' % (
        name, number(value), unit, wish, verdict, note)).rstrip(), flush=True)


def note_run(figure, target, tool, **values):
    runs.append(dict(values, figure=figure, target=target, tool=tool))


def row(name, cells, width=13):
    print(('%-16s' % name + ''.join('%*s' % (width, c) for c in cells)
           ).rstrip(), flush=True)


def geometric(values):
    """The geometric mean of positive numbers."""
    logs = [math.log(max(v, 1e-9)) for v in values]
    return math.exp(sum(logs) / len(logs))
