/*
 * replaced: is the file at the target's path still the one that runs?
 */
#ifndef CFUZZ_WORKER_TARGET_REPLACED_H
#define CFUZZ_WORKER_TARGET_REPLACED_H

#include <stdbool.h>

#include "worker/target/elf.h"

/*
 * True: `path` is the target's and has another file now, or none, so that names
 * read there would be wrong. False if id, a build-id, is given (NULL and "":
 * none), because who reads the file compares it; and for other files, and for a
 * target that is not open.
 */
bool target_is_replaced(const struct target_info *target, const char *path,
	const char *id);

#endif
