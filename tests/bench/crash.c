/* crash: dies at each call; what is left is the cost of a death. */
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	volatile int *nowhere = (volatile int *)(uintptr_t)8;

	return *nowhere;
}
