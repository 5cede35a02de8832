/*
 * A target that stops in each execution, until somebody lets it go on.
 */

#include <signal.h>

#include "cfuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	raise(SIGSTOP);
	return 0;
}
