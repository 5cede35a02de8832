/* beside: see beside.h. */
#include "shared/beside.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool
beside_find(const char *name, const char *folder, int mode, char *path,
	size_t size)
{
	char self[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	const char *slash;

	self[len > 0 ? len : 0] = '\0';
	slash = strrchr(self, '/');
	if (slash != NULL &&
		snprintf(path, size, "%.*s/%s", (int)(slash - self), self,
			name) < (int)size &&
		access(path, mode) == 0)
		return true;
	return snprintf(path, size, "%s/%s", folder, name) < (int)size &&
		access(path, mode) == 0;
}
