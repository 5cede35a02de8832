/*
 * capture: the output of another program, to query a compiler or a linker.
 */
#ifndef CFUZZ_CC_CAPTURE_H
#define CFUZZ_CC_CAPTURE_H

#include <stddef.h>

#include "shared/status.h"

/*
 * Runs argv (found in PATH, without a shell) and stores the start of its output
 * in buf, with a NUL; stderr is discarded. E_NOT_FOUND: cannot be started;
 * E_STATE: has failed.
 */
MUST_CHECK enum status capture(char *const *argv, char *buf, size_t size,
	struct error *err);

#endif
