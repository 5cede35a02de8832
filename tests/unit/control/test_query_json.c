/*
 * test_query_json: each kind of reply through JSON text and back, member by
 * member of its table; and JSON from a malicious peer.
 */
#include "control/query.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/xmalloc.h"
#include "control/query_fields.h"

#define ID 4711u

/* ---- full ones ---------------------------------------------------------- */

static void
fill_blob(struct field_blob *blob, unsigned n)
{
	blob->len = 3 + n % 5;
	blob->data = xmalloc(blob->len);
	memset(blob->data, (int)(0xf0 + n % 16), blob->len);
}

/* Sets a different value for each member, derived from n. */
static void
fill_field(const struct field_row *row, void *base, unsigned n)
{
	uint8_t *at = (uint8_t *)base + row->offset;

	switch (row->type) {
	case FIELD_U64:
		*(uint64_t *)(void *)at = (UINT64_C(1) << 53) + n;
		break;
	case FIELD_U32:
		*(uint32_t *)(void *)at = UINT32_MAX - n;
		break;
	case FIELD_REAL:
		*(double *)(void *)at = n + 0.5;
		break;
	case FIELD_BOOL:
		*(bool *)at = true;
		break;
	case FIELD_TEXT:
		memset(at, (int)('a' + n % 26), row->size - 1);
		break;
	case FIELD_BYTES:
		memset(at, (int)n % 256, row->size);
		*(uint32_t *)(void *)((uint8_t *)base + row->n_offset) =
			(uint32_t)row->size;
		break;
	case FIELD_BLOB:
		fill_blob((struct field_blob *)(void *)at, n);
		break;
	case FIELD_WORD:
		*(unsigned *)(void *)at = (unsigned)row->words->n - 1;
		break;
	default:
		fail_msg("%s: no reply has such a member", row->name);
	}
}

/* `items`: the length of each list. */
static void
fill_fields(const struct fields *fields, void *struct_base, unsigned n,
	size_t items)
{
	uint8_t *base = struct_base;

	for (const struct field_row *row = fields->rows; row->name; row++) {
		size_t many = items < row->max ? items : row->max;
		uint8_t *data;

		if (row->type != FIELD_ITEMS) {
			fill_field(row, base, n++);
			continue;
		}
		data = xcalloc(many + 1, row->fields->size);
		*(size_t *)(void *)(base + row->n_offset) = many;
		memcpy(base + row->offset, &data, sizeof(data));
		for (size_t j = 0; j < many; j++)
			fill_fields(row->fields, data + j * row->fields->size,
				(unsigned)j, 0);
	}
}

static void
fill_reply(struct reply *reply, enum query_kind kind, size_t items)
{
	*reply = (struct reply){ .kind = kind };
	fill_fields(REPLY_BODIES[kind], &reply->coverage, (unsigned)kind,
		items);
}

static void
test_round_trips(void **state)
{
	static const size_t items[] = { 0, 1, 3, SIZE_MAX };

	for (unsigned i = 0; i < 4 * (unsigned)QUERY_KIND_COUNT; i++) {
		struct reply reply, back = { .kind = QUERY_KIND_COUNT };
		struct error err = { 0 };
		json_t *json, *read, *again;
		uint64_t id;
		char *text;

		fill_reply(&reply, (enum query_kind)(i / 4), items[i % 4]);
		json = reply_encode(&reply, ID);
		text = json_dumps(json, 0);
		read = json_loads(text, 0, NULL);
		if (reply_decode(&back, &id, read, &err) != OK)
			fail_msg("%s: %s", query_kind_name(reply.kind),
				err.text);
		again = reply_encode(&back, id);
		if (!json_equal(json, again))
			fail_msg("%s: %s", query_kind_name(reply.kind), text);
		json_decref(json);
		json_decref(read);
		json_decref(again);
		free(text);
		reply_clear(&reply);
		reply_clear(&back);
	}
}

/* An error replaces all other members. */
static void
test_error(void **state)
{
	struct reply reply = { .kind = QUERY_MUTATION_LOG }, back = { 0 };
	uint64_t id = 0;
	json_t *json;

	snprintf(reply.error, sizeof(reply.error), "there is none");
	json = reply_encode(&reply, ID);
	assert_null(json_object_get(json, "steps"));
	assert_int_equal(reply_decode(&back, &id, json, NULL), OK);
	assert_int_equal(back.kind, QUERY_MUTATION_LOG);
	assert_string_equal(back.error, "there is none");
	json_decref(json);
	reply_clear(&back);
}

/* ---- a peer that lies --------------------------------------------------- */

static void
test_bad_queries(void **state)
{
	static const struct {
		const char *text, *error;
	} rows[] = {
		{ "[]", "id" },
		{ "{}", "id" },
		{ "{\"id\": -1, \"kind\": \"corpus\"}", "id" },
		{ "{\"id\": \"1\", \"kind\": \"corpus\"}", "id" },
		{ "{\"id\": 1}", "kind" },
		{ "{\"id\": 1, \"kind\": null}", "kind" },
		{ "{\"id\": 1, \"kind\": \"Corpus\"}", "kind" },
		{ "{\"id\": 1, \"kind\": 3}", "kind" },
		{ "{\"id\": 1, \"kind\": \"corpus\", \"first\": -1}", "first" },
		{ "{\"id\": 1, \"kind\": \"corpus\", \"first\": 1.5}",
			"first" },
		{ "{\"id\": 1, \"kind\": \"corpus\", \"count\": 4294967296}",
			"count" },
		{ "{\"id\": 1, \"kind\": \"corpus\", \"falling\": 1}",
			"falling" },
		{ "{\"id\": 1, \"kind\": \"corpus\", \"sort\": {}}", "sort" },
		{ "{\"id\": 1, \"kind\": \"entry\", \"name\": [\"a\"]}",
			"name" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		json_t *json = json_loads(rows[i].text, 0, NULL);
		struct error err = { 0 };
		struct query query;
		uint64_t id;

		assert_non_null(json);
		assert_int_not_equal(query_decode(&query, &id, json, &err), OK);
		if (strncmp(err.text, rows[i].error, strlen(rows[i].error)) !=
			0)
			fail_msg("%s: %s", rows[i].text, err.text);
		json_decref(json);
	}
}

/* Texts of a query are truncated and cleaned. */
static void
test_texts_of_a_query(void **state)
{
	json_t *json = json_object();
	struct query query;
	char text[1000];
	uint64_t id;

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	json_object_set_new(json, "id", json_integer(1));
	json_object_set_new(json, "kind", json_string("journal"));
	json_object_set_new(json, "filter", json_string(text));
	json_object_set_new(json, "name", json_string("a\033[31m"));
	assert_int_equal(query_decode(&query, &id, json, NULL), OK);
	assert_int_equal(strlen(query.filter), sizeof(query.filter) - 1);
	assert_string_equal(query.name, "a\\x1b[31m");
	json_decref(json);
}

/* Decodes a reply with an invalid member. */
static void
check_bad_reply(enum query_kind kind, const char *member, json_t *take_value)
{
	struct reply reply, back = { 0 };
	struct error err = { 0 };
	uint64_t id = 0;
	json_t *json;

	fill_reply(&reply, kind, 2);
	json = reply_encode(&reply, ID);
	json_object_set_new(json, member, take_value);
	assert_int_not_equal(reply_decode(&back, &id, json, &err), OK);
	if (strncmp(err.text, member, strlen(member)) != 0)
		fail_msg("%s of %s: %s", member, query_kind_name(kind),
			err.text);
	/* The reply is empty and may be used again. */
	assert_int_equal(back.error[0], 0);
	reply_clear(&back);
	reply_clear(&reply);
	json_decref(json);
}

static json_t *
json_repeat(const char *item, size_t n)
{
	json_t *array = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(array, json_loads(item, 0, NULL));
	return array;
}

static json_t *
json_hex(size_t digits)
{
	char *text = xmalloc(digits + 1);
	json_t *json;

	memset(text, 'a', digits);
	text[digits] = '\0';
	json = json_string(text);
	free(text);
	return json;
}

static void
test_bad_replies(void **state)
{
	static const struct {
		enum query_kind kind;
		const char *member;
		size_t max; /* items or bytes */
	} lists[] = {
		{ QUERY_COVERAGE, "changes", QUERY_CHANGES_MAX },
		{ QUERY_MODULES, "modules", QUERY_MODULES_MAX },
		{ QUERY_CORPUS, "rows", QUERY_ROWS_MAX },
		{ QUERY_ENTRY, "lineage", QUERY_LINEAGE_MAX },
		{ QUERY_MUTATION_LOG, "steps", QUERY_MUTATIONS_MAX },
		{ QUERY_WORKER, "states", QUERY_STATES_MAX },
		{ QUERY_JOURNAL, "rows", QUERY_ROWS_MAX },
	};
	static const struct {
		enum query_kind kind;
		const char *member;
		size_t max;
	} blobs[] = {
		{ QUERY_COVERAGE, "mask", QUERY_COUNTERS_MAX },
		{ QUERY_PCS, "pcs", QUERY_COUNTERS_MAX * sizeof(uint64_t) },
		{ QUERY_ENTRY, "bytes", QUERY_BYTES_MAX },
		{ QUERY_WORKER, "stderr_text", QUERY_STDERR_MAX },
		{ QUERY_WORKER, "input", QUERY_BYTES_MAX },
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		check_bad_reply(lists[i].kind, lists[i].member, json_true());
		check_bad_reply(lists[i].kind, lists[i].member,
			json_repeat("[]", 1));
		check_bad_reply(lists[i].kind, lists[i].member,
			json_repeat("{}", lists[i].max + 1));
	}
	for (size_t i = 0; i < sizeof(blobs) / sizeof(blobs[0]); i++) {
		check_bad_reply(blobs[i].kind, blobs[i].member, json_null());
		check_bad_reply(blobs[i].kind, blobs[i].member,
			json_string("abc"));
		check_bad_reply(blobs[i].kind, blobs[i].member,
			json_string("ABCD"));
		check_bad_reply(blobs[i].kind, blobs[i].member,
			json_string("0x"));
		check_bad_reply(blobs[i].kind, blobs[i].member,
			json_hex(2 * blobs[i].max + 2));
		check_bad_reply(blobs[i].kind, blobs[i].member,
			json_hex(2 * blobs[i].max + 1));
	}
	check_bad_reply(QUERY_MUTATION_LOG, "steps",
		json_repeat("{\"before\": \"zz\"}", 1));
	check_bad_reply(QUERY_WORKER, "states",
		json_repeat("{\"state\": \"asleep\"}", 1));
	check_bad_reply(QUERY_JOURNAL, "kind", json_string("diary"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trips),
		cmocka_unit_test(test_error),
		cmocka_unit_test(test_bad_queries),
		cmocka_unit_test(test_texts_of_a_query),
		cmocka_unit_test(test_bad_replies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
