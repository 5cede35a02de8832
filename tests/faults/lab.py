"""What the fault table shares: the target of all faults, campaigns on it that
are watched from outside, and the rules that hold in every case.

    alive       the engine answers a question in time, always
    nobody      no process is left soon after the end
    nothing     no shared memory, temporary file or socket is left
    whole       files are whole, named after their content, for the owner alone
    classed     a failure is told as what it is, and as nothing else
    true        what is kept is what the target had, and fails again
    goes on     executions go on after the fault
    bounded     what is printed, kept and remembered has a limit
    restored    a terminal is as it was (terminals.py)
    clean       no control character from outside reaches the terminal
    honest      the exit status tells what happened
"""

import hashlib
import os
import re
import resource
import subprocess
import sys
import time

FAULTS = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FAULTS, '..', 'e2e', 'lib'))
import control    # noqa: E402
from cfuzztest import *    # noqa: E402,F401,F403
from cfuzztest import BUILD, CFUZZ, SRC    # noqa: E402

# Seconds. The promises are shorter; a loaded machine is not to blame.
ANSWER_MAX = 10.0
GONE_MAX = 45.0
OUTPUT_MAX = 1 << 20
MEMORY_MAX = 160 << 10    # KiB that the engine grows by, its corpus included
# What a machine may be missing is no fault of the program.
ALONE = os.environ.get('FAULTS_ALONE') == '1'    # a pid namespace of our own


# ---- the table ------------------------------------------------------------

class Row:
    """One fault, with all the ways it is provoked in."""

    def __init__(self, name, title, ways, limit, core):
        self.name, self.title, self.ways = name, title, ways
        self.limit, self.core = limit, core


class Way:
    """One way to provoke it."""

    common = False    # one of those that any fuzzer can be asked to survive

    def __init__(self, name, function, args=()):
        self.name, self.function, self.args = name, function, args


ROWS = []


def row(name, title, *ways, limit=300, core=False):
    """Adds a row of the table."""
    ROWS.append(Row(name, title, list(ways), limit, core))


def way(function, *args):
    name = args[0] if args else function.__name__.replace('_', ' ')
    return Way(name, function, args)


def shown_by(test, *cases):
    """Ways that end-to-end tests show already: all cases that begin so."""
    return [Way('%s: %s' % (test, case), run_test, (test, case))
            for case in cases]


def run_test(test, case):
    done = subprocess.run(
        [os.path.join(SRC, 'tests', 'e2e', test), case],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True)
    lines = done.stdout.splitlines()
    if done.returncode == 77:    # none of them can run here; why stands last
        last = lines[-1] if lines else ''
        raise Skip(last.partition(': ')[2] if last.startswith('skip ') else
                   last)
    check(done.returncode == 0, '%s', '\n'.join(lines[-40:]))
    check(any(line.startswith('ok ') for line in lines),
          'there is no case "%s" in %s', case, test)


def run_unit(name):
    """A unit test shows it, where no whole program can."""
    program = os.path.join(BUILD, 'tests', name)
    if not os.path.exists(program):
        raise Skip('%s is not built: make tests' % name)
    status, out, err = tool(program)
    check(status == 0, '%s', (out + err)[-2000:])


def in_units(*names):
    return [Way('unit test %s' % name, run_unit, (name,)) for name in names]


# ---- the target -----------------------------------------------------------

def compile_once(name, tool_name, sources, flags=(), env=None):
    """A program of tests/faults, built once for these sources and tools."""
    text = [os.path.join(BUILD, n) for n in ('cfuzz-cc', 'libcfuzz.a')]
    digest = hashlib.sha256(repr((flags, [
        (p, read(p) if p.endswith(('.c', '.h')) else os.stat(p).st_mtime_ns)
        for p in sorted(sources) + text])).encode()).hexdigest()[:12]
    folder = os.path.join(BUILD, 'faults')
    path = os.path.join(folder, '%s-%s' % (name, digest))
    if os.path.exists(path):
        return path
    os.makedirs(folder, exist_ok=True)
    part = '%s.part-%d' % (path, os.getpid())
    done = subprocess.run(
        [tool_name, '-g', '-O1', '-w', '-I' + os.path.join(SRC, 'tests/e2e/lib'),
         '-I' + os.path.join(SRC, 'include'), '-o', part,
         *[s for s in sources if s.endswith('.c')], *flags],
        env=dict(os.environ, CFUZZ_QUIET='1', **(env or {})),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    check(done.returncode == 0, '%s does not build:\n%s', name, done.stdout)
    os.rename(part, path)
    return path


def fault_target(*flags):
    """The target of all faults, compiled for cfuzz."""
    folder = os.path.join(FAULTS, 'target')
    sources = [os.path.join(folder, n) for n in sorted(os.listdir(folder))
               if n.endswith(('.c', '.h'))]
    return compile_once('target' + ''.join(flags).replace('/', ''),
                        os.path.join(BUILD, 'cfuzz-cc'), sources,
                        ('-pthread', '-ldl') + flags)


def shim():
    """A library for LD_PRELOAD that lets system calls of cfuzz fail."""
    return compile_once('shim.so', 'cc', [os.path.join(FAULTS, 'shim.c')],
                        ('-shared', '-fPIC', '-ldl'))


# ---- campaigns ------------------------------------------------------------

class Watched(control.ControlledRun):
    """cfuzz run on the fault target, watched until its end."""

    def __init__(self, fault, *options, target=None, env=None, files=None,
                 **more):
        self.fault = fault
        self.slowest = 0.0    # seconds to an answer
        self.memory = []      # KiB of the engine, sampled
        self.rss = 0
        words = list(map(str, options))
        if '-j' not in words:
            words = ['-j', '1'] + words
        if '--seeds' not in words:
            # Few executions may not come to it by themselves.
            few = [b'FFFF'] if '--fuzztime' in words else []
            words += ['--seeds', seeds(files or [b'GGGG', b'harm'] + few)]
        if '--timeout' not in words:
            words += ['--timeout', '300']
        super().__init__(target or fault_target(), words,
                         env=dict({'FAULT': fault}, **(env or {})), **more)

    def sample(self):
        try:
            with open('/proc/%d/status' % self.pid) as f:
                found = re.search(r'VmRSS:\s*(\d+)', f.read())
        except OSError:
            return
        if found:
            self.memory.append(int(found.group(1)))

    def ping(self):
        """A question, and how long its answer takes."""
        c, n = self.control, None
        begin = time.monotonic()
        try:
            n = c.ask('corpus', first=0, count=1)
            while n not in c.replies and not c.closed and not c.bye:
                c.read(0.02)
                check(time.monotonic() - begin < PATIENCE,
                      'the engine does not answer: %s', self.describe())
        except OSError:
            c.closed = True
        if c.replies.pop(n, None):
            self.slowest = max(self.slowest, time.monotonic() - begin)

    def watch(self, until=lambda: False, patience=PATIENCE):
        """Asks and looks until it ends, or the condition holds."""
        end = time.monotonic() + patience
        while not self.control.closed and not self.control.bye and \
                self.process.poll() is None:
            if until():
                return self
            check(time.monotonic() < end, 'it does not end in %d s: %s',
                  patience, self.describe())
            self.ping()
            self.sample()
            pause = time.monotonic() + 0.05
            while time.monotonic() < pause and not self.control.closed:
                self.control.read(0.02)
        self.control.close()
        return self

    def past_the_fault(self, n):
        """It has come to the fault, and executes n more; then it stops."""
        self.watch(lambda: self.number('failures') > 0)
        calls = self.calls + n
        self.watch(lambda: self.calls >= calls)
        if self.process.poll() is None and not self.control.closed:
            self.control.command('stop')
        check(self.calls >= calls, 'only %d executions of %d: %s',
              self.calls, calls, self.describe())
        return self

    def over(self, status=None, patience=PATIENCE):
        """Its end, and what holds after each."""
        self.watch(patience=patience)
        self.wait(patience)
        check(self.status >= 0, 'the engine died of signal %d: %s',
              -self.status, self.describe())
        wait_for(lambda: reap() or not descendants(), lambda:
                 'the end of processes: %s' % descendants(), GONE_MAX)
        if self.status in (0, 1):
            check_output(self)
        self.check_bounds()
        no_residue()
        if status is not None:
            check(self.status in (status if isinstance(status, tuple) else
                                  (status,)),
                  'exit status %d, not %s: %s', self.status, status,
                  self.describe())
        return self

    def check_bounds(self):
        check(self.slowest < ANSWER_MAX, 'an answer took %.1f s',
              self.slowest)
        for name, text in (('stdout', self.stdout), ('stderr', self.stderr)):
            check(len(text) < OUTPUT_MAX, '%d bytes on %s', len(text), name)
            bad = re.search(r'[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e'
                            r'\u2066-\u2069]', text)
            check(not bad, 'a control character is printed: %r',
                  bad and text[max(0, bad.start() - 40):bad.end() + 20])
        if self.memory:
            check(max(self.memory) < self.memory[0] + MEMORY_MAX,
                  'the engine grew from %d to %d KiB', self.memory[0],
                  max(self.memory))

    def went_on(self, n):
        """All of its executions, and most of them without the fault."""
        check(self.stats['execs'] >= n, 'only %d executions of %d: %s',
              self.stats['execs'], n, self.describe())


def no_residue():
    """Nothing in memory or folders that outlives the processes."""
    for folder in (os.environ.get('TMPDIR'), '/dev/shm'):
        if folder and (ALONE or folder != '/dev/shm'):
            left = [n for n in os.listdir(folder)
                    if not n.startswith('cfuzz-e2e-')]
            check(not left, 'left in %s: %s', folder, left)
    if ALONE:
        with open('/proc/sysvipc/shm') as f:
            equal(f.read().count('\n'), 1, 'lines of /proc/sysvipc/shm')


def kept_inputs(r):
    """[(what it is called, input)] of findings and suspects. One that hung once
    is 'slow': a machine that stands still makes it of any input, and it is a
    finding when it hangs again."""
    found = [('%s %s' % (b.info['kind'], b.info['what']), b.input)
             for b in r.buckets()]
    ended = {e['input'] for e in r.events('suspect') if e['kind'] != 'hang'}
    return found + [('suspect' if sha(data)[:16] in ended else 'slow', data)
                    for data in r.suspects()]


def is_kept(r, classes, first=True):
    """The failing input is there, true, and called what it is."""
    found = [(what, data) for what, data in kept_inputs(r)
             if what != 'slow' or re.search(classes, what)]
    check(found, 'nothing is kept: %s', r.describe())
    wrong = [what for what, _ in found
             if not re.search(classes, what)]
    check(not wrong, 'told as %s, not as %s: %s', wrong, classes,
          r.describe())
    if first:
        for what, data in found:
            check(data != b'', 'an empty input is kept as %s', what)
        check(all(data[:1] == b'F' for _, data in found),
              'an input that was not the fault: %r', found)
        check(r.saved('first') in [data for _, data in found],
              'the first that failed, %r, is not kept: %r', r.saved('first'),
              found)


def fails_again(r, env=None):
    """What is called verified does so in cfuzz repro."""
    for bucket in r.buckets():
        if bucket.info['state'] != 'confirmed':
            continue
        path = bucket.path if bucket.has('sequence') else os.path.join(
            bucket.path, 'input')
        status, out = repro(r.target, path,
                            options=['--timeout', '300'],
                            env=dict({'FAULT': r.fault}, **(env or {})))
        equal(status, 1, 'status of cfuzz repro (%s)' % out)
        check(bucket.info['what'] in out or bucket.info['what'] == '',
              'cfuzz repro says something else than %s: %s',
              bucket.info['what'], out)


def limits(**values):
    """For preexec: resource limits by their names without RLIMIT_."""
    def apply():
        for name, value in values.items():
            resource.setrlimit(getattr(resource, 'RLIMIT_' + name),
                               (value, value))
    return apply
