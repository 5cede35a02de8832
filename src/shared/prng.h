/*
 * prng: the random numbers behind every mutation.
 *
 * The generator is PCG XSH-RR 64/32 (O'Neill, "PCG: A Family of Simple Fast
 * Space-Efficient Statistically Good Algorithms", 2014), as in Go's engine
 * (internal/fuzz, pcg.go). The sequence is part of the contract: the two words
 * of the state determine all later numbers, and a failing input is rebuilt from
 * them. Copy the struct to save or restore the state. No function is inline, so
 * that a test can replace it with the linker's --wrap.
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

/*
 * Seeds like the k-th generator (from 1) that a process of Go's engine makes.
 */
void prng_init(struct prng *p, uint64_t seed, uint64_t k);

/*
 * Seeds from three numbers, with the finaliser of splitmix64 (Steele, Lea,
 * Flood, 2014): each call of each worker of a campaign has its own sequence.
 */
void prng_mix(struct prng *p, uint64_t campaign_seed, uint64_t worker,
	uint64_t call);

uint32_t prng_u32(struct prng *p);

/*
 * A number below n without bias, by Lemire's method (2019); 0 for n = 0. Draws
 * at least once.
 */
uint32_t prng_u32n(struct prng *p, uint32_t n);

/* The same for sizes; an n of 2^32 or more counts as 2^32 - 1. */
size_t prng_intn(struct prng *p, size_t n);

bool prng_bool(struct prng *p);

/*
 * A length from 1 to n, as in Go's engine: at least 90 % are at most 8, and at
 * least 99 % at most 32; 1 for n = 0. Draws at least twice.
 */
size_t prng_choose_len(struct prng *p, size_t n);

#endif
