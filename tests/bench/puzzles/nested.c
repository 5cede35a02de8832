/*
 * nested: ten conditions on single bytes, one inside the other; some ask how
 * two bytes are related.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int
inner(const uint8_t *data)
{
	if (data[11] != (uint8_t)(data[10] + 1))
		return 0;
	if (data[12] <= data[11] || data[12] > 0xa0)
		return 0;
	if (data[13] != (data[12] ^ 0x55))
		return 0;
	if (data[14] != 0x7f)
		return 0;
	return data[15] == 0x80;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 16 || size > 64)
		return 0;
	if (data[0] == 'P')
		if (data[3] == 0xe1)
			if (data[4] < 0x10 && data[4] > 0x08)
				if ((data[7] ^ data[3]) == 0xff)
					if (data[10] == 0x91 && inner(data))
						abort();
	return 0;
}
