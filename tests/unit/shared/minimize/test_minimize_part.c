/* test_minimize_part: the parts that an input itself delimits. */

#include "shared/minimize/minimize_part.h"

#include <stdlib.h>
#include <string.h>

#include "lib/rows.h"
#include "lib/vectors.h"
#include "shared/minimize/minimize.h"

#define ROOM 64

/* True if any kind of guess at this place gives this part. */
static bool
is_guessed(const uint8_t *data, size_t len, size_t place, size_t offset,
	size_t n, int field)
{
	struct minimize_part part;

	for (unsigned kind = 0; kind < MINIMIZE_PARTS_N; kind++)
		if (minimize_part_guess(data, len, place, kind, 0, &part) &&
			part.offset == offset && part.len == n &&
			(part.field.width > 0 ? (int)part.field.offset : -1) ==
				field)
			return true;
	return false;
}

static struct part_row {
	const char *name;
	const char *hex;
	size_t place;
	size_t offset, len;
	int field; /* to be lowered; -1: none */
	bool want;
} ROWS[] = {
	{ "first line", "61620a63640a", 0, 0, 3, -1, true },
	{ "last line", "61620a63640a", 3, 3, 3, -1, true },
	{ "within a line", "61620a63640a", 1, 1, 2, -1, false },
	{ "line without end", "61620a6364", 3, 3, 2, -1, false },
	{ "empty line", "0a0a", 1, 1, 1, -1, true },
	{ "bracket", "2861297a", 0, 0, 3, -1, true },
	{ "nested brackets", "28286129627a29", 0, 0, 7, -1, true },
	{ "inner bracket", "28286129627a29", 1, 1, 3, -1, true },
	{ "open bracket", "28286129", 0, 0, 4, -1, false },
	{ "quotes", "78226162227a", 1, 1, 4, -1, true },
	{ "record of a byte", "78036162637a", 1, 1, 4, -1, true },
	{ "with a kind before", "4b036162637a", 0, 0, 5, -1, true },
	{ "with four before", "4b4b4b4b016163", 0, 0, 6, -1, true },
	{ "two bytes, little", "02007061ff", 0, 0, 4, -1, true },
	{ "two bytes, big", "00027061ff", 0, 0, 4, -1, true },
	{ "four bytes, little", "020000007061ff", 0, 0, 6, -1, true },
	{ "four bytes, big", "000000027061ff", 0, 0, 6, -1, true },
	{ "with a checksum", "0261626364656667", 0, 0, 7, -1, true },
	{ "checksum that is not there", "02616263", 0, 0, 7, -1, false },
	{ "record that is too long", "04616263", 0, 0, 5, -1, false },
	{ "number that is cut off", "0002", 1, 0, 2, -1, false },
	{ "payload", "7803616263", 1, 2, 3, 1, true },
	{ "empty payload", "7800616263", 1, 2, 0, 1, false },
	{ "past the end", "6162", 2, 2, 0, -1, false },
};

static void
test_guess(void **state)
{
	const struct part_row *row = *state;
	uint8_t data[ROOM];
	size_t len = vectors_hex(row->hex, data, ROOM);

	assert_int_equal(is_guessed(data, len, row->place, row->offset,
				 row->len, row->field),
		row->want);
}

/* The end or the start of a payload is cut, and its length lowered. */
static void
test_payload_shrinks(void **state)
{
	const uint8_t data[] = "k\6abcdefz";
	struct minimize_part part;
	unsigned ends = 0, starts = 0;

	for (unsigned kind = 0; kind < MINIMIZE_PARTS_N; kind++) {
		if (!minimize_part_shrinks(kind) ||
			!minimize_part_guess(data, 9, 1, kind, 2, &part))
			continue;
		assert_int_equal(part.len, 2);
		assert_int_equal(part.field.offset, 1);
		ends += part.offset == 6;
		starts += part.offset == 2;
	}
	assert_int_equal(ends, 1);
	assert_int_equal(starts, 1);
}

static void
test_field_lower(void **state)
{
	static const struct {
		struct minimize_field field;
		size_t less;
		const char *before, *after;
	} rows[] = {
		{ { 1, 1, false }, 3, "ff07ff", "ff04ff" },
		{ { 0, 2, false }, 0x101, "0302", "0201" },
		{ { 0, 2, true }, 0x101, "0302", "0201" },
		{ { 0, 2, true }, 1, "0100", "00ff" },
		{ { 1, 4, false }, 1, "ee00000100", "eeffff0000" },
		{ { 1, 4, true }, 1, "ee00010000", "ee0000ffff" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint8_t data[ROOM], want[ROOM];
		size_t len = vectors_hex(rows[i].before, data, ROOM);

		(void)vectors_hex(rows[i].after, want, ROOM);
		minimize_field_lower(data, &rows[i].field, rows[i].less);
		row_check(memcmp(data, want, len) == 0, "row %zu", i);
	}
}

/* No guess leaves the input, for any bytes. */
static void
test_any_bytes(void **state)
{
	struct minimize_part part;
	struct prng p;

	prng_init(&p, 11, 1);
	for (int i = 0; i < 2000; i++) {
		size_t len = prng_intn(&p, 24);
		uint8_t *data = malloc(len + 1);

		for (size_t j = 0; j < len; j++)
			data[j] = (uint8_t)prng_intn(&p,
				prng_bool(&p) ? 256 : 12);
		for (size_t place = 0; place <= len + 1; place++)
			for (unsigned kind = 0; kind <= MINIMIZE_PARTS_N;
				kind++) {
				if (!minimize_part_guess(data, len, place, kind,
					    place % 3, &part))
					continue;
				assert_true(part.len > 0);
				assert_true(part.offset <= len);
				assert_true(part.len <= len - part.offset);
				assert_true(part.field.width == 0 ||
					part.field.offset + part.field.width <=
						part.offset);
			}
		free(data);
	}
}

/* ---- what it is good for ---- */

/* Records of a kind, a length and a payload; one payload is large. */
static bool
has_large_record(const uint8_t *data, size_t len)
{
	bool large = false;
	size_t at = 0;

	while (at + 3 <= len) {
		size_t n = data[at + 1] | (size_t)data[at + 2] << 8;

		if (n > len - at - 3)
			return false;
		large |= data[at] == 'L' && n >= 20;
		at += 3 + n;
	}
	return large && at == len;
}

static void
test_records(void **state)
{
	static uint8_t best[4096], candidate[4096], other[4096];
	struct minimizer m;
	size_t len = 0;
	struct prng p;

	prng_init(&p, 2, 1);
	while (len < 3500) {
		size_t n = prng_intn(&p, 300);

		best[len] = len > 2000 ? 'L' : 'x';
		best[len + 1] = (uint8_t)n;
		best[len + 2] = (uint8_t)(n >> 8);
		len += 3;
		while (n-- > 0)
			best[len++] = (uint8_t)prng_intn(&p, 256);
	}
	assert_true(has_large_record(best, len));
	minimizer_init(&m, best, len, candidate, MINIMIZE_BLOCKS);
	minimizer_again(&m, other);
	while (minimizer_next(&m)) {
		minimizer_verdict(&m,
			has_large_record(candidate, m.candidate_len));
		assert_true(has_large_record(best, m.s.best_len));
	}
	assert_int_equal(m.s.best_len, 23);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_payload_shrinks),
		cmocka_unit_test(test_field_lower),
		cmocka_unit_test(test_any_bytes),
		cmocka_unit_test(test_records),
	};

	int failed;

	failed = cmocka_run_group_tests(tests, NULL, NULL);
	return failed + rows_run("guesses", ROWS_OF(ROWS, name, test_guess));
}
