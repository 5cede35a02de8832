/* foreign: see foreign.h. */

#include "worker/foreign.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum status
foreign_open_adapter(int *fd, struct error *err)
{
	char self[PATH_MAX], path[PATH_MAX + sizeof(FOREIGN_ADAPTER)] = "";
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	const char *slash;

	self[len > 0 ? len : 0] = '\0';
	slash = strrchr(self, '/');
	if (slash != NULL)
		snprintf(path, sizeof(path), "%.*s/" FOREIGN_ADAPTER,
			(int)(slash - self), self);
	if (access(path, X_OK) != 0)
		snprintf(path, sizeof(path), "%s/" FOREIGN_ADAPTER,
			CFUZZ_BINDIR);
	*fd = open(path, O_RDONLY | O_CLOEXEC);
	if (*fd >= 0)
		return OK;
	*fd = 0;
	return error_set(err, E_TARGET,
		"%s, which runs programs of AFL++, is missing: install cfuzz "
		"again",
		path);
}
