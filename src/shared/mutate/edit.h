/*
 * edit: functions that the mutators of texts and blocks share.
 *
 * All these mutators keep two rules. A mutation adds at most EDIT_GROWTH_MAX
 * bytes, so mutate_room() holds for them, too. A value that has reached its
 * capacity may change, but not grow. The functions are inline because each is a
 * few instructions in the hot loop.
 */
#ifndef CFUZZ_SHARED_MUTATE_EDIT_H
#define CFUZZ_SHARED_MUTATE_EDIT_H

#include "shared/mutate/mutate.h"
#include "shared/mutate/span.h"

#define EDIT_GROWTH_MAX 4096 /* bytes */
#define EDIT_COMPARE_MAX 512 /* longer spans count as different */

/* Describes the mutation in *done. Returns true: the mutator has accepted. */
static inline bool
edit_done(struct mutation *done, enum mutate_op op, size_t offset, size_t len)
{
	*done = (struct mutation){ .op = (uint16_t)op,
		.offset = (uint32_t)offset,
		.len = (uint32_t)len };
	return true;
}

/* The number of bytes that may be added, at most EDIT_GROWTH_MAX. */
static inline size_t
edit_free(const struct mutable *m)
{
	size_t n = m->len < m->cap ? m->cap - m->len - 1 : 0;

	return n < EDIT_GROWTH_MAX ? n : EDIT_GROWTH_MAX;
}

static inline bool
edit_equal(const uint8_t *a, const uint8_t *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

/* A length from 1 to `most`, which is not 0; each magnitude is equally
 * likely. */
static inline size_t
edit_draw_len(struct prng *prng, size_t most)
{
	size_t bits = 64 - (size_t)__builtin_clzll((unsigned long long)most);
	size_t limit = (size_t)2 << prng_intn(prng, bits);

	return 1 + prng_intn(prng, limit < most ? limit : most);
}

/*
 * Replaces a span by bytes from elsewhere. Declines a replacement that changes
 * nothing or does not fit.
 */
static inline bool
edit_replace(struct mutable *m, const struct span *span, const uint8_t *bytes,
	size_t n)
{
	if (n > span->len && n - span->len > edit_free(m))
		return false;
	if (n == span->len && n <= EDIT_COMPARE_MAX &&
		edit_equal(m->data + span->at, bytes, n))
		return false;
	return mutate_replace(m, span->at, span->len, bytes, n);
}

#endif
