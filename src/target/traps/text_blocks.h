/*
 * text_blocks: finds where the basic blocks of a loaded text begin.
 *
 * A breakpoint inside of an instruction or in data breaks the program, so an
 * address counts only if it is certainly the start of an instruction. The
 * unwind table says where functions begin and end. A function is understood if
 * its bytes from the first to the last are valid instructions, and all its
 * jumps lead to starts of instructions. In such a function, all blocks count
 * that control flow reaches, also through jump tables. In any other function
 * only the start counts.
 */
#ifndef CFUZZ_TARGET_TRAPS_TEXT_BLOCKS_H
#define CFUZZ_TARGET_TRAPS_TEXT_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "target/hooks/functions.h"

#define TEXT_SIZE_MAX (1u << 30)
#define TEXT_RANGES_MAX 16

struct text_range {
	uintptr_t start, end;
};

/* The executable segment of a module. */
struct text {
	const uint8_t *start;
	size_t size;
	const struct functions *functions;
	/* Readable segments: jump tables are looked for in these. */
	struct text_range readable[TEXT_RANGES_MAX];
	uint32_t readable_n;
};

struct text_blocks {
	uint32_t *offsets; /* of the blocks in the text, ascending; mapped */
	size_t size;       /* of the mapping */
	uint32_t n;
	uint32_t functions_n; /* functions ... */
	uint32_t doubtful_n;  /* ... of which only the start counts */
};

/* False: no memory, or the text is too large. Without blocks, n is 0. */
bool text_blocks_find(const struct text *text, struct text_blocks *blocks);
void text_blocks_clear(struct text_blocks *blocks);

#endif
