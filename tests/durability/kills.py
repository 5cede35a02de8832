"""Processes that are killed at any moment of a campaign."""

import glob
import random
import signal

from campaign import *    # noqa: F401,F403
from terminals import Session    # noqa: E402

SECONDS = 1.6    # of a campaign, within which somebody is killed
HELPERS = ('exe', 'cfuzz-symbols')
ENDLESS = ('--fuzztime', '1h')


def children(pid):
    """Those of its main thread. Not all processes are looked at: a child that dies
    with each input would be gone meanwhile."""
    with open('/proc/%d/task/%d/children' % (pid, pid)) as f:
        return [int(p) for p in f.read().split()]


def below(pid, names=None, others=None):
    """Children of a process that are called so, or are not."""
    found = []
    try:
        for p in children(pid):
            with open('/proc/%d/stat' % p, errors='replace') as f:
                name, rest = f.read().split('(', 1)[1].rsplit(')', 1)
            if rest.split()[0] != 'Z' and (names is None or name in names) and \
                    (others is None or name not in others):
                found.append(p)
    except OSError:
        pass    # gone meanwhile
    return found


def victims(who, engine):
    if who == 'engine':
        return [engine]
    if who == 'helper':
        return below(engine, HELPERS)
    fork_servers = below(engine, others=HELPERS)
    if who == 'fork-server':
        return fork_servers
    return [p for k in fork_servers for p in below(k)]


def strike(who, engine, over, rng):
    """Kills one at a random moment, or as soon as there is one: whether."""
    moment = time.monotonic() + rng.uniform(0, SECONDS)
    while not over():
        if time.monotonic() > moment:
            for pid in victims(who, engine()):
                try:
                    os.kill(pid, signal.SIGKILL)
                    return True
                except ProcessLookupError:
                    pass
        time.sleep(0.002)
    return False


def no_segments(before):
    wait_for(lambda: not shared_memory_left() - before, lambda:
             'the end of shared memory: %s' % (shared_memory_left() - before),
             60)


def found_all():
    return all(glob.glob('out/%s/*/crash.json' % kind)
               for kind in ('crashes', 'hangs'))


def kill_headless(case, past):
    """Somebody of `cfuzz run`."""
    scenario, _, n, who = case
    before = shared_memory_left()
    prepare(scenario, past)
    r = campaign(scenario, env={'LD_PRELOAD': ''}, options=ENDLESS)
    begin = time.monotonic()

    def over():
        return r.process.poll() is not None or found_all() and \
            time.monotonic() > begin + 2

    # On a busy machine a child may be gone before it is killed, again and again.
    struck = strike(who, lambda: r.pid, lambda: over() and
                    time.monotonic() > begin + 20, random.Random(str(case)))
    # Whoever is left finds all, however slow the machine is.
    wait_for(over, lambda: 'all findings: ' + r.describe(), HARD_LIMIT)
    if r.process.poll() is None:
        r.signal(signal.SIGINT)
    r.wait(HARD_LIMIT)
    gone()
    promised = announced(r)
    no_segments(before)
    if who == 'engine' and struck:
        equal(r.status, -signal.SIGKILL, 'the engine\'s end')
    else:
        check_survivor(r)
    whole(r, promised)
    next_one(scenario, promised)
    return struck


def check_survivor(r):
    """It went on and found what there is."""
    if r.status == 2:    # there was no campaign yet
        check('killed' in r.stderr + r.stdout, 'it does not say why: %s',
              r.describe())
        return
    equal(r.status, 1, 'exit status (%s)' % r.describe())
    kinds = {b.folder.split('/')[0] for b in r.buckets()}
    equal(kinds, {'crashes', 'hangs'}, 'findings (%s)' % r.describe())
    for b in r.buckets():
        check(b.input[:1] in (b'C', b'H'), 'a finding with %r', b.input)
    check_output(r)


# ---- with the console -----------------------------------------------------

class Console(Session):
    def __init__(self, scenario):
        super().__init__(
            [os.path.join(BUILD, 'cfuzz-tui'), '--stop-on-hangup', '-o', 'out',
             '-j', '1', *OPTIONS,
             '--fuzztime', '1h', '--seeds', 'seeds', target(scenario)],
            env={'TMPDIR': os.path.abspath('tmp'),
                 'PROBE': os.path.abspath('probe')}, feed=False)

    def parts(self):
        """(console, engine): which of the two has workers is the engine."""
        found = sorted(below(self.job, ('cfuzz-tui',)))
        engine = [p for p in found if os.getsid(p) == p]
        console = [p for p in found if os.getsid(p) != p]
        return console, engine

    def find(self, who):
        if who == 'launcher':
            return [self.job]
        try:
            console, engine = self.parts()
        except ProcessLookupError:
            return []
        return console if who == 'console' else engine


def kill_console(case, past):
    """The console, its launcher or its engine."""
    scenario, _, n, who = case
    before = shared_memory_left()
    prepare(scenario, past)
    os.makedirs('probe', exist_ok=True)
    s = Console(scenario)
    rng = random.Random(str(case))
    moment = time.monotonic() + rng.uniform(0, SECONDS)
    struck = False
    while s.status is None and not struck:
        s.pump(0.005)
        if time.monotonic() < moment:
            continue
        for pid in s.find(who)[:1]:
            os.kill(pid, signal.SIGKILL)
            struck = True
    end = time.monotonic() + HARD_LIMIT
    while s.status is None:
        check(time.monotonic() < end, 'it does not end: %r', s.seen[-500:])
        s.pump(0.05)
    while s.pump():
        pass
    if who != 'launcher':    # nobody is there who could put it in order
        s.as_before()
    s.close()
    gone()
    no_segments(before)
    whole(None, {})
    next_one(scenario, {})
    return struck


def cases(scenario, times):
    for who in ('engine', 'fork-server', 'child', 'helper'):
        for n in range(times):
            yield kill_headless, (scenario, 'kill', n, who)
    for who in ('console', 'launcher', 'engine'):
        for n in range(times):
            yield kill_console, (scenario, 'tui', n, who)
