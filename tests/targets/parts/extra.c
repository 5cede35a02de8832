/* A target that counts by itself, in the section that libFuzzer reads. */

#include "cfuzz.h"

__attribute__((section("__libfuzzer_extra_counters"),
	used)) static uint8_t extra[32];

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 0)
		extra[data[0] % 32]++;
	return 0;
}
