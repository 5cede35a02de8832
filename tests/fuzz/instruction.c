/*
 * instruction: the machine code of a program that gets breakpoints. Each decoded
 * instruction is decoded again without a byte behind it.
 */
#include "target/traps/instruction.c"
#include "fuzz/fuzz.h"

int fuzz_instruction(const uint8_t *data, size_t size);

static void
instruction_fuzz_again(const uint8_t *data, const struct instruction *first)
{
	struct instruction again;
	uint8_t *tight = malloc(first->len);

	FUZZ_CHECK(tight != NULL);
	memcpy(tight, data, first->len);
	FUZZ_CHECK(instruction_decode(tight, first->len, &again) &&
		again.len == first->len && again.kind == first->kind);
	FUZZ_CHECK(!instruction_decode(tight, first->len - 1u, &again));
	free(tight);
}

int
fuzz_instruction(const uint8_t *data, size_t size)
{
	struct instruction first;

	while (size > 0 && instruction_decode(data, size, &first)) {
		FUZZ_CHECK(
			first.len > 0 && first.len <= 15 && first.len <= size);
		instruction_fuzz_again(data, &first);
		data += first.len;
		size -= first.len;
	}
	return 0;
}

FUZZ_TARGET(instruction)
