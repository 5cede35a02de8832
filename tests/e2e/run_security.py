#!/usr/bin/env python3
"""Targets and neighbours that mean harm: what they can reach, and what not.

TIMES=30 makes the cases that last longer last so many times as long."""

import ctypes
import fcntl
import os
import pty
import re
import shutil
import signal
import stat
import struct
import subprocess
import sys
import termios
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403

TIMES = int(os.environ.get('TIMES', '1'))

FLIPPER = '''
#include <pthread.h>
#include <time.h>

static uint8_t *memory;
static size_t memory_size;

/* A million bytes a second, most of them among the numbers. */
static void *
flip(void *arg)
{
	static const uint8_t odd[] = { 0, 1, 0x7f, 0x80, 0xff };
	const struct timespec pause = { 0, 1000000 };
	uint64_t *flips = arg, x = (uint64_t)getpid() * 0x9e3779b97f4a7c15u + 1;

	for (;;) {
		for (int i = 0; i < 1000; i++) {
			size_t at;

			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			at = x >> 8;
			at %= x & 4 ? 128 : x & 8 ? 65536 : memory_size;
			memory[at] = x & 1 ? odd[x % sizeof(odd)] : x >> 40;
		}
		__atomic_add_fetch(flips, 1000, __ATOMIC_RELAXED);
		nanosleep(&pause, NULL);
	}
	return NULL;
}
'''


@case
def memory_changes_under_the_reader():
    # A thread flips bytes of the memory that is shared with the engine, all the
    # time: no number is trusted, the campaign goes on to its end.
    target = build(one_input('''
	static pthread_t thread;

	probe_count();
	if (memory == NULL) {
		memory = probe_memory("cfuzz-worker", &memory_size);
		if (memory == NULL)
			abort();
		pthread_create(&thread, NULL, flip, probe_number("flips"));
	}
	if (size > 1 && data[0] == 'a' && data[1] == 'b')
		return -1;''', FLIPPER), flags=['-pthread'])
    r = start(target, '-j', 2, '--verify', 1, '--minimizetime', '50x',
              '--finish-time', 500, '--seeds', seeds([b'seed', b'another']))
    wait_for(lambda: r.number('flips') > 1000000 * TIMES or
             r.process.poll() is not None, 'flips', PATIENCE + 30 * TIMES)
    check(r.process.poll() is None, 'it ended:%s', r.describe())
    r.signal(signal.SIGINT)
    r.end()
    check(r.status in (0, 1), 'exit status %d:%s', r.status, r.describe())
    print('     %d flips in %.0f s' % (r.number('flips'),
                                     r.stats['elapsed_s']))


# ---- neighbours that move files ---------------------------------------------

LIBC = ctypes.CDLL(None, use_errno=True)


def exchange(a, b):
    """Both names at once, so that there is no moment without either."""
    LIBC.renameat2(-100, a.encode(), -100, b.encode(), 2)


class Watch:
    """What is done to a folder and the files in it, by whomever."""

    # access, modify, attributes, open, create, delete, moves
    EVENTS = 0x1 | 0x2 | 0x4 | 0x20 | 0x100 | 0x200 | 0xc0

    def __init__(self, folder):
        self.fd = LIBC.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        check(self.fd >= 0, 'inotify_init1 fails')
        LIBC.inotify_add_watch(self.fd, folder.encode(), self.EVENTS)

    def end(self):
        """The names that something was done to."""
        names = set()
        try:
            data = os.read(self.fd, 1 << 16)
        except BlockingIOError:
            data = b''
        os.close(self.fd)
        while data:
            _, mask, _, n = struct.unpack_from('iIII', data)
            name = data[16:16 + n].rstrip(b'\0').decode()
            names.add('%s (%x)' % (name or '.', mask))
            data = data[16 + n:]
        return names


class Racer(threading.Thread):
    """Exchanges what we write and read for links, FIFOs and files of others,
    and back, all the time."""

    def __init__(self, pairs):
        super().__init__()
        self.pairs, self.swaps, self.over = pairs, 0, False

    def run(self):
        while not self.over:
            for pair in self.pairs * 8:
                exchange(*pair)
                exchange(*pair)
            # Each for a while, too: some of ours are seldom opened.
            for pair in self.pairs:
                exchange(*pair)
                time.sleep(0.003)
                exchange(*pair)
            self.swaps += 18 * len(self.pairs)

    def end(self):
        self.over = True
        self.join()


LADDER = '''
	unsigned n = 0;

	probe_count();
	while (n < size && n < 40 && data[n] == (uint8_t)(n * 37 + 11))
		n++;
	switch (n) {
#define RUNG(i) case i: __asm__ volatile("" : : "r"(i)); break;
	RUNG(1) RUNG(2) RUNG(3) RUNG(4) RUNG(5) RUNG(6) RUNG(7) RUNG(8)
	}
	if (size > 3 && data[size - 1] == 1)
		one();
	if (size > 3 && data[size - 1] == 2)
		two();
	if (size > 3 && data[size - 1] == 3)
		three();'''


def stat_of(path):
    st = os.lstat(path)
    return (st.st_mode, st.st_size, st.st_uid)


@case
def files_are_exchanged():
    # Whatever stands in the place of a file or a folder of ours: a link is not
    # followed, nobody else's file is read, written to, or made ours.
    target = build(one_input(LADDER, ''.join(
        'static __attribute__((noinline)) void %s(void) { abort(); }\n' % name
        for name in ('one', 'two', 'three'))))
    swap, victim, linked = map(os.path.abspath, ('swap', 'victim', 'linked'))
    for folder in (swap, victim, linked):
        os.makedirs(folder, 0o755)
    secret = 'a secret that is nobody\'s business'
    files = [write(os.path.join(victim, n), secret) for n in
             ('input', 'crash.json', 'journal.jsonl', 'secret')]
    os.makedirs(os.path.join(victim, 'more'), 0o755)
    files.append(write(os.path.join(linked, 'file'), secret))
    for path in files:
        os.chmod(path, 0o644)
    folder = seeds([b'seed %d\n' % i for i in range(20)])
    # The directory is there, and has all of its files.
    run(target, '-j', 1, '--fuzztime', '100x', '--verify', 0,
        '--minimizetime', 0, '--seeds', folder)
    out = os.path.abspath('out')
    pairs = []

    def stand_in(path, make):
        name = os.path.join(swap, str(len(pairs)))
        make(name)
        pairs.append((path, name))

    for part in ('crashes', 'corpus', 'hangs'):
        stand_in(os.path.join(out, part), lambda n: os.symlink(victim, n))
    journal = os.path.join(out, 'journal.jsonl')
    stand_in(journal, lambda n: os.symlink(files[3], n))
    stand_in(journal, os.mkfifo)
    stand_in(journal, lambda n: os.link(files[-1], n))
    stand_in(os.path.join(out, 'stats.json'),
             lambda n: os.symlink(files[3], n))
    stand_in(os.path.join(folder, 'seed003'),
             lambda n: os.symlink(files[3], n))
    before = [stat_of(p) for p in files + [victim]]
    names = sorted(os.listdir(victim))
    watch, racer = Watch(victim), Racer(pairs)
    r = start(target, '-j', 2, '--fuzztime', '%ds' % (3 * TIMES), '--verify', 1,
              '--minimizetime', '20x', '--finish-time', 2000, '--seeds', folder)
    try:
        r.wait_fuzzing()
        racer.start()
        r.wait()
    finally:
        racer.end()
    touched = watch.end()
    check(not touched, 'touched: %s', sorted(touched))
    check(r.status in (0, 1, 3), 'exit status %d:%s', r.status,
          r.describe())
    equal(sorted(os.listdir(victim)), names, 'the names in a folder')
    equal([stat_of(p) for p in files + [victim]], before, 'files of others')
    for path in files:
        equal(read(path).decode(), secret, path)
    check(secret not in r.stdout + r.stderr, 'a secret is told')
    for root, _, found in os.walk(out):
        for name in found:
            path = os.path.join(root, name)
            if stat.S_ISREG(os.lstat(path).st_mode):
                check(secret.encode() not in read(path), '%s has a secret',
                      path)
    print('     %d exchanges, status %d' % (racer.swaps, r.status))


# ---- what a target can reach -------------------------------------------------

SPY = '''
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

static void
tell(const char *list, const char *who, const char *what)
{
	char line[128];

	snprintf(line, sizeof(line), "%s: %s", who, what);
	probe_log(list, line);
}

static void
try_file(pid_t pid, const char *who, const char *name)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	fd = open(path, O_RDONLY);
	if (fd >= 0) {
		close(fd);
		tell("reached", who, name);
	}
}

static void
try_process(pid_t pid, const char *who)
{
	char here;
	struct iovec to = { &here, 1 }, from = { (void *)0x10000, 1 };
	int pidfd = syscall(SYS_pidfd_open, pid, 0);

	tell("looked", who, "-");
	try_file(pid, who, "mem");
	try_file(pid, who, "environ");
	try_file(pid, who, "maps");
	try_file(pid, who, "fd");
	if (process_vm_readv(pid, &to, 1, &from, 1, 0) >= 0 || errno == EFAULT)
		tell("reached", who, "its memory");
	if (pidfd >= 0 && syscall(SYS_pidfd_getfd, pidfd, 1, 0) >= 0)
		tell("reached", who, "a descriptor");
	if (ptrace(PTRACE_ATTACH, pid, NULL, NULL) == 0) {
		tell("reached", who, "ptrace");
		waitpid(pid, NULL, __WALL);
		ptrace(PTRACE_DETACH, pid, NULL, NULL);
	}
}

/* Its parent; its name. */
static pid_t
parent_of(pid_t pid, char *name, size_t size)
{
	char path[64], text[512] = "", *open_at, *close_at;
	int fd, parent = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY);
	if (fd >= 0 && read(fd, text, sizeof(text) - 1) < 0)
		text[0] = 0;
	close(fd);
	open_at = strchr(text, '(');
	close_at = strrchr(text, ')');
	if (open_at == NULL || close_at == NULL)
		return 0;
	snprintf(name, size, "%.*s", (int)(close_at - open_at - 1),
		open_at + 1);
	sscanf(close_at + 1, " %*c %d", &parent);
	return parent;
}

/* Everybody of the fuzzer: above us, and whose parent is above us. */
static void
look_around(void)
{
	pid_t above[32], pid = getppid();
	struct dirent *entry;
	char name[64];
	int n = 0, fd;
	DIR *proc;

	while (n < 32 && pid > 1) {
		above[n++] = pid;
		pid = parent_of(pid, name, sizeof(name));
	}
	proc = opendir("/proc");
	while (proc != NULL && (entry = readdir(proc)) != NULL) {
		pid_t one = atoi(entry->d_name);
		bool ours = false;

		pid = one > 0 ? parent_of(one, name, sizeof(name)) : 0;
		for (int i = 0; i < n; i++)
			ours |= pid == above[i] || one == above[i];
		if (ours && strncmp(name, "cfuzz", 5) == 0)
			try_process(one, name);
	}
	if (proc != NULL)
		closedir(proc);
	for (fd = 0; fd < 64; fd++)
		if (isatty(fd) || ioctl(fd, TIOCSTI, "x") == 0)
			tell("reached", "terminal", "a descriptor");
	fd = open("/dev/tty", O_RDWR);
	if (fd >= 0)
		tell("reached", "terminal", "/dev/tty");
	else if (errno != ENXIO)
		tell("reached", "terminal", strerror(errno));
	if (getpgid(0) == getpgid(above[n - 1]))
		tell("reached", "terminal", "its group");
	probe_save("done", "", 0);
}
'''


def as_ordinary_user():
    """Of root, somebody else; nothing to be done for others."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)


def needs_ordinary_user(path):
    """One who may run this program: not where root has it for itself."""
    try:
        done = subprocess.run([path, '--version'], stdout=subprocess.DEVNULL,
                              preexec_fn=as_ordinary_user)
    except PermissionError:
        done = None
    if done is None or done.returncode != 0:
        raise Skip('an ordinary user may not use ' + path)


def on_terminal(words, env):
    """Starts a program as its user would; (process, descriptor)."""
    pid, fd = pty.fork()
    if pid == 0:
        try:
            as_ordinary_user()
            os.execve(words[0], words, env)
        finally:
            os._exit(99)
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('4H', 24, 80, 0, 0))
    os.set_blocking(fd, False)
    return pid, fd


def drain(fd):
    try:
        return os.read(fd, 1 << 16)
    except OSError:
        return b''


@each(('run', 'cfuzz', ['run']), ('tui', 'cfuzz-tui', []))
def nobody_is_reached(program, words):
    # The target of an ordinary user on a terminal can neither look into the
    # fuzzer nor speak to its terminal.
    target = build(one_input('''
	static int looked;

	if (looked++ == 0 && probe_add(probe_number("first")) == 1)
		look_around();''', SPY))
    target = shutil.copy(target, 'target')
    os.chmod(target, 0o755)
    os.makedirs('probe')
    if os.geteuid() == 0:
        for path in ('.', 'probe'):
            os.chown(path, 65534, 65534)
    path = os.path.join(BUILD, program)
    needs_ordinary_user(path)
    env = dict(os.environ, PROBE=os.path.abspath('probe'), HOME=os.getcwd(),
               TERM='xterm')
    pid, fd = on_terminal([path] + words + ['-j', '1', '-o', 'out',
                                            './target'], env)
    told = b''

    def done():
        nonlocal told
        told += drain(fd)
        return os.path.exists('probe/done') or \
            os.waitpid(pid, os.WNOHANG)[0] != 0

    def ended():
        drain(fd)
        return os.waitpid(pid, os.WNOHANG)[0] != 0

    wait_for(done, 'the target to look around')
    check(os.path.exists('probe/done'), 'it ended: %r', told)
    os.kill(pid, signal.SIGTERM)
    wait_for(ended, 'the end')
    os.close(fd)
    lines = read('probe/looked').decode().splitlines()
    check(len(lines) >= (1 if program == 'cfuzz' else 3),
          'looked at %s', lines)
    reached = read('probe/reached').decode().splitlines() \
        if os.path.exists('probe/reached') else []
    equal(reached, [], 'reached')


@each(('setuid', 0o4755), ('setgid', 0o2755), ('capable', 0o755))
def rights_of_others(mode):
    # A program that gets rights by being started is no target.
    target = shutil.copy(build(one_input('')), 'target')
    os.chmod(target, mode)
    if mode == 0o755:
        # CAP_NET_RAW, as setcap(8) writes it
        value = struct.pack('<5I', 0x02000001, 1 << 13, 0, 0, 0)
        try:
            os.setxattr(target, 'security.capability', value)
        except OSError as why:
            raise Skip('capabilities cannot be given: %s' % why)
    status, out, err = tool(CFUZZ, 'run', '-o', 'out', '--fuzztime', '10x',
                            './target')
    equal(status, 2, 'exit status')
    check('is setuid, setgid or has capabilities' in err, 'it says %r', err)
    check(not os.path.exists('out'), 'there is a directory')


@case
def we_with_rights_of_others():
    # Of another user: whoever calls us would run programs as that one.
    if os.geteuid() != 0:
        raise Skip('only root can try')
    for program in ('cfuzz', 'cfuzz-tui'):
        copy = shutil.copy(os.path.join(BUILD, program), program)
        os.chown(copy, 65534, 65534)
        os.chmod(copy, 0o4755)
        status, out, err = tool('./' + program, 'run', './target')
        if 'setuid' not in err and status == 2 and 'target' in err:
            raise Skip('setuid programs get no rights here')
        equal(status, 2, 'exit status of ' + program)
        check('must not be setuid' in err, '%s says %r', program, err)


@each(('root', True), ('other', False))
def root_is_told(root):
    # Once, in the beginning.
    if os.geteuid() != 0 and root:
        raise Skip('nobody but root is root')
    target = shutil.copy(build(one_input('')), 'target')
    os.chmod(target, 0o755)
    if os.geteuid() == 0:
        os.chown('.', 65534, 65534)
    if not root:
        needs_ordinary_user(CFUZZ)
    done = subprocess.run(
        [CFUZZ, 'run', '-o', 'out', '--fuzztime', '10x', './target'],
        preexec_fn=None if root else as_ordinary_user, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)
    equal(done.returncode, 0, 'exit status: ' + done.stdout)
    equal(done.stdout.count('the target runs as root'), int(root), 'times told')


# ---- what is started, what is written ----------------------------------------

HARD_NAME = 'a $(touch evil) ; `touch evil` \n\'" \x1b]0;x\x07'


def started(*words):
    """The programs that a command of ours starts: paths as they were asked."""
    done = subprocess.run(
        ['strace', '-f', '-qq', '-s', '4096', '-e', 'trace=execve,execveat',
         '-e', 'signal=none', '-o', 'trace'] + list(words),
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True, start_new_session=True,
        env=dict(os.environ, PROBE=os.getcwd()))
    if 'ptrace' in done.stderr:
        raise Skip('strace may not trace here')
    nobody_left()
    if re.search(r'^\d+ +execve(at)?\(0x', read('trace').decode(
            errors='replace'), re.M):
        raise Skip('nobody but root may read what our processes start')
    return re.findall(r'^\d+ +execve(?:at)?\((?:\w+, )?"([^"]*)"',
                      read('trace').decode(errors='replace'), re.M)


@case
def only_targets_are_started():
    # Neither a shell nor anything else, whatever names of files look like.
    if shutil.which('strace') is None:
        raise Skip('there is no strace')
    target = shutil.copy(build(one_input('''
	if (size > 2 && data[0] == 'b')
		abort();''')), HARD_NAME)
    folder = seeds({HARD_NAME: b'bad input', 'other': b'good'}, 'seeds;$(id)')
    runs = [started(CFUZZ, 'run', '-o', 'out', '--fuzztime', '200x', '--verify',
                    '1', '--finish-time', '60000', '--minimizetime', '20x',
                    '--seeds', folder, './' + target)]
    crash = Output('out').bucket().path
    for words in (['repro', './' + target, crash],
                  ['min', '-o', 'small', './' + target,
                   os.path.join(crash, 'input')],
                  ['cmin', '-o', 'few', './' + target, folder],
                  ['check', 'out'], ['show', 'out'], ['findings', 'out'],
                  ['convert', folder, 'converted']):
        runs.append(started(CFUZZ, *words))
    check(len(runs[0]) > 1, 'strace has seen no worker: %s', runs[0])
    for names in runs:
        equal(names[0], CFUZZ, 'the first')
        odd = [n for n in names[1:] if not re.fullmatch(
            r'/proc/self/(fd/\d+|exe)', n)]
        equal(odd, [], 'started')
    check(not os.path.exists('evil'), 'a name was a command')


@case
def modes_without_a_mask():
    # What we write is for its owner alone, whatever the mask allows.
    target = build(one_input('''
	if (size > 2 && data[0] == 'b')
		abort();'''))
    folder = seeds({'bad': b'bad input', 'other': b'good'})
    old = os.umask(0)
    try:
        r = run(target, '--fuzztime', '500x', '--verify', 1, '--debug=log',
                '--minimizetime', '50x', '--seeds', folder, status=1)
        crash = r.bucket().path
        for words in (['repro', target, crash],
                      ['min', '-o', 'small', target, crash + '/input'],
                      ['cmin', '-o', 'few', target, folder],
                      ['check', 'out'], ['convert', folder, 'converted']):
            status, out, err = tool(CFUZZ, *words)
            check(status in (0, 1), '%s: status %d: %s', words, status, err)
    finally:
        os.umask(old)
    for name in ('log', 'small', 'few', 'converted', 'out'):
        check(os.path.exists(name), 'there is no %s', name)
        for path in [name] + [os.path.join(root, n)
                              for root, folders, files in os.walk(name)
                              for n in folders + files]:
            check_mode(path)


@each(('usual', [], '(off_t)1 << 30', 1), ('less', ['--file-limit', '3'],
                                          '3 << 20', 1),
      ('none', ['--file-limit', '0'], '(off_t)1 << 30', 0))
def no_input_fills_the_disk(options, at, findings):
    # A byte behind the limit is one too many; the file is a sparse one.
    target = build(one_input('''
	int fd = -1;

	probe_count();
	if (size > 3 && data[0] == 'b')
		fd = probe_open("large", O_RDWR);
	if (fd >= 0 && (pwrite(fd, "x", 1, (%s) - 1) != 1 ||
			pwrite(fd, "x", 1, %s) != 1))
		abort();
	close(fd);''' % (at, at)))
    r = run(target, '-j', 1, '--fuzztime', '100x', '--verify', 2,
            '--minimizetime', 0, '--seeds', seeds([b'good', b'bad input']),
            *options, status=findings)
    found = [b.info for b in r.buckets()]
    equal([f['what'] for f in found], ['SIGXFSZ'] * findings, 'findings')
    for f in found:
        check('--file-limit' in f['text'], 'it is told as %r', f['text'])
    size = os.stat('probe/large').st_size
    equal(size, eval(at.replace('(off_t)', '')) + (not findings), 'the size')


main()
