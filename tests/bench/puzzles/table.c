/*
 * table: records of six bytes, each of which must be the next row of a table
 * of bytes (memcmp).
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define ROW_LEN 6

static const uint8_t ROWS[][ROW_LEN] = {
	{ 0x89, 0x1b, 0xe0, 0x00, 0x4d, 0xf3 },
	{ 0x07, 0xaa, 0x5c, 0x92, 0x31, 0x6e },
	{ 0xd4, 0x00, 0x00, 0x81, 0xfe, 0x25 },
};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t rows = sizeof(ROWS) / sizeof(ROWS[0]);

	for (size_t i = 0; i < rows; i++) {
		if (size < ROW_LEN || memcmp(data, ROWS[i], ROW_LEN) != 0)
			return 0;
		data += ROW_LEN;
		size -= ROW_LEN;
	}
	abort();
}
