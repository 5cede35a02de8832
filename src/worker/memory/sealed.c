#include "worker/memory/sealed.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/rlimits.h"

static enum status
sealed_map(struct sealed *s, unsigned flags, struct error *err)
{
	int seals = F_SEAL_SHRINK | F_SEAL_GROW;

	char why[RLIMITS_TEXT_MAX];

	s->map = mmap(NULL, s->size, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd,
		0);
	if (s->map == MAP_FAILED) {
		s->map = NULL;
		return error_set(err, E_NOMEM, "cannot map %zu bytes: %s",
			s->size, rlimits_text(errno, why, sizeof(why)));
	}
	/* Our own map was made before the seal, so it stays writable. */
	if (flags & SEALED_READ_ONLY)
		seals |= F_SEAL_FUTURE_WRITE;
	if (fcntl(s->fd, F_ADD_SEALS, seals | F_SEAL_SEAL) < 0)
		return error_set(err, E_INTERNAL, "cannot seal memory: %s",
			strerror(errno));
	return OK;
}

/*
 * RLIMIT_FSIZE should limit files on disks, not memory files. So it is lifted
 * for a moment if that is allowed. Returns 0 or an errno.
 */
static int
sealed_resize(int fd, size_t size)
{
	struct rlimit limit, more;
	int e = ftruncate(fd, (off_t)size) < 0 ? errno : 0;

	if (e != EFBIG || getrlimit(RLIMIT_FSIZE, &limit) != 0)
		return e;
	more = (struct rlimit){ .rlim_cur = size, .rlim_max = limit.rlim_max };
	if (more.rlim_max < size)
		more.rlim_max = size;
	if (setrlimit(RLIMIT_FSIZE, &more) != 0)
		return e;
	e = ftruncate(fd, (off_t)size) < 0 ? errno : 0;
	setrlimit(RLIMIT_FSIZE, &limit);
	return e;
}

enum status
sealed_create(struct sealed *s, const char *name, size_t size, unsigned flags,
	struct error *err)
{
	char why[RLIMITS_TEXT_MAX];
	enum status status;
	int e;

	*s = (struct sealed){ .fd = -1, .size = size };
	s->fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (s->fd < 0)
		return error_set(err, E_NOMEM, "cannot make shared memory: %s",
			rlimits_text(errno, why, sizeof(why)));
	e = sealed_resize(s->fd, size);
	if (e != 0)
		status = error_set(err, E_NOMEM,
			"cannot make %zu bytes of shared memory: %s", size,
			rlimits_text(e, why, sizeof(why)));
	else
		status = sealed_map(s, flags, err);
	if (status != OK)
		sealed_close(s);
	return status;
}

void
sealed_close(struct sealed *s)
{
	if (s->map != NULL)
		munmap(s->map, s->size);
	if (s->fd >= 0)
		close(s->fd);
	*s = (struct sealed){ .fd = -1 };
}

enum status
sealed_allocate(struct sealed *s, size_t offset, size_t len, struct error *err)
{
	int e;

	if (len == 0)
		return OK;
	do
		e = posix_fallocate(s->fd, (off_t)offset, (off_t)len);
	while (e == EINTR);
	if (e != 0)
		return error_set(err, E_NOMEM,
			"cannot allocate %zu bytes of shared memory: %s", len,
			strerror(e));
	return OK;
}
