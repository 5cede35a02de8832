/*
 * beside: finds a file that belongs to the running program.
 */
#ifndef CFUZZ_SHARED_BESIDE_H
#define CFUZZ_SHARED_BESIDE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Looks for a file in three places: beside the running program; where `folder` is
 * in an installation that was moved, at the same relative path from the program
 * as from CFUZZ_BINDIR; and in `folder` itself, which is absolute. Writes the
 * file's path of at most `size` bytes, NUL included. mode: as of access(). False:
 * the file is in none, or the path does not fit; path is the one in `folder`
 * then.
 */
bool beside_find(const char *name, const char *folder, int mode, char *path,
	size_t size);

#endif
