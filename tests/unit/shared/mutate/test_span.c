/* test_span: the places of tokens, lines and groups. */

#include "shared/mutate/span.h"

#include <stdlib.h>
#include <string.h>

#include "lib/rows.h"
#include "lib/vectors.h"

struct span_row {
	const char *name;
	enum span_kind kind;
	const char *text;
	size_t at;
	const char *found;  /* NULL: nothing */
	const char *inside; /* of a group, if it matters */
};

/* clang-format off */
static const struct span_row ROWS[] = {
	{ "a word", SPAN_TOKEN, "one two_2 three", 6, "two_2", NULL },
	{ "spaces", SPAN_TOKEN, "a \t\n b", 2, " \t\n ", NULL },
	{ "one sign", SPAN_TOKEN, "a+=b", 1, "+", NULL },
	{ "beyond ASCII", SPAN_TOKEN, "x=\xc3\xa4y;", 3, "\xc3\xa4y", NULL },
	{ "a string from its begin", SPAN_TOKEN, "f(\"a, b\", c)", 2, "\"a, b\"", NULL },
	{ "a string from its end", SPAN_TOKEN, "f(\"a, b\", c)", 7, "\"a, b\"", NULL },
	{ "a string with a quote in it", SPAN_TOKEN, "'a\\'b'+'c'", 0, "'a\\'b'", NULL },
	{ "a quote behind a backslash, from the end", SPAN_TOKEN, "'a\\'b'+'c'", 5, "'a\\'b'", NULL },
	{ "a string that does not end", SPAN_TOKEN, "x \"ab", 2, "\"", NULL },
	{ "a backslash at the end", SPAN_TOKEN, "\"ab\\", 0, "\"", NULL },
	{ "behind the end", SPAN_TOKEN, "ab", 2, NULL, NULL },
	{ "the first line", SPAN_LINE, "ab\ncd\nef", 0, "ab\n", NULL },
	{ "a line from its break", SPAN_LINE, "ab\ncd\nef", 5, "cd\n", NULL },
	{ "the last line", SPAN_LINE, "ab\ncd\nef", 7, "ef", NULL },
	{ "an empty line", SPAN_LINE, "ab\n\nef", 3, "\n", NULL },
	{ "all is one line", SPAN_LINE, "ab cd\n", 2, NULL, NULL },
	{ "from a bracket", SPAN_GROUP, "f(a, g(b))+1", 1, "(a, g(b))", "a, g(b)" },
	{ "from a bracket inside", SPAN_GROUP, "f(a, g(b))+1", 4, "(b)", "b" },
	{ "from a bracket that ends", SPAN_GROUP, "f(a, g(b))+1", 9, "(a, g(b))", "a, g(b)" },
	{ "of another sort inside", SPAN_GROUP, "[(]){}", 0, "[(]", "(" },
	{ "square", SPAN_GROUP, "x [1, [2]] y", 0, "[1, [2]]", NULL },
	{ "curly", SPAN_GROUP, "x {} y", 0, "{}", "" },
	{ "quotes", SPAN_GROUP, "x = \"a b\";", 0, "\"a b\"", "a b" },
	{ "no end", SPAN_GROUP, "f(a, g", 0, NULL, NULL },
	{ "no begin", SPAN_GROUP, "a, b)", 0, NULL, NULL },
	{ "no bracket", SPAN_GROUP, "a, b", 0, NULL, NULL },
	{ "a tag", SPAN_GROUP, "<a><b>x</b></a>", 0, "<a>", "a" },
	{ "an element", SPAN_GROUP, "<a> <b>x</b></a>", 1, "<a> <b>x</b></a>", " <b>x</b>" },
	{ "an element inside", SPAN_GROUP, "<a> <b>x</b></a>", 5, "<b>x</b>", "x" },
	{ "an element and its like", SPAN_GROUP, "<b><b >x</b>y</b>", 1, "<b><b >x</b>y</b>", "<b >x</b>y" },
	{ "another that begins so", SPAN_GROUP, "<b><bc></bc></b>z", 1, "<b><bc></bc></b>", NULL },
	{ "an element that is a tag", SPAN_GROUP, "<b/></b>", 1, "<b/>", "b/" },
	{ "no end tag", SPAN_GROUP, "<b>x</a>", 1, "<b>", NULL },
	{ "half an end tag", SPAN_GROUP, "<b>x</b", 1, "<b>", NULL },
	{ "an empty element", SPAN_GROUP, "<b></b>", 1, "<b></b>", "" },
};
/* clang-format on */

static bool
is_text(const char *text, const struct span *span, const char *want)
{
	return span->len == strlen(want) &&
		memcmp(text + span->at, want, span->len) == 0;
}

static void
test_row(void **state)
{
	const struct span_row *row = *state;
	const uint8_t *data = (const uint8_t *)row->text;
	struct span span, inside;
	bool found =
		span_find(row->kind, data, strlen(row->text), row->at, &span);

	row_check(found == (row->found != NULL), "%s", row->name);
	if (!found)
		return;
	row_check(is_text(row->text, &span, row->found), "%s: %zu and %zu",
		row->name, span.at, span.len);
	if (row->inside == NULL)
		return;
	inside = span_inside(data, &span);
	row_check(is_text(row->text, &inside, row->inside), "%s: %zu and %zu",
		row->name, inside.at, inside.len);
}

/* The same bracket, found byte by byte. */
static bool
slow_bracket(const uint8_t *data, size_t len, size_t at, struct span *span)
{
	size_t depth = 0;

	for (size_t i = at; i < len && i < at + SPAN_MAX; i++) {
		depth += data[i] == '(';
		if (data[i] == ')' && --depth == 0) {
			*span = (struct span){ at, i + 1 - at };
			return true;
		}
	}
	return false;
}

static bool
slow_line(const uint8_t *data, size_t len, size_t at, struct span *span)
{
	size_t begin = at, end = at;

	while (begin > 0 && data[begin - 1] != '\n')
		begin--;
	while (end < len && data[end] != '\n')
		end++;
	end += end < len;
	*span = (struct span){ begin, end - begin };
	return end - begin < len && at - begin <= SPAN_MAX / 2 &&
		end - at <= SPAN_MAX / 2;
}

static void
check_same(bool found, const struct span *span, bool want,
	const struct span *wanted)
{
	assert_int_equal(found, want);
	if (found)
		assert_memory_equal(span, wanted, sizeof(*span));
}

/* Words of eight bytes find the same as single bytes, at all offsets. */
static void
test_as_one_at_a_time(void **state)
{
	static const char alphabet[] =
		"((\n))\x80\x01\x0b\x8a)(aaaaaaaaaaaaaaaa";
	struct prng prng;

	prng_init(&prng, 9, 1);
	for (int round = 0; round < 3000; round++) {
		size_t len = 1 + prng_intn(&prng, round % 2 ? 1200 : 40);
		size_t most = 2 + prng_intn(&prng, sizeof(alphabet) - 2);
		uint8_t *data = malloc(len);
		struct span span, want;

		for (size_t i = 0; i < len; i++)
			data[i] = (uint8_t)alphabet[sizeof(alphabet) - 2 -
				prng_intn(&prng, most)];
		for (size_t at = 0; at < len; at += 1 + len / 60) {
			bool slow = slow_line(data, len, at, &want);

			check_same(span_find(SPAN_LINE, data, len, at, &span),
				&span, slow, &want);
			if (data[at] != '(')
				continue;
			slow = slow_bracket(data, len, at, &want);
			check_same(span_find(SPAN_GROUP, data, len, at, &span),
				&span, slow, &want);
			if (!slow)
				continue;
			check_same(span_find(SPAN_GROUP, data, len,
					   want.at + want.len - 1, &span),
				&span, true, &want);
		}
		free(data);
	}
}

static void
test_ends(void **state)
{
	static const char pairs[] = "()[]{}<>\"\"''``";

	for (size_t i = 0; pairs[i] != '\0'; i += 2)
		assert_int_equal(span_ends((uint8_t)pairs[i]), pairs[i + 1]);
	assert_int_equal(span_ends(')'), 0);
	assert_int_equal(span_ends('a'), 0);
}

int
main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_as_one_at_a_time),
		cmocka_unit_test(test_ends),
	};

	return rows_run_with("span", ROWS_OF(ROWS, name, test_row), others,
		ROWS(others), NULL, NULL);
}
