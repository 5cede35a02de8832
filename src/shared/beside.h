/*
 * beside: finds a file that belongs to the running program.
 */
#ifndef CFUZZ_SHARED_BESIDE_H
#define CFUZZ_SHARED_BESIDE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Looks for a file beside the running program; then in the folder, as far from
 * the program as the installation has it from its programs, since that may be
 * moved as a whole; then in the folder where it was to be installed, which is
 * absolute. Writes the file's path of at most `size` bytes, NUL included. mode:
 * as of access(). False: the file is in none, or the path does not fit; path is
 * the one in the folder then.
 */
bool beside_find(const char *name, const char *folder, int mode, char *path,
	size_t size);

#endif
