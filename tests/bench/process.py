"""Programs are started, waited for and ended here, and nowhere else.

Whatever a tool starts and leaves behind comes to us, because we adopt
orphans: when run() returns, nothing of the tool lives, and the processor
time of all of it is known, also of children that the tool did not wait for.
"""

import ctypes
import os
import select
import signal
import subprocess
import time

from settings import DIR

PATIENCE = 30       # seconds after which what should have ended is hung
GRACE = 1           # seconds for what a tool started to notice its end
SAMPLE = 0.1        # seconds between two looks of a watch
PR_SET_CHILD_SUBREAPER = 36
TICKS = os.sysconf('SC_CLK_TCK')


def read(path):
    with open(path, errors='replace') as f:
        return f.read()


def adopt_orphans():
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


# ---- cores ------------------------------------------------------------------

def idle_times():
    times = {}
    for line in read('/proc/stat').splitlines():
        words = line.split()
        if words[0].startswith('cpu') and words[0] != 'cpu':
            times[int(words[0][3:])] = int(words[4])
    return times


def choose_cores():
    """The cores that we may use, the idlest first, as seen for a second."""
    allowed = os.sched_getaffinity(0)
    before = idle_times()
    time.sleep(1)
    after = idle_times()
    cores = sorted(allowed, key=lambda core: before.get(core, 0) -
                   after.get(core, 0))
    if os.environ.get('BENCH_CORE'):
        first = int(os.environ['BENCH_CORE'])
        cores = [first] + [core for core in cores if core != first]
    return cores


# ---- /proc ------------------------------------------------------------------

def process_stat(pid):
    """(ticks of processor time, parent, session, state) of a process."""
    words = read('/proc/%d/stat' % pid).rsplit(')', 1)[1].split()
    return (int(words[11]) + int(words[12]), int(words[1]), int(words[3]),
            words[0])


def children(pid):
    found = []
    for entry in os.listdir('/proc'):
        if entry.isdigit():
            try:
                if process_stat(int(entry))[1] == pid:
                    found.append(int(entry))
            except OSError:
                pass
    return found


def wait_for_end(pid, seconds):
    """Of a process that need not be our child; False: it still lives."""
    try:
        fd = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([fd], [], [], seconds)[0])
    finally:
        os.close(fd)


# ---- one program ------------------------------------------------------------

class Ended:
    """How a program ended, and what it and all its children used."""

    def __init__(self, status, seconds, cpu, own_cpu, output, late, left):
        self.status = status
        self.seconds = seconds
        self.cpu = cpu
        self.own_cpu = own_cpu    # without children
        self.output = output
        self.late = late    # it was killed because its time was over
        self.left = left    # processes that outlived it, killed as well


def start(command, cores=None, env=None, out=None):
    def place():
        os.setsid()
        if cores is not None:
            os.sched_setaffinity(0, cores)
    environment = dict(os.environ, **(env or {}))
    for name in ('CFUZZ_SRC', 'CFUZZ_BUILD'):
        environment.pop(name, None)
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out,
                            stderr=subprocess.STDOUT, env=environment,
                            preexec_fn=place, cwd=DIR)


def end_orphans(grace):
    """Ends and reaps every child of ours: (seconds of processor time, how
    many of them still lived after the grace)."""
    cpu, living = 0.0, 0
    for pid in iter(lambda: next(iter(children(os.getpid())), None), None):
        if not wait_for_end(pid, grace):
            living += 1
            os.kill(pid, signal.SIGKILL)
        _, _, usage = os.wait4(pid, 0)
        cpu += usage.ru_utime + usage.ru_stime
    return cpu, living


def wait(process, seconds, watch, wake_fd):
    """True: it ended, or wake_fd had something to say."""
    deadline = time.monotonic() + seconds
    fd = os.pidfd_open(process.pid)
    fds = [fd] if wake_fd is None else [fd, wake_fd]
    try:
        while time.monotonic() < deadline:
            rest = deadline - time.monotonic()
            if select.select(fds, [], [], max(0, min(
                    rest, SAMPLE if watch else rest)))[0]:
                return True
            if watch is not None:
                watch(process.pid)
        return False
    finally:
        os.close(fd)


def run(command, cores=None, env=None, seconds=0, watch=None, wake_fd=None):
    """Runs to the end, and not much longer than `seconds`. watch(pid) is
    called ten times a second; what comes on wake_fd ends the program."""
    log = os.path.join(DIR, 'log')
    began = time.monotonic()
    with open(log, 'wb') as out:
        process = start(command, cores, env, out)
        try:
            late = not wait(process, seconds + PATIENCE, watch, wake_fd)
        finally:
            # What has ended by itself stays a zombie until here.
            ticks, _, _, state = process_stat(process.pid)
            alive = state not in 'ZX'
            if alive:
                os.killpg(process.pid, signal.SIGKILL)
            took = time.monotonic() - began
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            cpu, left = end_orphans(0 if alive else GRACE)
    if left and not alive:
        print('bench: %s left %d processes behind' % (
            os.path.basename(command[0]), left), flush=True)
    return Ended(process.returncode, took, usage.ru_utime + usage.ru_stime +
                 cpu, ticks / TICKS, read(log), late, left)
