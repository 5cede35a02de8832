#!/usr/bin/env python3
"""Isolated targets: what they try is looked at from outside, and all else works
as ever. A machine that allows no namespaces says so in a sentence."""

import errno
import os
import pwd
import socket
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403
import control             # noqa: E402

WAYS = ('sysctl', 'security-opt', 'nobody', 'chroot')

# Tells on stderr what came of a try.
TRY = '''
static void
try(const char *what, long result)
{
	if (result < 0)
		fprintf(stderr, "try %s %d\\n", what, errno);
	else
		fprintf(stderr, "try %s =%ld\\n", what, result);
}
'''

# Does what the environment names.
TRIES = one_input('''
	char path[4096];
	int i;

	if (size != 5 || memcmp(data, "tries", 5) != 0)
		return 0;
	try("tcp", to_address(AF_INET, getenv("TRY_PORT")));
	try("abstract", to_address(AF_UNIX, "\\0"));
	try("socket", to_address(AF_UNIX, getenv("TRY_SOCKET")));
	try("vsock", socket(AF_VSOCK, SOCK_STREAM, 0));
	try("io_uring", syscall(SYS_io_uring_setup, 8, path));
	try("home", creates("TRY_HOME"));
	try("output", creates("TRY_OUTPUT"));
	try("folder", creates("TRY_FOLDER"));
	try("etc", open("/etc/try", O_CREAT | O_WRONLY, 0600));
	try("secret", open(getenv("TRY_SECRET"), O_RDONLY));
	try("corpus", open(getenv("TRY_JOURNAL"), O_RDONLY));
	try("itself", open("/proc/self/exe", O_WRONLY));
	try("kill-all", kill(-1, SIGWINCH) == 0 ? others() : -1);
	try("kill-init", kill(1, SIGKILL));
	try("ptrace", ptrace(PTRACE_ATTACH, atoi(getenv("TRY_PID")), 0, 0));
	try("ptrace-init", ptrace(PTRACE_ATTACH, 1, 0, 0));
	try("environ-init", open("/proc/1/environ", O_RDONLY));
	try("mem-init", open("/proc/1/mem", O_RDWR));
	snprintf(path, sizeof(path), "/proc/%s/mem", getenv("TRY_PID"));
	try("mem", open(path, O_RDWR));
	try("kill", kill(atoi(getenv("TRY_PID")), SIGKILL));
	try("mount", mount("x", "/tmp", "tmpfs", 0, NULL));
	try("remount", mount("x", "/", NULL, MS_REMOUNT | MS_BIND, NULL));
	try("unshare", unshare(0x10000000));
	try("chroot", chroot("/tmp"));
	try("root", setuid(0));
	try("tmp-files", others_files("."));
	try("tmp", open("mine", O_CREAT | O_WRONLY | O_EXCL, 0600) >= 0 &&
		strcmp(getcwd(path, sizeof(path)), getenv("TMPDIR")) == 0);
	try("shm", open("/dev/shm/mine", O_CREAT | O_RDWR, 0600) >= 0);
	try("loopback", to_itself());
	abort();''', '''
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
int unshare(int);
#include <signal.h>
#include <stddef.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
''' + TRY + '''
/* "" begins an abstract name, which the environment has. */
static int
to_address(int family, const char *where)
{
	struct sockaddr_in in = { .sin_family = AF_INET };
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	int fd = socket(family, SOCK_STREAM, 0);
	const char *name = getenv("TRY_ABSTRACT");

	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (family == AF_INET) {
		in.sin_port = htons(atoi(where));
		return connect(fd, (void *)&in, sizeof(in));
	}
	if (*where != 0) {
		strcpy(un.sun_path, where);
		return connect(fd, (void *)&un, sizeof(un));
	}
	strcpy(un.sun_path + 1, name);
	return connect(fd, (void *)&un,
		offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
}

static int
to_itself(void)
{
	struct sockaddr_in in = { .sin_family = AF_INET };
	socklen_t len = sizeof(in);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(fd, (void *)&in, len) != 0 || listen(fd, 1) != 0 ||
		getsockname(fd, (void *)&in, &len) != 0)
		return -1;
	return connect(socket(AF_INET, SOCK_STREAM, 0), (void *)&in, len);
}

static int
creates(const char *variable)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/try", getenv(variable));
	return open(path, O_CREAT | O_WRONLY, 0600);
}

static long
count(const char *folder, int digits)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	long n = 0;

	while ((entry = readdir(dir)) != NULL)
		n += digits ? entry->d_name[0] >= '0' && entry->d_name[0] <= '9'
			    : entry->d_name[0] != '.';
	closedir(dir);
	return n;
}

static long
others(void)
{
	return count("/proc", 1);
}

/* The way to the target may be there, if that is below. */
static long
others_files(const char *folder)
{
	long n = count(folder, 0);

	return strncmp(getenv("TRY_FOLDER"), "/tmp/", 5) == 0 ? n - 1 : n;
}
''')

# Calls that are refused, with arguments that no kernel would do anything about,
# but for keyctl, which names a keyring. What is of another architecture ends a
# process where the kernel has none of it.
CALLS = one_input('''
	try("io_uring_setup", syscall(SYS_io_uring_setup, 8, NULL));
	try("bpf", syscall(SYS_bpf, 9999, NULL, 0));
	try("perf_event_open", syscall(SYS_perf_event_open, NULL, 0, -1, -1,
		~0ul));
	try("add_key", syscall(SYS_add_key, NULL, NULL, NULL, 0, 0));
	try("request_key", syscall(SYS_request_key, NULL, NULL, NULL, 0));
	try("keyctl", syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID,
		KEY_SPEC_SESSION_KEYRING, 1));
	try("32-bit", others_call(in_32_bits));
	try("x32", others_call(in_x32));
	abort();''', '''
#include <errno.h>
#include <linux/keyctl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
''' + TRY + '''
/* getpid() in another way; -1: none on this machine. */
static long
in_32_bits(void)
{
#ifdef __x86_64__
	long result = 20;

	__asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9",
		"r10", "r11");
	return (int)result;
#else
	return -ENOSYS;
#endif
}

static long
in_x32(void)
{
#ifdef __x86_64__
	long result = 0x40000000 + SYS_getpid;

	__asm__ volatile("syscall" : "+a"(result) : : "memory", "rcx", "r11");
	return (int)result;
#else
	return -ENOSYS;
#endif
}

/* 1: it gave the process's number. */
static long
others_call(long (*call)(void))
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		long result;

		signal(SIGSEGV, SIG_DFL);
		signal(SIGILL, SIG_DFL);
		result = call();
		_exit(result == getpid() ? 1 : result == -ENOSYS ? 2 : 3);
	}
	waitpid(pid, &status, 0);
	errno = ENOSYS;
	return WIFEXITED(status) && WEXITSTATUS(status) != 2
		? WEXITSTATUS(status) : -1;
}
''')

# Starts its arguments in a session with a key that only the session has.
WITH_KEY = '''
#include <linux/keyctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	long key;

	if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) < 0)
		return 9;
	key = syscall(SYS_add_key, "user", "cfuzz-e2e-key", "x", 1,
		KEY_SPEC_SESSION_KEYRING);
	if (key < 0 ||
		syscall(SYS_keyctl, KEYCTL_SETPERM, key, 0x3f000000) < 0 ||
		syscall(SYS_keyctl, KEYCTL_SETPERM, KEY_SPEC_SESSION_KEYRING,
			0x3f000000) < 0)
		return 9;
	execvp(argv[1], argv + 1);
	return 8;
}
'''

# Fails in each way, by its second letter; HOG takes memory until it is stopped.
FAILS = '''
	if (size < 2 || data[0] != '!')
		return 0;
	if (data[1] == 'c')
		abort();
	if (data[1] == 'f')
		cfuzz_fail("as it should");
	if (data[1] == 'h')
		for (;;)
			pause();'''
HOG = '''
	while (data[1] == 'm')
		taken = memset(malloc(1 << 20), 1, 1 << 20);'''
FAILING = one_input(FAILS)
NO_FORK = one_input(FAILS, '''
#include <pthread.h>
#include <signal.h>

static void *
stay(void *arg)
{
	for (;;)
		pause();
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	pthread_t thread;

	return pthread_create(&thread, NULL, stay, NULL);
}
''')

REFUSED = []    # the sentence of a machine without namespaces, once known


def refusal():
    """What this machine says to --isolate; "": nothing."""
    if not REFUSED:
        write('in', b'x')
        status, _, err = tool(CFUZZ, 'repro', '--isolate', '--timeout', '20s',
                              build(one_input('\t(void)data;')), 'in')
        check(status == 0 or '--isolate: ' in err, 'cfuzz repro --isolate: '
              'status %d: %s', status, err)
        REFUSED.append(err if status != 0 else '')
    return REFUSED[0]


def needs_namespaces():
    if refusal():
        raise Skip(refusal().strip())


def listener(family, address):
    sock = socket.socket(family)
    sock.bind(address)
    sock.listen()
    sock.setblocking(False)
    return sock


def heard(sock):
    try:
        sock.accept()
        return True
    except BlockingIOError:
        return False


def tried(r, bucket):
    """{what: outcome} of what a target has said."""
    rows = [line.split() for line in bucket.report.splitlines()
            if line.startswith('try ')]
    check(rows, 'the target did not try:%s', r.describe())
    return {row[1]: row[2] if row[2][0] == '=' else
            errno.errorcode[int(row[2])] for row in rows}


class Around:
    """What a hostile target would like to reach."""

    def __init__(self):
        self.folder = os.path.dirname(build(TRIES))
        self.home = os.path.abspath('home')
        os.makedirs(self.home)
        write('home/secret', 'a secret')
        self.tcp = listener(socket.AF_INET, ('127.0.0.1', 0))
        self.name = 'cfuzz-%d' % os.getpid()
        self.abstract = listener(socket.AF_UNIX, '\0' + self.name)
        self.socket = listener(socket.AF_UNIX, 'socket')
        self.victim = subprocess.Popen(['sleep', '1000'])

    def env(self):
        return {'HOME': self.home, 'TRY_PORT':
                str(self.tcp.getsockname()[1]), 'TRY_ABSTRACT': self.name,
                'TRY_SOCKET': os.path.abspath('socket'),
                'TRY_HOME': self.home, 'TRY_OUTPUT': os.path.abspath('out'),
                'TRY_JOURNAL': os.path.abspath('out/journal.jsonl'),
                'TRY_FOLDER': self.folder,
                'TRY_SECRET': self.home + '/secret',
                'TRY_PID': str(self.victim.pid)}

    def end(self, dies):
        """What happened to it."""
        if dies:
            wait_for(lambda: self.victim.poll() is not None, 'a death')
        lives = self.victim.poll() is None
        self.victim.kill()
        self.victim.wait()
        made = [p for p in (self.home, 'out', self.folder, '/etc')
                if os.path.exists(p + '/try')]
        sockets = [name for name in ('tcp', 'abstract', 'socket')
                   if heard(getattr(self, name))]
        return lives, made, sockets


def tries(dies, *options):
    around = Around()
    r = start(build(TRIES), '-j', 1, '--fuzztime', '1x', '--minimizetime', 0,
              '--verify', 0, '--seeds', seeds([b'tries']), *options,
              env=around.env())
    try:
        r.wait()
    finally:
        after = around.end(dies)
    r.end(1)
    return r, tried(r, r.bucket()), after


@case
def reaches_nothing():
    needs_namespaces()
    r, did, after = tries(False, '--isolate')
    equal(after, (True, [], []), 'lives, files, connections')
    for name, outcome in (('tmp', '=1'), ('tmp-files', '=0'), ('shm', '=1'),
                          ('loopback', '=0'), ('kill', 'ESRCH'),
                          ('ptrace', 'ESRCH'), ('mem', 'ENOENT'),
                          ('secret', 'ENOENT'), ('corpus', 'ENOENT'),
                          ('environ-init', 'EACCES'), ('mem-init', 'EACCES'),
                          ('ptrace-init', 'EPERM'),
                          ('vsock', 'EAFNOSUPPORT'), ('io_uring', 'ENOSYS')):
        equal(did[name], outcome, name)
    for name in ('tcp', 'abstract', 'socket', 'home', 'output', 'etc',
                 'folder', 'itself',
                 'mount', 'remount', 'unshare', 'chroot', 'root'):
        check(not did[name].startswith('='), '%s: it can', name)
    # The init, the fork server, the child; perhaps one that looks on.
    check(did['kill-all'] in ('=3', '=4'), 'processes: %s', did['kill-all'])
    equal(r.stats['isolated'], True, 'stats.json: "isolated"')
    equal(r.stats['limits']['isolate']['value'], 'on', 'the limit')
    equal(r.journal[0]['isolated'], True, 'the journal')


@case
def reaches_all_without():
    # The same tries, but for those that would do harm, are no tries in vain.
    source = TRIES
    for word in ('"kill-all", kill(-1, SIGWINCH) == 0 ? others() : -1',
                 '"etc", open("/etc/try", O_CREAT | O_WRONLY, 0600)',
                 '"mount", mount("x", "/tmp", "tmpfs", 0, NULL)',
                 '"remount", mount("x", "/", NULL, MS_REMOUNT | MS_BIND, '
                 'NULL)', '"kill-init", kill(1, SIGKILL)',
                 '"ptrace-init", ptrace(PTRACE_ATTACH, 1, 0, 0)',
                 '"mem-init", open("/proc/1/mem", O_RDWR)',
                 '"unshare", unshare(0x10000000)',
                 '"chroot", chroot("/tmp")',
                 '"folder", creates("TRY_FOLDER")', '"shm", open('
                 '"/dev/shm/mine", O_CREAT | O_RDWR, 0600) >= 0'):
        check(word in source, 'no %s', word)
        source = source.replace('try(%s);' % word, '')
    globals()['TRIES'], whole = source, TRIES
    try:
        r, did, after = tries(True)
    finally:
        globals()['TRIES'] = whole
    equal(after, (False, [os.path.abspath('home'), 'out'],
                  ['tcp', 'abstract', 'socket']),
          'lives, files, connections')
    os.unlink('out/try')
    for name in ('secret', 'corpus'):
        check(did[name].startswith('='), '%s: %s', name, did[name])
    equal(r.stats['isolated'], False, 'stats.json: "isolated"')
    check('isolate' not in r.stats['limits'], 'there is a limit')


@case
def calls_no_more_than_it_may():
    needs_namespaces()
    r = run(build(CALLS), '-j', 1, '--fuzztime', '1x', '--minimizetime', 0,
            '--verify', 0, '--isolate', status=1)
    did = tried(r, r.bucket())
    for name in ('bpf', 'perf_event_open', 'add_key', 'request_key', 'keyctl'):
        equal(did[name], 'EPERM', name)
    for name in ('io_uring_setup', '32-bit', 'x32'):
        equal(did[name], 'ENOSYS', name)


@case
def has_no_keys():
    # A key that its session alone may see is seen without the option only.
    needs_namespaces()
    write('with_key.c', WITH_KEY)
    subprocess.run(['cc', '-o', 'with_key', 'with_key.c'], check=True)
    if tool('./with_key', 'grep', '-q', 'cfuzz-e2e-key', '/proc/keys')[0] != 0:
        raise Skip('this machine has no keys of a session, or shows none')
    target = build(one_input('''
	static char text[1 << 20];
	int fd = open("/proc/keys", O_RDONLY);
	size_t len = 0;
	ssize_t n;

	if (fd < 0)
		cfuzz_fail("no list of keys");
	while ((n = read(fd, text + len, sizeof(text) - 1 - len)) > 0)
		len += n;
	if (strstr(text, "cfuzz-e2e-key") != NULL)
		cfuzz_fail("a key");
	cfuzz_fail("no key");'''))
    for options, text in (([], 'a key'), (['--isolate'], 'no key')):
        r = run(target, '-j', 1, '--fuzztime', '1x', '--minimizetime', 0,
                '--verify', 0, *options, before=['./with_key'], status=1,
                out='out%d' % len(options))
        check(text in r.bucket().info['text'], '%s: %s', options,
              r.bucket().info['text'])


@case
def finds_as_ever():
    # Each way to fail is found, verified, made smaller, by its right name.
    needs_namespaces()
    more = [b'!%c and more' % c for c in b'cfh']
    r = run(build(FAILING), '--isolate', '-j', 2, '--fuzztime', '1000x',
            '--verify', 1, '--seeds', seeds([b'seed'] + more),
            '--minimizetime', '100x', timeout_ms=1500, status=1)
    found = {b.info['what']: b for b in r.buckets()}
    for what in ('SIGABRT', 'error', 'hang'):
        check(what in found, 'no %s: %s', what, sorted(found))
        equal(found[what].info['state'], 'confirmed', what)
    equal(found['SIGABRT'].minimized, b'!c', 'SIGABRT, minimized')
    check('LLVMFuzzerTestOneInput' in found['hang'].info['where'],
          'the stack of a hang: %s', found['hang'].info)
    equal(r.stats['execs'], 1000, 'executions')
    # What was not trusted is not trusted later.
    path = found['SIGABRT'].path
    check('--isolate' in found['SIGABRT'].info['command'],
          'the command: %s', found['SIGABRT'].info['command'])
    status, _, err = tool(CFUZZ, 'repro', '--gdb', r.target, path)
    equal(status, 2, 'status of gdb')
    check('--no-isolate' in err, 'gdb: %s', err)
    status, out, err = tool(CFUZZ, 'check', '--timeout', 2500, 'out')
    equal(status, 1, 'cfuzz check: %s%s' % (out, err))
    check(' 0 fixed' in out, 'cfuzz check: %s', out)


@case
def much_memory():
    needs_namespaces()
    target = build(one_input('\n\tif (size < 2)\n\t\treturn 0;' + HOG,
                             'void *volatile taken;'))
    r = run(target, '--isolate', '-j', 1, '--fuzztime', '20x',
            '--verify', 1, '--seeds', seeds([b'!m']), '--rss-limit', 60,
            '--minimizetime', 0, timeout_ms=60000, status=1)
    equal(r.bucket('ooms').info['state'], 'confirmed', 'the state')


@case
def large_files():
    # The limit holds inside, whoever may set it from outside.
    needs_namespaces()
    r = run(build(one_input('''
	static char block[1 << 16];
	int fd = open("large", O_CREAT | O_WRONLY | O_TRUNC, 0600);

	for (int i = 0; i < 40 && write(fd, block, sizeof(block)) > 0; i++)
		continue;
	close(fd);''')), '--isolate', '-j', 1, '--fuzztime', '5x', '--verify', 1,
            '--minimizetime', 0, '--file-limit', 1, status=1)
    equal(r.bucket().info['what'], 'SIGXFSZ', 'the failure')


@case
def room():
    # What has no room is refused before it takes any.
    needs_namespaces()
    r = run(build(one_input('''
	room("/tmp", 256);
	room("/dev/shm", 64);''', '''
#include <errno.h>
#include <sys/statvfs.h>

static void
room(const char *folder, unsigned mb)
{
	struct statvfs fs;
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "%s/large", folder);
	fd = open(path, O_CREAT | O_RDWR | O_TRUNC, 0600);
	if (fd < 0 || statvfs(folder, &fs) != 0)
		cfuzz_fail("%s: %s", path, strerror(errno));
	if (fs.f_blocks * fs.f_frsize != (size_t)mb << 20)
		cfuzz_fail("%s: %zu bytes", folder, fs.f_blocks * fs.f_frsize);
	if (fallocate(fd, 0, 0, ((off_t)mb << 20) + 1) == 0 || errno != ENOSPC)
		cfuzz_fail("%s: it has more room", folder);
	if (fallocate(fd, 0, 0, 1 << 20) != 0)
		cfuzz_fail("%s: it has no room", folder);
	close(fd);
}
''')), '--isolate', '-j', 1, '--fuzztime', '5x', '--minimizetime', 0)
    equal([b.info['text'] for b in r.buckets()], [], 'findings')
    equal((r.status, r.stats['execs']), (0, 5), 'status, executions')


@case
def files_go_with_the_worker():
    # Each input has a worker of its own, as none can be forked.
    needs_namespaces()
    name = 'cfuzz-e2e-%d' % os.getpid()
    r = run(build(one_input('''
	make("/tmp");
	make("/dev/shm");
	abort();''', THREAD + '''
static void
make(const char *folder)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, getenv("NAME"));
	if (access(path, F_OK) == 0)
		cfuzz_fail("%s is there", path);
	if (open(path, O_CREAT | O_WRONLY | O_EXCL, 0600) < 0)
		cfuzz_fail("%s cannot be made", path);
}
''')), '--isolate', '-j', 1, '--fuzztime', '4x', '--minimizetime', 0,
            '--verify', 1, status=1, env={'NAME': name})
    equal(r.bucket().info['what'], 'SIGABRT', 'the failure')
    check(r.stats['workers'][0]['restarts'] >= 3, 'restarts: %s',
          r.stats['workers'])
    for folder in ('/tmp', '/dev/shm'):
        check(not os.path.exists('%s/%s' % (folder, name)), 'in %s', folder)


@case
def cannot_be_forked():
    needs_namespaces()
    r = run(build(NO_FORK), '--isolate', '-j', 1, '--fuzztime', '100x',
            '--verify', 1, '--seeds', seeds([b'!c', b'!h', b'x']),
            '--minimizetime', 0, timeout_ms=1500, status=1)
    found = {b.info['what']: b for b in r.buckets()}
    for what in ('SIGABRT', 'hang'):
        check(what in found, 'no %s: %s', what, sorted(found))
        equal(found[what].info['state'], 'confirmed', what)
    equal(r.stats['execs'], 100, 'executions')


@case
def leaks():
    needs_namespaces()
    target = build(one_input('''
	static char *volatile kept;

	if (size == 3)
		kept = malloc(100);
	kept = NULL;'''), flags=['-fsanitize=address'])
    r = run(target, '--isolate', '-j', 1, '--fuzztime', '500x', '--seeds',
            seeds([b'abc', b'a']), '--minimizetime', 0, timeout_ms=20000)
    if r.said('leaks cannot be looked for'):
        raise Skip('LeakSanitizer does not work here')
    check(r.buckets('leaks'), 'no leak:%s', r.describe())


@case
def replaced():
    # What was checked runs, though its name is another file's by now.
    needs_namespaces()
    shutil.copy(build(NO_FORK), 'target')
    r = start('./target', '--isolate', '-j', 1, '--fuzztime', '60x',
              '--verify', 0, '--minimizetime', 0, '--seeds',
              seeds([b'!c', b'x']))
    r.wait_line('new')
    write('other', b'no program')
    os.rename('other', 'target')
    r.end(1)
    equal(r.stats['execs'], 60, 'executions')


@case
def steered():
    # Pause, stop, and the end of the engine reach those inside.
    needs_namespaces()
    r = control.start(build(one_input('\tusleep(1000);')), '--isolate', '-j', 2)
    c = r.control
    # The second one may begin later than the first has executed.
    c.until(lambda s: s['execs'] > 20 and
            all(w['pid'] and w['child'] for w in s['workers']), 'executions')
    check(c.snapshot['isolated'], 'the snapshot')
    pids = [w[name] for w in c.snapshot['workers']
            for name in ('pid', 'child')]
    names = [processes().get(p, (0, '', ''))[2] for p in pids]
    check('cfuzz-isolate' not in names, 'processes: %s %s', pids, names)
    c.command('pause')
    c.until(lambda s: s['state'] == 'paused', 'the pause')
    for _ in range(8):
        c.next_snapshot()
    before = c.next_snapshot()['execs']
    for _ in range(5):
        c.next_snapshot()
    equal(c.snapshot['execs'], before, 'executions in a pause')
    c.command('resume')
    c.until(lambda s: s['execs'] > before, 'more executions')
    r.stop(0)


@each(('killed', signal.SIGKILL), ('stopped', signal.SIGINT))
def nobody_outlives_the_engine(signo):
    # Whatever they do about signals, and to whomever they see.
    needs_namespaces()
    r = start(build(one_input('''
	sigset_t all;

	prctl(PR_SET_PDEATHSIG, 0);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	for (int i = 0; size > 1 && i < 5; i++)
		if (fork() == 0 && setsid() > 0)
			for (;;)
				pause();
	ptrace(PTRACE_SEIZE, getppid(), 0, 0);
	kill(getppid(), SIGSTOP);
	for (;;)
		pause();''', '''
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
''')), '--isolate', '-j', 2, '--timeout', '100s', '--seeds',
              seeds([b'abc', b'defg']))
    r.wait_for(lambda: len(descendants(r.pid)) > 12, 'processes')
    r.signal(signo)
    if signo == signal.SIGINT:
        wait_for(lambda: r.signal(signo) or r.process.poll() is not None,
                 'the end')
    r.wait()
    nobody_left()


@case
def kills_all():
    # All that it sees, and that is not us.
    needs_namespaces()
    r = run(build(one_input('''
	char here[64] = "", *outside = getenv("OUTSIDE");

	(void)!readlink("/proc/self/ns/pid", here, sizeof(here) - 1);
	if (size == 3 && strcmp(here, outside) != 0)
		kill(-1, SIGKILL);''', '#include <signal.h>')), '--isolate',
            '-j', 1, '--fuzztime', '30x', '--seeds', seeds([b'abc', b'x']),
            env={'OUTSIDE': os.readlink('/proc/self/ns/pid')})
    check(r.stats['state'] == 'ended' and r.stats['execs'] == 30,
          'the campaign did not go on:%s', r.describe())


@case
def readable():
    # The target's own folder can be read, others by name only.
    needs_namespaces()
    write('data/file', 'x')
    shutil.copy(build(one_input('''
	if (open(getenv("DATA"), O_RDONLY) >= 0)
		abort();''')), 'target')
    os.makedirs('elsewhere')
    os.rename('target', 'elsewhere/target')
    env = {'DATA': os.path.abspath('data/file')}
    write('in', b'x')

    def reads(*options):
        return repro('elsewhere/target', 'in', options=options, env=env)[0]

    os.chmod('.', 0o755)
    equal(reads('--isolate'), 0, 'without a name')
    equal(reads('--isolate', '--readable', 'data'), 1, 'its folder')
    equal(reads('--isolate', '--readable', 'data/file'), 1, 'itself')


@case
def own_folder():
    # It can be read and not written, whoever else may write there; the output
    # directory in it is as good as empty.
    needs_namespaces()
    os.chmod('.', 0o777)
    shutil.copy(build(one_input('''
	DIR *dir;
	int n = 0;

	if (chdir(getenv("FOLDER")) != 0)
		return 0;
	dir = opendir("out");
	while (dir != NULL && readdir(dir) != NULL)
		n++;
	if (access("seen", R_OK) == 0 && n == 2 &&
		open("made", O_CREAT | O_WRONLY, 0600) < 0 && errno == EROFS)
		cfuzz_fail("it cannot");''', '''
#include <dirent.h>
#include <errno.h>
''')), 'target')
    os.chmod(write('seen', 'x'), 0o644)
    r = run('./target', '--isolate', '-j', 1, '--fuzztime', '20x', '--verify',
            0, '--minimizetime', 0, status=1,
            env={'FOLDER': os.getcwd(), 'HOME': '/nowhere'})
    equal(r.bucket().info['what'], 'error', 'the failure')
    check(not os.path.exists('made'), 'a file was made')


SEES = one_input("""
	if (access(getenv("JOURNAL"), F_OK) == 0)
		cfuzz_fail("it sees the output directory");
	else if (size == 2)
		abort();""")


@each(('check', ['check', '--timeout', 10000, 'out'], '1 still fail'),
      ('repro', ['repro', '--timeout', 10000, './target', 'FINDING'],
       'SIGABRT'),
      ('min', ['min', '--timeout', 10000, '--minimizetime', '20x', './target',
               'FINDING'], 'SIGABRT in LLVM'))
def tools_hide_the_output(command, says):
    # As in the campaign: what it found is not for a target that is run again.
    needs_namespaces()
    os.chmod('.', 0o755)
    shutil.copy(build(SEES), 'target')
    env = {'JOURNAL': os.path.abspath('out/journal.jsonl'), 'HOME': '/nowhere'}
    r = run('./target', '--isolate', '-j', 1, '--fuzztime', '20x', '--verify',
            0, '--minimizetime', 0, '--seeds', seeds([b'!!']), '--max-len', 2,
            status=1, env=env)
    finding = r.bucket()
    equal(finding.info['what'], 'SIGABRT', 'the failure')
    os.chmod('out', 0o755)    # root is nobody there
    words = [finding.path if word == 'FINDING' else word for word in command]
    _, out, err = tool(CFUZZ, *words, env=env)
    check(says in out + err and 'it sees' not in out + err, 'says: %s%s', out,
          err)


@each(('repro', ['repro', '--timeout', 10000, './target', 'ONE', 'TWO'],
       'SIGABRT'),
      ('cmin', ['cmin', '--timeout', 10000, './target', 'one', 'two',
                'more', '-o', 'small'], '1 -> 1 files'))
def tools_hide_each_output(command, says):
    # What runs with the inputs of several campaigns sees none of them.
    needs_namespaces()
    os.chmod('.', 0o755)
    shutil.copy(build(SEES), 'target')
    env = {'JOURNAL': os.path.abspath('two/journal.jsonl'),
           'HOME': '/nowhere'}
    found = {}
    for name in ('one', 'two'):
        r = run('./target', '--isolate', '-j', 1, '--fuzztime', '20x',
                '--verify', 0, '--minimizetime', 0, '--seeds',
                seeds([b'!!', b'!']), '--max-len', 2, status=1, env=env,
                out=name)
        os.chmod(name, 0o755)    # root is nobody there
        found[name.upper()] = r.bucket().path
    seeds([b'x'], 'more')
    words = [found.get(word, word) for word in command]
    _, out, err = tool(CFUZZ, *words, env=env)
    check(says in out + err and 'it sees' not in out + err, 'says: %s%s', out,
          err)


@each(('alone', ['--readable', '.'], 'needs --isolate'),
      ('none', ['--isolate', '--readable', 'nowhere'],
       '--readable nowhere: No such file'),
      ('root', ['--isolate', '--readable', '/'], '/ would show everything'),
      ('own', ['--isolate', '--readable', '/tmp'], 'a /tmp of its own'))
def bad_paths(options, text):
    r = run(build(FAILING), *options, '--fuzztime', '1x', status=2)
    check(text in r.stderr, 'no "%s":%s', text, r.describe())
    check(not os.path.exists('out'), 'there is an output directory')


def refused(*before):
    """How a machine says no: a clear sentence, and nothing ran."""
    status, out, err = tool(*before, CFUZZ, 'run', '--isolate', '-o', 'out',
                            '--fuzztime', '1x', build(FAILING))
    equal(status, 2, 'status: %s%s' % (out, err))
    check(err.startswith('cfuzz: --isolate: ') and err.count('\n') == 1,
          'the sentence: %s', err)
    check(not os.path.exists('out'), 'there is an output directory')
    return err


@case
def refusals():
    # With none allowed any more, or on a machine that allows none at all.
    if refusal():
        check(any(word in refused() for word in WAYS), 'what to do: %s',
              refused())
        return
    if shutil.which('unshare') is None:
        raise Skip('no unshare')
    err = refused('unshare', '-Ur', 'sh', '-c', 'echo 0 '
                  '>/proc/sys/user/max_user_namespaces && exec "$@"', 'sh')
    check('user.max_user_namespaces is 0: `sysctl '
          'user.max_user_namespaces=10000`' in err, 'what to do: %s', err)


@case
def as_a_user():
    # Root's way is another one: both are tried where that can be.
    needs_namespaces()
    if os.geteuid() != 0:
        raise Skip('the other cases are run as a user')
    os.chmod('.', 0o755)
    shutil.copy(CFUZZ, 'cfuzz')
    shutil.copy(build(one_input('''
	char text[4096] = "";
	int fd = open("/proc/self/status", O_RDONLY);

	if (read(fd, text, sizeof(text) - 1) > 0 && size > 1 &&
		strstr(text, "CapBnd:\\t0000000000000000") != NULL &&
		strstr(text, "NoNewPrivs:\\t1") != NULL && getuid() != 0 &&
		open("/tmp/x", O_CREAT | O_WRONLY, 0600) >= 0)
		abort();''')), 'target')
    write('in', b'xx')
    nobody = pwd.getpwnam('nobody')
    try:
        done = subprocess.run(
            ['./cfuzz', 'repro', '--isolate', '--timeout', '10000', './target',
             'in'], user=nobody.pw_uid, group=nobody.pw_gid, extra_groups=[],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
    except OSError as e:
        raise Skip('root is not free to be nobody: %s' % e)
    equal(done.returncode, 1, 'status: ' + done.stdout)
    check('SIGABRT' in done.stdout, 'cfuzz repro: %s', done.stdout)
    status, out = repro('./target', 'in', options=['--isolate'])
    equal(status, 1, 'status as root: ' + out)
    # What nobody may run, nobody runs.
    os.chmod('target', 0o700)
    status, _, err = tool(CFUZZ, 'repro', '--isolate', './target', 'in')
    equal(status, 2, 'status of what is root\'s alone')
    check('--isolate: cannot execute the target: Permission denied' in err,
          'the sentence: %s', err)


main()
