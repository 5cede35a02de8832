/*
 * mutate_splice: mutations with pieces of a second value, the partner.
 *
 * The partner is borrowed and only read. It must not lie in the buffer.
 */
#ifndef CFUZZ_SHARED_MUTATE_MUTATE_SPLICE_H
#define CFUZZ_SHARED_MUTATE_MUTATE_SPLICE_H

#include "shared/mutate/mutate.h"

/*
 * MUTATE_SPLICE_INSERT, _OVERWRITE: a piece of the partner anywhere.
 * MUTATE_SPLICE_TAIL: the start of one value and the end of the other.
 * MUTATE_SPLICE_TOKEN, _LINE, _GROUP: a part of the partner's text, see span.h,
 * in place of such a part, or beside one.
 * Declines like mutate_apply(), and declines other ops and an empty partner.
 * Adds at most 4096 bytes: a longer piece is cut off.
 */
bool mutate_splice(enum mutate_op op, const uint8_t *partner,
	size_t partner_len, struct mutable *m, struct prng *prng,
	struct mutation *done);

#endif
