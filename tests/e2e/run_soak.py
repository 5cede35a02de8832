#!/usr/bin/env python3
"""Campaigns on targets that fail in many ways at once, under random limits
and commands, seen from outside: each ends in time, its workers fuzz, none is
started all the time, nothing is left, and the exit status is honest.

SEED=N makes others; SOAK_SECONDS=7200, or make soak, goes on for so long.
"""

import datetime
import os
import random
import re
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
import control             # noqa: E402
from cfuzztest import *    # noqa: E402,F401,F403

SECONDS = float(os.environ.get('SOAK_SECONDS', '8'))
SEED = int(os.environ.get('SEED') or (random.SystemRandom().getrandbits(32)
                                      if 'SOAK_SECONDS' in os.environ else
                                      SEED))
MARGIN = 60      # s: no machine is as slow
FUZZ_S = 2

# What it does wrong is said by bits of the environment.
WAYS = ('crashes', 'leaks', 'counts', 'hangs', 'sleeps', 'exits', 'kills',
        'kills_fork_server', 'threads')
TARGET = '''
#include "probe.h"
#include <signal.h>

static bool
does(const char *way)
{
	const char *ways = getenv("WAYS");

	return ways != NULL && strstr(ways, way) != NULL;
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	return does("threads") ? probe_start_thread() : 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int calls;
	unsigned first = size > 0 ? data[0] : 0;

	calls++;
	if (does("leaks"))
		memset(malloc(1 << 16), 1, 1 << 16);
	if (does("counts") && calls % 300 == 299)
		abort();
	if (does("sleeps"))
		usleep(500);
	if (does("crashes") && first % 16 == 1)
		abort();
	if (does("hangs") && first % 16 == 2)
		for (;;)
			usleep(1000);
	if (does("exits") && first % 16 == 3)
		_exit(3);
	if (does("kills,") && first % 16 == 4)
		raise(first % 32 == 4 ? SIGKILL : SIGUSR1);
	if (does("kills_fork_server") && !does("threads") && first % 16 == 5) {
		kill(getppid(), SIGKILL);
		pause();
	}
	return 0;
}
'''


def some_command(rng, snapshot):
    """A line that a user may send, sense or not."""
    ids = [f['id'] for f in snapshot['findings']] or ['none']
    lines = ['pause', 'resume', 'workers %d' % rng.randint(1, 3),
             'stop %d' % rng.randint(0, 2), 'mutate', 'nonsense',
             'set timeout %d' % rng.choice((50, 100, 300)),
             'set max-len %d' % rng.choice((16, 300, 5000)),
             'set verify %d' % rng.choice((0, 1, 5)),
             'set rss-limit %d' % rng.choice((64, 2048)),
             'replay %s' % rng.choice(ids),
             'minimize %s' % rng.choice(ids),
             'minimize %s held' % rng.choice(ids)]
    return rng.choice(lines)


def size(pid):
    """Resident memory in KiB without files, and open descriptors."""
    try:
        with open('/proc/%d/status' % pid) as f:
            kb = int(re.search(r'RssAnon:\s*(\d+)', f.read()).group(1))
        return kb, len(os.listdir('/proc/%d/fd' % pid))
    except (OSError, AttributeError):
        return None


def starts(log):
    """{worker: [when each of its processes was started, in seconds]}"""
    found = {}
    for when, worker in re.findall(
            r'^(.*) DEBUG worker (\d+): down --spawn', log, re.M):
        found.setdefault(worker, []).append(
            datetime.datetime.fromisoformat(when).timestamp())
    return found


def check_starts(log):
    check(starts(log), 'no start in the log:\n%s', log[:1000])
    for worker, times in starts(log).items():
        for first, sixth in zip(times, times[5:]):
            # The line comes later than the moment that counts.
            check(sixth - first > 0.5, 'worker %s: six starts in %.2f s',
                  worker, sixth - first)


def check_share(r):
    """A quarter for findings, and what was under way in each worker."""
    s = r.stats
    have = 3 * s['elapsed_s'] / 4 + 3 * 1.5
    check(s['triage_time_s'] <= have, 'findings had %.1f s of %.1f',
          s['triage_time_s'], s['elapsed_s'])


def say(c, line):
    """The campaign may have ended meanwhile."""
    try:
        c.send({'command': {'id': c.next_id(), 'line': line}})
    except (BrokenPipeError, ConnectionResetError):
        pass


def steer(rng, r, until):
    """Commands until then; it goes on in the end. How large it was."""
    c = r.control
    sizes = []
    while time.monotonic() < until and not c.bye and not c.closed:
        c.read(rng.random() / 4)
        if c.snapshot is None or c.bye or c.closed:
            continue
        say(c, some_command(rng, c.snapshot))
        if size(r.pid):
            sizes.append(size(r.pid))
    say(c, 'resume')
    return sizes


def campaign(rng, number):
    ways = rng.sample(WAYS, rng.randint(1, 3))
    options = ['-j', rng.randint(1, 3), '--fuzztime', '%ds' % FUZZ_S,
               '--finish-time', 1000, '--debug=debug%d.log' % number,
               '--rss-limit', rng.choice((64, 128, 2048)),
               '--max-len', rng.choice((64, 256, 4096, 1048576)),
               '--verify', rng.choice((0, 1, 5)),
               '--minimizetime', rng.choice(('0', '1s', '60s'))]
    print('     %d: %s %s' % (number, ' '.join(ways),
                              ' '.join(map(str, options))), flush=True)
    r = control.start(build(TARGET, flags=['-pthread']), *options,
                      '--seeds', seeds([b'seed', b'another one']),
                      timeout_ms=rng.choice((50, 100, 500)),
                      out='out%d' % number,
                      env={'WAYS': ','.join(ways) + ','})
    sizes = steer(rng, r, time.monotonic() + FUZZ_S)
    began = time.monotonic()
    c = r.control
    while not c.closed:
        c.read(1)
        check(time.monotonic() - began < FUZZ_S + MARGIN,
              'it does not end:%s', r.describe())
    c.close()
    r.end()
    check(r.status in (0, 1), 'exit status %d:%s', r.status, r.describe())
    check(r.status == 1 or not r.buckets(), 'status 0 beside findings:%s',
          r.describe())
    check_starts(read('debug%d.log' % number).decode(errors='replace'))
    check_share(r)
    grown = [(b[0] - a[0], b[1] - a[1]) for a, b in
             zip(sizes[2:3], sizes[-1:])]
    check(all(kb < 64 << 10 and fds < 40 for kb, fds in grown),
          'the engine has grown by %s (KiB, descriptors)', grown)


@case
def soak():
    print('     SEED=%d' % SEED, flush=True)
    rng = random.Random(SEED)
    end = time.monotonic() + SECONDS
    number = 0
    while number == 0 or time.monotonic() < end:
        campaign(rng, number)
        number += 1


main()
