/* test_tuple: arguments as bytes, and bytes that are not a tuple. */

#include "lib/tuples.h"

/* ---- there and back ---- */

/* clang-format off */
static const struct {
	const char *name;
	const char *lines;
	const char *types;
	size_t len;
} GOOD[] = {
	{ "bytes", "[]byte(\"abc\")", "[]uint8", 8 },
	{ "empty bytes", "[]byte(\"\")", "[]uint8", 5 },
	{ "two", "[]byte(\"abc\")\nint32(-5)", "[]uint8 int32", 17 },
	{ "a string with a zero", "string(\"a\\x00b\")", "string", 8 },
	{ "ends of types", "int8(-128)\nint8(127)\nuint64(18446744073709551615)\nint64(-9223372036854775808)", "int8 int8 uint64 int64", 36 },
	{ "floats", "float32(1.5)\nfloat64(-0.25)\nfloat64(NaN)\nfloat32(+Inf)", "float32 float64 float64 float32", 36 },
	{ "a bool", "bool(true)\nbool(false)", "bool bool", 18 },
	{ "sixteen", "int(1)\nint(2)\nint(3)\nint(4)\nint(5)\nint(6)\nint(7)\nint(8)\nint(9)\nint(10)\nint(11)\nint(12)\nint(13)\nint(14)\nint(15)\nint(16)",
	  "int int int int int int int int int int int int int int int int", 144 },
};
/* clang-format on */

static void
test_there_and_back(void **state)
{
	for (size_t i = 0; i < sizeof(GOOD) / sizeof(GOOD[0]); i++) {
		size_t len;
		uint8_t *data = tuple_of(GOOD[i].lines, &len);
		char *text = tuple_text(data, len);

		row_check(len == GOOD[i].len, "%s: %zu bytes", GOOD[i].name,
			len);
		row_check(strcmp(text, GOOD[i].lines) == 0, "%s: %s",
			GOOD[i].name, text);
		free(text);
		free(data);
	}
}

static void
test_types(void **state)
{
	for (size_t i = 0; i < sizeof(GOOD) / sizeof(GOOD[0]); i++) {
		struct tuple_types types = { 0 };
		struct tuple tuple;
		char names[256] = "";
		size_t len;
		uint8_t *data = tuple_of(GOOD[i].lines, &len);

		assert_true(tuple_parse(data, len, &tuple));
		types.n = tuple.n;
		for (uint32_t k = 0; k < tuple.n; k++) {
			types.types[k] = tuple.fields[k].type;
			strcat(names, k > 0 ? " " : "");
			strcat(names, value_type_name(types.types[k]));
		}
		row_check(strcmp(names, GOOD[i].types) == 0, "%s: %s",
			GOOD[i].name, names);
		row_check(tuple_parse_as(data, len, &types, &tuple), "%s",
			GOOD[i].name);
		types.types[0] =
			types.types[0] == VALUE_INT ? VALUE_UINT : VALUE_INT;
		row_check(!tuple_parse_as(data, len, &types, &tuple),
			"%s, another type", GOOD[i].name);
		types.types[0] = tuple.fields[0].type;
		types.n--;
		row_check(!tuple_parse_as(data, len, &types, &tuple),
			"%s, one less", GOOD[i].name);
		free(data);
	}
}

static void
test_zero(void **state)
{
	struct tuple_types types = { .n = TUPLE_MAX };
	uint8_t data[TUPLE_ZERO_MAX];
	struct tuple tuple;
	size_t len;

	for (uint32_t i = 0; i < TUPLE_MAX; i++)
		types.types[i] = (enum value_type)(i % VALUE_TYPE_N);
	len = tuple_zero(&types, data);
	assert_true(len <= sizeof(data));
	assert_true(tuple_parse_as(data, len, &types, &tuple));
	for (uint32_t i = 0; i < TUPLE_MAX; i++) {
		struct value value = tuple_value(data, &tuple.fields[i]);

		assert_int_equal(value_get_bits(&value), 0);
		assert_int_equal(value.len, 0);
	}
}

/* ---- what is no tuple ---- */

static void
test_cut(void **state)
{
	size_t len;
	uint8_t *data =
		tuple_of("[]byte(\"abc\")\nint32(-5)\nstring(\"\")", &len);
	struct tuple tuple;

	for (size_t i = 0; i <= len; i++) {
		uint8_t *piece = malloc(i + 1);
		bool whole = i == 8 || i == 17 || i == len;

		assert_non_null(piece);
		memcpy(piece, data, i);
		row_check(tuple_parse(piece, i, &tuple) == whole, "%zu bytes",
			i);
		free(piece);
	}
	free(data);
}

static void
test_damaged(void **state)
{
	size_t len;
	uint8_t *data =
		tuple_of("[]byte(\"abcdef\")\nint32(-5)\nstring(\"x\")", &len);
	struct prng prng;

	prng_init(&prng, 3, 3);
	for (int round = 0; round < 20000; round++) {
		uint8_t *copy = malloc(len);
		struct tuple tuple;

		assert_non_null(copy);
		memcpy(copy, data, len);
		for (uint32_t i = 1 + prng_u32n(&prng, 3); i > 0; i--)
			copy[prng_intn(&prng, len)] = (uint8_t)prng_u32(&prng);
		if (tuple_parse(copy, len, &tuple))
			for (uint32_t i = 0; i < tuple.n; i++) {
				struct tuple_field f = tuple.fields[i];

				assert_true(f.offset <= len);
				assert_true(f.len <= len - f.offset);
			}
		free(copy);
	}
	free(data);
}

static void
test_too_many(void **state)
{
	uint8_t data[9 * (TUPLE_MAX + 1)];
	struct tuple tuple;

	memset(data, 0, sizeof(data));
	for (size_t i = 0; i < sizeof(data); i += 9)
		data[i] = VALUE_INT;
	assert_true(tuple_parse(data, 9 * TUPLE_MAX, &tuple));
	assert_false(tuple_parse(data, sizeof(data), &tuple));
}

/* Bits that the type does not have are ignored. */
static void
test_wide_bits(void **state)
{
	size_t len;
	uint8_t *data = tuple_of("int8(1)\nuint16(1)\nbool(false)", &len);
	struct tuple tuple;
	char *text;

	assert_true(tuple_parse(data, len, &tuple));
	for (uint32_t i = 0; i < tuple.n; i++)
		tuple_set_bits(data, &tuple.fields[i], 0xff00ff00ff80ff81);
	text = tuple_text(data, len);
	assert_string_equal(text, "int8(-127)\nuint16(65409)\nbool(true)");
	free(text);
	free(data);
}

/* ---- other bytes ---- */

/* clang-format off */
static const struct {
	const char *name;
	size_t offset, removed;
	const char *bytes;
	const char *after; /* NULL: refused */
} REPLACE[] = { /* of []byte("abc") int8(65) string("xy") */
	{ "in bytes", 6, 1, "B", "[]byte(\"aBc\")\nint8(65)\nstring(\"xy\")" },
	{ "longer", 5, 0, "123", "[]byte(\"123abc\")\nint8(65)\nstring(\"xy\")" },
	{ "all of it", 5, 3, "", "[]byte(\"\")\nint8(65)\nstring(\"xy\")" },
	{ "behind the last", 24, 0, "z", "[]byte(\"abc\")\nint8(65)\nstring(\"xyz\")" },
	{ "a scalar", 9, 1, "B", "[]byte(\"abc\")\nint8(66)\nstring(\"xy\")" },
	{ "a longer scalar", 9, 1, "BC", NULL },
	{ "a tag", 0, 1, "B", NULL },
	{ "a length", 1, 4, "BBBB", NULL },
	{ "two arguments", 7, 5, "BBBBB", NULL },
	{ "beyond the end", 23, 2, "z", NULL },
	{ "far beyond", SIZE_MAX, 2, "z", NULL },
	{ "as far", 5, SIZE_MAX, "z", NULL },
};
/* clang-format on */

static void
test_replace(void **state)
{
	for (size_t i = 0; i < sizeof(REPLACE) / sizeof(REPLACE[0]); i++) {
		size_t n = strlen(REPLACE[i].bytes), len;
		uint8_t *small =
			tuple_of("[]byte(\"abc\")\nint8(65)\nstring(\"xy\")",
				&len);
		uint8_t *data = realloc(small, len + n);
		size_t before = len;
		bool done = tuple_replace(data, &len, REPLACE[i].offset,
			REPLACE[i].removed, (const uint8_t *)REPLACE[i].bytes,
			n);
		char *text;

		row_check(done == (REPLACE[i].after != NULL), "%s",
			REPLACE[i].name);
		row_check(done || len == before, "%s", REPLACE[i].name);
		text = tuple_text(data, len);
		row_check(!done || strcmp(text, REPLACE[i].after) == 0,
			"%s: %s", REPLACE[i].name, text);
		free(text);
		free(data);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_there_and_back),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_zero),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_wide_bits),
		cmocka_unit_test(test_replace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
