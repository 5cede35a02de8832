/*
 * beside: finds a file that belongs to the running program.
 */
#ifndef CFUZZ_SHARED_BESIDE_H
#define CFUZZ_SHARED_BESIDE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes the path of the file beside the running program, else in the folder
 * where it is installed. mode: as for access(). False: in neither; path is the
 * second then.
 */
bool beside_find(const char *name, const char *folder, int mode, char *path,
	size_t size);

#endif
