/*
 * compare_mutate: see compare_mutate.h.
 *
 * The target's encoding is unknown, so several are tried in turn: the operand
 * as it is, in fewer bytes, and in digits. The first match is replaced.
 */

#include "target/hooks/compare_mutate.h"

#include "target/hooks/compare_find.h"

#define CMP_BUDGET (16u << 10) /* bytes of the value to search */
#define CMP_PAIRS 8u           /* pairs to try */
#define CMP_DRAWS 3u           /* draws to choose the best of */
/* If no operand is found: how often one is written anywhere. */
#define CMP_ANYWHERE_ONE_IN 4u
#define CMP_DIGITS_MAX 24u
#define CMP_LACKS_MAX 4096u

struct cmp_mutation {
	struct mutable *m;
	struct prng *choice;
	struct mutation *done;
	uint8_t *bytes; /* bytes to write, at most COMPARE_WRITE_MAX */
	struct compare_find find;
};

/* Replaces `removed` bytes at offset by n bytes of the mutation. */
static bool
cmp_write(struct cmp_mutation *s, size_t offset, size_t removed, size_t n)
{
	const uint8_t *at = s->m->data + offset;
	size_t same = 0;

	while (same < n && n == removed && at[same] == s->bytes[same])
		same++;
	if (same == n && n == removed)
		return false;
	if (!mutate_replace(s->m, offset, removed, s->bytes, n))
		return false;
	*s->done = (struct mutation){ .op = MUTATE_COMPARE,
		.arg = (uint16_t)removed,
		.offset = (uint32_t)offset,
		.len = (uint32_t)n };
	return true;
}

static void
cmp_put_number(struct cmp_mutation *s, uint64_t number, unsigned width,
	bool big)
{
	for (unsigned i = 0; i < width; i++)
		s->bytes[i] =
			(uint8_t)(number >> 8 * (big ? width - 1 - i : i));
}

/* The number to find and the number that replaces it. */
struct cmp_numbers {
	uint64_t from, to;
	unsigned width;
	bool exact; /* no other width, no nearby number */
};

static uint64_t
cmp_mask(unsigned width)
{
	return UINT64_MAX >> (64 - 8 * width);
}

static int64_t
cmp_signed(uint64_t number, unsigned width)
{
	unsigned shift = 64 - 8 * width;

	return (int64_t)(number << shift) >> shift;
}

static bool
cmp_fits(uint64_t number, unsigned width, unsigned narrow)
{
	return number <= cmp_mask(narrow) ||
		cmp_signed(number, width) == cmp_signed(number, narrow);
}

static bool
cmp_number_of(struct cmp_mutation *s, const struct cmp_numbers *n,
	unsigned width)
{
	struct compare_hit hit;

	if (!compare_find_number(&s->find, n->from, width, !n->exact, &hit))
		return false;
	cmp_put_number(s, n->to + hit.extra, width, hit.big);
	return cmp_write(s, hit.offset, width, width);
}

static bool
cmp_number_full(struct cmp_mutation *s, const struct cmp_numbers *n)
{
	return cmp_number_of(s, n, n->width);
}

/* Tries a field with fewer bytes than the comparison. */
static bool
cmp_number_narrow(struct cmp_mutation *s, const struct cmp_numbers *n)
{
	for (unsigned width = n->width / 2; width > 0 && !n->exact;
		width /= 2) {
		if (cmp_fits(n->from, n->width, width) &&
			cmp_fits(n->to, n->width, width) &&
			cmp_number_of(s, n, width))
			return true;
	}
	return false;
}

/* Writes a number as text without leading zeros; returns the length. */
static size_t
cmp_digits(uint8_t text[CMP_DIGITS_MAX], uint64_t number, unsigned base,
	bool minus, bool upper)
{
	const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
	uint8_t reverse[CMP_DIGITS_MAX];
	size_t n = 0, len = 0;

	do {
		reverse[n++] = (uint8_t)digits[number % base];
		number /= base;
	} while (number != 0);
	if (minus)
		text[len++] = '-';
	while (n > 0)
		text[len++] = reverse[--n];
	return len;
}

/* Writes the text that the target may have read an operand from. */
static size_t
cmp_text(uint8_t text[CMP_DIGITS_MAX], uint64_t number, unsigned width,
	unsigned base, bool upper)
{
	bool minus = base == 10 && cmp_signed(number, width) < 0;

	number &= cmp_mask(width);
	return cmp_digits(text, minus ? -number & cmp_mask(width) : number,
		base, minus, upper);
}

static bool
cmp_number_text(struct cmp_mutation *s, const struct cmp_numbers *n)
{
	unsigned first = prng_u32n(s->choice, 2);
	bool upper = prng_bool(s->choice);

	for (unsigned i = 0; i < 2 && n->width > 1 && !n->exact; i++) {
		unsigned base = (first + i) % 2 == 0 ? 10 : 16;
		uint8_t text[CMP_DIGITS_MAX];
		struct compare_hit hit;
		size_t len = cmp_text(text, n->from, n->width, base, upper);

		if (!compare_find_digits(&s->find, text, len, base == 16, &hit))
			continue;
		len = cmp_text(s->bytes, n->to, n->width, base, upper);
		if (cmp_write(s, hit.offset, hit.len, len))
			return true;
	}
	return false;
}

/* For "less" and "greater": sometimes the next number above or below. */
static uint64_t
cmp_beside(struct prng *choice)
{
	uint32_t draw = prng_u32n(choice, 16);

	return draw < 10 ? 0 : draw < 13 ? 1 : UINT64_MAX;
}

static bool
cmp_number(struct cmp_mutation *s, const struct compare_pair *pair)
{
	static bool (*const manners[])(struct cmp_mutation *,
		const struct cmp_numbers *) = { cmp_number_full,
		cmp_number_narrow, cmp_number_text };
	bool constant = (pair->shape & COMPARE_CONSTANT) != 0;
	/* Mostly the constant replaces the other operand: a program constant
	 * rarely stands in the input. */
	unsigned wanted = prng_u32n(s->choice, constant ? 8 : 2) == 1;
	uint32_t first = prng_u32n(s->choice, 4);
	struct cmp_numbers n = { .from = pair->number[!wanted],
		.to = pair->number[wanted],
		.width = pair->shape & COMPARE_WIDTH,
		.exact = (pair->shape & COMPARE_FLOAT) != 0 };

	if (!n.exact)
		n.to = (n.to + cmp_beside(s->choice)) & cmp_mask(n.width);
	for (uint32_t i = 0; i < 3; i++) {
		/* The full width gets two of four turns. */
		if (manners[(first + i) % 4 % 3](s, &n))
			return true;
	}
	return false;
}

/*
 * over: overwrites, and the bytes behind stay in place. Otherwise replaces the
 * match, and the length may change.
 */
static bool
cmp_write_bytes(struct cmp_mutation *s, const struct compare_hit *hit, size_t n,
	bool over)
{
	size_t rest = s->m->len - hit->offset;

	if (!over && cmp_write(s, hit->offset, hit->len, n))
		return true;
	return cmp_write(s, hit->offset, n < rest ? n : rest, n);
}

/* Tries the operands without a common prefix of skip bytes. */
static bool
cmp_bytes_from(struct cmp_mutation *s, const struct compare_pair *pair,
	unsigned wanted, size_t skip)
{
	const uint8_t *to = pair->bytes[wanted];
	const uint8_t *from = pair->bytes[!wanted];
	size_t n = pair->len[wanted] - skip, from_n = pair->len[!wanted] - skip;
	bool fold = (pair->shape & COMPARE_FOLD) != 0, over;
	struct compare_hit hit;

	if (!compare_find_bytes(&s->find, from + skip, from_n, fold, &hit))
		return false;
	for (size_t i = 0; i < n; i++)
		s->bytes[i] = to[skip + i];
	/* After a partial match, overwriting is more likely: the operand was
	 * longer than the bytes read from the input. */
	over = prng_u32n(s->choice, 4) < (hit.len < from_n ? 3 : 2);
	/* A shorter text in a fixed-size field ends with a zero. */
	if (over && (pair->shape & COMPARE_TEXT) != 0 && n < from_n &&
		n < COMPARE_WRITE_MAX && prng_bool(s->choice))
		s->bytes[n++] = 0;
	return cmp_write_bytes(s, &hit, n, over);
}

static bool
cmp_bytes(struct cmp_mutation *s, const struct compare_pair *pair)
{
	bool constant = (pair->shape & COMPARE_CONSTANT) != 0;
	unsigned wanted = constant ? 0 : prng_u32n(s->choice, 2);
	size_t common = 0;

	if (cmp_bytes_from(s, pair, wanted, 0))
		return true;
	while (common < pair->len[0] && common < pair->len[1] &&
		pair->bytes[0][common] == pair->bytes[1][common])
		common++;
	return common > 0 && cmp_bytes_from(s, pair, wanted, common);
}

/* Writes the program's operand at a random position. */
static bool
cmp_anywhere(struct cmp_mutation *s, const struct compare_pair *pair)
{
	unsigned width = pair->shape & COMPARE_WIDTH;
	size_t n = width > 0 ? width : pair->len[0], at;

	if ((width > 0 && (pair->shape & COMPARE_CONSTANT) == 0) || n == 0)
		return false;
	if (width > 0)
		cmp_put_number(s, pair->number[0], width, prng_bool(s->choice));
	for (size_t i = 0; i < n && width == 0; i++)
		s->bytes[i] = pair->bytes[0][i];
	if (n > s->m->len || prng_bool(s->choice)) {
		at = prng_intn(s->choice, s->m->len + 1);
		return cmp_write(s, at, 0, n);
	}
	at = prng_intn(s->choice, s->m->len - n + 1);
	return cmp_write(s, at, n, n);
}

/* Draws a pair, mostly one of low rank. */
static uint32_t
cmp_choose(struct prng *choice, uint32_t n)
{
	uint32_t best = prng_u32n(choice, n), best_rank;

	if (prng_u32n(choice, 4) == 0)
		return best;
	best_rank = compare_rank(best);
	for (uint32_t i = 1; i < CMP_DRAWS; i++) {
		uint32_t other = prng_u32n(choice, n);
		uint32_t rank = compare_rank(other);

		if (rank < best_rank) {
			best = other;
			best_rank = rank;
		}
	}
	return best;
}

bool
compare_mutate(struct mutable *m, struct prng *choice, struct mutation *done,
	uint8_t bytes[COMPARE_WRITE_MAX])
{
	struct cmp_mutation s = { .m = m,
		.choice = choice,
		.done = done,
		.bytes = bytes,
		.find = { m->data, m->len, prng_u32(choice), CMP_BUDGET,
			prng_bool(choice) } };
	uint32_t n = compare_pairs_n();
	struct compare_pair pair;

	if (n == 0)
		return false;
	for (uint32_t i = 0; i < CMP_PAIRS; i++) {
		if (!compare_get(cmp_choose(choice, n), &pair))
			continue;
		if ((pair.shape & COMPARE_WIDTH) != 0 ? cmp_number(&s, &pair)
						      : cmp_bytes(&s, &pair))
			return true;
		if (prng_u32n(choice, CMP_ANYWHERE_ONE_IN * CMP_PAIRS) == 0 &&
			cmp_anywhere(&s, &pair))
			return true;
	}
	return false;
}

uint16_t
compare_lacks(struct prng *choice)
{
	uint32_t n = compare_pairs_n();
	struct compare_pair pair;
	uint64_t lacks;
	unsigned width;

	for (uint32_t i = 0; i < CMP_PAIRS && n > 0; i++) {
		if (!compare_get(cmp_choose(choice, n), &pair))
			continue;
		width = pair.shape & COMPARE_WIDTH;
		if (width < 2 || (pair.shape & COMPARE_FLOAT) != 0 ||
			(pair.shape & COMPARE_CONSTANT) == 0)
			continue;
		lacks = (pair.number[0] - pair.number[1]) & cmp_mask(width);
		if (lacks - 1 >= CMP_LACKS_MAX)
			continue;
		return (uint16_t)(lacks + cmp_beside(choice));
	}
	return 0;
}
