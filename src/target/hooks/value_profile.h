/*
 * value_profile: progress inside comparisons.
 *
 * While it is on, a comparison of numbers or bytes marks how far its operands
 * are apart, as a counter that the campaign's mask has not seen is something
 * new. So an input that comes closer is kept, and a relation that nobody can
 * guess is climbed step by step. It costs executions and fills the corpus
 * with small steps: it is meant for when nothing else grows.
 */
#ifndef CFUZZ_TARGET_HOOKS_VALUE_PROFILE_H
#define CFUZZ_TARGET_HOOKS_VALUE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

struct compare_pair;

#define VALUE_PROFILE_COUNTERS 65536u

/* Registers the counters, quiet. Again is no harm. */
void value_profile_init(void);

/* While it is off the counters are quiet: not touched, not scanned. */
void value_profile_set(bool on);

/* For the hooks, while it is on. */
void value_profile_number(uint32_t site, uint64_t a, uint64_t b,
	unsigned width);
void value_profile_bytes(uint32_t site, const struct compare_pair *pair);

#endif
