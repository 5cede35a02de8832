/* rpc_json: members of messages, see rpc_json.h. */

#include "shared/wire/rpc_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "shared/sink.h"
#include "shared/utf8.h"
#include "shared/wire/rpc.h"

#define RPC_HEX_LEN 16
#define RPC_TEXT_MAX 4096

void
rpc_writer_init(struct rpc_writer *w)
{
	w->object = json_object();
	w->failed = w->object == NULL;
}

void
rpc_put(struct rpc_writer *w, const char *name, json_t *take_value)
{
	if (w->failed || take_value == NULL) {
		json_decref(take_value);
		w->failed = true;
	} else if (json_object_set_new(w->object, name, take_value) != 0) {
		w->failed = true;
	}
}

void
rpc_put_number(struct rpc_writer *w, const char *name, uint64_t n)
{
	if (n > INT64_MAX)
		w->failed = true;
	else
		rpc_put(w, name, json_integer((json_int_t)n));
}

void
rpc_put_signed(struct rpc_writer *w, const char *name, int64_t n)
{
	rpc_put(w, name, json_integer(n));
}

void
rpc_put_bool(struct rpc_writer *w, const char *name, bool value)
{
	rpc_put(w, name, json_boolean(value));
}

void
rpc_put_hex(struct rpc_writer *w, const char *name, uint64_t n)
{
	char text[RPC_HEX_LEN + 1];

	(void)snprintf(text, sizeof(text), "%016" PRIx64, n);
	rpc_put(w, name, json_string(text));
}

void
rpc_put_text(struct rpc_writer *w, const char *name, const char *text,
	size_t size)
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
	rpc_put(w, name, json_stringn(clean, sink.len));
}

json_t *
rpc_writer_steal(struct rpc_writer *w)
{
	json_t *object = w->object;

	w->object = NULL;
	if (!w->failed)
		return object;
	json_decref(object);
	return NULL;
}

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

void
rpc_reader_init(struct rpc_reader *r, json_t *object, struct error *err)
{
	r->object = object;
	r->status = OK;
	r->err = err;
}

void
rpc_reader_fail(struct rpc_reader *r, const char *name)
{
	r->status = error_set(r->err, E_PROTOCOL,
		"a message with a bad member %s", name);
}

static json_t *
rpc_find(struct rpc_reader *r, const char *name)
{
	json_t *value = json_object_get(r->object, name);

	return json_is_null(value) ? NULL : value;
}

int64_t
rpc_get_signed(struct rpc_reader *r, const char *name, int64_t min, int64_t max)
{
	json_t *value = rpc_find(r, name);
	json_int_t n;

	if (value == NULL)
		return 0;
	n = json_integer_value(value);
	if (!json_is_integer(value) || n < min || n > max) {
		rpc_reader_fail(r, name);
		return 0;
	}
	return n;
}

uint64_t
rpc_get_number(struct rpc_reader *r, const char *name, uint64_t max)
{
	int64_t top = max > INT64_MAX ? INT64_MAX : (int64_t)max;

	return (uint64_t)rpc_get_signed(r, name, 0, top);
}

bool
rpc_get_bool(struct rpc_reader *r, const char *name)
{
	json_t *value = rpc_find(r, name);

	if (value != NULL && !json_is_boolean(value))
		rpc_reader_fail(r, name);
	return json_is_true(value);
}

uint64_t
rpc_get_hex(struct rpc_reader *r, const char *name)
{
	json_t *value = rpc_find(r, name);
	const char *text = json_string_value(value);
	uint64_t n = 0;

	if (value == NULL)
		return 0;
	if (text == NULL || json_string_length(value) != RPC_HEX_LEN ||
		strspn(text, "0123456789abcdef") != RPC_HEX_LEN) {
		rpc_reader_fail(r, name);
		return 0;
	}
	for (size_t i = 0; i < RPC_HEX_LEN; i++)
		n = n << 4 |
			(uint64_t)(text[i] <= '9' ? text[i] - '0'
						  : text[i] - 'a' + 10);
	return n;
}

void
rpc_get_text(struct rpc_reader *r, const char *name, char *buf, size_t size)
{
	json_t *value = rpc_find(r, name);
	const char *text = json_string_value(value);

	buf[0] = '\0';
	if (value == NULL)
		return;
	if (text == NULL || json_string_length(value) >= size) {
		rpc_reader_fail(r, name);
		return;
	}
	(void)snprintf(buf, size, "%s", text);
}

json_t *
rpc_get_array(struct rpc_reader *r, const char *name, size_t max)
{
	json_t *value = rpc_find(r, name);

	if (value == NULL)
		return NULL;
	if (!json_is_array(value) || json_array_size(value) > max) {
		rpc_reader_fail(r, name);
		return NULL;
	}
	return value;
}

json_t *
rpc_get_object(struct rpc_reader *r, const char *name)
{
	json_t *value = rpc_find(r, name);

	if (value == NULL)
		return NULL;
	if (!json_is_object(value)) {
		rpc_reader_fail(r, name);
		return NULL;
	}
	return value;
}

void
rpc_set_memory(void *(*take)(size_t n), void (*give)(void *piece))
{
	json_set_alloc_funcs(take, give);
}
