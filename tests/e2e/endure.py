#!/usr/bin/env python3
"""One long campaign with a fault a second, inside the target and from outside:
memory, descriptors and processes stay as they were, and in twenty minutes or more
speed does, too.

SOAK_SECONDS says how long (make soak: two hours); SEED=N repeats the faults from
outside. Each tenth is told as it ends.
"""

# BEGUN FIRST
import os
import random
import re
import signal
import statistics
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
import control             # noqa: E402
from cfuzztest import *    # noqa: E402,F401,F403

SECONDS = float(os.environ.get('SOAK_SECONDS', '60'))
SEED = int(os.environ.get('SEED') or (random.SystemRandom().getrandbits(32)
                                      if 'SOAK_SECONDS' in os.environ else
                                      SEED))
WORKERS = 2
TENTHS = 10
# From the third tenth, when all kinds of faults have been met, to the last.
GROWTH_KB = 8 << 10
GROWTH_FDS = 8
GROWTH_PROCESSES = 3
SPEED_LEFT = 0.8
SPEED_SECONDS = 1200    # it takes minutes to measure it on a busy machine

# Which second had its fault is known to all processes of a worker.
TARGET = '''
#include "probe.h"
#include <signal.h>
#include <sys/mman.h>
#include <time.h>

static long *last;

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	last = mmap(NULL, sizeof(*last), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	*last = time(NULL);
	return last == MAP_FAILED;
}

static void
overflow(const uint8_t *data, size_t depth)
{
	volatile char room[4096];

	room[0] = (char)depth;
	overflow(data, depth + (size_t)room[0] + 1);
	room[1] = room[0];
}

static void
fail(unsigned way, const uint8_t *data)
{
	switch (way % 9) {
	case 0:
		abort();
	case 1:
		for (;;)
			;
	case 2:
		exit(3);
	case 3:
		raise(SIGKILL);
		break;
	case 4:
		memset(malloc(200 << 20), 1, 200 << 20);
		for (;;)
			usleep(1000);
	case 5:
		overflow(data, 0);
		break;
	case 6:
		if (fork() == 0)
			for (;;)
				pause();
		break;
	case 7:
		for (;;)
			usleep(1000);
	case 8:
		for (int i = 0; i < 100; i++)
			fprintf(stderr, "\\033]0;a title\\007 %d\\n", i);
		break;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static unsigned calls;
	long now;

	if (size > 2 && data[0] == 'a' && data[1] == 'b')
		calls += data[2] == 'c';
	if (++calls % 64 == 0 && (now = time(NULL)) != *last) {
		*last = now;
		fail((unsigned)now, data);
	}
	return 0;
}
'''


def rss_kb(pid):
    """Without files."""
    with open('/proc/%d/status' % pid) as f:
        return int(re.search(r'RssAnon:\s*(\d+)', f.read()).group(1))


def cpu_s(root):
    """Of the processes below, and of those of them that have ended."""
    ticks = 0
    for pid in [root] + [p for p, _, _ in descendants(root)]:
        try:
            with open('/proc/%d/stat' % pid, errors='replace') as f:
                fields = f.read().rsplit(')', 1)[1].split()
        except OSError:
            continue
        ticks += sum(int(field) for field in fields[11:15])
    return ticks / os.sysconf('SC_CLK_TCK')


def disturb(rng, r):
    """A fault from outside, or what a user does."""
    victims = r.workers() + r.children()
    what = rng.randrange(8)
    try:
        if what == 0 and victims:
            os.kill(rng.choice(victims), signal.SIGKILL)
        elif what == 1 and victims:
            pid = rng.choice(victims)
            os.kill(pid, signal.SIGSTOP)
        elif what == 2:
            helpers = [p for p, row in processes().items()
                       if row[0] == r.pid and row[2] == 'cfuzz-symbols']
            for pid in helpers:
                os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    if what == 3:
        r.control.command('pause')
        r.control.command('resume')
    elif what == 4:
        r.control.command('set max-len %d' % rng.choice((64, 256, 1024)))
    elif what == 5:
        r.control.command('workers %d' % (WORKERS + 1))
        r.control.command('workers %d' % WORKERS)


class Sample:
    """What is looked at, over a tenth of the time."""

    def __init__(self):
        self.kb, self.fds, self.processes = [], [], []

    def look(self, r):
        self.kb.append(rss_kb(r.pid))
        # An engine shows them to root alone.
        self.fds.append(len(open_files(r.pid)) if os.getuid() == 0 else 0)
        self.processes.append(len(descendants(r.pid)))

    def end(self, execs, cpu):
        self.kb, self.fds, self.processes = (
            statistics.median(part) for part in
            (self.kb, self.fds, self.processes))
        self.execs = execs
        self.speed = execs / cpu    # other processes take no part in it

    def __str__(self):
        return ('%d KiB, %d descriptors, %d processes, %d executions per '
                'second of processor time' % (self.kb, self.fds,
                                              self.processes, self.speed))


def tenth(rng, r):
    sample = Sample()
    execs, cpu = r.control.next_snapshot()['execs'], cpu_s(r.pid)
    # Of its own: on a busy machine the one before may end late.
    until = time.monotonic() + SECONDS / TENTHS
    while time.monotonic() < until:
        due = min(time.monotonic() + 1, until)
        disturb(rng, r)
        left = due - time.monotonic()
        while left > 0 and not r.control.closed:
            r.control.read(left)
            left = due - time.monotonic()
        sample.look(r)
    sample.end(r.control.next_snapshot()['execs'] - execs,
               cpu_s(r.pid) - cpu)
    return sample


@case
def flat():
    print('     SEED=%d' % SEED, flush=True)
    rng = random.Random(SEED)
    r = control.start(build(TARGET), '-j', WORKERS, '--rss-limit', 128,
                      '--max-len', 256, '--seeds',
                      seeds([b'seed', b'another one']), timeout_ms=100)
    # From the first finding on, the symbols helper is there, too.
    r.control.until(lambda s: s['findings'], 'a finding')
    samples = []
    for _ in range(TENTHS):
        samples.append(tenth(rng, r))
        print('     %s' % samples[-1], flush=True)
    first, last = samples[2], samples[-1]
    check(last.kb - first.kb < GROWTH_KB, 'memory grew by %d KiB',
          last.kb - first.kb)
    check(last.fds - first.fds <= GROWTH_FDS, 'descriptors grew by %d',
          last.fds - first.fds)
    check(last.processes - first.processes <= GROWTH_PROCESSES,
          'processes grew by %d', last.processes - first.processes)
    check(last.execs > 0, 'no executions')
    check(SECONDS < SPEED_SECONDS or last.speed > SPEED_LEFT * first.speed,
          'executions fell from %d to %d per second of processor time',
          first.speed, last.speed)
    r.stop(1)


main()
