/*
 * runtime: finds libcfuzz.a and cfuzz.h.
 *
 * They are searched beside the program first, so that a build folder and a
 * moved installation work, then where they were installed.
 */
#ifndef CFUZZ_CC_RUNTIME_H
#define CFUZZ_CC_RUNTIME_H

#include "shared/status.h"

struct runtime {
	char *archive;     /* NULL: not found */
	char *include_dir; /* NULL: not found */
};

/*
 * dir: the folder of the running program; override: an archive that the user
 * names instead, or NULL.
 */
void runtime_open(struct runtime *runtime, const char *dir,
	const char *override);
void runtime_close(struct runtime *runtime);

/* OK if there is an archive to link; otherwise err says what to do. */
MUST_CHECK enum status runtime_check(const struct runtime *runtime,
	struct error *err);

#endif
