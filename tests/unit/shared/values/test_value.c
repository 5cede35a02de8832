/* test_value: typed values, and mutation stacks of their bytes. */

#include "shared/values/value.h"

#include <string.h>

#include "lib/vectors.h"
#include "shared/mutate/mutate.h"

#define ROOM 65536

static void
check_chain(size_t i, const json_t *row)
{
	static uint8_t room[ROOM], want_room[ROOM];
	struct value value =
		vectors_value(json_object_get(row, "start"), room, ROOM);
	/* The reference shares the limit out, and keeps room for its text. */
	size_t cap = vectors_number(row, "maxBytes") - 100;
	struct mutation done;
	struct prng p;
	json_t *step;
	size_t k;

	prng_init(&p, vectors_number(row, "seed"), 1);
	json_array_foreach(json_object_get(row, "steps"), k, step) {
		struct value want = vectors_value(step, want_room, ROOM);
		struct prng after =
			vectors_prng(json_object_get(step, "after"));

		struct mutable m = { value.data, value.len, cap };

		(void)prng_intn(&p, 1); /* which of the one value */
		assert_true(mutate_bytes(&m, &p, &done));
		value.len = m.len;
		row_check(value_equal(&value, &want), "chain %zu, step %zu", i,
			k);
		row_check(p.state == after.state, "chain %zu, step %zu", i, k);
		row_check(done.op < MUTATE_BYTES_N, "chain %zu", i);
	}
}

static void
test_chains(void **state)
{
	size_t i;
	json_t *row;

	assert_int_equal(json_array_size(vectors_get("mutate_bytes_chain")),
		86);
	json_array_foreach((json_t *)vectors_get("mutate_bytes_chain"), i, row)
		check_chain(i, row);
}

static void
test_names(void **state)
{
	static const struct {
		const char *name;
		enum value_type type;
	} rows[] = {
		{ "[]byte", VALUE_BYTES },
		{ "string", VALUE_STRING },
		{ "bool", VALUE_BOOL },
		{ "byte", VALUE_UINT8 },
		{ "uint8", VALUE_UINT8 },
		{ "rune", VALUE_INT32 },
		{ "int32", VALUE_INT32 },
		{ "float32", VALUE_FLOAT32 },
		{ "float64", VALUE_FLOAT64 },
		{ "int", VALUE_INT },
		{ "int8", VALUE_INT8 },
		{ "int16", VALUE_INT16 },
		{ "int64", VALUE_INT64 },
		{ "uint", VALUE_UINT },
		{ "uint16", VALUE_UINT16 },
		{ "uint32", VALUE_UINT32 },
		{ "uint64", VALUE_UINT64 },
	};
	enum value_type type;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_true(value_type_find(rows[i].name, strlen(rows[i].name),
			&type));
		row_check(type == rows[i].type, "%s", rows[i].name);
	}
	assert_false(value_type_find("uintptr", 7, &type));
	assert_false(value_type_find("int", 2, &type));
	assert_string_equal(value_type_name(VALUE_BYTES), "[]uint8");
	assert_string_equal(value_type_name(VALUE_INT32), "int32");
	assert_string_equal(value_type_name(VALUE_TYPE_N), "?");
	for (int t = 0; t < VALUE_TYPE_N; t++) {
		const char *name = value_type_name((enum value_type)t);

		assert_true(value_type_find(name, strlen(name), &type));
		assert_int_equal(type, t);
	}
}

static void
test_bits(void **state)
{
	struct value value = { 0 };

	for (int t = VALUE_BOOL; t < VALUE_TYPE_N; t++) {
		value_clear(&value, (enum value_type)t);
		assert_int_equal(value_get_bits(&value), 0);
		value_set_bits(&value, 1);
		assert_int_equal(value_get_bits(&value), 1);
	}
	/* Too many bits are cut, signed ones extended. */
	value_clear(&value, VALUE_INT8);
	value_set_bits(&value, 0x1ff);
	assert_int_equal(value.i, -1);
	value_clear(&value, VALUE_UINT16);
	value_set_bits(&value, 0x12345);
	assert_int_equal(value.u, 0x2345);
	value_clear(&value, VALUE_FLOAT32);
	value_set_bits(&value, 0x7fa00001);
	assert_int_equal(value_get_bits(&value), 0x7fa00001);
}

static void
test_check_types(void **state)
{
	struct value values[2] = { { .type = VALUE_STRING },
		{ .type = VALUE_INT } };
	enum value_type want[2] = { VALUE_BYTES, VALUE_INT8 };
	enum value_type same[2] = { VALUE_STRING, VALUE_INT };
	struct error err = { 0 };

	assert_int_equal(values_check(values, 2, same, 2, &err), OK);
	assert_int_equal(values_check(values, 2, want, 2, &err), E_FORMAT);
	assert_string_equal(err.text,
		"mismatched types in corpus entry: [string int], "
		"want [[]uint8 int8]");
	error_clear(&err);
	assert_int_equal(values_check(values, 2, want, 1, &err), E_FORMAT);
	assert_string_equal(err.text,
		"wrong number of values in corpus entry: 2, want 1");
}

static void
test_check_many_types(void **state)
{
	struct value values[200] = { 0 };
	enum value_type want[200];
	struct error err = { 0 };

	for (size_t i = 0; i < 200; i++)
		want[i] = VALUE_FLOAT64;
	assert_int_equal(values_check(values, 200, want, 200, &err), E_FORMAT);
	assert_true(strlen(err.text) < ERROR_TEXT_MAX - 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chains),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_bits),
		cmocka_unit_test(test_check_types),
		cmocka_unit_test(test_check_many_types),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
