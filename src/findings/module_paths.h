/*
 * module_paths: the file of a module that a frame names.
 */
#ifndef CFUZZ_FINDINGS_MODULE_PATHS_H
#define CFUZZ_FINDINGS_MODULE_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct pc_table;

/* The files that a process has mapped, as lines of the kernel; a new string, ""
 * if there is no such process. */
char *module_paths_read(pid_t process);

/*
 * Finds the module in these lines, or else among others, which may be NULL: only
 * the child that has failed, and is gone, may have had it. Returns a new string;
 * NULL: not found.
 */
char *module_paths_find(const char *maps, const struct pc_table *others,
	const char *module);

/* Is it the file of the module? A module's name may be truncated. */
bool module_paths_is(const char *path, size_t len, const char *module);

#endif
