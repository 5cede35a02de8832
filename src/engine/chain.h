/*
 * chain: the second witness. From a parent's bytes, as the engine holds
 * them, and the PRNG state that was saved before the mutations, the same
 * input comes about again, together with how.
 */
#ifndef CFUZZ_ENGINE_CHAIN_H
#define CFUZZ_ENGINE_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/words.h"

/*
 * Applies n mutations to a copy of parent under the logical capacity cap,
 * with the words of the dictionary as it was then.
 * trail (room for n, may be NULL) receives the steps. Returns a new buffer,
 * the caller's, and its length.
 */
uint8_t *chain_rebuild(const uint8_t *parent, size_t parent_len,
	struct prng rand, uint32_t n, size_t cap, const struct words *words,
	struct mutation *trail, size_t *len);

#endif
