/* fields: a struct as JSON and back, see fields.h. */

#include "control/fields.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hex.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/columns.h"
#include "control/fields_private.h"

/* ---- encoding ----------------------------------------------------------- */

static json_t *
encode_whole(uint64_t value)
{
	return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

static json_t *
encode_seed(uint64_t seed)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, seed);
	return json_string(text);
}

static json_t *
encode_text(const char *text, size_t size)
{
	char *clean = text_clean_dup(text, strnlen(text, size));
	json_t *json = json_string(clean);

	free(clean);
	return json;
}

static json_t *
encode_bytes(const uint8_t *bytes, size_t n)
{
	char *hex = xmalloc(2 * n + 1);
	json_t *json;

	hex_encode(bytes, n, hex);
	json = json_stringn(hex, 2 * n);
	free(hex);
	return json;
}

static json_t *
encode_word(const struct field_words *words, unsigned i)
{
	return json_string(words->items[i < words->n ? i : 0]);
}

json_t *
field_encode(const struct field_row *field, const void *base)
{
	const void *at = (const char *)base + field->offset;
	const uint32_t *n =
		(const void *)((const char *)base + field->n_offset);
	const struct field_blob *blob;
	double real;

	switch (field->type) {
	case FIELD_U64:
		return encode_whole(*(const uint64_t *)at);
	case FIELD_U32:
		return json_integer(*(const uint32_t *)at);
	case FIELD_I64:
		return json_integer(*(const int64_t *)at);
	case FIELD_INT:
		return json_integer(*(const int *)at);
	case FIELD_SEED:
		return encode_seed(*(const uint64_t *)at);
	case FIELD_REAL:
		real = *(const double *)at;
		return json_real(isfinite(real) ? real : 0);
	case FIELD_BOOL:
		return json_boolean(*(const bool *)at);
	case FIELD_TEXT:
		return encode_text(at, field->size);
	case FIELD_BYTES:
		return encode_bytes(at, *n < field->size ? *n : field->size);
	case FIELD_BLOB:
		blob = at;
		return encode_bytes(blob->data, blob->len);
	case FIELD_WORD:
		return encode_word(field->words, *(const unsigned *)at);
	case FIELD_ITEMS:
		break;
	}
	return NULL;
}

/* Encodes the items of a keyed list such as `limits`. */
static json_t *
encode_keyed(const struct field_row *list, const char *items, size_t n)
{
	json_t *json = json_object(), *object;
	char key[64];

	for (; n > 0; n--, items += list->fields->size) {
		object = json_object();
		fields_encode(list->fields, items, object);
		text_clean(items, strnlen(items, list->key_size), key,
			sizeof(key));
		json_object_set_new(json, key, object);
	}
	return json;
}

static json_t *
encode_array(const struct field_row *list, const char *items, size_t n)
{
	json_t *json = json_array(), *object;

	for (; n > 0; n--, items += list->fields->size) {
		object = json_object();
		fields_encode(list->fields, items, object);
		json_array_append_new(json, object);
	}
	return json;
}

static json_t *
encode_items(const struct field_row *list, const char *base, bool columns)
{
	const char *items = *(char *const *)(base + list->offset);
	size_t n = *(const size_t *)(base + list->n_offset);

	if (n > list->max)
		n = list->max;
	if (list->key_size)
		return encode_keyed(list, items, n);
	return columns ? columns_encode(list->fields, items, n)
		       : encode_array(list, items, n);
}

static void
encode_fields(const struct fields *fields, const void *base, bool columns,
	json_t *object)
{
	for (const struct field_row *row = fields->rows; row->name; row++)
		json_object_set_new(object, row->name,
			row->type == FIELD_ITEMS
				? encode_items(row, base, columns)
				: field_encode(row, base));
}

void
fields_encode(const struct fields *fields, const void *base, json_t *object)
{
	encode_fields(fields, base, false, object);
}

void
fields_encode_columns(const struct fields *fields, const void *base,
	json_t *object)
{
	encode_fields(fields, base, true, object);
}

/* ---- decoding ----------------------------------------------------------- */

static enum status
decode_error(struct error *err, const char *expected)
{
	return error_set(err, E_FORMAT, "%s is expected", expected);
}

static enum status
decode_whole(const json_t *json, int64_t min, int64_t max, int64_t *value,
	struct error *err)
{
	if (!json_is_integer(json))
		return decode_error(err, "a whole number");
	*value = json_integer_value(json);
	if (*value >= min && *value <= max)
		return OK;
	return error_set(err, E_RANGE,
		"a number from %" PRId64 " to %" PRId64 " is expected", min,
		max);
}

static enum status
decode_seed(const json_t *json, uint64_t *seed, struct error *err)
{
	const char *text = json_string_value(json);
	char *end;

	if (!text || !isdigit((unsigned char)*text))
		return decode_error(err, "a string of digits");
	errno = 0;
	*seed = strtoull(text, &end, 10);
	if (*end || errno)
		return decode_error(err, "a 64-bit number");
	return OK;
}

static enum status
decode_bytes(const json_t *json, uint8_t *bytes, size_t size, uint32_t *n,
	struct error *err)
{
	const char *hex = json_string_value(json);
	size_t len = json_string_length(json);

	if (!hex || len % 2 || len / 2 > size ||
		!hex_decode(hex, bytes, len / 2))
		return decode_error(err, "a string of hex bytes");
	*n = (uint32_t)(len / 2);
	return OK;
}

static enum status
decode_blob(const json_t *json, struct field_blob *blob, size_t max,
	struct error *err)
{
	size_t size = json_string_length(json) / 2;
	uint32_t n = 0;
	enum status status;

	if (size > max)
		return decode_error(err, "a shorter string");
	free(blob->data);
	*blob = (struct field_blob){ .data = xmalloc(size + 1) };
	status = decode_bytes(json, blob->data, size, &n, err);
	blob->len = n;
	return status;
}

static enum status
decode_text(const json_t *json, char *text, size_t size, struct error *err)
{
	if (!json_is_string(json))
		return decode_error(err, "a string");
	text_clean(json_string_value(json), json_string_length(json), text,
		size);
	return OK;
}

static enum status
decode_word(const json_t *json, const struct field_words *words,
	unsigned *value, struct error *err)
{
	const char *word = json_string_value(json);

	for (unsigned i = 0; word && i < words->n; i++) {
		if (strcmp(words->items[i], word) == 0) {
			*value = i;
			return OK;
		}
	}
	return decode_error(err, "one of the known words");
}

static enum status
decode_number(const struct field_row *field, const json_t *json, void *at,
	struct error *err)
{
	enum status status;
	int64_t value = 0;

	switch (field->type) {
	case FIELD_U64:
		status = decode_whole(json, 0, INT64_MAX, &value, err);
		if (status == OK)
			*(uint64_t *)at = (uint64_t)value;
		return status;
	case FIELD_U32:
		status = decode_whole(json, 0, UINT32_MAX, &value, err);
		if (status == OK)
			*(uint32_t *)at = (uint32_t)value;
		return status;
	case FIELD_I64:
		return decode_whole(json, INT64_MIN, INT64_MAX, at, err);
	default:
		status = decode_whole(json, INT32_MIN, INT32_MAX, &value, err);
		if (status == OK)
			*(int *)at = (int)value;
		return status;
	}
}

enum status
field_decode(const struct field_row *field, const json_t *json, void *base,
	struct error *err)
{
	void *at = (char *)base + field->offset;

	switch (field->type) {
	case FIELD_SEED:
		return decode_seed(json, at, err);
	case FIELD_REAL:
		if (!json_is_number(json))
			return decode_error(err, "a number");
		*(double *)at = json_number_value(json);
		return OK;
	case FIELD_BOOL:
		if (!json_is_boolean(json))
			return decode_error(err, "true or false");
		*(bool *)at = json_is_true(json);
		return OK;
	case FIELD_TEXT:
		return decode_text(json, at, field->size, err);
	case FIELD_BYTES:
		return decode_bytes(json, at, field->size,
			(void *)((char *)base + field->n_offset), err);
	case FIELD_BLOB:
		return decode_blob(json, at, field->max, err);
	case FIELD_WORD:
		return decode_word(json, field->words, at, err);
	default:
		return decode_number(field, json, at, err);
	}
}

/*
 * Decodes a keyed list such as `limits`: the key of a JSON member is the item's
 * name.
 */
static enum status
decode_keyed(const struct field_row *list, json_t *json, char *items,
	struct error *err)
{
	enum status status;
	const char *key;
	json_t *value;

	json_object_foreach(json, key, value) {
		char *item = items;

		items += list->fields->size;
		if (strlen(key) >= list->key_size)
			return error_set(err, E_FORMAT, "a name is too long");
		text_clean_string(key, item, list->key_size);
		status = fields_decode(list->fields, value, item, err);
		if (status != OK) {
			error_wrap(err, "%s", item);
			return status;
		}
	}
	return OK;
}

static enum status
decode_array(const struct field_row *list, const json_t *json, char *items,
	struct error *err)
{
	for (size_t i = 0; i < json_array_size(json); i++) {
		enum status status =
			fields_decode(list->fields, json_array_get(json, i),
				items + i * list->fields->size, err);

		if (status != OK) {
			error_wrap(err, "item %zu", i);
			return status;
		}
	}
	return OK;
}

static size_t
decode_size(const struct field_row *list, const json_t *json)
{
	if (json_is_array(json))
		return json_array_size(json);
	return list->key_size ? json_object_size(json)
			      : columns_size(list->fields, json);
}

static enum status
decode_list(const struct field_row *list, json_t *json, char *base,
	struct error *err)
{
	void **items = (void *)(base + list->offset);
	size_t *n = (void *)(base + list->n_offset);
	bool keyed = list->key_size != 0;

	if (!json_is_object(json) && (keyed || !json_is_array(json)))
		return decode_error(err, keyed ? "an object" : "an array");
	*n = decode_size(list, json);
	if (*n > list->max) {
		enum status status = error_set(err, E_RANGE,
			"%zu items are more than %zu", *n, list->max);

		*n = 0;
		return status;
	}
	*items = xcalloc(*n, list->fields->size);
	if (keyed)
		return decode_keyed(list, json, *items, err);
	if (json_is_object(json))
		return columns_decode(list->fields, json, *items, err);
	return decode_array(list, json, *items, err);
}

enum status
fields_decode(const struct fields *fields, const json_t *object, void *base,
	struct error *err)
{
	enum status status = OK;

	if (!json_is_object(object))
		return decode_error(err, "an object");
	for (const struct field_row *row = fields->rows;
		row->name && status == OK; row++) {
		json_t *json = json_object_get(object, row->name);

		if (!json)
			continue;
		status = row->type == FIELD_ITEMS
			? decode_list(row, json, base, err)
			: field_decode(row, json, base, err);
		if (status != OK)
			error_wrap(err, "%s", row->name);
	}
	return status;
}

/* ---- life --------------------------------------------------------------- */

void
fields_clear(const struct fields *fields, void *base)
{
	for (const struct field_row *row = fields->rows; row->name; row++) {
		void *at = (char *)base + row->offset;

		if (row->type == FIELD_ITEMS)
			free(*(void **)at);
		else if (row->type == FIELD_BLOB)
			free(((struct field_blob *)at)->data);
	}
	memset(base, 0, fields->size);
}
