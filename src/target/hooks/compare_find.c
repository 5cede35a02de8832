/* compare_find: see compare_find.h. */

#include "target/hooks/compare_find.h"

#include <endian.h>
#include <string.h>

#define FIND_INLINE static inline __attribute__((always_inline))
/* The largest tolerated difference, for 2 bytes and for more. */
#define FIND_NEAR_SHORT 2u
#define FIND_NEAR 16u

/* The positions to search: at most two ranges, in this order. */
struct find_range {
	size_t from[2], to[2];
};

/* All positions for n bytes, within the budget, which is charged. */
static bool
find_range_init(struct find_range *range, struct compare_find *f, size_t n)
{
	size_t offsets, begin, wrap = 0, spend;

	if (n == 0 || n > f->len || f->budget == 0)
		return false;
	offsets = f->len - n + 1;
	begin = f->start % offsets;
	spend = offsets < f->budget ? offsets : f->budget;
	f->budget -= spend;
	if (spend > offsets - begin)
		wrap = spend - (offsets - begin);
	*range = (struct find_range){ { begin, 0 },
		{ begin + spend - wrap, wrap } };
	return true;
}

FIND_INLINE uint64_t
find_load(const uint8_t *at, unsigned width, bool big)
{
	uint64_t word = 0;

	memcpy(&word, at, width);
	return big ? be64toh(word) >> (64 - 8 * width) : le64toh(word);
}

/*
 * Checks both byte orders at each position in one pass. A number is near if the
 * difference plus `near` is at most 2 * near.
 */
FIND_INLINE bool
find_number(const struct compare_find *f, const struct find_range *range,
	uint64_t number, unsigned width, uint64_t near, struct compare_hit *hit)
{
	uint64_t mask = UINT64_MAX >> (64 - 8 * width), from = number - near;
	bool found = false;

	for (int r = 0; r < 2; r++) {
		for (size_t i = range->from[r]; i < range->to[r]; i++) {
			const uint8_t *at = f->data + i;
			uint64_t low =
				(find_load(at, width, false) - from) & mask;
			uint64_t high =
				(find_load(at, width, true) - from) & mask;
			bool big = low > 2 * near;
			uint64_t extra = (big ? high : low) - near;

			if (__builtin_expect(big && high > 2 * near, 1))
				continue;
			/* If both orders match, f->big decides. */
			if (high == near && (extra != 0 || f->big)) {
				big = true;
				extra = 0;
			}
			if (!found || extra == 0)
				*hit = (struct compare_hit){ i, width, big,
					extra };
			found = true;
			if (extra == 0)
				return true;
		}
	}
	return found;
}

/* For one byte there is no order, and only equality counts. */
static bool
find_byte(const struct compare_find *f, const struct find_range *range,
	uint8_t byte, struct compare_hit *hit)
{
	for (int r = 0; r < 2; r++) {
		const uint8_t *at = memchr(f->data + range->from[r], byte,
			range->to[r] - range->from[r]);

		if (at == NULL)
			continue;
		*hit = (struct compare_hit){ .offset = (size_t)(at - f->data),
			.len = 1,
			.big = f->big };
		return true;
	}
	return false;
}

bool
compare_find_number(struct compare_find *f, uint64_t number, unsigned width,
	bool near, struct compare_hit *hit)
{
	struct find_range range;

	if (!find_range_init(&range, f, width))
		return false;
	switch (width) {
	case 1:
		return find_byte(f, &range, (uint8_t)number, hit);
	case 2:
		return find_number(f, &range, number, 2,
			near ? FIND_NEAR_SHORT : 0, hit);
	case 4:
		return find_number(f, &range, number, 4, near ? FIND_NEAR : 0,
			hit);
	default:
		return find_number(f, &range, number, 8, near ? FIND_NEAR : 0,
			hit);
	}
}

static bool
find_is_letter(uint8_t byte)
{
	return (uint8_t)((byte | 0x20) - 'a') < 26;
}

FIND_INLINE bool
find_is_same(uint8_t a, uint8_t b, bool fold)
{
	return a == b || (fold && (a ^ b) == 0x20 && find_is_letter(a));
}

/* The number of equal bytes from here on. */
FIND_INLINE size_t
find_agree(const struct compare_find *f, size_t at, const uint8_t *bytes,
	size_t n, bool fold)
{
	size_t max = f->len - at < n ? f->len - at : n, i = 0;

	while (i < max && find_is_same(f->data[at + i], bytes[i], fold))
		i++;
	return i;
}

static bool
find_is_digit(uint8_t byte, bool hex)
{
	if ((uint8_t)(byte - '0') < 10)
		return true;
	return hex && (uint8_t)((byte | 0x20) - 'a') < 6;
}

static bool
find_stands_alone(const struct compare_find *f, size_t at, size_t n, bool hex)
{
	size_t end = at + n;

	if (at > 0 && f->data[at - 1] != '0' &&
		find_is_digit(f->data[at - 1], hex))
		return false;
	return end == f->len || !find_is_digit(f->data[end], hex);
}

bool
compare_find_digits(struct compare_find *f, const uint8_t *digits, size_t n,
	bool hex, struct compare_hit *hit)
{
	struct find_range range;
	uint8_t first;

	if (!find_range_init(&range, f, n))
		return false;
	first = digits[0] | 0x20;
	for (int r = 0; r < 2; r++) {
		for (size_t i = range.from[r]; i < range.to[r]; i++) {
			/* A first byte that differs ends most checks. */
			if ((f->data[i] | 0x20) != first ||
				find_agree(f, i, digits, n, true) < n ||
				!find_stands_alone(f, i, n, hex))
				continue;
			*hit = (struct compare_hit){ .offset = i, .len = n };
			return true;
		}
	}
	return false;
}

/* Finds the longest matching prefix; stops at a full match. */
FIND_INLINE bool
find_longest(const struct compare_find *f, const struct find_range *range,
	const uint8_t *bytes, size_t n, bool fold, struct compare_hit *hit)
{
	size_t least = n < 2 ? n : 2;

	*hit = (struct compare_hit){ .len = 0 };
	for (int r = 0; r < 2; r++) {
		for (size_t i = range->from[r]; i < range->to[r]; i++) {
			size_t agree;

			if (!find_is_same(f->data[i], bytes[0], fold))
				continue;
			agree = find_agree(f, i, bytes, n, fold);
			if (agree < least || agree <= hit->len)
				continue;
			hit->offset = i;
			hit->len = agree;
			if (agree == n)
				return true;
		}
	}
	return hit->len > 0;
}

bool
compare_find_bytes(struct compare_find *f, const uint8_t *bytes, size_t n,
	bool fold, struct compare_hit *hit)
{
	struct find_range range;

	/* A prefix may stand at the end of the value. */
	if (!find_range_init(&range, f, n < 2 ? n : 2))
		return false;
	return fold ? find_longest(f, &range, bytes, n, true, hit)
		    : find_longest(f, &range, bytes, n, false, hit);
}
