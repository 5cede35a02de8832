/*
 * tokens: mutations that insert a dictionary token, or overwrite bytes with
 * one. Tokens may be added while a campaign runs, so the log of a mutation
 * stack holds their number.
 */
#ifndef CFUZZ_SHARED_MUTATE_TOKENS_H
#define CFUZZ_SHARED_MUTATE_TOKENS_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/mutate/mutate.h"
#include "shared/prng.h"
#include "shared/wire/memory_campaign.h"

struct tokens {
	const struct memory_word *items; /* borrowed; NULL for none */
	uint32_t n;
};

/*
 * MUTATE_INSERT_WORD or MUTATE_OVERWRITE_WORD, with a drawn token. False, with
 * the value unchanged, if there are no tokens or the token does not fit.
 */
bool tokens_apply(enum mutate_op op, const struct tokens *words,
	struct mutable *m, struct prng *prng, struct mutation *done);

#endif
