/*
 * source_lines: the lines of a source file that have code, and whether inputs
 * reached them.
 */
#ifndef CFUZZ_COVERAGE_SOURCE_LINES_H
#define CFUZZ_COVERAGE_SOURCE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coverage/coverage_map.h"

enum source_state {
	SOURCE_NO_CODE,
	SOURCE_UNKNOWN, /* no counter shows whether it runs */
	SOURCE_MISSED,
	SOURCE_PARTLY,
	SOURCE_HIT,
};

/* A line with code. */
struct source_line {
	uint32_t line, function;       /* function: index, or SOURCE_NONE */
	uint32_t hit, missed, unknown; /* blocks */
	uint32_t calls;                /* missed blocks that call a function */
	uint8_t bits;                  /* hit-count buckets of the blocks */
	bool frontier; /* was hit, and missed code begins here */
	float first_s; /* campaign s, latest first hit of a block, or NEVER */
};

enum source_state source_line_state(const struct source_line *code);

/* Sets *code to a line of this number without blocks. */
void source_line_init(struct source_line *code, uint32_t line,
	uint32_t function);
/* Adds a block that has a counter of the map. */
void source_line_add_counter(struct source_line *code,
	const struct coverage_map *map, uint64_t counter);

/* Adds the blocks of the same line elsewhere. */
void source_line_join(struct source_line *code,
	const struct source_line *other);

/*
 * The lines with code of a file of the module, which has its names: an array of
 * *n, sorted by line, which the caller frees. file: index in the module's
 * table. `frontier` is not set.
 */
struct source_line *source_lines_of_file(const struct coverage_map *map,
	const struct coverage_module *module, uint32_t file, size_t *n);

/* Sets `frontier` in all lines of a file. Returns the number of frontiers;
 * *known_n is the number of lines that were hit or missed. */
size_t source_lines_find_frontiers(struct source_line *lines, size_t n,
	size_t *known_n);

#endif
