/* afl_memory: see afl_memory.h. */

#include "adapter/afl_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include "shared/wire/memory.h"

static enum status
afl_memory_refused(size_t size, struct error *err)
{
	return error_set(err, E_IO,
		"no shared memory of %zu KiB for the AFL++ program: %s",
		size >> 10, strerror(errno));
}

static enum status
afl_memory_open_sysv(struct afl_memory *m, struct error *err)
{
	int id = shmget(IPC_PRIVATE, m->size, IPC_CREAT | IPC_EXCL | 0600);
	void *at;

	if (id < 0)
		return afl_memory_refused(m->size, err);
	at = shmat(id, NULL, 0);
	/* Linux lets others attach a removed segment while somebody has it. */
	(void)shmctl(id, IPC_RMID, NULL);
	if (at == (void *)-1)
		return afl_memory_refused(m->size, err);
	m->at = at;
	(void)snprintf(m->name, sizeof(m->name), "%d", id);
	return OK;
}

/* place NULL: anywhere. */
static enum status
afl_memory_open_posix(struct afl_memory *m, uint8_t *place, struct error *err)
{
	int fd, fixed = place != NULL ? MAP_FIXED : 0;
	void *at = MAP_FAILED;

	(void)snprintf(m->name, sizeof(m->name), "/" WORKER_SHM_NAME "%p",
		(int)getpid(), (void *)m);
	fd = shm_open(m->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return afl_memory_refused(m->size, err);
	m->linked = true;
	if (ftruncate(fd, (off_t)m->size) == 0)
		at = mmap(place, m->size, PROT_READ | PROT_WRITE,
			MAP_SHARED | fixed, fd, 0);
	if (at == MAP_FAILED) {
		(void)afl_memory_refused(m->size, err);
		afl_memory_unlink(m);
		close(fd);
		return E_IO;
	}
	close(fd);
	m->at = at;
	return OK;
}

enum status
afl_memory_open(struct afl_memory *m, size_t size, bool posix,
	struct error *err)
{
	*m = (struct afl_memory){ .size = size };
	return posix ? afl_memory_open_posix(m, NULL, err)
		     : afl_memory_open_sysv(m, err);
}

/* A child may have removed the name, which we do not notice. */
enum status
afl_memory_renew(struct afl_memory *m, struct error *err)
{
	if (m->name[0] != '/')
		return OK;
	(void)shm_unlink(m->name);
	return afl_memory_open_posix(m, m->at, err);
}

void
afl_memory_unlink(struct afl_memory *m)
{
	if (m->linked)
		(void)shm_unlink(m->name);
	m->linked = false;
}

void
afl_memory_close(struct afl_memory *m)
{
	bool posix = m->linked || m->name[0] == '/';

	afl_memory_unlink(m);
	if (m->at != NULL && posix)
		(void)munmap(m->at, m->size);
	else if (m->at != NULL)
		(void)shmdt(m->at);
	*m = (struct afl_memory){ .at = NULL };
}
