/*
 * predicates: what minimizers are tried on. Families of simple targets, each
 * with many members: a member is a start that fails, made from a seed.
 */
#ifndef CFUZZ_TESTS_SHARED_PREDICATES_H
#define CFUZZ_TESTS_SHARED_PREDICATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/prng.h"

#define PREDICATE_ROOM 4096
#define PREDICATE_WORDS 4

struct predicate {
	/* drawn from the seed; each family uses what it wants */
	char words[PREDICATE_WORDS][12];
	size_t words_n;
	size_t number, more;
	uint8_t byte;
	/* the start */
	uint8_t start[PREDICATE_ROOM];
	size_t len;
};

struct predicate_family {
	const char *name;
	bool (*fails)(const struct predicate *p, const uint8_t *data,
		size_t len);
	/* Draws a member; the start need not fail yet. */
	void (*draw)(struct predicate *p, struct prng *r);
};

/* NULL: there are not so many. */
const struct predicate_family *predicate_family(size_t i);

/* Draws members until one has a start that fails. */
void predicate_draw(struct predicate *p, const struct predicate_family *family,
	unsigned seed);

#endif
