/*
 * tokens: steps that put a word of a dictionary somewhere: inserted, or over
 * what is there. Words may be added while a campaign runs, so how many there
 * were is part of a chain's record.
 */
#ifndef CFUZZ_SHARED_MUTATE_TOKENS_H
#define CFUZZ_SHARED_MUTATE_TOKENS_H

#include "shared/wire/memory.h"

struct tokens {
	const struct memory_word *items; /* borrowed; NULL for none */
	uint32_t n;
};

/*
 * MUTATE_INSERT_WORD or MUTATE_OVERWRITE_WORD, with a word that is drawn.
 * False, with the value as it was, if there are none or the word does not fit.
 */
bool tokens_apply(enum mutate_op op, const struct tokens *words,
	struct mutable *m, struct prng *prng, struct mutation *done);

#endif
