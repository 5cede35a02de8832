/*
 * words: mutation with the words of a dictionary.
 *
 * Without words this is mutate_bytes(), draw for draw. With n of them one
 * step in four puts a word somewhere: inserted, or over what is there. How
 * many words there were is part of a chain's record, since words may be
 * added while a campaign runs.
 */
#ifndef CFUZZ_SHARED_WORDS_H
#define CFUZZ_SHARED_WORDS_H

#include "shared/memory.h"

struct words {
	const struct memory_word *items; /* borrowed; NULL for none */
	uint32_t n;
};

/* One step, as mutate_bytes(). Room: one more MEMORY_WORD_LEN_MAX. */
bool words_mutate(const struct words *words, struct mutable *m,
	struct prng *prng, struct mutation *done);

#endif
