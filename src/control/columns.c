/* columns: see columns.h. */

#include "control/columns.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- encoding ----------------------------------------------------------- */

/* Is the member 0, false or empty? */
static bool
column_is_zero(const struct field_row *field, const char *item)
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
column_is_empty(const struct field_row *field, const char *items, size_t n,
	size_t item_size)
{
	for (size_t i = 0; i < n; i++)
		if (!column_is_zero(field, items + i * item_size))
			return false;
	return true;
}

static json_t *
column_encode(const struct field_row *field, const char *items, size_t n,
	size_t item_size)
{
	json_t *column = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(column,
			field_encode(field, items + i * item_size));
	return column;
}

json_t *
columns_encode(const struct fields *fields, const char *items, size_t n)
{
	json_t *json = json_object();

	for (const struct field_row *row = fields->rows; row->name; row++)
		if (row == fields->rows ||
			!column_is_empty(row, items, n, fields->size))
			json_object_set_new(json, row->name,
				column_encode(row, items, n, fields->size));
	return json;
}

/* ---- decoding ----------------------------------------------------------- */

size_t
columns_size(const struct fields *fields, const json_t *json)
{
	return json_array_size(json_object_get(json, fields->rows[0].name));
}

static enum status
column_decode(const struct field_row *field, const json_t *column, char *items,
	size_t n, size_t item_size, struct error *err)
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

enum status
columns_decode(const struct fields *fields, const json_t *json, char *items,
	struct error *err)
{
	size_t n = columns_size(fields, json);
	enum status status = OK;

	for (const struct field_row *row = fields->rows;
		row->name && status == OK; row++) {
		const json_t *column = json_object_get(json, row->name);

		if (column == NULL)
			continue;
		status =
			column_decode(row, column, items, n, fields->size, err);
		if (status != OK)
			error_wrap(err, "%s", row->name);
	}
	return status;
}
