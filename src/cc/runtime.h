/*
 * runtime: where libcfuzz.a and cfuzz.h are.
 *
 * They are looked for beside the program first, so that a build folder and an
 * installed tree that was moved both work, then where they were installed.
 */
#ifndef CFUZZ_CC_RUNTIME_H
#define CFUZZ_CC_RUNTIME_H

#include "shared/status.h"

struct runtime {
	char *archive;     /* NULL: not found */
	char *include_dir; /* NULL: not found */
};

/*
 * dir is the folder of the running program; override, unless NULL, is the
 * archive that the user names instead.
 */
void runtime_open(struct runtime *runtime, const char *dir,
	const char *override);
void runtime_close(struct runtime *runtime);

/* OK if there is an archive to link, else says what to do about it. */
MUST_CHECK enum status runtime_check(const struct runtime *runtime,
	struct error *err);

#endif
