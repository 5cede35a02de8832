/* query: queries and replies as JSON, see query.h; tables in query_fields.c. */

#include "control/query.h"

#include <string.h>

#include "control/fields.h"
#include "control/query_fields.h"

const char *
query_kind_name(enum query_kind kind)
{
	return (size_t)kind < QUERY_KIND_COUNT ? QUERY_KINDS.items[kind]
					       : "unknown";
}

bool
query_equal(const struct query *a, const struct query *b)
{
	return a->kind == b->kind && a->worker == b->worker &&
		a->module == b->module && a->first == b->first &&
		a->count == b->count && a->falling == b->falling &&
		strcmp(a->name, b->name) == 0 &&
		strcmp(a->sort, b->sort) == 0 &&
		strcmp(a->filter, b->filter) == 0 &&
		strcmp(a->kinds, b->kinds) == 0;
}

static json_t *
query_object(uint64_t id)
{
	json_t *json = json_object();

	json_object_set_new(json, "id", json_integer((json_int_t)id));
	return json;
}

static enum status
query_get_id(const json_t *json, uint64_t *id, struct error *err)
{
	json_t *value = json_object_get(json, "id");

	if (!json_is_integer(value) || json_integer_value(value) < 0)
		return error_set(err, E_FORMAT, "id: a number is expected");
	*id = (uint64_t)json_integer_value(value);
	return OK;
}

json_t *
query_encode(const struct query *query, uint64_t id)
{
	json_t *json = query_object(id);

	fields_encode(&QUERY_FIELDS, query, json);
	return json;
}

enum status
query_decode(struct query *query, uint64_t *id, const json_t *json,
	struct error *err)
{
	enum status status = query_get_id(json, id, err);

	memset(query, 0, sizeof(*query));
	if (status == OK && json_object_get(json, "kind") == NULL)
		status = error_set(err, E_FORMAT, "kind: it is missing");
	if (status == OK)
		status = fields_decode(&QUERY_FIELDS, json, query, err);
	return status;
}

/* ---- replies ------------------------------------------------------------ */

/* All members of the union have the same address. */
static void *
reply_body(struct reply *reply)
{
	return &reply->coverage;
}

void
reply_clear(struct reply *reply)
{
	if ((size_t)reply->kind < QUERY_KIND_COUNT)
		fields_clear(REPLY_BODIES[reply->kind], reply_body(reply));
	memset(reply, 0, sizeof(*reply));
}

json_t *
reply_encode(const struct reply *reply, uint64_t id)
{
	json_t *json = query_object(id);

	fields_encode(&REPLY_FIELDS, reply, json);
	if (reply->error[0] == '\0')
		fields_encode(REPLY_BODIES[reply->kind], &reply->coverage,
			json);
	return json;
}

enum status
reply_decode(struct reply *reply, uint64_t *id, const json_t *json,
	struct error *err)
{
	enum status status;

	reply_clear(reply);
	status = query_get_id(json, id, err);
	if (status == OK && json_object_get(json, "kind") == NULL)
		status = error_set(err, E_FORMAT, "kind: it is missing");
	if (status == OK)
		status = fields_decode(&REPLY_FIELDS, json, reply, err);
	if (status == OK && reply->error[0] == '\0')
		status = fields_decode(REPLY_BODIES[reply->kind], json,
			reply_body(reply), err);
	if (status != OK)
		reply_clear(reply);
	return status;
}
