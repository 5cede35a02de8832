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

#define TEXT_SIZE_MAX (1u << 30) /* bytes */
#define TEXT_RANGES_MAX 16

struct text_range {
	uintptr_t start, end; /* end: behind the last byte */
};

/* The executable segment of a module; all pointers are borrowed. */
struct text {
	const uint8_t *start;
	size_t size;                       /* bytes */
	const struct functions *functions; /* of the module */
	/* Readable segments: jump tables are looked for in these. */
	struct text_range readable[TEXT_RANGES_MAX];
	uint32_t readable_n;
};

struct text_blocks {
	uint32_t *offsets;    /* of the blocks in the text, ascending; mapped */
	uint32_t n;           /* number of blocks */
	uint32_t functions_n; /* functions found, ... */
	uint32_t doubtful_n;  /* ... and those of which only the start counts */
};

/*
 * Fills in blocks; the offsets stay mapped. A breakpoint that the program has
 * itself is no block. Without blocks, n is 0. False: no memory, or the text is
 * larger than TEXT_SIZE_MAX.
 */
bool text_blocks_find(const struct text *text, struct text_blocks *blocks);

#endif
