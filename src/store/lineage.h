/*
 * lineage: where the inputs of the corpus came from, as earlier runs have
 * written it into the journal.
 *
 * An input has a name of its own each time it gets smaller; what is asked for
 * here is always the input as it is now.
 */
#ifndef CFUZZ_STORE_LINEAGE_H
#define CFUZZ_STORE_LINEAGE_H

#include <stdbool.h>
#include <stdint.h>

struct lineage_birth {
	uint64_t parent; /* first digits of its name then; 0: none */
	uint64_t bits;   /* that were new */
	uint32_t generation;
	uint32_t rank; /* older ones have lower ones; from 1 on */
	bool unstable;
	double at_s; /* of the campaign; < 0: not known */
};

struct lineage;

/* Of an output directory. */
struct lineage *lineage_read(const char *output);
void lineage_destroy(struct lineage *lineage); /* NULL is fine */

/* How this input was found; names are their first 16 digits. NULL: the journal
 * does not tell. */
const struct lineage_birth *lineage_find(const struct lineage *lineage,
	uint64_t name);
/* What became of an input that was made smaller; 0: it was not. */
uint64_t lineage_smaller(const struct lineage *lineage, uint64_t name);

#endif
