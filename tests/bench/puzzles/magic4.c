/* magic4: a value of four bytes, big endian, behind a header of four. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint32_t
big_endian(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
		(uint32_t)at[2] << 8 | at[3];
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size >= 8 && big_endian(data + 4) == 0x7f3c91e5u)
		abort();
	return 0;
}
