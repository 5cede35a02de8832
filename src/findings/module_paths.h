/*
 * module_paths: the file of a module that a frame names.
 */
#ifndef CFUZZ_FINDINGS_MODULE_PATHS_H
#define CFUZZ_FINDINGS_MODULE_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct pc_table;

/* The lines of /proc/PID/maps, at most 1 MiB: the files that a process has
 * mapped. A new string; "": there is no such process. */
char *module_paths_read(pid_t process);

/*
 * Finds the path of a module in the lines of module_paths_read(), or else in
 * `others`, which may be NULL: a library that only the failed child had loaded
 * is in no process any more, but in the PC tables. Returns a new string; NULL:
 * not found.
 */
char *module_paths_find(const char *maps, const struct pc_table *others,
	const char *module);

/* The build-id that the file at this path must have for names: that of the first
 * module in the PC tables whose file this is, as a library may have been built
 * again since. Borrowed; NULL: not known. */
const char *module_paths_id(const struct pc_table *modules, const char *path);

/* Do the lines of module_paths_read() say that the process runs a file that this
 * path had before? */
bool module_paths_is_deleted(const char *maps, const char *path);

/* Is this path of len bytes the file of the module? A module's name may be
 * truncated. */
bool module_paths_is(const char *path, size_t len, const char *module);

#endif
