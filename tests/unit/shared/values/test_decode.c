/*
 * test_decode: texts of corpus files: their values, and the messages for bad
 * texts.
 */

#include "shared/values/decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/rows.h"
#include "lib/vectors.h"
#include "shared/mutate/mutate.h"
#include "shared/values/encode.h"
#include "shared/values/expr.h"

#define ROOM 16384
#define VALUES_MAX 32
#define V1 "go test fuzz v1\n"

static enum status
decode_text(const char *text, size_t len, struct value *values, size_t *n,
	struct error *err)
{
	static uint8_t room[ROOM];

	assert_true(len <= ROOM);
	return decode_values(text, len, values, VALUES_MAX, n, room, err);
}

struct text_row {
	const char *name;
	const char *in;
	const char *out; /* NULL: rejected */
};

#define LINE(id, line) \
	{ \
		id ": " line, V1 line "\n", NULL \
	}

/* B1 */
static struct text_row TEXTS[] = {
	{ "E1 no version", "int(1234)\n", NULL },
	LINE("E2", "string(\"a\"bcad\")"),
	LINE("E3", "int()"),
	LINE("E4", "uint(-32)"),
	LINE("E5", "int8(1234456)"),
	LINE("E6", "int(20*5)"),
	LINE("E7", "int(--5)"),
	LINE("E8", "bool(0)"),
	LINE("E9", "byte('aa)"),
	LINE("E10", "byte('\xe2\x98\x83')"),
	{ "E11", V1 "string(\"has extra newline\")\n\n",
		V1 "string(\"has extra newline\")\n" },
	{ "E12", V1 "string(\"extra\")\n[]byte(\"spacing\")  \n    \n",
		V1 "string(\"extra\")\n[]byte(\"spacing\")\n" },
	{ "E13", V1 "float64(0)\nfloat32(0)\n", V1 "float64(0)\nfloat32(0)\n" },
	{ "E14",
		V1 "int(-23)\nint8(-2)\nint64(2342425)\nuint(1)\nuint16(234)\n"
		   "uint32(352342)\nuint64(123)\nrune('\xc5\x93')\nbyte('K')\n"
		   "byte('\xc3\xbf')\n[]byte(\"hello\xc2\xbf\")\n"
		   "[]byte(\"a\")\nbool(true)\n"
		   "string(\"hello\\\\xbd\\\\xb2=\\\\xbc \xe2\x8c\x98\")\n"
		   "float64(-12.5)\nfloat32(2.5)\n",
		V1 "int(-23)\nint8(-2)\nint64(2342425)\nuint(1)\nuint16(234)\n"
		   "uint32(352342)\nuint64(123)\nrune('\xc5\x93')\nbyte('K')\n"
		   "byte('\xc3\xbf')\n[]byte(\"hello\xc2\xbf\")\n"
		   "[]byte(\"a\")\nbool(true)\n"
		   "string(\"hello\\\\xbd\\\\xb2=\\\\xbc \xe2\x8c\x98\")\n"
		   "float64(-12.5)\nfloat32(2.5)\n" },
	{ "E15",
		V1 "float32(-0)\nfloat64(-0)\nfloat32(+Inf)\nfloat32(-Inf)\n"
		   "float32(NaN)\nfloat64(+Inf)\nfloat64(-Inf)\nfloat64(NaN)\n"
		   "math.Float64frombits(0x7ff8000000000002)\n"
		   "math.Float32frombits(0x7fc00001)\n",
		V1 "float32(-0)\nfloat64(-0)\nfloat32(+Inf)\nfloat32(-Inf)\n"
		   "float32(NaN)\nfloat64(+Inf)\nfloat64(-Inf)\nfloat64(NaN)\n"
		   "math.Float64frombits(0x7ff8000000000002)\n"
		   "math.Float32frombits(0x7fc00001)\n" },
	{ "E16",
		V1 "int(0x0)\nint32(0x41)\nint64(0xfffffffff)\n"
		   "uint32(0xcafef00d)\nuint64(0xffffffffffffffff)\n"
		   "uint8(0b0000000)\nbyte(0x0)\nbyte('\\000')\n"
		   "byte('\\u0000')\nbyte('\\'')\n"
		   "math.Float64frombits(9221120237041090562)\n"
		   "math.Float32frombits(2143289345)\n",
		V1 "int(0)\nrune('A')\nint64(68719476735)\n"
		   "uint32(3405705229)\nuint64(18446744073709551615)\n"
		   "byte('\\x00')\nbyte('\\x00')\nbyte('\\x00')\n"
		   "byte('\\x00')\nbyte('\\'')\n"
		   "math.Float64frombits(0x7ff8000000000002)\n"
		   "math.Float32frombits(0x7fc00001)\n" },
	{ "E17",
		V1 "rune(0)\nrune(0x41)\nrune(-1)\nrune(0xfffd)\nrune(0xd800)\n"
		   "rune(0x10ffff)\nrune(0x110000)\n",
		V1 "rune('\\x00')\nrune('A')\nint32(-1)\n"
		   "rune('\xef\xbf\xbd')\nint32(55296)\n"
		   "rune('\\U0010ffff')\nint32(1114112)\n" },
	{ "E18", V1 "int(0x7fffffffffffffff)\nuint(0xffffffffffffffff)\n",
		V1 "int(9223372036854775807)\n"
		   "uint(18446744073709551615)\n" },
	{ "E19", "go test fuzz v1\r\nint(0)\r\n", V1 "int(0)\n" },

	/* accepted by the reference's parser, so by ours */
	{ "separators", V1 "int(1_000)\n", V1 "int(1000)\n" },
	{ "hex separators", V1 "int(0x_1F)\n", V1 "int(31)\n" },
	{ "octal", V1 "int(017)\n", V1 "int(15)\n" },
	{ "sign apart", V1 "int(- 1)\n", V1 "int(-1)\n" },
	{ "trailing comma", V1 "int(1,)\n", V1 "int(1)\n" },
	{ "comment", V1 "int(1) // c\n", V1 "int(1)\n" },
	{ "inner comment", V1 "int/**/( /*x*/ 1 )\n", V1 "int(1)\n" },
	{ "least int", V1 "int(-9223372036854775808)\n",
		V1 "int(-9223372036854775808)\n" },
	{ "point first", V1 "float64(.5)\n", V1 "float64(0.5)\n" },
	{ "point last", V1 "float64(5.)\n", V1 "float64(5)\n" },
	{ "underflow", V1 "float64(1e-400)\n", V1 "float64(0)\n" },
	{ "leading zero", V1 "float64(010)\n", V1 "float64(10)\n" },
	{ "hex float", V1 "float32(0x1p-2)\n", V1 "float32(0.25)\n" },
	{ "bits of 1", V1 "math.Float64frombits(0x3ff0000000000000)\n",
		V1 "float64(1)\n" },
	{ "blank lines", V1 "\nint(1)\n\n \t\nint(2)", V1 "int(1)\nint(2)\n" },
	{ "wide spaces", V1 "\xc2\xa0\xe3\x80\x80int(1)\xe2\x80\xa8\xc2\x85\n",
		V1 "int(1)\n" },
	{ "raw string", V1 "string(`a\\n\"`)\n",
		V1 "string(\"a\\\\n\\\"\")\n" },
	{ "byte order mark", V1 "\xef\xbb\xbfint(1)\n", V1 "int(1)\n" },
	{ "spaced brackets", V1 "[ ] byte ( \"x\" )\n", V1 "[]byte(\"x\")\n" },
	{ "ellipsis", V1 "[]byte(\"x\"...)\n", V1 "[]byte(\"x\")\n" },
	{ "byte as number", V1 "byte(65)\nbyte('\\xff')\n",
		V1 "byte('A')\nbyte('\xc3\xbf')\n" },
	{ "unread aliases", V1 "uint8(7)\nint32(65)\n",
		V1 "byte('\\a')\nrune('A')\n" },

	LINE("two values", "int(1)int(2)"),
	LINE("semicolon", "int(1);"),
	LINE("comment alone", "// c"),
	LINE("bad octal", "int(08)"),
	LINE("float for int", "int(1e3)"),
	LINE("large byte", "byte(256)"),
	LINE("negative byte", "byte(-1)"),
	LINE("large octal escape", "byte('\\400')"),
	LINE("escape", "string(\"\\q\")"),
	LINE("short escape", "string(\"\\u12\")"),
	LINE("open raw string", "string(`a"),
	LINE("nil", "[]byte(nil)"),
	LINE("large float32", "float32(3.5e38)"),
	LINE("large float64", "float64(1e400)"),
	LINE("negative bits", "math.Float64frombits(-1)"),
	LINE("hex integer as float", "float64(0x10)"),
	LINE("binary integer as float", "float64(0b11)"),
	LINE("octal integer as float", "float64(0o17)"),
	LINE("minus zero", "uint(-0)"),
	LINE("plus", "int(+1)"),
	LINE("character for uint8", "uint8('a')"),
	LINE("character for int32", "int32('a')"),
	LINE("other quote", "byte('\\\"')"),
	LINE("surrogate", "rune('\\ud800')"),
	LINE("beyond Unicode", "rune('\\U00110000')"),
	LINE("two characters", "rune('ab')"),
	LINE("no character", "rune('')"),
	LINE("not UTF-8", "string(\"\xff\")"),
	LINE("inner byte order mark", "string(\"\xef\xbb\xbf\")"),
	LINE("signed string", "string(-\"a\")"),
	LINE("signed character", "byte(-'a')"),
	LINE("keyword", "func(1)"),
	LINE("open bracket", "int(1"),
	LINE("open comment", "int(1) /* c"),
	LINE("deep",
		"int((((((((((((((((((((((((((((((((((((((((((((((((((((((1"),
	{ "version with BOM", "\xef\xbb\xbf" V1 "int(1)\n", NULL },
};

#define TEXTS_N (sizeof(TEXTS) / sizeof(TEXTS[0]))

static void
test_text(void **state)
{
	const struct text_row *row = *state;
	struct value values[VALUES_MAX];
	struct error err = { 0 };
	char text[ROOM];
	enum status status;
	size_t n, len;

	status = decode_text(row->in, strlen(row->in), values, &n, &err);
	if (!row->out) {
		assert_int_equal(status, E_FORMAT);
		assert_true(strlen(err.text) > 0);
		return;
	}
	assert_string_equal(err.text, "");
	assert_int_equal(status, OK);
	assert_int_equal(encode_values(values, n, text, ROOM, &len, NULL), OK);
	assert_int_equal(len, strlen(row->out));
	assert_memory_equal(text, row->out, len);
}

static void
test_messages(void **state)
{
	static const struct {
		const char *line, *text;
	} rows[] = {
		{ "int", "expected call expression" },
		{ "1", "expected call expression" },
		{ "[]byte{1,2}", "expected call expression" },
		{ "-int(1)", "expected call expression" },
		{ "int(1)+int(2)", "expected call expression" },
		{ "int()", "expected call expression with 1 argument; got 0" },
		{ "int(1,2)",
			"expected call expression with 1 argument; got 2" },
		{ "[3]byte(\"xyz\")", "expected []byte or primitive type" },
		{ "[...]byte(\"xyz\")", "expected []byte or primitive type" },
		{ "foo(1)", "expected []byte or primitive type" },
		{ "uintptr(1)", "expected []byte or primitive type" },
		{ "(int)(1)", "expected []byte or primitive type" },
		{ "f(1)(2)", "expected []byte or primitive type" },
		{ "a[0](1)", "expected []byte or primitive type" },
		{ "[]uint8(\"x\")", "expected []byte" },
		{ "[]int(\"x\")", "expected []byte" },
		{ "[][]byte(\"x\")", "expected []byte" },
		{ "[]*byte(\"x\")", "expected []byte" },
		{ "[]a.byte(\"x\")", "expected []byte" },
		{ "[]byte('x')", "string literal required for type []byte" },
		{ "[]byte(1)", "string literal required for type []byte" },
		{ "[]byte(\"a\"+\"b\")",
			"string literal required for type []byte" },
		{ "bool(1)", "malformed bool" },
		{ "bool(\"true\")", "malformed bool" },
		{ "bool(TRUE)", "true or false required for type bool" },
		{ "int(09)", "invalid digit in literal" },
		{ "int(09I)", "invalid digit in literal" },
		{ "int(+1)", "unsupported operation on int/float: +" },
		{ "int(^1)", "unsupported operation on int/float: ^" },
		{ "int(<-1)", "unsupported operation on int/float: <-" },
		{ "float64(-NaN)", "expected operation on int or float type" },
		{ "int(- -5)", "expected operation on int or float type" },
		{ "int(20*5)", "literal value required for primitive type" },
		{ "int(-5+3)", "literal value required for primitive type" },
		{ "int((1))", "literal value required for primitive type" },
		{ "int(nil)", "literal value required for primitive type" },
		{ "int(*p)", "literal value required for primitive type" },
		{ "float64(Inf)", "literal value required for primitive type" },
		{ "float64(nan)", "literal value required for primitive type" },
		{ "string('a')",
			"string literal value required for type string" },
		{ "string(65)",
			"string literal value required for type string" },
		{ "string(NaN)",
			"string literal value required for type string" },
		{ "byte(\"a\")",
			"character literal required for byte/rune types" },
		{ "rune(NaN)",
			"character literal required for byte/rune types" },
		{ "byte('\xc4\x80')",
			"can only encode single byte to a byte type" },
		{ "int(1.0)", "integer literal required for int types" },
		{ "int('a')", "integer literal required for int types" },
		{ "int(\"1\")", "integer literal required for int types" },
		{ "int(NaN)", "integer literal required for int types" },
		{ "uint16(1.0)", "integer literal required for uint types" },
		{ "int(1i)", "integer literal required for int types" },
		{ "float64(\"1\")",
			"float or integer literal required for float64 type" },
		{ "float32('1')",
			"float or integer literal required for float32 type" },
		{ "math.Float32frombits(1.0)",
			"integer literal required for math.Float32frombits "
			"type" },
		{ "math.Inf(1)", "invalid selector type" },
		{ "Math.Float64frombits(1)", "invalid selector type" },
		{ "a.math.Float64frombits(1)", "invalid selector type" },
		{ "int8(128)",
			"strconv.ParseInt: parsing \"128\": "
			"value out of range" },
		{ "int8(- 129)",
			"strconv.ParseInt: parsing \"-129\": "
			"value out of range" },
		{ "uint(-1)",
			"strconv.ParseUint: parsing \"-1\": invalid syntax" },
		{ "byte(256)",
			"strconv.ParseUint: parsing \"256\": "
			"value out of range" },
		{ "float64(1e400)",
			"strconv.ParseFloat: parsing \"1e400\": "
			"value out of range" },
		{ "float64(-0x10)",
			"strconv.ParseFloat: parsing \"-0x10\": "
			"invalid syntax" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct error err = { 0 };
		struct value value;
		uint8_t room[64];

		row_check(decode_value(rows[i].line, strlen(rows[i].line),
				  &value, room, &err) == E_FORMAT,
			"%s", rows[i].line);
		row_check(strcmp(err.text, rows[i].text) == 0, "%s: %s",
			rows[i].line, err.text);
	}
}

static void
test_file_messages(void **state)
{
	static const struct {
		const char *in, *text;
	} rows[] = {
		{ "", "cannot unmarshal empty string" },
		{ "go test fuzz v1",
			"must include version and at least one value" },
		{ "\r", "must include version and at least one value" },
		{ "go test fuzz v2\nint(1)\n",
			"unknown encoding version: go test fuzz v2" },
		{ " go test fuzz v1\nint(1)\n",
			"unknown encoding version:  go test fuzz v1" },
		{ "go test fuzz v1\r\r\nint(1)\n",
			"unknown encoding version: go test fuzz v1\r" },
		{ V1 "int(1)\n bool(\"\xff\") \n",
			"malformed line \"bool(\\\"\\xff\\\")\": "
			"illegal UTF-8 encoding" },
		{ V1 "int8(128)\n",
			"malformed line \"int8(128)\": strconv.ParseInt: "
			"parsing \"128\": value out of range" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct value values[VALUES_MAX];
		struct error err = { 0 };
		size_t n;

		row_check(decode_text(rows[i].in, strlen(rows[i].in), values,
				  &n, &err) == E_FORMAT,
			"row %zu", i);
		assert_string_equal(err.text, rows[i].text);
	}
}

static void
test_version_alone(void **state)
{
	struct value values[VALUES_MAX];
	enum value_type want = VALUE_INT;
	struct error err = { 0 };
	size_t n = 7;

	assert_int_equal(decode_text(V1, strlen(V1), values, &n, &err), OK);
	assert_int_equal(n, 0);
	assert_int_equal(values_check(values, n, &want, 1, &err), E_FORMAT);
}

static void
test_nul_is_refused(void **state)
{
	static const char text[] = V1 "int(1)\0\n";
	struct value values[VALUES_MAX];
	size_t n;

	assert_int_equal(decode_text(text, sizeof(text) - 1, values, &n, NULL),
		E_FORMAT);
}

static void
test_too_many(void **state)
{
	static const char text[] = V1 "int(1)\nint(2)\nint(3)\n";
	struct value values[2];
	struct error err = { 0 };
	uint8_t room[sizeof(text)];
	size_t n;

	assert_int_equal(decode_values(text, strlen(text), values, 2, &n, room,
				 &err),
		E_RANGE);
	assert_string_equal(err.text, "more than 2 values in corpus entry");
}

/* A long line is cut in the message, which stays valid text. */
static void
test_long_line(void **state)
{
	struct value values[VALUES_MAX];
	struct error err = { 0 };
	char text[ROOM];
	size_t n;

	strcpy(text, V1 "string(x\"");
	for (size_t i = strlen(text); i < 4000; i += 3)
		memcpy(text + i, "\xe2\x98\x83", 4);
	assert_int_equal(decode_text(text, strlen(text), values, &n, &err),
		E_FORMAT);
	assert_true(strlen(err.text) < 600);
	assert_non_null(strstr(err.text, "\xe2\x98\x83\"...: "));
	assert_null(strstr(err.text, "\\xe2"));
	/* a number of a thousand digits */
	strcpy(text, V1 "int8(");
	memset(text + strlen(V1) + 5, '7', 1000);
	strcpy(text + strlen(V1) + 1005, ")\n");
	error_clear(&err);
	assert_int_equal(decode_text(text, strlen(text), values, &n, &err),
		E_FORMAT);
	assert_true(strlen(err.text) < 600);
}

static void
check_round_trip(const struct value *value)
{
	struct value back[1];
	struct error err = { 0 };
	uint8_t room[ROOM];
	char text[ROOM];
	size_t len, n;

	assert_int_equal(encode_values(value, 1, text, sizeof(text), &len,
				 &err),
		OK);
	assert_int_equal(decode_values(text, len, back, 1, &n, room, &err), OK);
	row_check(n == 1 && value_equal(value, &back[0]), "%.*s", (int)len,
		text);
}

/* B2, B3 */
static void
test_all_small_values(void **state)
{
	for (int i = 0; i < 256; i++) {
		uint8_t byte = (uint8_t)i;
		struct value values[] = {
			{ .type = VALUE_UINT8, .u = byte },
			{ .type = VALUE_INT8, .i = i - 128 },
			{ .type = VALUE_BYTES, .data = &byte, .len = 1 },
			{ .type = VALUE_STRING, .data = &byte, .len = 1 },
			{ .type = VALUE_BOOL, .b = i & 1 },
		};

		for (size_t k = 0; k < sizeof(values) / sizeof(values[0]); k++)
			check_round_trip(&values[k]);
	}
}

/* B4, B5 */
static void
test_known_bits(void **state)
{
	static const uint64_t wide[] = { 0, 0x8000000000000000,
		0x7fefffffffffffff, 1, 0x7ff8000000000001, 0x7ff0000000000001,
		0x7ff8000000000000, 0xfff8000000000001, 0x7ff0000000000000,
		0xfff0000000000000 };
	static const uint64_t narrow[] = { 0, 0x80000000, 0x7f7fffff, 1,
		0x7fc00000, 0x7fc00001, 0x7f800001, 0xffc00000, 0x7f800000,
		0xff800000 };
	static const int64_t runes[] = { -1, 0xd800, 0xdfff, 0xfffd, 0x7f, 0xff,
		0x10ffff, 0x110000, INT32_MIN, INT32_MAX };

	for (size_t i = 0; i < 10; i++) {
		struct value value = { .type = VALUE_FLOAT64 };

		value_set_bits(&value, wide[i]);
		check_round_trip(&value);
		value_clear(&value, VALUE_FLOAT32);
		value_set_bits(&value, narrow[i]);
		check_round_trip(&value);
		value_clear(&value, VALUE_INT32);
		value.i = runes[i];
		check_round_trip(&value);
	}
}

/* Random vectors of random values. */
static void
test_random_vectors(void **state)
{
	static uint8_t rooms[8][64];
	static char text[ROOM];
	static uint8_t room[ROOM];
	struct prng p;

	prng_init(&p, 31, 1);
	for (int round = 0; round < 5000; round++) {
		struct value values[8], back[8];
		size_t n = 1 + prng_intn(&p, 8), len, back_n;

		for (size_t i = 0; i < n; i++) {
			values[i] = (struct value){ .data = rooms[i] };
			value_clear(&values[i],
				(enum value_type)prng_intn(&p, VALUE_TYPE_N));
			value_set_bits(&values[i],
				(uint64_t)prng_u32(&p) << 32 | prng_u32(&p));
			if (value_type_is_bytes(values[i].type))
				values[i].len = prng_intn(&p, 65);
			for (size_t k = 0; k < values[i].len; k++)
				rooms[i][k] = (uint8_t)prng_u32(&p);
		}
		assert_int_equal(encode_values(values, n, text, ROOM, &len,
					 NULL),
			OK);
		assert_true(len <= encode_bound(values, n));
		assert_int_equal(decode_values(text, len, back, 8, &back_n,
					 room, NULL),
			OK);
		assert_int_equal(back_n, n);
		for (size_t i = 0; i < n; i++)
			row_check(value_equal(&values[i], &back[i]),
				"round %d, value %zu", round, i);
	}
}

/* Damaged texts are refused or read, without harm. */
static void
test_damaged_texts(void **state)
{
	static const char alphabet[] =
		"go test fuzz v1\n[]byte(\"a\\x\")'`0x1e+_.,/*-\xff\xc2\xa0";
	struct prng p;

	prng_init(&p, 55, 1);
	for (int round = 0; round < 60000; round++) {
		const char *from = TEXTS[prng_intn(&p, TEXTS_N)].in;
		struct mutation done;
		struct value values[VALUES_MAX];
		size_t n, len = strlen(from);
		/* exactly as long as the text, for the address sanitizer */
		char *text = malloc(len ? len : 1);
		uint8_t *room = malloc(len ? len : 1);
		struct mutable m = { (uint8_t *)text, len, len };

		memcpy(text, from, len);
		for (int k = 0; k < 3 && mutate_bytes(&m, &p, &done); k++) {
			if (m.len > 0)
				text[prng_intn(&p, m.len)] =
					alphabet[prng_intn(&p,
						sizeof(alphabet) - 1)];
		}
		(void)!decode_values(text, m.len, values, VALUES_MAX, &n, room,
			NULL);
		free(room);
		free(text);
	}
}

/* Endless brackets, signs or operators do not use up the stack. */
static void
test_deep_lines(void **state)
{
	static const char *const parts[] = { "(", "-", "[", "[]", "a.", "*",
		"1+", "a(", "int(1,", "a[", "a{", "f()", "- ", "/*", "//" };
	size_t len = 200000;
	char *line = malloc(len);
	uint8_t *room = malloc(len);

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		size_t step = strlen(parts[i]);
		struct error err = { 0 };
		struct value value;

		for (size_t k = 0; k + step <= len; k += step)
			memcpy(line + k, parts[i], step);
		row_check(decode_value(line, len / step * step, &value, room,
				  &err) == E_FORMAT,
			"%s", parts[i]);
	}
	free(room);
	free(line);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_file_messages),
		cmocka_unit_test(test_version_alone),
		cmocka_unit_test(test_nul_is_refused),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_long_line),
		cmocka_unit_test(test_all_small_values),
		cmocka_unit_test(test_known_bits),
		cmocka_unit_test(test_random_vectors),
		cmocka_unit_test(test_damaged_texts),
		cmocka_unit_test(test_deep_lines),
	};

	int failed;

	failed = cmocka_run_group_tests(tests, NULL, NULL);
	return failed + rows_run("texts", ROWS_OF(TEXTS, name, test_text));
}
