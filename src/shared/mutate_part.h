/*
 * mutate_part: a text as a row of parts, see span.h.
 *
 * One step moves tokens, lines or bracketed groups as wholes, so that the
 * text stays close to what its reader takes. Bytes that are no text have
 * tokens, too.
 */
#ifndef CFUZZ_SHARED_MUTATE_PART_H
#define CFUZZ_SHARED_MUTATE_PART_H

#include "shared/mutate.h"

/*
 * The steps from MUTATE_TOKEN_OVERWRITE to MUTATE_CHARACTER. Declines as
 * mutate_apply() does, also other ops. Adds no more than 4096 bytes.
 */
bool mutate_part(enum mutate_op op, struct mutable *m, struct prng *prng,
	struct mutation *done);

#endif
