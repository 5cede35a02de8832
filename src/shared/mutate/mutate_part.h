/*
 * mutate_part: a text as a row of parts, see span.h.
 *
 * One step moves tokens, lines or bracketed groups as wholes, so that the
 * text stays close to what its reader takes. Bytes that are no text have
 * tokens, too.
 */
#ifndef CFUZZ_SHARED_MUTATE_MUTATE_PART_H
#define CFUZZ_SHARED_MUTATE_MUTATE_PART_H

#include "shared/mutate/mutate.h"

/*
 * The steps from MUTATE_TOKEN_OVERWRITE to MUTATE_CHARACTER. Declines as
 * mutate_apply() does, also other ops. Adds no more than 4096 bytes.
 */
bool mutate_part(enum mutate_op op, struct mutable *m, struct prng *prng,
	struct mutation *done);

/*
 * MUTATE_PART_COUNT: a token, a line or a group so many times more, behind itself;
 * or a group in so many more brackets. Declines unless there is room for all
 * of it.
 */
bool mutate_part_count(uint16_t times, struct mutable *m, struct prng *prng,
	struct mutation *done);

#endif
