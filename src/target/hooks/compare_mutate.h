/*
 * compare_mutate: input-to-state mutation with recorded operands (Aschermann et
 * al.: "REDQUEEN: Fuzzing with Input-to-State Correspondence", NDSS 2019).
 *
 * The operands of a comparison show which value the target read and which value
 * it wanted. So one operand is searched in the value, in the encodings that
 * programs use, and replaced by the other in the same encoding.
 */
#ifndef CFUZZ_TARGET_HOOKS_COMPARE_MUTATE_H
#define CFUZZ_TARGET_HOOKS_COMPARE_MUTATE_H

#include "shared/mutate/mutate.h"
#include "shared/prng.h"
#include "target/hooks/compare.h"

/* The most that compare_mutate() writes. */
#define COMPARE_WRITE_MAX COMPARE_BYTES_MAX

/*
 * Makes one mutation from the pairs of the last recording. False: no change.
 * *done is for mutate_replace(): done->arg bytes at done->offset were replaced
 * by the done->len bytes that stand in `bytes`. In a large value, searches only
 * a bounded part, from a random start.
 */
bool compare_mutate(struct mutable *m, struct prng *choice,
	struct mutation *done, uint8_t bytes[COMPARE_WRITE_MAX]);

/*
 * How far a program constant is above the number compared with it, now and then
 * one more or less: so many more repetitions of a part of the input may satisfy
 * the comparison. At most 4097; 0: no such pair.
 */
uint16_t compare_lacks(struct prng *choice);

#endif
