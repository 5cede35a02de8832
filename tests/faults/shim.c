/*
 * shim: a library for LD_PRELOAD that lets calls of cfuzz fail on purpose.
 *
 *	SHIM_IO=n      the n-th call that changes a file fails, with SHIM_ERRNO
 *	SHIM_MALLOC=n  the n-th allocation has no memory
 *	SHIM_WRITE=n   the n-th write to a file
 *	SHIM_PIPE=n    the n-th write to a pipe or socket, as if nobody read it
 *	SHIM_SYNC=n    the n-th fsync or fdatasync
 *	SHIM_RENAME=n  the n-th rename or link
 *	SHIM_FORK=n    the n-th process or thread is not started
 *	SHIM_MMAP=n    the n-th piece of memory that is mapped or shared
 *	SHIM_EVER=1    and all that follow
 *	SHIM_FIRED=f   this file appears when one has failed, and says where
 *	SHIM_COUNT=f   f.count has a number for each kind, f.sites where each
 *	               allocation was asked for
 *	SHIM_ROOM=k    files take k bytes in all, then the disk is full; …
 *	SHIM_FULL=f    … this file appears then, and there is room when it is gone
 *	SHIM_CLOCK=s   the time of day is s seconds off, after the first second
 *	SHIM_LOG=f     writes down each change of a file, in order
 *
 * It works in the first program alone: neither targets nor helpers get it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define SITES_MAX (1l << 20)
#define FRAMES_MAX 24

enum kind {
	IO,
	MALLOC,
	WRITE,
	SYNC,
	RENAME,
	FORK,
	MMAP,
	PIPE,
	KINDS
};

static const struct {
	const char *name;
	int error;
} kinds[KINDS] = {
	[IO] = { "SHIM_IO", EIO },
	[MALLOC] = { "SHIM_MALLOC", ENOMEM },
	[WRITE] = { "SHIM_WRITE", EIO },
	[SYNC] = { "SHIM_SYNC", EIO },
	[RENAME] = { "SHIM_RENAME", EIO },
	[FORK] = { "SHIM_FORK", EAGAIN },
	[MMAP] = { "SHIM_MMAP", ENOMEM },
	[PIPE] = { "SHIM_PIPE", EPIPE },
};

static struct {
	int ready;
	long wanted[KINDS];
	long own[KINDS], *calls; /* in a file, where that is wanted */
	long ever, error, clock, room;
	int was_full, told;
	uint64_t *sites;
	int log;
	struct timespec begin;
	pthread_mutex_t lock;
} shim = { .log = -1, .room = -1, .lock = PTHREAD_MUTEX_INITIALIZER };

static __thread int inside; /* of our own calls, nobody wants to know */

static long
number(const char *name)
{
	const char *text = getenv(name);

	return text ? strtol(text, NULL, 10) : 0;
}

static int
is_cfuzz(void)
{
	char path[4096];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[len > 0 ? len : 0] = '\0';
	return (len > 6 && strcmp(path + len - 6, "/cfuzz") == 0) ||
		(len > 10 && strcmp(path + len - 10, "/cfuzz-tui") == 0);
}

/* A file that is memory: it tells its numbers whatever becomes of us. */
static void *
shared(const char *name, const char *end, size_t size)
{
	char path[4096];
	void *at;
	int fd;

	snprintf(path, sizeof(path), "%s%s", name, end);
	fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT, 0600);
	if (fd < 0 || syscall(SYS_ftruncate, fd, size) < 0)
		abort();
	at = (void *)syscall(SYS_mmap, NULL, size, PROT_READ | PROT_WRITE,
		MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		abort();
	syscall(SYS_close, fd);
	return at;
}

__attribute__((constructor)) static void
shim_start(void)
{
	const char *log = getenv("SHIM_LOG"), *count = getenv("SHIM_COUNT");
	void *frames[FRAMES_MAX];
	int kind;

	if (!is_cfuzz())
		return;
	unsetenv("LD_PRELOAD");
	backtrace(frames, FRAMES_MAX); /* what it needs, it gets now */
	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &shim.begin);
	for (kind = 0; kind < KINDS; kind++)
		shim.wanted[kind] = number(kinds[kind].name);
	shim.calls = shim.own;
	if (count) {
		shim.calls = shared(count, ".count", sizeof(shim.own));
		shim.sites = shared(count, ".sites",
			SITES_MAX * sizeof(*shim.sites));
	}
	shim.ever = number("SHIM_EVER");
	shim.clock = number("SHIM_CLOCK");
	shim.error = number("SHIM_ERRNO");
	if (getenv("SHIM_ROOM"))
		shim.room = number("SHIM_ROOM");
	if (log)
		shim.log = (int)syscall(SYS_openat, AT_FDCWD, log,
			O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	shim.ready = 1;
}

/* Where we are, as "program+0x12 library+0x34": for addr2line. */
static int
json_position(char *buf, size_t size)
{
	void *frames[FRAMES_MAX];
	int n = backtrace(frames, FRAMES_MAX), i, len = 0;
	Dl_info in;

	for (i = 0; i < n && (size_t)len + 64 < size; i++)
		if (dladdr(frames[i], &in) && in.dli_fname)
			len += snprintf(buf + len, size - (size_t)len,
				"%.40s+%#lx ",
				strrchr(in.dli_fname, '/')
					? strrchr(in.dli_fname, '/') + 1
					: in.dli_fname,
				(unsigned long)((char *)frames[i] -
					(char *)in.dli_fbase));
	return len;
}

static void
fired(const char *what)
{
	const char *path = getenv("SHIM_FIRED");
	char text[2048];
	int len, fd;

	if (!path)
		return;
	inside++;
	len = snprintf(text, sizeof(text), "%s ", what);
	len += json_position(text + len, sizeof(text) - (size_t)len);
	fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT, 0600);
	(void)!syscall(SYS_write, fd, text, len);
	syscall(SYS_close, fd);
	inside--;
}

/* Stacks are told apart by a number. */
static void
note_site(long n)
{
	void *frames[FRAMES_MAX];
	uint64_t sum = 14695981039346656037u;
	Dl_info in;
	int i, count;

	inside++;
	count = backtrace(frames, FRAMES_MAX);
	for (i = 0; i < count; i++) {
		if (!dladdr(frames[i], &in))
			continue;
		sum ^= (uint64_t)((char *)frames[i] - (char *)in.dli_fbase);
		sum *= 1099511628211u;
	}
	shim.sites[n] = sum | 1;
	inside--;
}

/* Whether this call is the one. */
static int
falls(enum kind kind)
{
	long n, wanted = shim.wanted[kind];

	if (!shim.ready || inside || (wanted == 0 && shim.calls == shim.own))
		return 0;
	n = __atomic_add_fetch(&shim.calls[kind], 1, __ATOMIC_SEQ_CST);
	if (kind == MALLOC && shim.sites && n <= SITES_MAX)
		note_site(n - 1);
	if (wanted == 0 || (n != wanted && !(shim.ever && n > wanted)))
		return 0;
	/* Nobody ends before it is told: others fail after this one. */
	if (n == wanted) {
		fired(kinds[kind].name);
		__atomic_store_n(&shim.told, 1, __ATOMIC_SEQ_CST);
	}
	while (!__atomic_load_n(&shim.told, __ATOMIC_SEQ_CST))
		sched_yield();
	return 1;
}

static int
fails(enum kind kind)
{
	if (!falls(kind))
		return 0;
	errno = shim.error ? (int)shim.error : kinds[kind].error;
	return 1;
}

/* Pipes, terminals and memory are no files of anybody. */
static int
is_file(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 &&
		(S_ISDIR(st.st_mode) ||
			(S_ISREG(st.st_mode) && st.st_nlink > 0));
}

/* The disk is full from now on, until somebody takes the file away. */
static int
is_full(void)
{
	const char *path = getenv("SHIM_FULL");

	if (!path || shim.room != 0)
		return 0;
	if (!shim.was_full) {
		shim.was_full = 1;
		fired("full");
		syscall(SYS_close,
			syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT,
				0600));
	}
	errno = ENOSPC;
	if (syscall(SYS_faccessat, AT_FDCWD, path, F_OK) == 0)
		return 1;
	shim.room = -1;
	return 0;
}

/* How many of these bytes there is room for; -1 and errno: none. */
static ssize_t
room_for(size_t n)
{
	if (!shim.ready || shim.room < 0)
		return (ssize_t)n;
	if (is_full())
		return -1;
	if (shim.room < 0 || (long)n <= shim.room) {
		shim.room -= shim.room < 0 ? 0 : (long)n;
		return (ssize_t)n;
	}
	n = (size_t)shim.room;
	shim.room = 0;
	return (ssize_t)n;
}

/* ---- what is written down -------------------------------------------- */

static void
path_of(int fd, const char *name, char path[4096])
{
	char link[64];
	ssize_t len = 0;

	if (name && name[0] == '/') {
		snprintf(path, 4096, "%s", name);
		return;
	}
	if (fd == AT_FDCWD)
		len = readlink("/proc/self/cwd", path, 2048);
	else {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		len = readlink(link, path, 2048);
	}
	path[len > 0 ? len : 0] = '\0';
	if (name)
		snprintf(path + (len > 0 ? len : 0), 2048, "/%s", name);
}

/* A line: what, how many bytes follow it, how many were said on standard
 * output before, where, and to where. */
static void
note(const char *what, const char *path, const char *to, const void *data,
	size_t len)
{
	struct stat said = { 0 };
	char line[8400];
	int n;

	(void)fstat(STDOUT_FILENO, &said);
	n = snprintf(line, sizeof(line), "%s\t%zu\t%lld\t%s\t%s\n", what, len,
		(long long)said.st_size, path, to);

	(void)!syscall(SYS_write, shim.log, line, n);
	if (len > 0)
		(void)!syscall(SYS_write, shim.log, data, len);
}

static void
note_at(const char *what, int fd, const char *name, const void *data,
	size_t len)
{
	char path[4096];

	if (shim.log < 0)
		return;
	path_of(fd, name, path);
	note(what, path, "", data, len);
}

/* ---- calls ------------------------------------------------------------ */

static int
file_fails(int fd, enum kind kind)
{
	return shim.ready && fd > STDERR_FILENO && is_file(fd) &&
		(fails(IO) || fails(kind));
}

static int
write_fails(int fd)
{
	struct stat st;

	if (!shim.ready || fd <= STDERR_FILENO)
		return 0;
	if (is_file(fd))
		return fails(WRITE) || fails(IO);
	return fstat(fd, &st) == 0 &&
		(S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)) && fails(PIPE);
}

ssize_t
write(int fd, const void *buf, size_t n)
{
	ssize_t done, room = (ssize_t)n;

	if (write_fails(fd))
		return -1;
	if (!shim.ready || fd <= STDERR_FILENO || !is_file(fd))
		return syscall(SYS_write, fd, buf, n);
	pthread_mutex_lock(&shim.lock);
	room = room_for(n);
	done = room < 0 ? -1 : syscall(SYS_write, fd, buf, room);
	if (done > 0)
		note_at("write", fd, NULL, buf, (size_t)done);
	pthread_mutex_unlock(&shim.lock);
	return done;
}

ssize_t
pwrite(int fd, const void *buf, size_t n, off_t at)
{
	if (write_fails(fd))
		return -1;
	return syscall(SYS_pwrite64, fd, buf, n, at);
}

ssize_t
writev(int fd, const struct iovec *parts, int n)
{
	if (write_fails(fd))
		return -1;
	return syscall(SYS_writev, fd, parts, n);
}

ssize_t
send(int fd, const void *buf, size_t n, int flags)
{
	if (write_fails(fd))
		return -1;
	return syscall(SYS_sendto, fd, buf, n, flags, NULL, 0);
}

static int
sync_with(long call, int fd)
{
	int rc;

	if (file_fails(fd, SYNC))
		return -1;
	pthread_mutex_lock(&shim.lock);
	rc = (int)syscall(call, fd);
	if (rc == 0)
		note_at("sync", fd, NULL, NULL, 0);
	pthread_mutex_unlock(&shim.lock);
	return rc;
}

int
fsync(int fd)
{
	return sync_with(SYS_fsync, fd);
}

int
fdatasync(int fd)
{
	return sync_with(SYS_fdatasync, fd);
}

int
close(int fd)
{
	int refused = shim.ready && fd > STDERR_FILENO && is_file(fd) &&
		(fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY && fails(IO);
	int rc = (int)syscall(SYS_close, fd);

	return refused ? -1 : rc;
}

int
ftruncate(int fd, off_t length)
{
	char size[32];
	int rc;

	if (is_file(fd) ? fails(IO) : fails(MMAP))
		return -1;
	pthread_mutex_lock(&shim.lock);
	rc = (int)syscall(SYS_ftruncate, fd, length);
	snprintf(size, sizeof(size), "%lld", (long long)length);
	if (rc == 0)
		note_at("cut", fd, NULL, size, strlen(size));
	pthread_mutex_unlock(&shim.lock);
	return rc;
}

int
openat(int dir, const char *name, int flags, ...)
{
	va_list ap;
	mode_t mode;
	int fd;

	va_start(ap, flags);
	mode = flags & O_CREAT ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	if (shim.ready && (flags & O_CREAT) && fails(IO))
		return -1;
	pthread_mutex_lock(&shim.lock);
	fd = (int)syscall(SYS_openat, dir, name, flags, mode);
	if (shim.ready && fd >= 0 && (flags & O_CREAT))
		note_at("create", fd, NULL, NULL, 0);
	pthread_mutex_unlock(&shim.lock);
	return fd;
}

int
renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	char paths[2][4096];
	int rc;

	if (fails(IO) || fails(RENAME))
		return -1;
	pthread_mutex_lock(&shim.lock);
	path_of(from_dir, from, paths[0]);
	path_of(to_dir, to, paths[1]);
	rc = (int)syscall(SYS_renameat, from_dir, from, to_dir, to);
	if (rc == 0 && shim.log >= 0)
		note("rename", paths[0], paths[1], NULL, 0);
	pthread_mutex_unlock(&shim.lock);
	return rc;
}

int
mkdirat(int dir, const char *name, mode_t mode)
{
	int rc;

	if (fails(IO))
		return -1;
	pthread_mutex_lock(&shim.lock);
	rc = (int)syscall(SYS_mkdirat, dir, name, mode);
	if (rc == 0)
		note_at("mkdir", dir, name, NULL, 0);
	pthread_mutex_unlock(&shim.lock);
	return rc;
}

int
unlinkat(int dir, const char *name, int flags)
{
	int rc;

	if (fails(IO))
		return -1;
	pthread_mutex_lock(&shim.lock);
	rc = (int)syscall(SYS_unlinkat, dir, name, flags);
	if (rc == 0)
		note_at("unlink", dir, name, NULL, 0);
	pthread_mutex_unlock(&shim.lock);
	return rc;
}

/* ---- memory ------------------------------------------------------------ */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);

void *
malloc(size_t size)
{
	return fails(MALLOC) ? NULL : __libc_malloc(size);
}

void *
calloc(size_t n, size_t size)
{
	return fails(MALLOC) ? NULL : __libc_calloc(n, size);
}

void *
realloc(void *old, size_t size)
{
	return fails(MALLOC) ? NULL : __libc_realloc(old, size);
}

void *
mmap(void *at, size_t len, int prot, int flags, int fd, off_t offset)
{
	if (fails(MMAP))
		return MAP_FAILED;
	return (void *)syscall(SYS_mmap, at, len, prot, flags, fd, offset);
}

int
memfd_create(const char *name, unsigned flags)
{
	return fails(MMAP) ? -1 : (int)syscall(SYS_memfd_create, name, flags);
}

/* These say why by what they return. */

int
posix_fallocate(int fd, off_t offset, off_t len)
{
	if (is_file(fd) ? fails(IO) || is_full() : fails(MMAP))
		return errno;
	return syscall(SYS_fallocate, fd, 0, offset, len) < 0 ? errno : 0;
}

/* ---- processes and threads --------------------------------------------- */

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int
posix_spawn(pid_t *pid, const char *path,
	const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *attr, char *const argv[], char *const envp[])
{
	if (fails(FORK))
		return errno;
	return NEXT(posix_spawn)(pid, path, actions, attr, argv, envp);
}

pid_t
fork(void)
{
	return fails(FORK) ? -1 : NEXT(fork)();
}

int
pthread_create(pthread_t *thread, const pthread_attr_t *attr,
	void *(*start)(void *), void *arg)
{
	if (fails(FORK))
		return errno;
	return NEXT(pthread_create)(thread, attr, start, arg);
}

/* ---- the time of day --------------------------------------------------- */

int
clock_gettime(clockid_t id, struct timespec *now)
{
	int rc = (int)syscall(SYS_clock_gettime, id, now);
	struct timespec since;

	if (rc != 0 || shim.clock == 0 || id != CLOCK_REALTIME)
		return rc;
	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &since);
	if (since.tv_sec > shim.begin.tv_sec)
		now->tv_sec += shim.clock;
	return rc;
}

time_t
time(time_t *at)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (at)
		*at = now.tv_sec;
	return now.tv_sec;
}

int
gettimeofday(struct timeval *tv, void *zone)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	tv->tv_sec = now.tv_sec;
	tv->tv_usec = now.tv_nsec / 1000;
	return 0;
}
