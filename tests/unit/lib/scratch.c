/*
 * scratch: a folder for one test, see scratch.h.
 */

#include "lib/scratch.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int
scratch_open(void **state)
{
	struct scratch *scratch = calloc(1, sizeof(*scratch));

	if (!scratch)
		return -1;
	strcpy(scratch->path, "/tmp/cfuzz-test-XXXXXX");
	if (!mkdtemp(scratch->path))
		return -1;
	scratch->dirfd = open(scratch->path, O_RDONLY | O_DIRECTORY);
	*state = scratch;
	return scratch->dirfd < 0 ? -1 : 0;
}

static int
scratch_remove(const char *path, const struct stat *st, int type,
	struct FTW *ftw)
{
	return remove(path);
}

int
scratch_close(void **state)
{
	struct scratch *scratch = *state;

	close(scratch->dirfd);
	nftw(scratch->path, scratch_remove, 8, FTW_DEPTH | FTW_PHYS);
	free(scratch);
	return 0;
}
