/*
 * mutate_part: see mutate_part.h.
 *
 * A part is copied to the stack, then put in its place. So a part may lie
 * inside the part that it replaces, or around it: that is how brackets become
 * nested. Tokens, lines and groups differ only in how they are found: the table
 * at the end pairs each edit with a kind.
 */

#include "shared/mutate/mutate_part.h"

#include <string.h>

#include "shared/mutate/edit.h"

#define PART_REPEAT_MAX 64
#define PART_DEPTH_MAX 1024
#define PART_COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const char PART_CHARACTERS[] = "\"'`()[]{}<>,;:.=+-*/\\%&|!?@#$^~_ \t\n"
				      "0123456789aAbBeEfFnNrRtTuUxXzZ";
static const uint8_t PART_PAIRS[][2] = { { '(', ')' }, { '[', ']' },
	{ '{', '}' }, { '<', '>' }, { '"', '"' }, { '\'', '\'' } };

/* A part, and a copy of its bytes that no edit reaches. */
struct part {
	struct span span;
	uint8_t bytes[SPAN_MAX];
};

/* Draws a part. Half of the time white space gives the token behind it. */
static bool
part_draw(enum span_kind kind, const struct mutable *m, struct prng *prng,
	struct span *span)
{
	if (!span_find(kind, m->data, m->len, prng_intn(prng, m->len), span))
		return false;
	if (kind == SPAN_TOKEN && span->at + span->len < m->len &&
		span_class(m->data[span->at]) == SPAN_SPACE && prng_bool(prng))
		return span_find(kind, m->data, m->len, span->at + span->len,
			span);
	return true;
}

static void
part_copy(const struct mutable *m, const struct span *span, struct part *part)
{
	part->span = *span;
	memcpy(part->bytes, m->data + span->at, span->len);
}

static bool
part_take(enum span_kind kind, const struct mutable *m, struct prng *prng,
	struct part *part)
{
	struct span span;

	if (!part_draw(kind, m, prng, &span))
		return false;
	part_copy(m, &span, part);
	return true;
}

static bool
part_overwrite(enum span_kind kind, struct mutable *m, struct prng *prng,
	struct span *done)
{
	struct part part;

	if (!part_draw(kind, m, prng, done) || !part_take(kind, m, prng, &part))
		return false;
	if (!edit_replace(m, done, part.bytes, part.span.len))
		return false;
	done->len = part.span.len;
	return true;
}

/* Draws the byte between two parts; -1 for none. */
static int
part_draw_separator(enum span_kind kind, const struct mutable *m,
	const struct span *span, struct prng *prng)
{
	size_t end = span->at + span->len;

	if (kind == SPAN_LINE)
		return -1;
	switch (prng_intn(prng, 4)) {
	case 0:
		return -1;
	case 1:
		return ',';
	case 2:
		return span->at > 0 ? m->data[span->at - 1] : -1;
	default:
		return end < m->len ? m->data[end] : -1;
	}
}

/* Inserts a part before or behind another one. */
static bool
part_insert(enum span_kind kind, struct mutable *m, struct prng *prng,
	struct span *done)
{
	uint8_t bytes[SPAN_MAX + 1];
	struct span span;
	int separator;
	bool behind;
	size_t n;

	if (!part_draw(kind, m, prng, done) || !part_draw(kind, m, prng, &span))
		return false;
	separator = part_draw_separator(kind, m, done, prng);
	behind = prng_bool(prng);
	n = span.len + (separator >= 0);
	if (n > edit_free(m))
		return false;
	if (separator >= 0)
		bytes[behind ? 0 : span.len] = (uint8_t)separator;
	memcpy(bytes + (behind && separator >= 0), m->data + span.at, span.len);
	*done = (struct span){ behind ? done->at + done->len : done->at, n };
	return mutate_replace(m, done->at, 0, bytes, n);
}

/* Swaps two parts; the bytes between them move by the difference. */
static bool
part_swap(enum span_kind kind, struct mutable *m, struct prng *prng,
	struct span *done)
{
	struct part a, b;
	const struct part *low = &a, *high = &b;
	size_t between;
	uint8_t *at;

	if (!part_take(kind, m, prng, &a) || !part_take(kind, m, prng, &b))
		return false;
	if (a.span.at > b.span.at) {
		low = &b;
		high = &a;
	}
	if (low->span.at + low->span.len > high->span.at)
		return false;
	if (low->span.len == high->span.len &&
		edit_equal(low->bytes, high->bytes, low->span.len))
		return false;
	at = m->data + low->span.at;
	between = high->span.at - low->span.at - low->span.len;
	memmove(at + high->span.len, at + low->span.len, between);
	memcpy(at, high->bytes, high->span.len);
	memcpy(at + high->span.len + between, low->bytes, low->span.len);
	*done = (struct span){ low->span.at, high->span.len };
	return true;
}

/* True for a byte that separates the members of a list. */
static bool
part_is_separator(uint8_t byte)
{
	return byte == ',' || byte == ';' || byte == ':' ||
		span_class(byte) == SPAN_SPACE;
}

/* Removes a part, half of the time with the separator behind it. */
static bool
part_remove(enum span_kind kind, struct mutable *m, struct prng *prng,
	struct span *done)
{
	size_t end;

	if (!part_draw(kind, m, prng, done))
		return false;
	end = done->at + done->len;
	if (end < m->len && part_is_separator(m->data[end]) && prng_bool(prng))
		done->len++;
	return mutate_replace(m, done->at, done->len, m->data, 0);
}

/* Repeats a part behind itself; the caller ensures the room. */
static void
part_put(struct mutable *m, const struct part *part, int separator,
	size_t times, struct span *done)
{
	size_t each = part->span.len + (separator >= 0);
	uint8_t *at;

	*done = (struct span){ part->span.at + part->span.len, times * each };
	at = m->data + done->at;
	memmove(at + done->len, at, m->len - done->at);
	m->len += done->len;
	while (times-- > 0) {
		if (separator >= 0)
			*at++ = (uint8_t)separator;
		memcpy(at, part->bytes, part->span.len);
		at += part->span.len;
	}
}

/* Repeats a part several times behind itself. */
static bool
part_repeat(enum span_kind kind, struct mutable *m, struct prng *prng,
	struct span *done)
{
	size_t times, room;
	struct part part;
	int separator;

	if (!part_take(kind, m, prng, &part))
		return false;
	separator = part_draw_separator(kind, m, &part.span, prng);
	room = edit_free(m) / (part.span.len + (separator >= 0));
	times = prng_choose_len(prng, PART_REPEAT_MAX);
	if (times > room)
		times = room;
	if (times == 0)
		return false;
	part_put(m, &part, separator, times, done);
	return true;
}

/* Puts a part into brackets of this depth; the caller ensures the room. */
static void
part_nest(struct mutable *m, const uint8_t pair[2], size_t depth,
	struct span *done)
{
	uint8_t *at = m->data + done->at;

	memmove(at + done->len + 2 * depth, at + done->len,
		m->len - done->at - done->len);
	memmove(at + depth, at, done->len);
	memset(at, pair[0], depth);
	memset(at + depth + done->len, pair[1], depth);
	m->len += 2 * depth;
	done->len += 2 * depth;
}

/* Brackets a part: mostly one pair, sometimes more than a parser can take. */
static bool
part_wrap(enum span_kind kind, struct mutable *m, struct prng *prng,
	struct span *done)
{
	const uint8_t *pair =
		PART_PAIRS[prng_intn(prng, PART_COUNT(PART_PAIRS))];
	size_t depth = 1;

	if (prng_bool(prng))
		kind = SPAN_TOKEN;
	if (!part_draw(kind, m, prng, done))
		return false;
	if (prng_intn(prng, 4) == 0)
		depth = prng_choose_len(prng, PART_DEPTH_MAX);
	if (depth > edit_free(m) / 2)
		depth = edit_free(m) / 2;
	if (depth == 0)
		return false;
	part_nest(m, pair, depth, done);
	return true;
}

/* Replaces a group by its content. */
static bool
part_unwrap(enum span_kind kind, struct mutable *m, struct prng *prng,
	struct span *done)
{
	struct span group, inside;
	struct part part;

	if (!part_draw(kind, m, prng, &group))
		return false;
	inside = span_inside(m->data, &group);
	if (inside.len == 0)
		return false;
	part_copy(m, &inside, &part);
	*done = (struct span){ group.at, inside.len };
	return mutate_replace(m, group.at, group.len, part.bytes, inside.len);
}

/* A character that many parsers treat specially, or one of this text. */
static uint8_t
part_draw_character(const struct mutable *m, struct prng *prng)
{
	if (prng_intn(prng, 4) == 0)
		return m->data[prng_intn(prng, m->len)];
	return (uint8_t)
		PART_CHARACTERS[prng_intn(prng, sizeof(PART_CHARACTERS) - 1)];
}

static bool
part_character(enum span_kind kind, struct mutable *m, struct prng *prng,
	struct span *done)
{
	uint8_t byte = part_draw_character(m, prng);

	*done = (struct span){ prng_intn(prng, m->len), prng_bool(prng) };
	if (!edit_replace(m, done, &byte, 1))
		return false;
	done->len = 1;
	return true;
}

/* clang-format off */
static const struct {
	bool (*apply)(enum span_kind, struct mutable *, struct prng *,
		struct span *);
	enum span_kind kind;
} PART_TABLE[] = {
	[MUTATE_TOKEN_OVERWRITE - MUTATE_TOKEN_OVERWRITE] = { part_overwrite, SPAN_TOKEN },
	[MUTATE_TOKEN_INSERT - MUTATE_TOKEN_OVERWRITE] = { part_insert, SPAN_TOKEN },
	[MUTATE_TOKEN_SWAP - MUTATE_TOKEN_OVERWRITE] = { part_swap, SPAN_TOKEN },
	[MUTATE_TOKEN_REMOVE - MUTATE_TOKEN_OVERWRITE] = { part_remove, SPAN_TOKEN },
	[MUTATE_TOKEN_REPEAT - MUTATE_TOKEN_OVERWRITE] = { part_repeat, SPAN_TOKEN },
	[MUTATE_LINE_OVERWRITE - MUTATE_TOKEN_OVERWRITE] = { part_overwrite, SPAN_LINE },
	[MUTATE_LINE_INSERT - MUTATE_TOKEN_OVERWRITE] = { part_insert, SPAN_LINE },
	[MUTATE_LINE_SWAP - MUTATE_TOKEN_OVERWRITE] = { part_swap, SPAN_LINE },
	[MUTATE_LINE_REMOVE - MUTATE_TOKEN_OVERWRITE] = { part_remove, SPAN_LINE },
	[MUTATE_LINE_REPEAT - MUTATE_TOKEN_OVERWRITE] = { part_repeat, SPAN_LINE },
	[MUTATE_GROUP_OVERWRITE - MUTATE_TOKEN_OVERWRITE] = { part_overwrite, SPAN_GROUP },
	[MUTATE_GROUP_INSERT - MUTATE_TOKEN_OVERWRITE] = { part_insert, SPAN_GROUP },
	[MUTATE_GROUP_SWAP - MUTATE_TOKEN_OVERWRITE] = { part_swap, SPAN_GROUP },
	[MUTATE_GROUP_REMOVE - MUTATE_TOKEN_OVERWRITE] = { part_remove, SPAN_GROUP },
	[MUTATE_GROUP_REPEAT - MUTATE_TOKEN_OVERWRITE] = { part_repeat, SPAN_GROUP },
	[MUTATE_GROUP_WRAP - MUTATE_TOKEN_OVERWRITE] = { part_wrap, SPAN_GROUP },
	[MUTATE_GROUP_UNWRAP - MUTATE_TOKEN_OVERWRITE] = { part_unwrap, SPAN_GROUP },
	[MUTATE_CHARACTER - MUTATE_TOKEN_OVERWRITE] = { part_character, SPAN_TOKEN },
};
/* clang-format on */

bool
mutate_part(enum mutate_op op, struct mutable *m, struct prng *prng,
	struct mutation *done)
{
	size_t row = (size_t)op - MUTATE_TOKEN_OVERWRITE;
	struct span span;

	if (m->len == 0 || row >= PART_COUNT(PART_TABLE))
		return false;
	return PART_TABLE[row].apply(PART_TABLE[row].kind, m, prng, &span) &&
		edit_done(done, op, span.at, span.len);
}

/* Repeats a part exactly this many times. */
static bool
part_count(enum span_kind kind, size_t times, struct mutable *m,
	struct prng *prng, struct span *done)
{
	struct part part;
	int separator;

	if (!part_take(kind, m, prng, &part))
		return false;
	separator = part_draw_separator(kind, m, &part.span, prng);
	if (times > edit_free(m) / (part.span.len + (separator >= 0)))
		return false;
	part_put(m, &part, separator, times, done);
	return true;
}

/* Puts a group this many levels deeper into its own brackets. */
static bool
part_count_depth(size_t times, struct mutable *m, struct prng *prng,
	struct span *done)
{
	uint8_t pair[2];

	if (!part_draw(SPAN_GROUP, m, prng, done) || times > edit_free(m) / 2)
		return false;
	pair[0] = m->data[done->at];
	pair[1] = m->data[done->at + done->len - 1];
	part_nest(m, pair, times, done);
	return true;
}

bool
mutate_part_count(uint16_t times, struct mutable *m, struct prng *prng,
	struct mutation *done)
{
	/* Programs count brackets most, in a row and nested. */
	static const enum span_kind kinds[] = { SPAN_GROUP, SPAN_GROUP,
		SPAN_TOKEN, SPAN_LINE };
	size_t draw = prng_intn(prng, PART_COUNT(kinds) + 2);
	struct span span;

	if (m->len == 0 || times == 0)
		return false;
	if (draw < PART_COUNT(kinds)
			? !part_count(kinds[draw], times, m, prng, &span)
			: !part_count_depth(times, m, prng, &span))
		return false;
	edit_done(done, MUTATE_PART_COUNT, span.at, span.len);
	done->arg = times;
	return true;
}
