/*
 * blocks_part: tests/targets/parts/blocks.c as a library in this process.
 */
#ifndef CFUZZ_TESTS_TARGET_BLOCKS_PART_H
#define CFUZZ_TESTS_TARGET_BLOCKS_PART_H

#include <stdint.h>

#include "lib/rows.h"

/* Compilers, their options, and whether symbols are removed. */
struct blocks_build {
	const char *name, *cc, *options;
	int stripped;
};

extern const struct blocks_build BLOCKS_BUILDS[];
#define BLOCKS_BUILDS_N 6

struct blocks_part {
	char path[4096];     /* of the library */
	char original[4096]; /* the same with its symbols */
	void *library;
	uintptr_t bias; /* where it is loaded */
	int (*main)(const char *text);
};

/* Builds and loads it; skips the test if the compiler is missing. */
void blocks_part_open(struct blocks_part *part,
	const struct blocks_build *build);
void blocks_part_close(struct blocks_part *part);

#endif
