/* replaced: see replaced.h. */
#include "worker/target/replaced.h"

#include <string.h>
#include <sys/stat.h>

bool
target_is_replaced(const struct target_info *target, const char *path,
	const char *id)
{
	struct stat now, open;

	if ((id != NULL && id[0] != '\0') || target->fd < 0 ||
		strcmp(path, target->path) != 0 ||
		fstat(target->fd, &open) != 0)
		return false;
	return stat(path, &now) != 0 || now.st_dev != open.st_dev ||
		now.st_ino != open.st_ino || now.st_size != open.st_size ||
		now.st_mtim.tv_sec != open.st_mtim.tv_sec ||
		now.st_mtim.tv_nsec != open.st_mtim.tv_nsec;
}
