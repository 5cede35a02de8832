/*
 * arithmetic: 3 x + 7 is one number, and x with the bits of y turned is
 * another. Neither number stands in the solution.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t x, y;

	if (size < sizeof(x) + sizeof(y))
		return 0;
	memcpy(&x, data, sizeof(x));
	memcpy(&y, data + sizeof(x), sizeof(y));
	if (3 * x + 7 != 0x820fb550u)
		return 0;
	if ((x ^ y) == 0x5ca1ab1eu)
		abort();
	return 0;
}
