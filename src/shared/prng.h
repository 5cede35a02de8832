/*
 * prng: the random numbers behind every mutation, PCG XSH-RR 64/32.
 *
 * The sequence is part of the contract: whoever has the two words has all
 * that follows, which is how a failing input is built again. Saving and
 * restoring is copying the struct. Nothing here is inline, so that a test can
 * put a scripted source in its place by the linker's --wrap.
 */
#ifndef CFUZZ_SHARED_PRNG_H
#define CFUZZ_SHARED_PRNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prng {
	uint64_t state;
	uint64_t inc; /* odd; chooses the stream */
};

/* Seed as the k-th generator (from 1) of a reference process is seeded. */
void prng_init(struct prng *p, uint64_t seed, uint64_t k);

/*
 * Seed from three numbers, so that each call of each worker of a campaign has
 * a sequence of its own.
 */
void prng_mix(struct prng *p, uint64_t campaign_seed, uint64_t worker,
	uint64_t call);

uint32_t prng_u32(struct prng *p);

/* A number below n without bias; 0 for n = 0. Always draws at least once. */
uint32_t prng_u32n(struct prng *p, uint32_t n);

/* The same for sizes; an n of 2^32 or more counts as 2^32 - 1. */
size_t prng_intn(struct prng *p, size_t n);

bool prng_bool(struct prng *p);

/* A length from 1 to n, mostly short; 1 for n = 0. Always two numbers. */
size_t prng_choose_len(struct prng *p, size_t n);

#endif
