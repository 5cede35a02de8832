"""What the tests of the search share: targets of many cases, and a run that is
the same each time."""

PLAIN = ['-O0']    # each case of a switch keeps a place of its own

# A seed always gives the same run: limits are executions, never times.
SAME = ('-j', 1, '--seed', 1, '--deterministic')

SINK = 'static volatile int sink;\n'


def cases(n):
    """So many cases of a switch, each with counters of its own."""
    return ''.join('\tcase %d:\n\t\tsink += %d;\n\t\tbreak;\n' % (i, 3 * i + 1)
                   for i in range(n))
