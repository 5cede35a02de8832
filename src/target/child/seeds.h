/*
 * seeds: inputs that the target itself brings, CFUZZ_SEED().
 *
 * They are collected until the target's initialisation is over. What is wrong
 * with one is told then, since the target calls us without waiting for an
 * answer.
 */
#ifndef CFUZZ_TARGET_CHILD_SEEDS_H
#define CFUZZ_TARGET_CHILD_SEEDS_H

#include <stddef.h>
#include <stdint.h>

#include "shared/status.h"
#include "shared/values/tuple.h"

/*
 * There are no more. E_FORMAT: one has not these types (n 0: plain bytes), or
 * was no seed at all.
 */
enum status seeds_close(const struct tuple_types *types, struct error *err)
	MUST_CHECK;

/*
 * Writes them one behind the other, of each its length as a uint32_t and then
 * its bytes, as long as there is room. How many; *lost: how many others there
 * are.
 */
uint32_t seeds_write(uint8_t *to, size_t room, uint32_t *lost);

#endif
