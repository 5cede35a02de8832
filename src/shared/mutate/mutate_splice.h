/*
 * mutate_splice: a value and pieces of a second one, its partner.
 *
 * The partner is borrowed and only read. It must not lie in the buffer.
 */
#ifndef CFUZZ_SHARED_MUTATE_MUTATE_SPLICE_H
#define CFUZZ_SHARED_MUTATE_MUTATE_SPLICE_H

#include "shared/mutate/mutate.h"

/*
 * MUTATE_SPLICE_INSERT, _OVERWRITE: a piece of the partner anywhere.
 * MUTATE_SPLICE_TAIL: the begin of one and the end of the other.
 * MUTATE_SPLICE_TOKEN, _LINE, _GROUP: a part of its text, see span.h, in the
 * place of such a part, or beside it.
 * Declines as mutate_apply() does, also other ops and an empty partner. Adds
 * no more than 4096 bytes: a piece that is longer is cut off.
 */
bool mutate_splice(enum mutate_op op, const uint8_t *partner,
	size_t partner_len, struct mutable *m, struct prng *prng,
	struct mutation *done);

#endif
