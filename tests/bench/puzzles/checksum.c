/*
 * checksum: the CRC-32 of the payload stands in front of it. Only when it is
 * right does anybody look at the payload, which must begin with a magic
 * value; and whoever writes that has to mend the checksum again.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PAYLOAD_MIN 8

static uint32_t
crc32(const uint8_t *data, size_t size)
{
	uint32_t crc = UINT32_MAX;

	while (size-- > 0) {
		crc ^= *data++;
		for (int i = 0; i < 8; i++)
			crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
	}
	return ~crc;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t sum, magic;

	if (size < sizeof(sum) + PAYLOAD_MIN || size > 256)
		return 0;
	memcpy(&sum, data, sizeof(sum));
	data += sizeof(sum);
	if (sum != crc32(data, size - sizeof(sum)))
		return 0;
	memcpy(&magic, data, sizeof(magic));
	if (magic == 0x6fd81c93u)
		abort();
	return 0;
}
