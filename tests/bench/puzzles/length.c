/*
 * length: a frame says in two bytes, big endian, how much follows; in it a
 * record says the same of its rest in four, little endian. Both must be
 * right to the byte, and the record is of one kind and long enough.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REST_MIN 24

static void
read_record(const uint8_t *data, size_t size)
{
	uint32_t len;

	if (size < 5 || data[0] != 0xb7)
		return;
	len = data[1] | (uint32_t)data[2] << 8 | (uint32_t)data[3] << 16 |
		(uint32_t)data[4] << 24;
	if (len == size - 5 && len >= REST_MIN)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size >= 2 && ((size_t)data[0] << 8 | data[1]) == size - 2)
		read_record(data + 2, size - 2);
	return 0;
}
