/*
 * magic2: two values of two bytes. The first stands in front, little endian;
 * the second, big endian, at an offset that the first has nothing to do with.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned front, behind;

	if (size < 8)
		return 0;
	front = data[0] | (unsigned)data[1] << 8;
	behind = (unsigned)data[5] << 8 | data[6];
	if (front == 0xc35eu && behind == 0x91a7u)
		abort();
	return 0;
}
