/*
 * compare_mutate: from an operand that was compared to the input it came from.
 *
 * A target that reads a field and compares it with something else tells, by
 * its operands, what it read and what it wanted. So one operand is looked for
 * in the value, in the encodings that programs use, and the other is put in
 * its place, in the same encoding.
 */
#ifndef CFUZZ_TARGET_HOOKS_COMPARE_MUTATE_H
#define CFUZZ_TARGET_HOOKS_COMPARE_MUTATE_H

#include "shared/mutate/mutate.h"
#include "shared/prng.h"
#include "target/hooks/compare.h"

/* What compare_mutate() writes at most. */
#define COMPARE_WRITE_MAX COMPARE_BYTES_MAX

/*
 * One step with the pairs of the last recording. False if it declines: the
 * value is as it was. done says what mutate_replace() repeats: that done->arg
 * bytes at done->offset gave way to done->len others, which are in bytes.
 * Searches a bounded part of a large value, from a place drawn at random.
 */
bool compare_mutate(struct mutable *m, struct prng *choice,
	struct mutation *done, uint8_t bytes[COMPARE_WRITE_MAX]);

/*
 * How many more of something the target wants: what a number that it compared
 * with one of its own lacks. 0: of nothing.
 */
uint16_t compare_lacks(struct prng *choice);

#endif
