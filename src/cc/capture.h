/*
 * capture: what another program prints, for the few questions that we have to
 * ask a compiler or a linker.
 */
#ifndef CFUZZ_CC_CAPTURE_H
#define CFUZZ_CC_CAPTURE_H

#include <stddef.h>

#include "shared/status.h"

/*
 * Run argv (found in PATH, never by a shell) and keep the start of what it
 * prints in buf, ended by NUL; errors are not shown. E_NOT_FOUND if it cannot
 * be started, E_STATE if it fails.
 */
MUST_CHECK enum status capture(char *const *argv, char *buf, size_t size,
	struct error *err);

#endif
