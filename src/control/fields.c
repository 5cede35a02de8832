/* fields: a struct as JSON and back, see fields.h. */

#include "control/fields.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"

/* ---- encoding ----------------------------------------------------------- */

/* Is the member 0, false or empty? */
static bool
fields_column_is_zero(const struct field_row *field, const char *item)
{
	const char *at = item + field->offset;

	switch (field->type) {
	case FIELD_TEXT:
		return at[0] == '\0';
	case FIELD_BYTES:
		return *(const uint32_t *)(const void *)(item +
			       field->n_offset) == 0;
	case FIELD_BLOB:
		return ((const struct field_blob *)(const void *)at)->len == 0;
	default:
		for (size_t i = 0; i < field->size; i++)
			if (at[i] != 0)
				return false;
		return true;
	}
}

static bool
fields_column_is_empty(const struct field_row *field, const char *items,
	size_t n, size_t item_size)
{
	for (size_t i = 0; i < n; i++)
		if (!fields_column_is_zero(field, items + i * item_size))
			return false;
	return true;
}

static json_t *
fields_column_encode(const struct field_row *field, const char *items, size_t n,
	size_t item_size)
{
	json_t *column = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(column,
			field_encode(field, items + i * item_size));
	return column;
}

static json_t *
fields_columns_encode(const struct fields *fields, const char *items, size_t n)
{
	json_t *json = json_object();

	for (const struct field_row *row = fields->rows; row->name; row++)
		if (row == fields->rows ||
			!fields_column_is_empty(row, items, n, fields->size))
			json_object_set_new(json, row->name,
				fields_column_encode(row, items, n,
					fields->size));
	return json;
}

/* Encodes the items of a keyed list such as `limits`. */
static json_t *
fields_encode_keyed(const struct field_row *list, const char *items, size_t n)
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
fields_encode_array(const struct field_row *list, const char *items, size_t n)
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
fields_encode_items(const struct field_row *list, const char *base,
	bool columns)
{
	const char *items = *(char *const *)(base + list->offset);
	size_t n = *(const size_t *)(base + list->n_offset);

	if (n > list->max)
		n = list->max;
	if (list->key_size)
		return fields_encode_keyed(list, items, n);
	return columns ? fields_columns_encode(list->fields, items, n)
		       : fields_encode_array(list, items, n);
}

static void
fields_encode_as(const struct fields *fields, const void *base, bool columns,
	json_t *object)
{
	for (const struct field_row *row = fields->rows; row->name; row++)
		json_object_set_new(object, row->name,
			row->type == FIELD_ITEMS
				? fields_encode_items(row, base, columns)
				: field_encode(row, base));
}

void
fields_encode(const struct fields *fields, const void *base, json_t *object)
{
	fields_encode_as(fields, base, false, object);
}

void
fields_encode_columns(const struct fields *fields, const void *base,
	json_t *object)
{
	fields_encode_as(fields, base, true, object);
}

/* ---- decoding ----------------------------------------------------------- */

static size_t
fields_columns_size(const struct fields *fields, const json_t *json)
{
	return json_array_size(json_object_get(json, fields->rows[0].name));
}

static enum status
fields_column_decode(const struct field_row *field, const json_t *column,
	char *items, size_t n, size_t item_size, struct error *err)
{
	if (!json_is_array(column) || json_array_size(column) != n)
		return error_set(err, E_FORMAT, "%zu items are expected", n);
	for (size_t i = 0; i < n; i++) {
		enum status status = field_decode(field,
			json_array_get(column, i), items + i * item_size, err);

		if (status != OK) {
			error_wrap(err, "item %zu", i);
			return status;
		}
	}
	return OK;
}

static enum status
fields_columns_decode(const struct fields *fields, const json_t *json,
	char *items, struct error *err)
{
	size_t n = fields_columns_size(fields, json);
	enum status status = OK;

	for (const struct field_row *row = fields->rows;
		row->name && status == OK; row++) {
		const json_t *column = json_object_get(json, row->name);

		if (column == NULL)
			continue;
		status = fields_column_decode(row, column, items, n,
			fields->size, err);
		if (status != OK)
			error_wrap(err, "%s", row->name);
	}
	return status;
}

/*
 * Decodes a keyed list such as `limits`: the key of a JSON member is the item's
 * name.
 */
static enum status
fields_decode_keyed(const struct field_row *list, json_t *json, char *items,
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
fields_decode_array(const struct field_row *list, const json_t *json,
	char *items, struct error *err)
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
fields_decode_size(const struct field_row *list, const json_t *json)
{
	if (json_is_array(json))
		return json_array_size(json);
	return list->key_size ? json_object_size(json)
			      : fields_columns_size(list->fields, json);
}

static enum status
fields_decode_list(const struct field_row *list, json_t *json, char *base,
	struct error *err)
{
	void **items = (void *)(base + list->offset);
	size_t *n = (void *)(base + list->n_offset);
	bool keyed = list->key_size != 0;

	if (!json_is_object(json) && (keyed || !json_is_array(json)))
		return error_set(err, E_FORMAT, "an %s is expected",
			keyed ? "object" : "array");
	*n = fields_decode_size(list, json);
	if (*n > list->max) {
		enum status status = error_set(err, E_RANGE,
			"%zu items are more than %zu", *n, list->max);

		*n = 0;
		return status;
	}
	*items = xcalloc(*n, list->fields->size);
	if (keyed)
		return fields_decode_keyed(list, json, *items, err);
	if (json_is_object(json))
		return fields_columns_decode(list->fields, json, *items, err);
	return fields_decode_array(list, json, *items, err);
}

enum status
fields_decode(const struct fields *fields, const json_t *object, void *base,
	struct error *err)
{
	enum status status = OK;

	if (!json_is_object(object))
		return error_set(err, E_FORMAT, "an object is expected");
	for (const struct field_row *row = fields->rows;
		row->name && status == OK; row++) {
		json_t *json = json_object_get(object, row->name);

		if (!json)
			continue;
		status = row->type == FIELD_ITEMS
			? fields_decode_list(row, json, base, err)
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
