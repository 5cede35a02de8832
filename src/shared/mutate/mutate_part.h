/*
 * mutate_part: mutations of a text as a row of parts, see span.h.
 *
 * One mutation moves tokens, lines or bracketed groups as wholes, so that the
 * text stays close to what its parser accepts. Bytes that are not text have
 * tokens, too.
 */
#ifndef CFUZZ_SHARED_MUTATE_MUTATE_PART_H
#define CFUZZ_SHARED_MUTATE_MUTATE_PART_H

#include "shared/mutate/mutate.h"

/*
 * The mutations from MUTATE_TOKEN_OVERWRITE to MUTATE_CHARACTER. Declines like
 * mutate_apply(), and declines other ops. Adds at most 4096 bytes.
 */
bool mutate_part(enum mutate_op op, struct mutable *m, struct prng *prng,
	struct mutation *done);

/*
 * MUTATE_PART_COUNT: repeats a token, a line or a group `times` times behind
 * itself, or puts a group into so many more brackets. Declines unless there is
 * room for all of it. Adds at most 4096 bytes.
 */
bool mutate_part_count(uint16_t times, struct mutable *m, struct prng *prng,
	struct mutation *done);

#endif
