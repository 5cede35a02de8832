/* foreign: see foreign.h. */

#include "worker/target/foreign.h"

#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "shared/beside.h"

enum status
foreign_open_adapter(int *fd, struct error *err)
{
	char path[PATH_MAX];

	(void)beside_find(FOREIGN_ADAPTER, CFUZZ_BINDIR, X_OK, path,
		sizeof(path));
	*fd = open(path, O_RDONLY | O_CLOEXEC);
	if (*fd >= 0)
		return OK;
	*fd = 0;
	return error_set(err, E_TARGET,
		"%s, which runs programs of AFL++, is missing: install cfuzz "
		"again",
		path);
}

bool
foreign_find_library(char path[PATH_MAX])
{
	return beside_find(FOREIGN_LIBRARY, CFUZZ_LIBDIR, R_OK, path, PATH_MAX);
}
