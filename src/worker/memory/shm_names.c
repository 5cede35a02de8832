/* shm_names: see shm_names.h. */

#include "worker/memory/shm_names.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "shared/wire/memory.h"

#define SHM_NAMES_FOLDER "/dev/shm" /* of shm_open() on Linux */

void
shm_names_unlink(pid_t pid)
{
	DIR *folder = opendir(SHM_NAMES_FOLDER);
	const struct dirent *entry;
	char start[64];

	if (folder == NULL)
		return;
	(void)snprintf(start, sizeof(start), WORKER_SHM_NAME, (int)pid);
	while ((entry = readdir(folder)) != NULL)
		if (strncmp(entry->d_name, start, strlen(start)) == 0)
			(void)unlinkat(dirfd(folder), entry->d_name, 0);
	(void)closedir(folder);
}
