/*
 * fault: see fault.h. The true calls are weak, as a test that is linked
 * without the flags has none of these names.
 */
#include "lib/fault.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#define WEAK __attribute__((weak))

/* The call with this number fails, or every one from then on. */
static struct {
	atomic_int calls, fails_at, errnum;
	atomic_bool for_good, hit;
	atomic_bool block_fsync, block_write; /* until it is taken back */
	atomic_bool blocked; /* a call was, since the last of these two */
} fault;

void
fault_set(int fails_at, int errnum, bool for_good)
{
	atomic_store(&fault.calls, 0);
	atomic_store(&fault.hit, false);
	atomic_store(&fault.errnum, errnum);
	atomic_store(&fault.for_good, for_good);
	atomic_store(&fault.fails_at, fails_at);
}

void
fault_stop(void)
{
	atomic_store(&fault.fails_at, 0);
}

bool
fault_was_hit(void)
{
	return atomic_load(&fault.hit);
}

void
fault_block_fsync(bool block)
{
	atomic_store(&fault.blocked, false);
	atomic_store(&fault.block_fsync, block);
}

void
fault_block_write(bool block)
{
	atomic_store(&fault.blocked, false);
	atomic_store(&fault.block_write, block);
}

bool
fault_has_blocked(void)
{
	return atomic_load(&fault.blocked);
}

static bool
fault_hits(void)
{
	int fails_at = atomic_load(&fault.fails_at);
	int call;

	if (fails_at == 0)
		return false;
	call = atomic_fetch_add(&fault.calls, 1) + 1;
	if (call < fails_at ||
		(call > fails_at && !atomic_load(&fault.for_good)))
		return false;
	atomic_store(&fault.hit, true);
	errno = atomic_load(&fault.errnum);
	return true;
}

WEAK int __real_openat(int dirfd, const char *name, int flags, ...);
int __wrap_openat(int dirfd, const char *name, int flags, mode_t mode);
WEAK ssize_t __real_write(int fd, const void *buf, size_t len);
ssize_t __wrap_write(int fd, const void *buf, size_t len);
WEAK int __real_fsync(int fd);
int __wrap_fsync(int fd);
WEAK int __real_fdatasync(int fd);
int __wrap_fdatasync(int fd);
WEAK int __real_close(int fd);
int __wrap_close(int fd);
WEAK int __real_renameat(int from_fd, const char *from, int to_fd,
	const char *to);
int __wrap_renameat(int from_fd, const char *from, int to_fd, const char *to);
WEAK int __real_mkdirat(int dirfd, const char *name, mode_t mode);
int __wrap_mkdirat(int dirfd, const char *name, mode_t mode);
WEAK int __real_ftruncate(int fd, off_t len);
int __wrap_ftruncate(int fd, off_t len);

int
__wrap_openat(int dirfd, const char *name, int flags, mode_t mode)
{
	return fault_hits() ? -1 : __real_openat(dirfd, name, flags, mode);
}

/* The bell is no file: it always rings. Half of the bytes come first. */
ssize_t
__wrap_write(int fd, const void *buf, size_t len)
{
	if (len == sizeof(uint64_t))
		return __real_write(fd, buf, len);
	if (fault_hits()) {
		int errnum = errno;

		if (len > 1 && __real_write(fd, buf, len / 2) < 0)
			abort();
		errno = errnum;
		return -1;
	}
	if (len > 1 && atomic_load(&fault.block_write)) {
		ssize_t n = __real_write(fd, buf, len / 2);

		atomic_store(&fault.blocked, true);
		while (atomic_load(&fault.block_write))
			usleep(1000);
		return n; /* the caller writes the rest */
	}
	return __real_write(fd, buf, len);
}

int
__wrap_fsync(int fd)
{
	while (atomic_load(&fault.block_fsync)) {
		atomic_store(&fault.blocked, true);
		usleep(1000);
	}
	return fault_hits() ? -1 : __real_fsync(fd);
}

int
__wrap_fdatasync(int fd)
{
	return fault_hits() ? -1 : __real_fdatasync(fd);
}

int
__wrap_close(int fd)
{
	int result = __real_close(fd);

	return fault_hits() ? -1 : result;
}

int
__wrap_renameat(int from_fd, const char *from, int to_fd, const char *to)
{
	return fault_hits() ? -1 : __real_renameat(from_fd, from, to_fd, to);
}

int
__wrap_mkdirat(int dirfd, const char *name, mode_t mode)
{
	return fault_hits() ? -1 : __real_mkdirat(dirfd, name, mode);
}

int
__wrap_ftruncate(int fd, off_t len)
{
	return fault_hits() ? -1 : __real_ftruncate(fd, len);
}
