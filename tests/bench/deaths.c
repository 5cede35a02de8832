/* deaths: dies of each input, and of one that is cut in another way. */
#include <stddef.h>
#include <stdint.h>

#define WHOLE 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int __attribute__((noinline)) whole(volatile int *nowhere)
{
	return nowhere[0] + 1;
}

static int __attribute__((noinline)) cut(volatile int *nowhere)
{
	return nowhere[1] + 2;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	volatile int *nowhere = (volatile int *)(uintptr_t)8;

	return size == WHOLE ? whole(nowhere) : cut(nowhere);
}
