/* module_paths: see module_paths.h. */
#include "findings/module_paths.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xmalloc.h"
#include "shared/deleted.h"
#include "shared/wire/failure.h"
#include "worker/pc_table.h"

#define MODULE_PATHS_MAX (1u << 20) /* bytes read of /proc/PID/maps */

char *
module_paths_read(pid_t process)
{
	char *text, path[64];
	size_t len = 0;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)process);
	fd = process > 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return xstrdup("");
	text = xmalloc(MODULE_PATHS_MAX + 1);
	while (len < MODULE_PATHS_MAX &&
		(n = read(fd, text + len, MODULE_PATHS_MAX - len)) > 0)
		len += (size_t)n;
	close(fd);
	text[len] = '\0';
	return text;
}

bool
module_paths_is(const char *path, size_t len, const char *module)
{
	const char *end = path + len, *base = end;

	while (base > path && base[-1] != '/')
		base--;
	len = (size_t)(end - base);
	if (len >= FAILURE_MODULE_MAX)
		len = FAILURE_MODULE_MAX - 1;
	return failure_is_module(module, base, len);
}

/* Returns a new string; NULL: no file of this name is loaded. */
static char *
module_find_file(const char *maps, const char *module)
{
	const char *line, *end, *path;

	for (line = maps; *line != '\0'; line = end + (*end != '\0')) {
		end = strchrnul(line, '\n');
		path = memchr(line, '/', (size_t)(end - line));
		if (path != NULL &&
			module_paths_is(path, (size_t)(end - path), module))
			return xstrndup(path, (size_t)(end - path));
	}
	return NULL;
}

/*
 * A report names a library by the name that it was loaded with, "libz.so.1".
 * This is often a symbolic link in the same folder, and the kernel knows only
 * the file behind it. Returns a new string; NULL: no such link.
 */
static char *
module_find_link(const char *maps, const char *module)
{
	const char *line, *end, *path, *base, *last = "";
	char link[PATH_MAX], *real, *file;
	size_t folder_len = 0;

	for (line = maps; *line != '\0'; line = end + (*end != '\0')) {
		end = strchrnul(line, '\n');
		path = memchr(line, '/', (size_t)(end - line));
		base = path != NULL ? memrchr(path, '/', (size_t)(end - path))
				    : NULL;
		if (base == NULL ||
			((size_t)(base - path) == folder_len &&
				strncmp(path, last, folder_len) == 0))
			continue;
		last = path;
		folder_len = (size_t)(base - path);
		snprintf(link, sizeof(link), "%.*s/%s", (int)folder_len, path,
			module);
		real = realpath(link, NULL);
		file = real != NULL ? module_find_file(maps, basename(real))
				    : NULL;
		free(real);
		if (file != NULL)
			return file;
	}
	return NULL;
}

/* Only the child that has failed, and is gone, may have had the module. */
static char *
module_find_other(const struct pc_table *others, const char *module)
{
	for (uint32_t i = 0; others != NULL && i < others->n; i++) {
		const char *path = others->modules[i].path;

		if (path != NULL && path[0] == '/' &&
			module_paths_is(path, strlen(path), module))
			return xstrdup(path);
	}
	return NULL;
}

char *
module_paths_find(const char *maps, const struct pc_table *others,
	const char *module)
{
	char *path = module_find_file(maps, module);

	if (path == NULL)
		path = module_find_link(maps, module);
	return path != NULL ? path : module_find_other(others, module);
}

/* The loader's path of a library may be relative, or a symbolic link. That in the
 * maps is not. */
static bool
module_is_at(const char *loaded, const char *path)
{
	char *real;
	bool is_there;

	if (strcmp(loaded, path) == 0)
		return true;
	real = realpath(loaded, NULL);
	is_there = real != NULL && strcmp(real, path) == 0;
	free(real);
	return is_there;
}

const char *
module_paths_id(const struct pc_table *modules, const char *path)
{
	for (uint32_t i = 0; modules != NULL && i < modules->n; i++) {
		const struct pc_table_module *m = &modules->modules[i];

		if (m->path != NULL && m->id[0] != '\0' &&
			module_is_at(m->path, path))
			return m->id;
	}
	return NULL;
}

bool
module_paths_is_deleted(const char *maps, const char *path)
{
	char *line = xasprintf("%s" DELETED_MARK "\n", path);
	bool is_deleted = strstr(maps, line) != NULL;

	free(line);
	return is_deleted;
}
