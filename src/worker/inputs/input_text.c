/* input_text: see input_text.h. */
#include "worker/inputs/input_text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/xmalloc.h"
#include "shared/values/call.h"
#include "shared/values/decode.h"
#include "shared/values/encode.h"

/* One byte of an input takes up to six characters in a file ("\u0041"). Files
 * may also have some blanks and comments. */
#define TEXT_PER_BYTE 8u
#define TEXT_BLANKS 4096u

#define CALL_LEN_MAX 3000u /* a longer call is not readable */

/* A scalar takes 9 bytes, but its shortest line, "int(1)", only 7. */
#define ROOM_PER_TEXT 2u

/* ---- from inputs to texts ----------------------------------------------- */

static uint8_t *
text_make(const uint8_t *data, const struct tuple *tuple, size_t *len)
{
	struct value values[TUPLE_MAX];
	struct error err = { 0 };
	char *text;
	size_t room;

	for (uint32_t i = 0; i < tuple->n; i++)
		values[i] = tuple_value(data, &tuple->fields[i]);
	room = encode_bound(values, tuple->n);
	text = xmalloc(room);
	if (encode_values(values, tuple->n, text, room, len, &err) == OK)
		return (uint8_t *)text;
	free(text);
	return NULL;
}

void
input_text_init(struct input_text *text, const struct tuple_types *types,
	const void *data, size_t len)
{
	struct tuple tuple;

	*text = (struct input_text){ .data = data, .len = len };
	if (types->n == 0 || !tuple_parse_as(data, len, types, &tuple))
		return;
	text->made = text_make(data, &tuple, &len);
	if (text->made == NULL)
		return;
	text->data = text->made;
	text->len = len;
}

char *
input_call(const struct tuple_types *types, const char *function,
	const void *data, size_t len)
{
	char *text = xcalloc(CALL_LEN_MAX + 1, 1);
	struct sink sink = { .data = text, .cap = CALL_LEN_MAX };
	struct value values[TUPLE_MAX];
	struct tuple tuple;

	if (types->n == 0 || !tuple_parse_as(data, len, types, &tuple))
		return text;
	for (uint32_t i = 0; i < tuple.n; i++)
		values[i] = tuple_value(data, &tuple.fields[i]);
	call_print(&sink, function[0] != '\0' ? function : INPUT_CALL_NAMELESS,
		values, tuple.n);
	if (sink.len > CALL_LEN_MAX)
		text[0] = '\0';
	return text;
}

/* The length of the text before byte `at` of the input. */
static uint64_t
text_before(const uint8_t *data, const struct tuple *tuple, uint64_t at)
{
	struct sink sink = { .data = NULL };
	struct value value;
	uint32_t i;

	sink_text(&sink, ENCODE_VERSION "\n");
	for (i = 0; i < tuple->n; i++) {
		const struct tuple_field *field = &tuple->fields[i];

		if (at < field->offset)
			break;
		value = tuple_value(data, field);
		if (value_type_is_bytes(field->type) &&
			at - field->offset < field->len) {
			/* Count up to `at`, without the end of the literal. */
			value.len = (size_t)(at - field->offset);
			encode_value(&sink, &value);
			return sink.len - strlen("\")");
		}
		if (at - field->offset < field->len)
			break;
		encode_value(&sink, &value);
		sink_text(&sink, "\n");
	}
	return sink.len;
}

void
input_text_place(const struct tuple_types *types, const void *data,
	size_t data_len, uint64_t *offset, uint64_t *len)
{
	struct tuple tuple;
	uint64_t from, to;

	if (types->n == 0 || *len > data_len || *offset > data_len - *len ||
		!tuple_parse_as(data, data_len, types, &tuple))
		return;
	from = text_before(data, &tuple, *offset);
	to = *len > 0 ? text_before(data, &tuple, *offset + *len) : from;
	*offset = from;
	*len = to > from ? to - from : 0;
}

void
input_text_clear(struct input_text *text)
{
	free(text->made);
	*text = (struct input_text){ 0 };
}

size_t
input_text_len(const struct tuple_types *types, const void *data, size_t len)
{
	struct input_text text;

	input_text_init(&text, types, data, len);
	len = text.len;
	input_text_clear(&text);
	return len;
}

void
input_text_name(const struct tuple_types *types, const void *data, size_t len,
	char name[SHA256_HEX_SIZE])
{
	struct input_text text;

	input_text_init(&text, types, data, len);
	sha256_name(text.data, text.len, name);
	input_text_clear(&text);
}

/* Reads the value at *at. False: its tag is not there. */
static bool
text_sample_value(enum value_type type, const uint8_t *data, size_t n,
	size_t *at, struct value *value)
{
	struct tuple_field field = { .type = type, .len = TUPLE_SCALAR_LEN };
	size_t left = n - *at;

	if (left < 1 + TUPLE_LENGTH_LEN || data[*at] != type)
		return false;
	field.offset = *at + 1;
	if (value_type_is_bytes(type)) {
		field.offset += TUPLE_LENGTH_LEN;
		field.len = 0;
		for (size_t i = TUPLE_LENGTH_LEN; i > 0; i--)
			field.len = field.len << 8 | data[*at + i];
		if (field.len > n - field.offset)
			field.len = n - field.offset;
	} else if (left < 1 + TUPLE_SCALAR_LEN) {
		return false;
	}
	*value = tuple_value(data, &field);
	*at = field.offset + field.len;
	return true;
}

size_t
input_text_sample(const struct tuple_types *types, const uint8_t *data,
	size_t n, uint8_t *to, size_t size)
{
	struct sink sink = { .data = (char *)to, .cap = size };
	struct value value;
	size_t at = 0;

	if (types->n == 0) {
		sink_put(&sink, (const char *)data, n);
		return sink.len;
	}
	for (uint32_t i = 0; i < types->n; i++) {
		if (!text_sample_value(types->types[i], data, n, &at, &value))
			break;
		if (i > 0)
			sink_text(&sink, ", ");
		encode_value(&sink, &value);
	}
	return sink.len;
}

void
input_types(const void *data, size_t len, struct tuple_types *types)
{
	struct tuple tuple;

	*types = (struct tuple_types){ .n = 0 };
	if (!tuple_parse(data, len, &tuple))
		return;
	types->n = tuple.n;
	for (uint32_t i = 0; i < tuple.n; i++)
		types->types[i] = tuple.fields[i].type;
}

bool
input_is_sound(const struct tuple_types *types, const void *data, size_t len)
{
	struct tuple tuple;

	return types->n == 0 || tuple_parse_as(data, len, types, &tuple);
}

/* ---- from texts to inputs ----------------------------------------------- */

/*
 * Parses the text. `room` must be as large as the text. More values than
 * TUPLE_MAX are the same error as one too many.
 */
static enum status
text_decode(const struct tuple_types *types, const uint8_t *text, size_t len,
	struct value *values, uint8_t *room, struct error *err)
{
	struct error why = { 0 };
	size_t n;

	if (decode_values((const char *)text, len, values, TUPLE_MAX, &n, room,
		    &why) != OK ||
		values_check(values, n, types->types, types->n, &why) != OK)
		return error_set(err, E_FORMAT, "%s", why.text);
	return OK;
}

enum status
input_from_text(const struct tuple_types *types, uint8_t **data, size_t *len,
	size_t max_len, struct error *err)
{
	struct value values[TUPLE_MAX];
	enum status status;
	uint8_t *room, *input;
	size_t size;

	if (types->n == 0)
		return *len <= max_len
			? OK
			: error_set(err, E_RANGE, "over %zu bytes", max_len);
	room = xmalloc(*len + 1);
	status = text_decode(types, *data, *len, values, room, err);
	size = status == OK ? tuple_size(values, types->n) : 0;
	if (status == OK && size > max_len)
		status = error_set(err, E_RANGE, "over %zu bytes", max_len);
	if (status == OK) {
		input = xmalloc(size);
		tuple_pack(values, types->n, input);
		free(*data);
		*data = input;
		*len = size;
	}
	free(room);
	return status;
}

/* Decodes a text with one value of bytes, for a target of plain bytes. */
static enum status
text_to_bytes(uint8_t **data, size_t *len, size_t max_len, struct error *err)
{
	uint8_t *room = xmalloc(*len + 1);
	struct tuple_types types = { .n = 1, .types = { VALUE_BYTES } };
	struct value values[TUPLE_MAX];
	enum status status =
		text_decode(&types, *data, *len, values, room, err);

	if (status == OK && values[0].len > max_len)
		status = error_set(err, E_RANGE, "over %zu bytes", max_len);
	if (status == OK) {
		*len = values[0].len;
		memcpy(*data, values[0].data, *len);
		(*data)[*len] = 0;
	}
	free(room);
	return status;
}

enum status
input_from_seed(const struct tuple_types *types, uint8_t **data, size_t *len,
	size_t max_len, struct error *err)
{
	if (types->n == 0 && decode_is_text(*data, *len))
		return text_to_bytes(data, len, max_len, err);
	return input_from_text(types, data, len, max_len, err);
}

size_t
input_seed_max(size_t max_len)
{
	if (max_len > (SIZE_MAX - TEXT_BLANKS) / TEXT_PER_BYTE)
		return SIZE_MAX;
	return TEXT_PER_BYTE * max_len + TEXT_BLANKS;
}

size_t
input_file_max(const struct tuple_types *types, size_t max_len)
{
	return types->n == 0 ? max_len : input_seed_max(max_len);
}

size_t
input_room(const void *text, size_t len)
{
	size_t version = strlen(ENCODE_VERSION);

	if (len < version || memcmp(text, ENCODE_VERSION, version) != 0)
		return len;
	return len > SIZE_MAX / ROOM_PER_TEXT ? len : ROOM_PER_TEXT * len;
}

uint64_t
input_file_room(const char *path)
{
	char start[sizeof(ENCODE_VERSION)];
	uint64_t room = 0;
	struct stat st;
	int fd = fd_open_regular(path, &st);
	ssize_t n;

	if (fd >= 0) {
		n = read(fd, start, sizeof(start));
		room = (uint64_t)st.st_size;
		if (n > 0 && input_room(start, (size_t)n) > (size_t)n)
			room *= ROOM_PER_TEXT;
	}
	fd_close(&fd);
	return room;
}

enum status
input_read(const struct tuple_types *types, const char *path, bool is_foreign,
	size_t max_len, uint8_t **data, size_t *len, size_t *file_len,
	struct error *err)
{
	size_t max = is_foreign ? input_seed_max(max_len)
				: input_file_max(types, max_len);
	enum status status = file_read(path, max, data, len, err);

	if (status != OK)
		return status;
	*file_len = *len;
	status = is_foreign ? input_from_seed(types, data, len, max_len, err)
			    : input_from_text(types, data, len, max_len, err);
	if (status != OK) {
		free(*data);
		*data = NULL;
		error_wrap(err, "%s", path);
	}
	return status;
}
