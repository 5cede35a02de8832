/*
 * runtime: finds libcfuzz.a and cfuzz.h.
 *
 * Both are searched beside the program first, so that a build folder and a
 * moved installation work, then in the folders of the installation.
 */
#ifndef CFUZZ_CC_RUNTIME_H
#define CFUZZ_CC_RUNTIME_H

#include "shared/status.h"

struct runtime {
	char *archive;     /* path, owned; NULL: not found */
	char *include_dir; /* of cfuzz.h, owned; NULL: not found */
};

/*
 * dir: the folder of the running program; override: the path of an archive that
 * the user names instead, not checked here; NULL or "": none.
 */
void runtime_open(struct runtime *runtime, const char *dir,
	const char *override);
void runtime_close(struct runtime *runtime);

/* OK: there is an archive to link. E_NOT_FOUND: err says what to do. */
MUST_CHECK enum status runtime_check(const struct runtime *runtime,
	struct error *err);

#endif
