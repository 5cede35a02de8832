/* magic8: a value of eight bytes in the order of a little endian machine. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t
little_endian(const uint8_t *at)
{
	uint64_t value = 0;

	for (int i = 7; i >= 0; i--)
		value = value << 8 | at[i];
	return value;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size >= 8 && little_endian(data) == 0x9d41f6b28c05e73au)
		abort();
	return 0;
}
