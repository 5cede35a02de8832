/*
 * capture: the output of another program, to query a compiler or a linker.
 */
#ifndef CFUZZ_CC_CAPTURE_H
#define CFUZZ_CC_CAPTURE_H

#include <stddef.h>

#include "shared/status.h"

/*
 * Runs argv (found in PATH, without a shell), waits for its end, and stores the
 * first size - 1 bytes of its standard output in buf, with a NUL; its standard
 * error is discarded. E_NOT_FOUND: the program cannot be started; E_STATE: its
 * exit status is not 0, or a signal ended it; E_IO: no pipe.
 */
MUST_CHECK enum status capture(char *const *argv, char *buf, size_t size,
	struct error *err);

#endif
