"""What the end-to-end tests of the engine share.

A test file has functions marked with @case and ends with main(). Each case
gets a folder of its own, builds targets from source text, runs cfuzz on
them, and looks at what is left: numbers, journal, folders, processes.

The test adopts every orphan of its runs (it is a subreaper), so a process
that a run leaves behind cannot hide.

usage: run_x.py [PART OF A CASE'S NAME]...
The exit status is 1 if a case failed, 77 if all that were wanted are skipped.
KEEP=1 leaves the folders of cases that fail, E2E_CC=gcc builds the targets
with another compiler, E2E_PATIENCE=SECONDS gives up sooner, E2E_SEED=N makes
other random choices.
"""

import contextlib
import ctypes
import fcntl
import hashlib
import json
import os
import re
import resource
import signal
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
SRC = os.environ.get('CFUZZ_SRC') or os.path.dirname(os.path.dirname(
    os.path.dirname(HERE)))
BUILD = os.environ.get('CFUZZ_BUILD') or os.path.join(SRC, 'build')
CFUZZ = os.path.join(BUILD, 'cfuzz')
TUI = os.path.join(BUILD, 'cfuzz-tui')
TARGETS = os.path.join(SRC, 'tests', 'targets')

# Seconds until what should happen is called hung. It bounds failures only:
# nothing waits so long for what is well, however slow the machine.
PATIENCE = int(os.environ.get('E2E_PATIENCE') or 240)
# Of a run's random choices: one that fails fails each time.
SEED = os.environ.get('E2E_SEED') or '1'
FOLDERS = ('crashes', 'hangs', 'ooms', 'leaks')
HELPERS = ('exe', 'cfuzz-symbols')    # of an engine, beside its workers

# Whatever the locale of whoever runs this: screens have all kinds of letters.
sys.stdout.reconfigure(encoding='utf-8', errors='backslashreplace')

# What is told to whoever runs this, a workflow maybe, is not told to ours.
for name in [n for n in os.environ if n in ('PROBE', 'MODE') or
             n.startswith(('AFL_', 'CFUZZ_', 'GITHUB_'))]:
    if name not in ('CFUZZ_SRC', 'CFUZZ_BUILD'):
        del os.environ[name]
os.environ['LC_ALL'] = 'C.UTF-8'
# tmux and script have it start ours, be it one that a user may not use.
os.environ['SHELL'] = '/bin/sh'


# What a background job of a shell ignores, cfuzz ignores as well.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


class Failure(Exception):
    """A test's own complaint: one clear text."""


class Skip(Exception):
    """The machine lacks what a case needs."""


def needs_files(n):
    """The case opens so many descriptors, or the machine forbids it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < n:
        raise Skip('`ulimit -Hn` is %d, %d are needed' % (hard, n))
    if soft < n:
        resource.setrlimit(resource.RLIMIT_NOFILE, (n, hard))


def needs_x86():
    """The case runs a program without instrumentation."""
    if os.uname().machine != 'x86_64':
        raise Skip('programs without instrumentation run on x86-64 only')


def open_files(pid):
    """The numbers of its descriptors. An engine shows them to root alone."""
    try:
        return {int(n) for n in os.listdir('/proc/%d/fd' % pid)}
    except PermissionError:
        raise Skip('only root sees the descriptors of an engine') from None


def fail(text, *parts):
    raise Failure(text % parts if parts else text)


def check(condition, text, *parts):
    if not condition:
        fail(text, *parts)


def equal(got, want, what):
    check(got == want, '%s: %r, not %r', what, got, want)


# ---- processes ------------------------------------------------------------

def become_subreaper():
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(36, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), 'prctl')


def processes():
    """{pid: (parent, state, name)} of all processes."""
    found = {}
    for entry in os.listdir('/proc'):
        if not entry.isdigit():
            continue
        try:
            with open('/proc/%s/stat' % entry, errors='replace') as f:
                text = f.read()
        except OSError:
            continue
        name, rest = text.split('(', 1)[1].rsplit(')', 1)
        state, parent = rest.split()[:2]
        found[int(entry)] = (int(parent), state, name)
    return found


def descendants(root=None):
    """[(pid, state, name)] of everyone below root, the dead not counted."""
    table = processes()
    below = {root or os.getpid()}
    grown = True
    while grown:
        more = {p for p, row in table.items() if row[0] in below} - below
        grown = bool(more)
        below |= more
    below.discard(root or os.getpid())
    return sorted((p,) + table[p][1:] for p in below if table[p][1] != 'Z')


def child_named(pid, name):
    """A child of a process that is called so, or None."""
    return next((p for p, row in processes().items()
                 if row[0] == pid and row[2] == name), None)


def session(pid):
    """Its session; of one that is gone, none."""
    try:
        return os.getsid(pid)
    except ProcessLookupError:
        return None


def started_by(launcher):
    """(console, engine) of a cfuzz-tui, or None for each. Numbers of processes
    begin anew from time to time and tell no order, but the engine is in a
    session of its own."""
    children = [p for p, row in processes().items()
                if row[0] == launcher and row[2] == 'cfuzz-tui']
    here = session(launcher)
    return (next((p for p in children if session(p) == here), None),
            next((p for p in children if session(p) == p), None))


def waits(pid):
    """The process neither runs nor wants to, be it that a disk lets it wait."""
    return processes().get(pid, (0, 'X', ''))[1] not in 'RD'


def console_rests(shell):
    """Until the console that this shell has started has taken an Escape for
    what it is: else Escape and the next key are Alt and that key. It waits
    now, and did so when its patience for a sequence began."""
    launcher = child_named(shell, 'cfuzz-tui')
    console = launcher and started_by(launcher)[0]
    for _ in range(2):
        time.sleep(0.06)
        if console:
            wait_for(lambda: waits(console), 'the console to rest')


def untaken(tty):
    """Bytes on a terminal that nobody has read yet; the gone: none."""
    try:
        fd = os.open(tty, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:
        return 0
    try:
        return struct.unpack('i', fcntl.ioctl(fd, termios.FIONREAD,
                                              b'\0\0\0\0'))[0]
    except OSError:
        return 0
    finally:
        os.close(fd)


def ticks(pids):
    """Processor time that these have used, all in all; the gone: none."""
    total = 0
    for pid in pids:
        try:
            with open('/proc/%d/stat' % pid) as f:
                fields = f.read().rpartition(')')[2].split()
        except OSError:
            continue
        total += int(fields[11]) + int(fields[12])
    return total


def reap():
    """Buries adopted orphans."""
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                return
        except ChildProcessError:
            return


# What a test does while it waits for anything.
MEANWHILE = []


def meanwhile():
    for function in MEANWHILE:
        function()


def wait_for(condition, what, patience=PATIENCE):
    """Looks until the condition holds; returns what it returned."""
    end = time.monotonic() + patience
    pause = 0.005
    while True:
        got = condition()
        if got:
            return got
        if time.monotonic() > end:
            fail('waited %d s in vain: %s', patience,
                 what() if callable(what) else what)
        meanwhile()
        # Who looks all the time takes it from what he looks at.
        time.sleep(pause)
        pause = min(1.2 * pause, 0.05)


def kill_all():
    """Nobody is left: whoever dies hands its children to us."""
    while True:
        for pid, _, _ in descendants():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def nobody_left():
    """No process of a run is alive. Its end may take the kernel a moment, but
    not as long as the limits at which a stray would end by itself."""
    try:
        wait_for(lambda: reap() or not descendants(), '', 45)
    except Failure:
        fail('processes are left: %s', ', '.join(
            '%d %s (%s)' % row for row in
            ((p, n, s) for p, s, n in descendants())))


def shared_memory_left():
    """Shared memory that we have made, as adapter/afl_memory.c does, and whose
    maker is gone. What others have there comes and goes as they like."""
    found = set()
    # Not every machine has these.
    if os.path.isdir('/dev/shm'):
        found = {n for n in os.listdir('/dev/shm')
                 if re.match(r'cfuzz-\d+-', n) and
                 not os.path.exists('/proc/' + n.split('-')[1])}
    if os.path.exists('/proc/sysvipc/shm'):
        with open('/proc/sysvipc/shm') as f:
            names = f.readline().split()
            rows = [dict(zip(names, line.split())) for line in f]
        found |= {'segment ' + row['shmid'] for row in rows
                  if row['nattch'] == '0' and
                  row['cuid'] == str(os.getuid()) and
                  not os.path.exists('/proc/' + row['cpid'])}
    return found


class Disk:
    """A file system of its own, in the folder disk."""

    def __init__(self, options):
        if os.geteuid() != 0:
            raise Skip('only root can mount')
        os.mkdir('disk')
        done = subprocess.run(['mount', '-t', 'tmpfs', '-o', 'mode=700,' +
                               options, 'cfuzz-e2e', 'disk'],
                              capture_output=True)
        if done.returncode != 0:
            raise Skip('nothing can be mounted here')

    def __enter__(self):
        return self

    def fill(self):
        with open('disk/filler', 'wb', buffering=0) as f:
            try:
                while True:
                    f.write(b'x' * 4096)
            except OSError:
                pass

    def __exit__(self, *why):
        kill_all()
        subprocess.run(['umount', '-l', 'disk'], check=False)


# ---- targets --------------------------------------------------------------

def file_stamp(path):
    st = os.stat(path)
    return '%s %d %d' % (path, st.st_mtime_ns, st.st_size)


def no_target(path='static'):
    """A program that cannot be fuzzed: nothing can be loaded into it."""
    subprocess.run(['cc', '-static', '-x', 'c', '-o', path, '-'], check=True,
                   input=b'int main(void) { return 0; }')
    return os.path.abspath(path)


@contextlib.contextmanager
def locked(folder):
    """No other test takes a target from the folder, adds or removes one."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


def remove_stale(folder):
    """Of a target that nobody has used for a day."""
    if os.stat(folder).st_mtime < time.time() - 86400:
        shutil.rmtree(folder, ignore_errors=True)


def build(source, name='target', flags=(), compiler=None, env=None,
          tool='cfuzz-cc'):
    """Compiles source text, or a file of tests/targets, once."""
    if source.endswith('.c'):
        name = os.path.basename(source)[:-2]
        with open(os.path.join(TARGETS, source)) as f:
            source = f.read()
    with open(os.path.join(HERE, 'probe.h')) as f:
        probe = f.read()
    stamps = [file_stamp(os.path.join(BUILD, n)) for n in
              ('cfuzz-cc', 'libcfuzz.a')]
    key = json.dumps([source, probe, list(flags), compiler or
                      os.environ.get('E2E_CC'), env, tool, stamps])
    digest = hashlib.sha256(key.encode()).hexdigest()[:16]
    root = os.path.join(BUILD, 'e2e-targets')
    folder = os.path.join(root, '%s-%s' % (name, digest))
    target = os.path.join(folder, name)
    os.makedirs(root, exist_ok=True)
    with locked(root):
        if os.path.exists(target):
            try:
                os.utime(folder)    # it is in use
            except PermissionError:
                pass    # of another user, who alone could remove it
            return target
    part = tempfile.mkdtemp(dir=root, prefix='.part-')
    with open(os.path.join(part, name + '.c'), 'w') as f:
        f.write(source)
    settings = dict(os.environ, CFUZZ_QUIET='1', **(env or {}))
    compiler = compiler or os.environ.get('E2E_CC')
    if compiler:
        settings['CFUZZ_CC'] = compiler
    done = subprocess.run(
        [os.path.join(BUILD, tool), '-g', '-O1', '-w', '-I' + HERE,
         '-I' + os.path.join(SRC, 'include'), '-o', name, name + '.c',
         *flags], cwd=part, env=settings, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        shutil.rmtree(part)
        fail('the target does not build:\n%s', done.stdout)
    with locked(root):
        for old in os.listdir(root):
            if old.startswith(name + '-') and len(old) == len(name) + 17:
                remove_stale(os.path.join(root, old))
        if os.path.exists(target):
            shutil.rmtree(part)    # somebody else was faster
        else:
            shutil.rmtree(folder, ignore_errors=True)    # half removed
            os.rename(part, folder)
    return target


# What most targets begin with.
HEAD = '#include "probe.h"\n'


def one_input(body, head=''):
    """The source of a target whose entry point has this body."""
    return '%s%s\nint\nLLVMFuzzerTestOneInput(const uint8_t *data, ' \
        'size_t size)\n{\n%s\n\treturn 0;\n}\n' % (HEAD, head, body)


# It runs, and finds nothing.
QUIET = one_input('\tprobe_count();')

# A campaign that is only looked at leaves the processor to other tests: all
# processes of a worker count its executions together, and those behind a
# number sleep.
CALM_HEAD = '''
static uint64_t *calm_calls;

__attribute__((constructor)) PROBE void
calm_begin(void)
{
	calm_calls = mmap(NULL, sizeof(*calm_calls), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

PROBE void
calm(uint64_t after)
{
	if (probe_add(calm_calls) > after)
		usleep(1000);
}
'''
CALM = one_input('\tcalm(1000);\n\tprobe_count();', CALM_HEAD)


def calm_steps():
    """The target steps.c, which is calm when its crash has been found: 50,000
    executions mostly do, but one campaign of 150 needs some 700,000."""
    with open(os.path.join(TARGETS, 'steps.c')) as f:
        head, body = f.read().split('\nint\n', 1)
    return build(HEAD + head + CALM_HEAD + '\nint\n' +
                 body.replace('{\n', '{\n\tcalm(2000000);\n', 1), 'steps')


def two_failures(text):
    """The source of a target that says this at an a, and aborts at a b."""
    for letter, escaped in (('%', '%%'), ('\\', '\\\\'), ('"', '\\"')):
        text = text.replace(letter, escaped)
    return one_input('''
	if (size > 0 && data[0] == 'a')
		cfuzz_fail("%s");
	if (size > 1 && data[0] == 'b')
		abort();''' % text)


def fails_when_told(condition, failure):
    """The source of a target that fails after let_it_fail(). The first input
    that did is saved as `first`."""
    return one_input('''
	static uint64_t *go;

	probe_count();
	if (go == NULL)
		go = probe_number("go");
	if (*go && %s) {
		if (probe_add(probe_number("failures")) == 1)
			probe_save("first", data, size);
		%s;
	}''' % (condition, failure))


def wait_executed():
    wait_for(lambda: os.path.exists('probe/go'), 'an execution')


def let_it_fail():
    wait_executed()
    with open('probe/go', 'r+b') as f:
        f.write(b'\1')


def block_crashes():
    """Waits for an execution, then puts a file in the place of out/crashes."""
    wait_executed()
    os.rename('out/crashes', 'out/gone')
    write('out/crashes', 'in the way')


def build_with_late_library():
    """A target, and a library with branches on 'x' and 'y' that an input of
    two bytes or more loads; LIBRARY is to name it."""
    library = build('''#include <stdint.h>
static volatile int sink;

__attribute__((visibility("default"))) int
late(uint8_t c)
{
	if (c == 'x')
		sink++;
	else if (c == 'y')
		sink--;
	return sink;
}
''', name='late.so', flags=['-shared', '-fPIC'])
    target = build(one_input('''
	static int (*late)(uint8_t);

	if (size > 1 && late == NULL)
		late = dlsym(dlopen(getenv("LIBRARY"), RTLD_NOW), "late");
	if (size > 1)
		late(data[0]);''', '#include <dlfcn.h>\n'), flags=['-ldl'])
    return target, library


# What makes of a target one that cannot be forked.
THREAD = '''
int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	return probe_start_thread();
}
'''


def free_port():
    with socket.socket() as sock:
        sock.bind(('127.0.0.1', 0))
        return sock.getsockname()[1]


# ---- runs -----------------------------------------------------------------

def read(path):
    with open(path, 'rb') as f:
        return f.read()


def write(path, data):
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, 'wb') as f:
        f.write(data.encode() if isinstance(data, str) else data)
    return path


def seeds(files, name='seeds'):
    """A folder of seeds from a list or a {name: content}."""
    if not isinstance(files, dict):
        files = {'seed%03d' % i: data for i, data in enumerate(files)}
    os.makedirs(name, exist_ok=True)
    for file, data in files.items():
        write(os.path.join(name, file), data)
    return os.path.abspath(name)


class Bucket:
    """One folder of a finding."""

    def __init__(self, out, folder):
        self.folder = folder
        self.path = os.path.join(out, folder)

    def has(self, name):
        return os.path.exists(os.path.join(self.path, name))

    def file(self, name):
        check(self.has(name), '%s has no %s', self.folder, name)
        return read(os.path.join(self.path, name))

    @property
    def input(self):
        return self.file('input')

    @property
    def minimized(self):
        return self.file('minimized')

    @property
    def info(self):
        return json.loads(self.file('crash.json'))

    @property
    def report(self):
        return self.file('report.txt').decode(errors='replace')


class Output:
    """What an output directory holds."""

    status = None    # the exit status, if it is known

    def __init__(self, path):
        self.out = os.path.abspath(path)

    def path(self, *names):
        return os.path.join(self.out, *names)

    @property
    def stats(self):
        return json.loads(read(self.path('stats.json')))

    @property
    def journal(self):
        """Its whole lines: a running engine may be in the middle of one."""
        lines = read(self.path('journal.jsonl')).split(b'\n')[:-1]
        return [json.loads(line) for line in lines]

    def events(self, kind):
        return [e for e in self.journal if e['event'] == kind]

    def corpus(self):
        """{name: content}"""
        found = {}
        for name in sorted(os.listdir(self.path('corpus'))):
            try:
                if not name.startswith('.'):
                    found[name] = read(self.path('corpus', name))
            except FileNotFoundError:
                pass # a smaller one has its place
        return found

    def buckets(self, folder=None):
        found = []
        for part in [folder] if folder else FOLDERS:
            if os.path.isdir(self.path(part)):
                found += [Bucket(self.out, part + '/' + n) for n in
                          sorted(os.listdir(self.path(part)))]
        return found

    def bucket(self, folder='crashes'):
        """The only one."""
        found = self.buckets(folder)
        check(len(found) == 1, '%s has %d folders, not one: %s', folder,
              len(found), [b.folder for b in found])
        return found[0]

    def suspects(self):
        return [read(self.path('suspects', n)) for n in
                sorted(os.listdir(self.path('suspects')))]

    def no_findings(self):
        found = [b.folder for b in self.buckets()]
        check(not found, 'there are findings: %s', found)


class Run(Output):
    """cfuzz run, under way or ended."""

    def __init__(self, target, options, args=(), out='out', env=None,
                 command='run', timeout_ms=10000, inherit=(), before=()):
        super().__init__(out)
        self.probe = os.path.abspath('probe')
        os.makedirs(self.probe, exist_ok=True)
        options = [str(o) for o in options]
        if not any(o.startswith('--timeout') for o in options):
            options = ['--timeout', str(timeout_ms)] + options
        if command == 'run' and not any(o.startswith('--finish-time')
                                        for o in options):
            # What a limit leaves to be verified is, on a slow machine too.
            options = ['--finish-time', '120000'] + options
        if '--seed' not in options:
            options = ['--seed', SEED] + options
        self.command = [*before, CFUZZ, command, '-o', out] + options + \
            [target] + [str(a) for a in args]
        self.target = target
        self.logs = [tempfile.NamedTemporaryFile(dir='.', prefix='.log-',
                                                 delete=False)
                     for _ in range(2)]
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.DEVNULL, stdout=self.logs[0],
            stderr=self.logs[1], start_new_session=True, pass_fds=inherit,
            env=dict(os.environ, PROBE=self.probe, **(env or {})))
        self.pid = self.process.pid

    @property
    def stdout(self):
        return read(self.logs[0].name).decode(errors='replace')

    @property
    def stderr(self):
        return read(self.logs[1].name).decode(errors='replace')

    def said(self, text):
        return text in self.stdout

    def wait(self, patience=PATIENCE):
        try:
            self.status = self.process.wait(patience)
        except subprocess.TimeoutExpired:
            fail('the run did not end in %d s: %s', patience, self.describe())
        return self

    def end(self, status=None, patience=PATIENCE):
        """Waits, then checks what holds after every run."""
        self.wait(patience)
        check(self.status >= 0, 'the engine died of signal %d: %s',
              -self.status, self.describe())
        nobody_left()
        if status is not None:
            check(self.status == status, 'exit status %d, not %d: %s',
                  self.status, status, self.describe())
        if self.status in (0, 1):
            check_output(self)
        return self

    def describe(self):
        return '\n    $ %s\n%s%s' % (
            ' '.join(self.command),
            ''.join('    | %s\n' % l for l in self.stdout.splitlines()[-25:]),
            ''.join('    ! %s\n' % l for l in self.stderr.splitlines()[-10:]))

    def signal(self, signo):
        os.kill(self.pid, signo)

    def workers(self):
        """Process numbers of the fork servers."""
        return [p for p, row in processes().items() if row[0] == self.pid and
                row[2] not in HELPERS]

    def children(self):
        """Process numbers of the fork servers' children."""
        fork_servers = self.workers()
        return [p for p, row in processes().items() if row[0] in fork_servers]

    def wait_for(self, condition, what):
        """What the run is to bring about: nobody waits when it has ended."""
        def look():
            over = self.process.poll() is not None
            got = condition()
            check(got or not over, 'it ended without %s:%s', what,
                  self.describe())
            return got

        return wait_for(look, lambda: what + self.describe())

    def wait_line(self, text):
        self.wait_for(lambda: self.said(text), 'a line "%s"' % text)

    def wait_named(self, n=1):
        """So many findings, and each has the names of its functions, which a
        run that is being ended does not wait for."""
        def named():
            try:
                found = [b.info['named'] for b in self.buckets()]
            except (Failure, FileNotFoundError):
                return False    # it is under way to the disk, or was merged
            return len(found) >= n and all(found)

        self.wait_for(named, 'names of %d findings' % n)

    def end_at(self, text, status=None):
        """Ends the run by ^C as soon as it has said this."""
        self.wait_line(text)
        self.signal(signal.SIGINT)
        return self.end(status)

    def wait_fuzzing(self):
        """Workers run, and at least one execution happened."""
        # An empty corpus has no baseline to tell of.
        wait_for(lambda: self.said('now fuzzing with') or
                 self.said('starting with empty corpus') or
                 self.process.poll() is not None,
                 lambda: 'fuzzing to begin' + self.describe())
        wait_for(lambda: self.number('calls') > 0 or
                 self.process.poll() is not None, 'an execution')

    # What the target told by probe.h.

    def number(self, name):
        try:
            data = read(os.path.join(self.probe, name))
        except FileNotFoundError:
            return 0
        return int.from_bytes(data[:8], sys.byteorder)

    @property
    def calls(self):
        return self.number('calls')

    def saved(self, name):
        path = os.path.join(self.probe, name)
        check(os.path.exists(path), 'the target did not save %s:%s', name,
              self.describe())
        return read(path)

    def logged(self, name):
        path = os.path.join(self.probe, name)
        if not os.path.exists(path):
            return []
        return read(path).decode().splitlines()


def journal_without_times(r):
    """Its events, without what differs from run to run."""
    events = r.journal
    for event in events:
        for name in ('t', 'at_s', 'pid', 'output'):
            event.pop(name, None)
    return events


def start(target, *options, **more):
    return Run(target, options, **more)


def run(target, *options, status=None, patience=PATIENCE, **more):
    """A whole campaign; status is what it must end with."""
    return Run(target, options, **more).end(status, patience)


def may_be_traced():
    """Skips the case where the system lets no process be traced."""
    pid = os.fork()
    if pid == 0:
        os._exit(ctypes.CDLL(None).ptrace(0, 0, None, None) != 0)
    if os.waitpid(pid, 0)[1] != 0:
        raise Skip('no process can be traced here')


def run_till(wanted, target, *options, **more):
    """Campaigns on one output directory, one after the other, until there is
    an input in the corpus for each condition of the list: what is made by
    chance may take some time. The last one; its caller looks."""
    for _ in range(40):
        r = run(target, *options, **more)
        if all(any(map(like, r.corpus().values())) for like in wanted):
            break
    return r


def tool(*words, env=None, patience=PATIENCE):
    """Any other program: (status, stdout, stderr)."""
    done = subprocess.run(
        [str(w) for w in words], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=patience,
        env=dict(os.environ, **(env or {})), start_new_session=True)
    nobody_left()
    return (done.returncode, done.stdout.decode(errors='replace'),
            done.stderr.decode(errors='replace'))


def repro(target, *files, options=(), env=None):
    """cfuzz repro: (status, stdout)."""
    status, out, err = tool(CFUZZ, 'repro', '--timeout', '10000', *options,
                            target, *files, env=env)
    check(status >= 0, 'cfuzz repro died of signal %d', -status)
    return status, out


# ---- what holds after every run -------------------------------------------

STATS = '''version target state elapsed_s execs execs_per_sec counters_total
    counters_hit coverage_bits corpus interesting crashes hangs ooms
    minimizing workers limits fuzz_time_s replays paused_s stability
    execs_per_sec_avg'''.split()
WORKER = 'id pid state execs execs_per_sec restarts'.split()


def sha(data):
    return hashlib.sha256(data).hexdigest()


def check_mode(path):
    st = os.lstat(path)
    want = 0o700 if os.path.isdir(path) or \
        os.path.basename(path) == 'reproduce.sh' else 0o600
    check(st.st_mode & 0o777 == want, '%s has mode %o, not %o', path,
          st.st_mode & 0o777, want)


def check_output(r):
    """Whole files with true names, owner-only; numbers that fit together."""
    for folder, folders, files in os.walk(r.out):
        for name in [''] + folders + files:
            check_mode(os.path.join(folder, name))
        for name in files:
            check(not name.startswith('.tmp'), 'left behind: %s/%s', folder,
                  name)
    for name, data in r.corpus().items():
        check(re.fullmatch('[0-9a-f]{16}|[0-9a-f]{64}', name) and
              sha(data).startswith(name), 'corpus/%s is not named after its '
              'content', name)
    for bucket in r.buckets():
        check_bucket(bucket)
    check_stats(r)
    check_journal(r)


def check_bucket(bucket):
    for name in ('input', 'crash.json'):
        check(bucket.has(name), '%s has no %s', bucket.folder, name)
    check(re.fullmatch(r'[a-z]+/[A-Za-z0-9_.+-]+-[0-9a-f]{8}(-[0-9]+)?',
                       bucket.folder),
          'not a safe name: %s', bucket.folder)
    info = bucket.info
    for name in ('id', 'kind', 'what', 'text', 'state', 'count', 'len'):
        check(name in info, '%s/crash.json lacks "%s"', bucket.folder, name)
    equal(info['len'], len(bucket.input), bucket.folder + ': "len"')
    if bucket.has('minimized'):
        equal(info['minimized_len'], len(bucket.minimized),
              bucket.folder + ': "minimized_len"')
        check(len(bucket.minimized) <= len(bucket.input),
              '%s: the minimized input is larger', bucket.folder)
    more = os.path.join(bucket.path, 'more')
    if os.path.isdir(more):
        # Nine, and the few of merges and other builds that are kept nowhere else.
        check(len(os.listdir(more)) <= 12, '%s/more has too many files',
              bucket.folder)


def check_stats(r):
    stats = r.stats
    for name in STATS:
        check(name in stats, 'stats.json lacks "%s"', name)
    for worker in stats['workers']:
        for name in WORKER:
            check(name in worker, 'stats.json: a worker lacks "%s"', name)
    equal(stats['state'], 'ended', 'stats.json: "state"')
    if r.status is not None:
        equal(stats['exit_status'], r.status, 'stats.json: "exit_status"')
    for name in FOLDERS:
        equal(stats[name], len(r.buckets(name)), 'stats.json: "%s"' % name)
    equal(sum(w['execs'] for w in stats['workers']) + stats['execs_retired'],
          stats['execs'], 'stats.json: "execs" of the workers together')


def check_journal(r):
    journal = r.journal
    check(read(r.path('journal.jsonl')).endswith(b'\n'),
          'the last line of the journal is not whole')
    equal(journal[0]['event'], 'campaign', 'the first line of the journal')
    for name in ('target', 'build_id', 'args', 'seed'):
        check(name in journal[0], 'the journal\'s first line lacks "%s"', name)
    equal(journal[-1]['event'], 'end', 'the last line of the journal')
    for event in journal:
        for name in ('t', 'at_s', 'event'):
            check(name in event, 'the journal has a line without "%s": %s',
                  name, event)
    times = [e['at_s'] for e in journal]
    check(times == sorted(times), 'time runs backwards in the journal')


# ---- the cases ------------------------------------------------------------

CASES = []


def case(function):
    """Marks a test; its name and its first comment say what it shows."""
    CASES.append((function.__name__, function, ()))
    return function


def each(*rows):
    """A test for each row: (name, argument, ...)."""
    def mark(function):
        for row in rows:
            CASES.append(('%s[%s]' % (function.__name__, row[0]), function,
                          row[1:]))
        return function
    return mark


CURRENT = ['']    # the name of the row under way


def one(name, function, row):
    """Runs a case in a folder of its own; None, why it failed, or the Skip."""
    CURRENT[0] = name.partition('[')[2].rstrip(']')
    here = os.getcwd()
    # Its name is shown on screens, where a long one has no room.
    place = tempfile.gettempdir()
    if len(place) > 32 and os.access('/tmp', os.W_OK):
        place = '/tmp'
    folder = tempfile.mkdtemp(prefix='cfuzz-e2e-', dir=place)
    why = None
    try:
        os.chdir(folder)
        # The user's own keys, themes and history are not for tests.
        for kind in ('config', 'state'):
            os.environ['XDG_%s_HOME' % kind.upper()] = os.path.join(
                folder, kind)
        os.environ['XDG_RUNTIME_DIR'] = os.path.join(folder, 'none')
        function(*row)
        nobody_left()
    except Skip as skip:
        return skip
    except Failure as failure:
        line = traceback.extract_tb(failure.__traceback__)
        at = [f.lineno for f in line if f.filename == function.__code__.
              co_filename]
        why = 'line %d: %s' % (at[-1] if at else 0, failure)
    except Exception:
        why = traceback.format_exc()
    finally:
        kill_all()
        os.chdir(here)
        if why and os.environ.get('KEEP'):
            print('     (its folder is %s)' % folder)
        else:
            for root, _, _ in os.walk(folder):
                os.chmod(root, 0o700)
            shutil.rmtree(folder, ignore_errors=True)
    return why


def main():
    for name in ('cfuzz', 'cfuzz-cc', 'libcfuzz.a'):
        if not os.path.exists(os.path.join(BUILD, name)):
            sys.exit('%s/%s is missing: run make first' % (BUILD, name))
    become_subreaper()
    wanted = sys.argv[1:]
    passed, skipped, failed = 0, 0, 0
    for name, function, row in CASES:
        if wanted and not any(w in name for w in wanted):
            continue
        begin = time.monotonic()
        why = one(name, function, row)
        took = time.monotonic() - begin
        note = ' (%.1f s)' % took if took > 1 else ''
        if isinstance(why, Skip):
            skipped += 1
            print('skip %s: %s' % (name, why))
        elif why:
            failed += 1
            print('FAIL %s%s\n  %s' % (name, note, why.rstrip()))
        else:
            passed += 1
            print('ok   %s%s' % (name, note))
        sys.stdout.flush()
    sys.exit(1 if failed else 77 if skipped and not passed else 0)
