/*
 * lineage: the origin of the corpus inputs, as earlier runs have written it to
 * the journal.
 *
 * Trimming gives an input a new name. Names asked for here are the current
 * ones.
 */
#ifndef CFUZZ_STORE_LINEAGE_H
#define CFUZZ_STORE_LINEAGE_H

#include <stdbool.h>
#include <stdint.h>

struct lineage_birth {
	uint64_t parent; /* first 16 digits of its name then; 0: none */
	uint64_t bits;   /* new features */
	uint32_t generation;
	uint32_t rank; /* ascending with time, from 1 on */
	bool unstable;
	double at_s; /* of the campaign; < 0: unknown */
};

struct lineage;

/* Reads the journal of an output directory. Without a readable journal the
 * result is empty. */
struct lineage *lineage_read(const char *output);
void lineage_destroy(struct lineage *lineage); /* NULL is fine */

/* Finds the origin of an input by the first 16 digits of its name, as of
 * store_name_number(). Borrowed. NULL: not in the journal. */
const struct lineage_birth *lineage_find(const struct lineage *lineage,
	uint64_t name);
/* Returns the new name of a trimmed input; 0: not trimmed. */
uint64_t lineage_smaller(const struct lineage *lineage, uint64_t name);

#endif
