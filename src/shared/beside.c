/* beside: see beside.h. */
#include "shared/beside.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef CFUZZ_BINDIR
#define CFUZZ_BINDIR "/usr/local/bin"
#endif

/* Cuts the last part off a path; false: there was none. */
static bool
beside_cut(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash != NULL)
		*slash = '\0';
	return slash != NULL;
}

static bool
beside_is_in(const char *dir, const char *below, const char *name, int mode,
	char *path, size_t size)
{
	return snprintf(path, size, "%s%s/%s", dir, below, name) < (int)size &&
		access(path, mode) == 0;
}

/* The length of their common parent: of /usr/bin and /usr/lib, that of /usr. */
static size_t
beside_common(const char *a, const char *b)
{
	size_t len = 0, i;

	for (i = 0; a[i] != '\0' && a[i] == b[i]; i++)
		if (a[i] == '/')
			len = i;
	return len;
}

/* Goes up from the program's folder, as far as CFUZZ_BINDIR lies below the common
 * parent. */
static bool
beside_climb(char *dir, size_t common)
{
	const char *part = CFUZZ_BINDIR;

	for (part += common; *part != '\0'; part++)
		if (*part == '/' && !beside_cut(dir))
			return false;
	return true;
}

bool
beside_find(const char *name, const char *folder, int mode, char *path,
	size_t size)
{
	char dir[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", dir, sizeof(dir) - 1);
	size_t common = beside_common(CFUZZ_BINDIR, folder);

	dir[len > 0 ? len : 0] = '\0';
	if (beside_cut(dir) &&
		(beside_is_in(dir, "", name, mode, path, size) ||
			(beside_climb(dir, common) &&
				beside_is_in(dir, folder + common, name, mode,
					path, size))))
		return true;
	return beside_is_in(folder, "", name, mode, path, size);
}
