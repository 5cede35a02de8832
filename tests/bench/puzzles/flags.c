/*
 * flags: four conditions that know nothing of each other, each on a place of
 * its own and of two bytes. Each alone is something new, two together are
 * not; all must hold at once.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FLAG_ALL 0xfu

static unsigned
word_at(const uint8_t *data, size_t offset)
{
	return data[offset] | (unsigned)data[offset + 1] << 8;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Volatile, or a condition would be arithmetic and no branch. */
	volatile unsigned flags = 0;

	if (size < 24)
		return 0;
	if (word_at(data, 2) == 0x6b1fu)
		flags = flags | 1;
	if (word_at(data, 9) == 0xf00du)
		flags = flags | 2;
	if (word_at(data, 14) == 0x2d91u)
		flags = flags | 4;
	if (word_at(data, 20) == 0x8e43u)
		flags = flags | 8;
	if (flags == FLAG_ALL)
		abort();
	return 0;
}
