/* predicates_text: inputs of a small language, see predicates.h. */

#include "lib/predicates_private.h"

#include <stdio.h>
#include <string.h>

/* How deep brackets are nested at most; 0 if they are not balanced. */
static size_t
depth(const uint8_t *data, size_t len, bool balanced)
{
	size_t now = 0, most = 0;

	for (size_t i = 0; i < len; i++) {
		if (data[i] == '(' && ++now > most)
			most = now;
		if (data[i] == ')' && now == 0 && balanced)
			return 0;
		if (data[i] == ')' && now > 0)
			now--;
	}
	return balanced && now > 0 ? 0 : most;
}

static void
draw_nested(struct predicate *p, struct prng *r)
{
	size_t open = 0;

	p->len = 0;
	p->number = predicate_number(r, 1, 6);
	for (size_t n = predicate_number(r, 30, 200); n > 0; n--) {
		size_t what = predicate_number(r, 0, 3);

		if (what == 0 || (what == 1 && n > 90)) {
			open++;
			predicate_put(p, p->len, "(");
		} else if (what == 2 && open > 0) {
			open--;
			predicate_put(p, p->len, ")");
		} else {
			predicate_put(p, p->len, "ab");
		}
	}
	while (open-- > 0)
		predicate_put(p, p->len, ")");
}

static bool
is_nested(const struct predicate *p, const uint8_t *data, size_t len)
{
	return depth(data, len, false) >= p->number;
}

static bool
is_nested_well(const struct predicate *p, const uint8_t *data, size_t len)
{
	return depth(data, len, true) >= p->number;
}

static void
draw_quotes(struct predicate *p, struct prng *r)
{
	static const char *const parts[] = { "\"", "\\\"", "ab", " ", "\\" };

	p->len = 0;
	p->number = predicate_number(r, 2, 9);
	for (size_t n = predicate_number(r, 20, 120); n > 0; n--)
		predicate_put(p, p->len, parts[predicate_number(r, 0, 4)]);
}

/* A string with some escapes in it is not closed. */
static bool
has_open_string(const struct predicate *p, const uint8_t *data, size_t len)
{
	size_t escapes = 0;
	bool inside = false;

	for (size_t i = 0; i < len; i++) {
		if (inside && data[i] == '\\') {
			escapes++;
			i++;
		} else if (data[i] == '"') {
			inside = !inside;
			escapes = 0;
		}
	}
	return inside && escapes >= p->number / 2;
}

static void
draw_lines(struct predicate *p, struct prng *r)
{
	char text[40];

	p->len = 0;
	p->number = predicate_number(r, 10, 5000);
	p->more = predicate_number(r, 1, 5);
	for (size_t n = predicate_number(r, 4, 24); n > 0; n--) {
		snprintf(text, sizeof(text), "%c%zu=%zu\n",
			(char)predicate_number(r, 'a', 'e'),
			predicate_number(r, 0, 99),
			predicate_number(r, 0, 9999));
		predicate_put(p, p->len, text);
	}
}

/* A number in decimal digits is larger than one that is known. */
static bool
has_number(const struct predicate *p, const uint8_t *data, size_t len)
{
	uint64_t number = 0;

	for (size_t i = 0; i < len; i++) {
		if (data[i] < '0' || data[i] > '9')
			number = 0;
		else
			number = number * 10 + (uint64_t)(data[i] - '0');
		if (number > p->number)
			return true;
	}
	return false;
}

/* So many lines that are all of the form name=number, one of them large. */
static bool
has_setting(const struct predicate *p, const uint8_t *data, size_t len)
{
	size_t lines = 0;
	bool large = false;

	while (len > 0) {
		const uint8_t *end = memchr(data, '\n', len);
		const uint8_t *is = memchr(data, '=', len);
		size_t n;

		if (end == NULL || is == NULL || is >= end || is == data)
			return false;
		large |= has_number(p, is, (size_t)(end - is));
		n = (size_t)(end - data) + 1;
		data += n;
		len -= n;
		lines++;
	}
	return large && lines >= p->more;
}

static bool
has_lines(const struct predicate *p, const uint8_t *data, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += data[i] == '\n';
	return n >= p->more && has_number(p, data, len);
}

static void
draw_utf8(struct predicate *p, struct prng *r)
{
	static const char *const parts[] = { "a", "b", "\xc3\xa9",
		"\xe0\xb8\x97", "\xf0\x9f\x98\x80" };

	p->len = 0;
	p->number = predicate_number(r, 1, 5);
	for (size_t n = predicate_number(r, 20, 100); n > 0; n--)
		predicate_put(p, p->len, parts[predicate_number(r, 0, 4)]);
}

/* Valid, by the number of bytes that follow, and so many long ones. */
static bool
is_utf8(const struct predicate *p, const uint8_t *data, size_t len)
{
	size_t i = 0, n = 0;

	while (i < len) {
		size_t more = data[i] < 0x80 ? 0
			: data[i] < 0xc0     ? 9
			: data[i] < 0xe0     ? 1
			: data[i] < 0xf0     ? 2
					     : 3;

		if (more > 3 || more >= len - i)
			return false;
		n += more > 1;
		for (i++; more > 0; more--, i++)
			if ((data[i] & 0xc0) != 0x80)
				return false;
	}
	return n >= p->number;
}

/* A picture whose width and height want more bytes than there are. */
static void
draw_picture(struct predicate *p, struct prng *r)
{
	predicate_start(p, r, predicate_number(r, 60, 900), false);
	predicate_put(p, 0, "PIC");
	p->start[3] = (uint8_t)predicate_number(r, 1, 255);
	p->start[4] = (uint8_t)predicate_number(r, 1, 255);
	p->number = predicate_number(r, 0, 60);
}

static bool
is_picture(const struct predicate *p, const uint8_t *data, size_t len)
{
	return len >= 5 + p->number && memcmp(data, "PIC", 3) == 0 &&
		(size_t)data[3] * data[4] > len - 5;
}

/* clang-format off */
const struct predicate_family PREDICATE_TEXT_FAMILIES[] = {
	{ "nesting", is_nested, draw_nested },
	{ "nesting in balance", is_nested_well, draw_nested },
	{ "open string", has_open_string, draw_quotes },
	{ "a number", has_number, draw_lines },
	{ "a setting", has_setting, draw_lines },
	{ "lines and a number", has_lines, draw_lines },
	{ "UTF-8", is_utf8, draw_utf8 },
	{ "picture", is_picture, draw_picture },
	{ NULL, NULL, NULL },
};
/* clang-format on */
