/* rpc_json: members of messages, see rpc_json.h. */

#include "shared/wire/rpc_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/sink.h"
#include "shared/utf8.h"
#include "shared/wire/failure.h"
#include "shared/wire/rpc.h"

#define RPC_HEX_LEN 16
#define RPC_TEXT_MAX 4096

/* ---- encoding ----------------------------------------------------------- */

static json_t *
rpc_text(const char *text, size_t size)
{
	static const char UNKNOWN[] = "\xef\xbf\xbd";
	char clean[RPC_TEXT_MAX];
	struct sink sink = { .data = clean, .cap = size - 1 };
	size_t len = strnlen(text, size), used;
	uint32_t code;

	/* The reader's buffer of the same size can hold no more. */
	if (sink.cap > sizeof(clean))
		sink.cap = sizeof(clean);
	for (size_t i = 0; i < len; i += used) {
		const char *from = text + i;
		size_t n;

		used = utf8_decode((const uint8_t *)from, len - i, &code);
		n = used;
		if (used == 0) {
			from = UNKNOWN;
			n = sizeof(UNKNOWN) - 1;
			used = 1;
		}
		if (sink.len + n > sink.cap)
			break;
		sink_put(&sink, from, n);
	}
	return json_stringn(clean, sink.len);
}

static uint64_t
rpc_number(const struct rpc_member *m, const void *at)
{
	if (m->type == RPC_BOOL)
		return *(const bool *)at;
	return m->size == sizeof(uint32_t) ? *(const uint32_t *)at
					   : *(const uint64_t *)at;
}

static json_t *rpc_value(const struct rpc_member *m, const void *base);

static json_t *
rpc_item(const struct rpc_table *items, const void *at)
{
	return items->members[0].name == NULL
		? rpc_value(&items->members[0], at)
		: rpc_object(items, at);
}

/* The room of a list in its struct, in items. */
static size_t
rpc_list_max(const struct rpc_member *m)
{
	return m->size / m->items->size;
}

static json_t *
rpc_list(const struct rpc_member *m, const char *base)
{
	uint32_t n = *(const uint32_t *)(const void *)(base + m->n_offset);
	const char *at = base + m->offset;
	json_t *array = json_array();

	for (uint32_t i = 0; i < n && i < rpc_list_max(m); i++) {
		if (json_array_append_new(array, rpc_item(m->items, at)) != 0) {
			json_decref(array);
			return NULL;
		}
		at += m->items->size;
	}
	return array;
}

static json_t *
rpc_value(const struct rpc_member *m, const void *base)
{
	const void *at = (const char *)base + m->offset;
	uint64_t n;

	switch (m->type) {
	case RPC_BOOL:
		return json_boolean(*(const bool *)at);
	case RPC_NUMBER:
		n = rpc_number(m, at);
		return n <= INT64_MAX ? json_integer((json_int_t)n) : NULL;
	case RPC_HEX:
		return json_sprintf("%016" PRIx64, *(const uint64_t *)at);
	case RPC_TEXT:
	case RPC_TEXT_OUT:
		return rpc_text(at, m->size);
	case RPC_FAILURE:
		return json_string(
			failure_kind_name(*(const enum failure_kind *)at));
	case RPC_LIST:
		return rpc_list(m, base);
	case RPC_NULL:
		break;
	}
	return json_null();
}

bool
rpc_put_members(json_t *object, const struct rpc_table *table, const void *base)
{
	for (size_t i = 0; i < table->n; i++) {
		const struct rpc_member *m = &table->members[i];

		if (m->optional &&
			rpc_number(m, (const char *)base + m->offset) ==
				m->absent)
			continue;
		if (json_object_set_new(object, m->name, rpc_value(m, base)) !=
			0)
			return false;
	}
	return true;
}

json_t *
rpc_object(const struct rpc_table *table, const void *base)
{
	json_t *object = json_object();

	if (rpc_put_members(object, table, base))
		return object;
	json_decref(object);
	return NULL;
}

/* ---- lines -------------------------------------------------------------- */

enum status
rpc_dump(json_t *take_object, char *buf, size_t size, size_t *len,
	struct error *err)
{
	size_t n;

	*len = 0;
	if (take_object == NULL)
		return error_set(err, E_RANGE, "a message cannot be encoded");
	n = json_dumpb(take_object, buf, size, JSON_COMPACT);
	json_decref(take_object);
	if (n == 0 || n >= size || n >= RPC_LINE_MAX)
		return error_set(err, E_RANGE,
			"a message of %zu bytes does not fit its line", n);
	buf[n] = '\n';
	*len = n + 1;
	return OK;
}

/* Refuses deep nesting before the parser recurses into it. */
static bool
rpc_is_shallow(const char *line, size_t len)
{
	bool quoted = false;
	int depth = 0;

	for (size_t i = 0; i < len; i++) {
		if (quoted && line[i] == '\\')
			i++;
		else if (line[i] == '"')
			quoted = !quoted;
		else if (!quoted && (line[i] == '{' || line[i] == '['))
			depth++;
		else if (!quoted && (line[i] == '}' || line[i] == ']'))
			depth--;
		if (depth > RPC_DEPTH_MAX)
			return false;
	}
	return true;
}

json_t *
rpc_load(const char *line, size_t len, struct error *err)
{
	json_error_t problem;
	json_t *object;

	if (len > RPC_LINE_MAX) {
		(void)error_set(err, E_PROTOCOL, "a message of %zu bytes", len);
		return NULL;
	}
	if (!rpc_is_shallow(line, len)) {
		(void)error_set(err, E_PROTOCOL, "a message nested too deep");
		return NULL;
	}
	object = json_loadb(line, len, JSON_REJECT_DUPLICATES, &problem);
	if (object == NULL) {
		(void)error_set(err, E_PROTOCOL,
			"a message that is no JSON: %s", problem.text);
		return NULL;
	}
	if (!json_is_object(object)) {
		json_decref(object);
		(void)error_set(err, E_PROTOCOL, "a message that is no object");
		return NULL;
	}
	return object;
}

/* ---- decoding ----------------------------------------------------------- */

enum status
rpc_bad_member(struct error *err, const char *name)
{
	return error_set(err, E_PROTOCOL, "a message with a bad member %s",
		name);
}

static bool
rpc_read_number(const struct rpc_member *m, const json_t *value, void *at)
{
	uint64_t max = m->size == sizeof(uint32_t) ? UINT32_MAX : INT64_MAX;
	json_int_t n = json_integer_value(value);

	if (m->max != 0)
		max = m->max;
	if (!json_is_integer(value) || n < 0 || (uint64_t)n > max)
		return false;
	if (m->size == sizeof(uint32_t))
		*(uint32_t *)at = (uint32_t)n;
	else
		*(uint64_t *)at = (uint64_t)n;
	return true;
}

static bool
rpc_read_hex(const json_t *value, uint64_t *number)
{
	const char *text = json_string_value(value);

	if (text == NULL || json_string_length(value) != RPC_HEX_LEN ||
		strspn(text, "0123456789abcdef") != RPC_HEX_LEN)
		return false;
	*number = strtoull(text, NULL, 16);
	return true;
}

static bool
rpc_read_text(const json_t *value, char *buf, size_t size)
{
	const char *text = json_string_value(value);

	if (text == NULL || json_string_length(value) >= size)
		return false;
	(void)snprintf(buf, size, "%s", text);
	return true;
}

static bool
rpc_read_failure(const json_t *value, enum failure_kind *kind)
{
	if (!json_is_string(value))
		return false;
	*kind = failure_kind_parse(json_string_value(value));
	return true;
}

static bool
rpc_read(const struct rpc_member *m, const json_t *value, void *at)
{
	switch (m->type) {
	case RPC_BOOL:
		*(bool *)at = json_is_true(value);
		return json_is_boolean(value);
	case RPC_NUMBER:
		return rpc_read_number(m, value, at);
	case RPC_HEX:
		return rpc_read_hex(value, at);
	case RPC_TEXT:
		return rpc_read_text(value, at, m->size);
	case RPC_FAILURE:
		return rpc_read_failure(value, at);
	default:
		return true;
	}
}

static enum status
rpc_read_list(const struct rpc_member *m, const json_t *array, char *base,
	struct error *err)
{
	const struct rpc_member *first = &m->items->members[0];
	char *at = base + m->offset;
	enum status status = OK;
	json_t *item;
	size_t i;

	if (!json_is_array(array) || json_array_size(array) > rpc_list_max(m))
		return rpc_bad_member(err, m->name);
	json_array_foreach(array, i, item) {
		if (first->name != NULL && json_is_object(item))
			status = rpc_get_members(item, m->items, at, err);
		else if (first->name != NULL || !rpc_read(first, item, at))
			status = rpc_bad_member(err, m->name);
		if (status != OK)
			return status;
		at += m->items->size;
	}
	*(uint32_t *)(void *)(base + m->n_offset) = (uint32_t)i;
	return OK;
}

enum status
rpc_get_members(const json_t *object, const struct rpc_table *table, void *base,
	struct error *err)
{
	enum status status = OK;

	for (size_t i = 0; i < table->n && status == OK; i++) {
		const struct rpc_member *m = &table->members[i];
		const json_t *value = json_object_get(object, m->name);
		void *at = (char *)base + m->offset;

		if (value == NULL || json_is_null(value)) {
			if (m->optional && m->type == RPC_NUMBER)
				*(uint32_t *)at = (uint32_t)m->absent;
		} else if (m->type == RPC_LIST) {
			status = rpc_read_list(m, value, base, err);
		} else if (!rpc_read(m, value, at)) {
			status = rpc_bad_member(err, m->name);
		}
	}
	return status;
}

enum status
rpc_get_object(const json_t *object, const char *name, json_t **member,
	struct error *err)
{
	*member = json_object_get(object, name);
	if (json_is_null(*member))
		*member = NULL;
	return *member == NULL || json_is_object(*member)
		? OK
		: rpc_bad_member(err, name);
}

void
rpc_set_memory(void *(*take)(size_t n), void (*give)(void *piece))
{
	json_set_alloc_funcs(take, give);
}
