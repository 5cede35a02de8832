/* shm_names: see shm_names.h. */

#include "shared/wire/shm_names.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shared/wire/memory.h"

#define SHM_NAMES_FOLDER "/dev/shm" /* of shm_open() on Linux */

struct shm_names_entry { /* struct linux_dirent64 */
	uint64_t inode, offset;
	uint16_t size;
	uint8_t type;
	char name[];
};

void
shm_names_unlink(pid_t pid)
{
	int fd = open(SHM_NAMES_FOLDER, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_Alignas(8) char buf[4096];
	const struct shm_names_entry *entry;
	char start[64];
	long len, at;

	if (fd < 0)
		return;
	(void)snprintf(start, sizeof(start), WORKER_SHM_NAME, (int)pid);
	while ((len = syscall(SYS_getdents64, fd, buf, sizeof(buf))) > 0)
		for (at = 0; at < len; at += entry->size) {
			entry = (const void *)(buf + at);
			if (strncmp(entry->name, start, strlen(start)) == 0)
				(void)unlinkat(fd, entry->name, 0);
		}
	(void)close(fd);
}
