/*
 * test_value: vectors of values: mutation stacks, whole worker loops as in the
 * reference, and arguments that do not affect each other.
 */

#include "shared/values/value.h"

#include <stdlib.h>
#include <string.h>

#include "lib/vectors.h"
#include "shared/values/decode.h"
#include "shared/values/encode.h"

#define MAX_BYTES ((size_t)100 << 20)
#define ROOM 65536
#define CHAIN_LEN 5

static void
check_chain(size_t i, const json_t *row)
{
	static uint8_t room[ROOM], want_room[ROOM];
	struct value value =
		vectors_value(json_object_get(row, "start"), room, ROOM);
	struct value_vector vector = { .values = &value,
		.n = 1,
		.max_bytes = vectors_number(row, "maxBytes") };
	struct mutation done;
	struct prng p;
	json_t *step;
	size_t k;

	prng_init(&p, vectors_number(row, "seed"), 1);
	json_array_foreach(json_object_get(row, "steps"), k, step) {
		struct value want = vectors_value(step, want_room, ROOM);
		struct prng after =
			vectors_prng(json_object_get(step, "after"));

		assert_int_equal(mutate_values(&vector, &p, &done, NULL), OK);
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

	(void)state;
	assert_int_equal(json_array_size(vectors_get("mutate_bytes_chain")),
		86);
	json_array_foreach((json_t *)vectors_get("mutate_bytes_chain"), i, row)
		check_chain(i, row);
}

/* A small vector of values with a buffer each. */
struct pack {
	struct value values[8];
	size_t n;
	uint8_t rooms[8][ROOM];
};

static void
pack_decode(struct pack *pack, const char *text)
{
	static uint8_t room[ROOM];
	struct value decoded[8];
	struct error err = { 0 };

	assert_int_equal(decode_values(text, strlen(text), decoded, 8, &pack->n,
				 room, &err),
		OK);
	for (size_t i = 0; i < pack->n; i++) {
		pack->values[i] =
			(struct value){ .data = pack->rooms[i], .room = ROOM };
		assert_int_equal(value_assign(&pack->values[i], &decoded[i]),
			OK);
	}
}

static void
pack_assign(struct pack *dst, const struct pack *src)
{
	for (size_t i = 0; i < src->n; i++)
		assert_int_equal(value_assign(&dst->values[i], &src->values[i]),
			OK);
}

/* The loop of a worker: back to the start every five mutations. */
static void
check_loop(size_t i, const json_t *row)
{
	static struct pack start, now;
	const char *input = vectors_text(row, "input");
	struct value_vector vector = { .values = now.values,
		.max_bytes = MAX_BYTES };
	struct prng p, saved = { 0, 0 };
	struct mutation done;
	char text[ROOM];
	json_t *want, *head;
	size_t count, len;

	pack_decode(&start, input);
	pack_decode(&now, input);
	vector.n = now.n;
	prng_init(&p, vectors_number(row, "seed"), 1);
	json_array_foreach(json_object_get(row, "executed"), count, want) {
		if (count % CHAIN_LEN == 0) {
			pack_assign(&now, &start);
			saved = p;
		}
		assert_int_equal(mutate_values(&vector, &p, &done, NULL), OK);
		assert_int_equal(encode_values(now.values, now.n, text,
					 sizeof(text), &len, NULL),
			OK);
		row_check(len == json_string_length(want) &&
				memcmp(text, json_string_value(want), len) == 0,
			"loop %zu, execution %zu", i, count);
		head = json_array_get(json_object_get(row, "header_at_call"),
			count);
		row_check(vectors_number(head, "count") == count + 1 &&
				vectors_number(head, "randState") ==
					saved.state &&
				vectors_number(head, "randInc") == saved.inc,
			"loop %zu, execution %zu", i, count);
	}
	row_check(count == vectors_number(row, "limit"), "loop %zu", i);
}

static void
test_worker_loop(void **state)
{
	size_t i;
	json_t *row;

	(void)state;
	assert_int_equal(json_array_size(vectors_get("fuzz_loop")), 8);
	json_array_foreach((json_t *)vectors_get("fuzz_loop"), i, row)
		check_loop(i, row);
}

/* Replay from a saved state and a count gives the same bytes. */
static void
test_replay(void **state)
{
	static struct pack start, now, again;
	static const char input[] = ENCODE_VERSION
		"\nstring(\"seed\")\nint(5)\n[]byte(\"other\")\n";
	struct value_vector vector = { .values = now.values,
		.max_bytes = 4096 };
	struct value_vector replay = { .values = again.values,
		.max_bytes = 4096 };
	struct prng p, saved = { 0, 0 };
	struct mutation done, trail[CHAIN_LEN];

	(void)state;
	pack_decode(&start, input);
	pack_decode(&now, input);
	pack_decode(&again, input);
	vector.n = replay.n = start.n;
	prng_init(&p, 42, 1);
	for (int count = 0; count < 500; count++) {
		struct prng q;

		if (count % CHAIN_LEN == 0) {
			pack_assign(&now, &start);
			saved = p;
		}
		assert_int_equal(mutate_values(&vector, &p,
					 &trail[count % CHAIN_LEN], NULL),
			OK);
		pack_assign(&again, &start);
		q = saved;
		for (int k = 0; k <= count % CHAIN_LEN; k++) {
			assert_int_equal(mutate_values(&replay, &q, &done,
						 NULL),
				OK);
			assert_memory_equal(&done, &trail[k], sizeof(done));
		}
		for (size_t i = 0; i < start.n; i++)
			row_check(value_equal(&now.values[i], &again.values[i]),
				"execution %d, value %zu", count, i);
	}
}

/* B114: one mutation changes one argument; buffers are never shared. */
static void
test_arguments_are_apart(void **state)
{
	static struct pack now, old;
	static const char input[] = ENCODE_VERSION
		"\n[]byte(\"first argument\")\n[]byte(\"second one\")\n";
	struct value_vector vector = { .values = now.values,
		.max_bytes = 8192 };
	struct mutation done;
	struct prng p;
	int hits[2] = { 0, 0 };

	(void)state;
	pack_decode(&now, input);
	pack_decode(&old, input);
	vector.n = now.n;
	prng_init(&p, 17, 1);
	for (int i = 0; i < 20000; i++) {
		pack_assign(&old, &now);
		assert_int_equal(mutate_values(&vector, &p, &done, NULL), OK);
		assert_in_range(done.arg, 0, 1);
		hits[done.arg]++;
		assert_true(value_equal(&now.values[1 - done.arg],
			&old.values[1 - done.arg]));
		assert_ptr_equal(now.values[0].data, now.rooms[0]);
		assert_ptr_equal(now.values[1].data, now.rooms[1]);
		if (i % CHAIN_LEN == 0)
			pack_decode(&now, input);
	}
	assert_true(hits[0] > 9000 && hits[1] > 9000);
}

/* B19: a value that was handed out does not change. */
static void
test_handed_out(void **state)
{
	static struct pack now, handed;
	static const char input[] = ENCODE_VERSION "\nstring(\"hello\")\n";
	struct value_vector vector = { .values = now.values,
		.n = 1,
		.max_bytes = 1024 };
	struct mutation done;
	uint8_t bytes[ROOM];
	struct prng p;

	(void)state;
	pack_decode(&now, input);
	pack_decode(&handed, input);
	prng_init(&p, 0, 1);
	assert_int_equal(mutate_values(&vector, &p, &done, NULL), OK);
	pack_assign(&handed, &now);
	memcpy(bytes, handed.rooms[0], handed.values[0].len);
	for (int i = 0; i < 25; i++)
		assert_int_equal(mutate_values(&vector, &p, &done, NULL), OK);
	assert_memory_equal(bytes, handed.rooms[0], handed.values[0].len);
}

static bool
grow(void *ctx, struct value *value, size_t room)
{
	uint8_t *data = realloc(value->data, room);

	(*(int *)ctx)++;
	assert_non_null(data);
	value->data = data;
	value->room = room;
	return true;
}

static bool
refuse(void *ctx, struct value *value, size_t room)
{
	(void)ctx;
	(void)value;
	(void)room;
	return false;
}

static void
test_reserve(void **state)
{
	struct value value = { .type = VALUE_BYTES };
	int grown = 0;
	struct value_vector vector = { .values = &value,
		.n = 1,
		.max_bytes = MAX_BYTES,
		.reserve = grow,
		.reserve_ctx = &grown };
	struct mutation done;
	struct prng p;

	(void)state;
	prng_init(&p, 123, 1);
	for (int i = 0; i < 3000; i++) {
		assert_int_equal(mutate_values(&vector, &p, &done, NULL), OK);
		assert_true(value.len <= value.room);
	}
	assert_in_range(grown, 1, 3000);
	free(value.data);
}

/* A failure changes nothing, not even the random state. */
static void
test_refusals(void **state)
{
	uint8_t data[8] = "12345678";
	struct value value = { .type = VALUE_STRING,
		.data = data,
		.len = 8,
		.room = 8 };
	static const struct {
		size_t n, max_bytes, len;
		value_reserve_fn *reserve;
		enum status status;
		const char *text;
	} rows[] = {
		{ 0, 1000, 8, NULL, E_RANGE, "no values to mutate" },
		{ 1, 107, 8, NULL, E_RANGE, "cannot mutate bytes of length 8" },
		{ 1, 50, 0, NULL, E_RANGE,
			"a limit of 50 bytes leaves nothing to mutate" },
		{ 1, 1000, 8, NULL, E_FULL,
			"no room to mutate bytes of length 8" },
		{ 1, 1000, 8, refuse, E_FULL,
			"no room to mutate bytes of length 8" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct value_vector vector = { .values = &value,
			.n = rows[i].n,
			.max_bytes = rows[i].max_bytes,
			.reserve = rows[i].reserve };
		struct prng p = { 99, 3 };
		struct error err = { 0 };
		struct mutation done;

		value.len = rows[i].len;
		row_check(mutate_values(&vector, &p, &done, &err) ==
				rows[i].status,
			"row %zu", i);
		assert_string_equal(err.text, rows[i].text);
		assert_int_equal(p.state, 99);
		assert_memory_equal(data, "12345678", 8);
	}
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

	(void)state;
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

	(void)state;
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
test_assign_needs_room(void **state)
{
	uint8_t small[2], big[4] = "abc";
	struct value dst = { .type = VALUE_INT,
		.i = 5,
		.data = small,
		.room = 2 };
	struct value src = { .type = VALUE_BYTES, .data = big, .len = 3 };

	(void)state;
	assert_int_equal(value_assign(&dst, &src), E_FULL);
	assert_int_equal(dst.i, 5);
	src.len = 2;
	assert_int_equal(value_assign(&dst, &src), OK);
	assert_true(value_equal(&dst, &src));
	assert_ptr_equal(dst.data, small);
}

static void
test_check_types(void **state)
{
	struct value values[2] = { { .type = VALUE_STRING },
		{ .type = VALUE_INT } };
	enum value_type want[2] = { VALUE_BYTES, VALUE_INT8 };
	enum value_type same[2] = { VALUE_STRING, VALUE_INT };
	struct error err = { 0 };

	(void)state;
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

	(void)state;
	for (size_t i = 0; i < 200; i++)
		want[i] = VALUE_FLOAT64;
	assert_int_equal(values_check(values, 200, want, 200, &err), E_FORMAT);
	assert_true(strlen(err.text) < ERROR_TEXT_MAX - 1);
}

static void
test_cap(void **state)
{
	(void)state;
	assert_int_equal(values_cap(MAX_BYTES, 1), 104857500);
	assert_int_equal(values_cap(1000, 3), 233);
	assert_int_equal(values_cap(100, 1), 0);
	assert_int_equal(values_cap(100, 0), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chains),
		cmocka_unit_test(test_worker_loop),
		cmocka_unit_test(test_replay),
		cmocka_unit_test(test_arguments_are_apart),
		cmocka_unit_test(test_handed_out),
		cmocka_unit_test(test_reserve),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_bits),
		cmocka_unit_test(test_assign_needs_room),
		cmocka_unit_test(test_check_types),
		cmocka_unit_test(test_check_many_types),
		cmocka_unit_test(test_cap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
