/*
 * value_profile: coverage of progress inside comparisons, as libFuzzer's
 * -use_value_profile.
 *
 * While it is on, a comparison of numbers or bytes marks how near its operands
 * are, in counters of its own. A new level is a new feature, so an input that
 * comes closer is kept, and a condition that cannot be guessed is approached
 * step by step. It costs executions and fills the corpus with small steps, so
 * it is meant for a campaign that finds nothing else.
 */
#ifndef CFUZZ_TARGET_HOOKS_VALUE_PROFILE_H
#define CFUZZ_TARGET_HOOKS_VALUE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct compare_pair;

#define VALUE_PROFILE_COUNTERS 65536u

/* Registers the counters as quiet; once, later calls do nothing. */
void value_profile_init(void);

/*
 * For hooks_cmp.c: turns the profile on or off. While it is off, its counters
 * are neither written nor scanned. False: the counters are not registered.
 */
bool value_profile_set(bool on);

/* All that the hooks write to, in *len bytes. */
void *value_profile_memory(size_t *len);

/* For the hooks, while it is on. width: bytes; numbers of one byte are
 * ignored. */
void value_profile_number(uint32_t site, uint64_t a, uint64_t b,
	unsigned width);
void value_profile_bytes(uint32_t site, const struct compare_pair *pair);

#endif
