/* query: questions of a console, and an engine's replies. */
#include "control/query.h"
#include "fuzz/fuzz.h"

int fuzz_query(const uint8_t *data, size_t size);

static void
query_fuzz_reply(const json_t *json)
{
	struct reply reply = { 0 };
	struct error err = { 0 };
	uint64_t id;
	json_t *back;

	if (reply_decode(&reply, &id, json, &err) == OK) {
		back = reply_encode(&reply, id);
		FUZZ_CHECK(back != NULL);
		json_decref(back);
	}
	reply_clear(&reply);
}

int
fuzz_query(const uint8_t *data, size_t size)
{
	struct query query, again;
	struct error err = { 0 };
	uint64_t id, other;
	json_t *json = json_loadb((const char *)data, size, 0, NULL), *back;

	if (json == NULL)
		return 0;
	if (query_decode(&query, &id, json, &err) == OK) {
		back = query_encode(&query, id);
		FUZZ_CHECK(query_decode(&again, &other, back, &err) == OK);
		FUZZ_CHECK(other == id && again.kind == query.kind);
		json_decref(back);
	}
	query_fuzz_reply(json);
	json_decref(json);
	return 0;
}

FUZZ_TARGET(query)
