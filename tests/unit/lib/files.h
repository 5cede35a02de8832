/*
 * files: what a file holds, and how many descriptors a test may have open.
 */
#ifndef CFUZZ_TESTS_LIB_FILES_H
#define CFUZZ_TESTS_LIB_FILES_H

#include <stdbool.h>
#include <stddef.h>

#define FILES_SKIP \
	77 /* exit status of a test that the machine does not allow */

/* Raises the limit to n, if it is lower. False: the machine forbids it. */
bool files_allow(unsigned n);

/* All of it, also of one in /proc; a zero follows. The caller's, and of just that
 * size. NULL: there is none. len may be NULL. */
char *files_read(const char *path, size_t *len);

#endif
