/*
 * span: finds the parts of a text, see span.h.
 *
 * There is no state and no grammar. A bracket is matched by counting its own
 * kind only, and strings inside brackets are not recognized: a wrong guess
 * costs only a less clever mutation.
 */

#include "shared/mutate/span.h"

#include <string.h>

#define SPAN_TOKEN_REACH 64  /* to each side */
#define SPAN_LINE_REACH 256  /* to each side */
#define SPAN_GROUP_SEARCH 64 /* to the first bracket */
#define SPAN_NAME_MAX 32     /* of a tag */

_Static_assert(2 * SPAN_LINE_REACH <= SPAN_MAX, "a line fits");

/* clang-format off */
static const uint8_t SPAN_CLASSES[256] = {
	['0' ... '9'] = SPAN_WORD, ['A' ... 'Z'] = SPAN_WORD,
	['a' ... 'z'] = SPAN_WORD, ['_'] = SPAN_WORD,
	[0x80 ... 0xff] = SPAN_WORD,
	[' '] = SPAN_SPACE, ['\t' ... '\r'] = SPAN_SPACE,
	['"'] = SPAN_QUOTE, ['\''] = SPAN_QUOTE, ['`'] = SPAN_QUOTE,
	['('] = SPAN_OPEN, ['['] = SPAN_OPEN, ['{'] = SPAN_OPEN,
	['<'] = SPAN_OPEN,
	[')'] = SPAN_CLOSE, [']'] = SPAN_CLOSE, ['}'] = SPAN_CLOSE,
	['>'] = SPAN_CLOSE,
};
/* clang-format on */

enum span_class
span_class(uint8_t byte)
{
	return (enum span_class)SPAN_CLASSES[byte];
}

uint8_t
span_ends(uint8_t open)
{
	switch (SPAN_CLASSES[open]) {
	case SPAN_QUOTE:
		return open;
	case SPAN_OPEN:
		return open == '(' ? ')' : (uint8_t)(open + 2);
	default:
		return 0;
	}
}

static bool
span_set(struct span *span, size_t at, size_t end)
{
	span->at = at;
	span->len = end - at;
	return true;
}

static size_t
span_limit(size_t at, size_t reach, size_t len)
{
	return reach < len - at ? at + reach : len;
}

/* The top bit of each byte that equals the byte repeated in like. */
static inline uint64_t
span_same(uint64_t bytes, uint64_t like)
{
	const uint64_t low = 0x7f7f7f7f7f7f7f7f;
	uint64_t differ = bytes ^ like;

	return ~(((differ & low) + low) | differ | low);
}

static inline uint64_t
span_like(uint8_t byte)
{
	return byte * (uint64_t)0x0101010101010101;
}

static inline uint64_t
span_load(const uint8_t *data)
{
	uint64_t bytes;

	memcpy(&bytes, data, sizeof(bytes));
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		? bytes
		: __builtin_bswap64(bytes);
}

/* The first of two bytes from at on; last if there is none. */
static size_t
span_next(const uint8_t *data, size_t at, size_t last, uint8_t a, uint8_t b)
{
	for (; last - at >= 8; at += 8) {
		uint64_t bytes = span_load(data + at);
		uint64_t same = span_same(bytes, span_like(a)) |
			span_same(bytes, span_like(b));

		if (same != 0)
			return at + (size_t)__builtin_ctzll(same) / 8;
	}
	while (at < last && data[at] != a && data[at] != b)
		at++;
	return at;
}

/* The end of the last of two bytes before at; first if there is none. */
static size_t
span_previous(const uint8_t *data, size_t at, size_t first, uint8_t a,
	uint8_t b)
{
	for (; at - first >= 8; at -= 8) {
		uint64_t bytes = span_load(data + at - 8);
		uint64_t same = span_same(bytes, span_like(a)) |
			span_same(bytes, span_like(b));

		if (same != 0)
			return at - (size_t)__builtin_clzll(same) / 8;
	}
	while (at > first && data[at - 1] != a && data[at - 1] != b)
		at--;
	return at;
}

/* The run of bytes of one class around a position. */
static bool
span_run(const uint8_t *data, size_t len, size_t at, struct span *span)
{
	uint8_t class = SPAN_CLASSES[data[at]];
	size_t first = at > SPAN_TOKEN_REACH ? at - SPAN_TOKEN_REACH : 0;
	size_t last = span_limit(at, SPAN_TOKEN_REACH, len);
	size_t end = at + 1;

	while (at > first && SPAN_CLASSES[data[at - 1]] == class)
		at--;
	while (end < last && SPAN_CLASSES[data[end]] == class)
		end++;
	return span_set(span, at, end);
}

static bool
span_string_forward(const uint8_t *data, size_t len, size_t at,
	struct span *span)
{
	size_t last = span_limit(at, SPAN_MAX, len), i = at + 1;

	while ((i = span_next(data, i, last, data[at], '\\')) < last) {
		if (data[i] == data[at])
			return span_set(span, at, i + 1);
		i += last - i > 1 ? 2 : 1;
	}
	return false;
}

static bool
span_string_backward(const uint8_t *data, size_t at, struct span *span)
{
	size_t first = at >= SPAN_MAX ? at - (SPAN_MAX - 1) : 0, i = at;

	while ((i = span_previous(data, i, first, data[at], data[at])) >
		first) {
		i--;
		if (i == first || data[i - 1] != '\\')
			return span_set(span, i, at + 1);
	}
	return false;
}

/* A quote behind a word and not before one ends a string. */
static bool
span_string(const uint8_t *data, size_t len, size_t at, struct span *span)
{
	bool behind = at > 0 && SPAN_CLASSES[data[at - 1]] == SPAN_WORD;
	bool before = at + 1 < len && SPAN_CLASSES[data[at + 1]] == SPAN_WORD;

	if (behind && !before)
		return span_string_backward(data, at, span);
	return span_string_forward(data, len, at, span);
}

static bool
span_token(const uint8_t *data, size_t len, size_t at, struct span *span)
{
	switch (SPAN_CLASSES[data[at]]) {
	case SPAN_WORD:
	case SPAN_SPACE:
		return span_run(data, len, at, span);
	case SPAN_QUOTE:
		if (span_string(data, len, at, span))
			return true;
		break;
	default:
		break;
	}
	return span_set(span, at, at + 1);
}

static bool
span_line(const uint8_t *data, size_t len, size_t at, struct span *span)
{
	size_t first = at > SPAN_LINE_REACH ? at - SPAN_LINE_REACH : 0;
	size_t last = span_limit(at, SPAN_LINE_REACH, len);
	size_t begin = span_previous(data, at, first, '\n', '\n');
	size_t end = span_next(data, at, last, '\n', '\n');

	if (begin == first && first > 0 && data[first - 1] != '\n')
		return false;
	if (end < last)
		end++;
	else if (last < len)
		return false;
	return end - begin < len && span_set(span, begin, end);
}

static bool
span_bracket_forward(const uint8_t *data, size_t len, size_t at,
	struct span *span)
{
	size_t last = span_limit(at, SPAN_MAX, len), depth = 1, i = at + 1;
	uint8_t open = data[at], close = span_ends(open);

	while ((i = span_next(data, i, last, open, close)) < last) {
		if (data[i++] == open)
			depth++;
		else if (--depth == 0)
			return span_set(span, at, i);
	}
	return false;
}

static bool
span_bracket_backward(const uint8_t *data, size_t at, struct span *span)
{
	size_t first = at >= SPAN_MAX ? at - (SPAN_MAX - 1) : 0, i = at;
	uint8_t close = data[at];
	uint8_t open = close == ')' ? '(' : (uint8_t)(close - 2);
	size_t depth = 1;

	while ((i = span_previous(data, i, first, open, close)) > first) {
		if (data[--i] == close)
			depth++;
		else if (--depth == 0)
			return span_set(span, i, at + 1);
	}
	return false;
}

static bool
span_name_at(const uint8_t *data, size_t left, const uint8_t *name, size_t n)
{
	if (left <= n || SPAN_CLASSES[data[n]] == SPAN_WORD)
		return false;
	for (size_t i = 0; i < n; i++)
		if (data[i] != name[i])
			return false;
	return true;
}

/* Extends the span of a tag to its end tag. */
static void
span_element(const uint8_t *data, size_t len, struct span *span)
{
	size_t last = span_limit(span->at, SPAN_MAX, len), n = 0, depth = 1;
	const uint8_t *name = data + span->at + 1;

	while (n < SPAN_NAME_MAX && SPAN_CLASSES[name[n]] == SPAN_WORD)
		n++;
	if (n == 0 || name[span->len - 3] == '/')
		return;
	for (size_t i = span->at + span->len; i + 2 < last; i++) {
		i = span_next(data, i, last, '<', '<');
		if (last - i <= 2)
			return;
		if (data[i + 1] != '/') {
			depth += span_name_at(data + i + 1, last - i - 1, name,
				n);
			continue;
		}
		if (!span_name_at(data + i + 2, last - i - 2, name, n) ||
			--depth > 0)
			continue;
		i = span_next(data, i + 2 + n, last, '>', '>');
		if (i < last)
			span_set(span, span->at, i + 1);
		return;
	}
}

/* An odd position asks for the whole element, an even one for the tag. */
static bool
span_group(const uint8_t *data, size_t len, size_t at, struct span *span)
{
	size_t last = span_limit(at, SPAN_GROUP_SEARCH, len), i = at;
	bool found;

	while (i < last && SPAN_CLASSES[data[i]] < SPAN_QUOTE)
		i++;
	if (i == last)
		return false;
	switch (SPAN_CLASSES[data[i]]) {
	case SPAN_QUOTE:
		return span_string(data, len, i, span);
	case SPAN_OPEN:
		found = span_bracket_forward(data, len, i, span);
		break;
	default:
		found = span_bracket_backward(data, i, span);
		break;
	}
	if (found && at % 2 == 1 && data[span->at] == '<' && span->len >= 3)
		span_element(data, len, span);
	return found;
}

bool
span_find(enum span_kind kind, const uint8_t *data, size_t len, size_t at,
	struct span *span)
{
	if (at >= len)
		return false;
	switch (kind) {
	case SPAN_TOKEN:
		return span_token(data, len, at, span);
	case SPAN_LINE:
		return span_line(data, len, at, span);
	case SPAN_GROUP:
		break;
	}
	return span_group(data, len, at, span);
}

struct span
span_inside(const uint8_t *data, const struct span *group)
{
	struct span inside = { group->at + 1, group->len - 2 };
	size_t head = group->at, tail = group->at + group->len - 1;

	if (data[head] != '<')
		return inside;
	while (head < tail && data[head] != '>')
		head++;
	while (tail > head && data[tail] != '<')
		tail--;
	if (tail > head)
		span_set(&inside, head + 1, tail);
	return inside;
}
