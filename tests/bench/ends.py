"""How late the end of a campaign comes, by its limit and by a signal, and
whatever the target is at."""

import os
import signal
import statistics
import time

from process import run
from results import result
from settings import CFUZZ, ROUNDS
from targets import fresh, target

FUZZ = 2        # seconds of fuzzing until the limit, or the signal
NOT_HANGING = 0.3
ANY = 2.5

# what the target does, options, the goal
CASES = (
    ('plain', [], NOT_HANGING),
    ('dies', [], ANY),
    ('hangs', ['--timeout', '60s'], ANY),
    ('leaks', ['--rss-limit', '96'], ANY),
    ('counts', [], ANY),
)


def campaign(path, mode, *options, watch=None):
    return run([CFUZZ, 'run', '-o', fresh('out'), '-j', '1', '--max-len', '256',
                *options, path], env={'BENCH_ENDS': mode}, seconds=FUZZ,
               watch=watch)


def by_limit(path, mode, options):
    ended = campaign(path, mode, '--fuzztime', '%ds' % FUZZ, *options)
    return ended.seconds - FUZZ    # with the start, which takes little


def by_signal(path, mode, options):
    began = time.monotonic()
    sent = []

    def interrupt(pid):
        if not sent and time.monotonic() - began > FUZZ:
            sent.append(time.monotonic() - began)
            os.kill(pid, signal.SIGINT)
    ended = campaign(path, mode, *options, watch=interrupt)
    return ended.seconds - sent[0]


def figure(cores):
    del cores
    builds = (('', target('ends')),
              (', threads', target('ends', flags=(
                  '-O2', '-g', '-pthread', '-DTHREADS'), kind='threads')))
    for way, what in ((by_limit, 'limit'), (by_signal, 'signal')):
        for suffix, path in builds:
            for mode, options, goal in CASES:
                late = [way(path, mode, options) for _ in range(max(
                    3, ROUNDS))]
                result('ends', 'end after its %s, %s%s' % (
                    what, mode, suffix), statistics.median(late), 's', goal,
                    True, 'most %.3g' % max(late))
