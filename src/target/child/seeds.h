/*
 * seeds: inputs that the target provides by CFUZZ_SEED().
 *
 * They are collected during the target's initialisation. Errors are reported at
 * its end, because CFUZZ_SEED() returns nothing.
 */
#ifndef CFUZZ_TARGET_CHILD_SEEDS_H
#define CFUZZ_TARGET_CHILD_SEEDS_H

#include <stddef.h>
#include <stdint.h>

#include "shared/status.h"
#include "shared/values/tuple.h"

/*
 * Ends collecting and checks the seeds. E_FORMAT: a seed does not have these
 * types (n 0: plain bytes), or is invalid. E_NOMEM: there was no memory for
 * them.
 */
enum status seeds_close(const struct tuple_types *types, struct error *err)
	MUST_CHECK;

/*
 * Writes seeds in a row while there is room (in bytes): for each, its length as
 * uint32_t, then its bytes. Returns their number; *lost: the number left out,
 * here or for lack of room at CFUZZ_SEED().
 */
uint32_t seeds_write(uint8_t *to, size_t room, uint32_t *lost);

#endif
