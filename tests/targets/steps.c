/*
 * A target with a staircase: each further byte of the word is one more
 * branch, and the last one a crash.
 * VARIANTS: asan ubsan msan tsan
 */

#include <stdlib.h>

#include "cfuzz.h"

static const char WORD[] = "cfuz!";

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 0 && data[0] == WORD[0])
		if (size > 1 && data[1] == WORD[1])
			if (size > 2 && data[2] == WORD[2])
				if (size > 3 && data[3] == WORD[3])
					if (size > 4 && data[4] == WORD[4])
						abort();
	return 0;
}
