/* A target whose initialisation starts a thread, so that it cannot fork. */

#include <stdlib.h>

#include "cfuzz.h"
#include "threads.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 1 && data[0] == 'c')
		abort();
	if (size == 1 && data[0] == 'e')
		cfuzz_fail("no");
	return 0;
}
