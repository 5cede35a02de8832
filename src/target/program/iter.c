/*
 * iter: the function of honggfuzz by which a program takes its next input.
 *
 * This is an object of its own in the archive, as loop.c is.
 */

#include "target/abi.h"

void
HF_ITER(const uint8_t **data, size_t *len)
{
	*data = __cfuzz_next(len);
}
