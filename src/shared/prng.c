/*
 * prng: PCG XSH-RR 64/32 (Melissa O'Neill's generator) and the bounded draws
 * built on it. All arithmetic is modulo 2^64. The public functions call static
 * helpers, which the compiler can inline: the hot loop of a worker spends its
 * time here.
 */

#include "shared/prng.h"

#define PRNG_MULTIPLIER 6364136223846793005u
#define PRNG_GOLDEN 0x9e3779b97f4a7c15u

/* 90 % of the lengths are at most 8, 99 % at most 32. */
#define PRNG_SHORT_PERCENT 90
#define PRNG_MEDIUM_PERCENT 99
#define PRNG_SHORT_LEN 8
#define PRNG_MEDIUM_LEN 32

static inline void
prng_step(struct prng *p)
{
	p->state = p->state * PRNG_MULTIPLIER + p->inc;
}

static inline uint32_t
prng_draw(struct prng *p)
{
	uint64_t x = p->state;
	uint32_t word, rotate;

	prng_step(p);
	word = (uint32_t)(((x >> 18) ^ x) >> 27);
	rotate = (uint32_t)(x >> 59);
	return word >> rotate | word << (-rotate & 31);
}

/* The first product is nearly always accepted: the division is kept cold. */
static inline uint32_t
prng_draw_below(struct prng *p, uint32_t n)
{
	uint64_t product = (uint64_t)prng_draw(p) * n;

	if (__builtin_expect((uint32_t)product < n, 0)) {
		uint32_t reject_below = -n % n;

		while ((uint32_t)product < reject_below)
			product = (uint64_t)prng_draw(p) * n;
	}
	return (uint32_t)(product >> 32);
}

/* The finaliser of splitmix64: every input bit affects every output bit. */
static uint64_t
prng_scramble(uint64_t x)
{
	x += PRNG_GOLDEN;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

void
prng_init(struct prng *p, uint64_t seed, uint64_t k)
{
	p->inc = 2 * k + 1;
	p->state = seed;
	prng_step(p);
	p->state += seed;
	prng_step(p);
}

void
prng_mix(struct prng *p, uint64_t campaign_seed, uint64_t worker, uint64_t call)
{
	uint64_t hash = prng_scramble(campaign_seed);

	hash = prng_scramble(hash ^ worker);
	hash = prng_scramble(hash ^ call);
	p->state = hash;
	p->inc = prng_scramble(hash) | 1;
	prng_step(p);
}

uint32_t
prng_u32(struct prng *p)
{
	return prng_draw(p);
}

uint32_t
prng_u32n(struct prng *p, uint32_t n)
{
	return prng_draw_below(p, n);
}

size_t
prng_intn(struct prng *p, size_t n)
{
	return prng_draw_below(p, n > UINT32_MAX ? UINT32_MAX : (uint32_t)n);
}

bool
prng_bool(struct prng *p)
{
	return (prng_draw(p) & 1) == 0;
}

size_t
prng_choose_len(struct prng *p, size_t n)
{
	uint32_t percent = prng_draw_below(p, 100);
	uint32_t limit = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;

	if (percent < PRNG_SHORT_PERCENT && limit > PRNG_SHORT_LEN)
		limit = PRNG_SHORT_LEN;
	else if (percent < PRNG_MEDIUM_PERCENT && limit > PRNG_MEDIUM_LEN)
		limit = PRNG_MEDIUM_LEN;
	return (size_t)prng_draw_below(p, limit) + 1;
}
