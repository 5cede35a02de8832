/* runtime: finds libcfuzz.a and cfuzz.h, see runtime.h. */
#include "cc/runtime.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xmalloc.h"

#ifndef CFUZZ_LIBDIR
#define CFUZZ_LIBDIR "/usr/local/lib"
#endif
#ifndef CFUZZ_INCLUDEDIR
#define CFUZZ_INCLUDEDIR "/usr/local/include"
#endif

#define RUNTIME_ARCHIVE "libcfuzz.a"
#define RUNTIME_HEADER "cfuzz.h"

/* Folders relative to the program's folder, or absolute. */
static const char *const archive_dirs[] = { ".", "../lib", CFUZZ_LIBDIR, NULL };
static const char *const include_dirs[] = { "../include", "../../include",
	CFUZZ_INCLUDEDIR, NULL };

/* The first folder that has the file; NULL: none. */
static char *
runtime_find_dir(const char *dir, const char *const *dirs, const char *name)
{
	for (; *dirs != NULL; dirs++) {
		char *folder = **dirs == '/' ? xstrdup(*dirs)
			: strcmp(*dirs, ".") == 0
			? xstrdup(dir)
			: xasprintf("%s/%s", dir, *dirs);
		char *path = xasprintf("%s/%s", folder, name);
		bool found = access(path, R_OK) == 0;

		free(path);
		if (found)
			return folder;
		free(folder);
	}
	return NULL;
}

void
runtime_open(struct runtime *runtime, const char *dir, const char *override)
{
	char *folder = NULL;

	runtime->include_dir =
		runtime_find_dir(dir, include_dirs, RUNTIME_HEADER);
	runtime->archive = NULL;
	if (override != NULL && *override != '\0') {
		runtime->archive = xstrdup(override);
		return;
	}
	folder = runtime_find_dir(dir, archive_dirs, RUNTIME_ARCHIVE);
	if (folder != NULL)
		runtime->archive = xasprintf("%s/%s", folder, RUNTIME_ARCHIVE);
	free(folder);
}

void
runtime_close(struct runtime *runtime)
{
	free(runtime->archive);
	free(runtime->include_dir);
	runtime->archive = runtime->include_dir = NULL;
}

enum status
runtime_check(const struct runtime *runtime, struct error *err)
{
	if (runtime->archive == NULL)
		return error_set(err, E_NOT_FOUND,
			"the runtime " RUNTIME_ARCHIVE " is neither beside "
			"cfuzz-cc nor in " CFUZZ_LIBDIR "; build or install "
			"cfuzz, or name the file in CFUZZ_RUNTIME");
	if (access(runtime->archive, R_OK) != 0)
		return error_set(err, E_NOT_FOUND,
			"the runtime %s, which CFUZZ_RUNTIME names, cannot be "
			"read",
			runtime->archive);
	return OK;
}
