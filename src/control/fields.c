/* fields: a struct as JSON and back, see fields.h. */

#include "control/fields.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "control/columns.h"

/* ---- encoding ----------------------------------------------------------- */

static void
fields_encode(json_t *object, const struct fields *fields, const void *base)
{
	for (size_t i = 0; i < fields->n; i++)
		json_object_set_new(object, fields->items[i].name,
			field_encode(&fields->items[i], base));
}

static json_t *
fields_encode_list(const struct field_list *list, const char *base)
{
	const char *items = *(char *const *)(base + list->offset);
	size_t n = *(const size_t *)(base + list->n_offset);
	json_t *json = list->key_size ? json_object() : json_array();
	char key[64];

	for (size_t i = 0; i < n && i < list->max; i++) {
		const char *item = items + i * list->item_size;
		json_t *object = json_object();

		fields_encode(object, list->fields, item);
		if (!list->key_size) {
			json_array_append_new(json, object);
			continue;
		}
		text_clean(item, strnlen(item, list->key_size), key,
			sizeof(key));
		json_object_set_new(json, key, object);
	}
	return json;
}

void
record_encode(const struct record *record, const void *base, json_t *object)
{
	fields_encode(object, &record->fields, base);
	for (size_t i = 0; i < record->lists_n; i++)
		json_object_set_new(object, record->lists[i].name,
			fields_encode_list(&record->lists[i], base));
}

static json_t *
fields_encode_columns(const struct field_list *list, const char *base)
{
	const char *items = *(char *const *)(base + list->offset);
	size_t n = *(const size_t *)(base + list->n_offset);

	return columns_encode(list->fields, items,
		n < list->max ? n : list->max, list->item_size);
}

void
record_encode_columns(const struct record *record, const void *base,
	json_t *object)
{
	fields_encode(object, &record->fields, base);
	for (size_t i = 0; i < record->lists_n; i++) {
		const struct field_list *list = &record->lists[i];

		json_object_set_new(object, list->name,
			list->key_size ? fields_encode_list(list, base)
				       : fields_encode_columns(list, base));
	}
}

/* ---- decoding ----------------------------------------------------------- */

static enum status
fields_decode(const struct fields *fields, const json_t *object, void *base,
	struct error *err)
{
	if (!json_is_object(object))
		return error_set(err, E_FORMAT, "an object is expected");
	for (size_t i = 0; i < fields->n; i++) {
		const struct field_row *field = &fields->items[i];
		const json_t *json = json_object_get(object, field->name);
		enum status status;

		if (!json)
			continue;
		status = field_decode(field, json, base, err);
		if (status != OK) {
			error_wrap(err, "%s", field->name);
			return status;
		}
	}
	return OK;
}

/*
 * Decodes a keyed list such as `limits`: the key of a JSON member is the item's
 * name.
 */
static enum status
fields_decode_keyed(const struct field_list *list, json_t *json, char *items,
	struct error *err)
{
	enum status status;
	const char *key;
	json_t *value;

	json_object_foreach(json, key, value) {
		char *item = items;

		items += list->item_size;
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
fields_decode_array(const struct field_list *list, const json_t *json,
	char *items, struct error *err)
{
	for (size_t i = 0; i < json_array_size(json); i++) {
		enum status status =
			fields_decode(list->fields, json_array_get(json, i),
				items + i * list->item_size, err);

		if (status != OK) {
			error_wrap(err, "item %zu", i);
			return status;
		}
	}
	return OK;
}

static size_t
fields_decode_size(const struct field_list *list, const json_t *json)
{
	if (json_is_array(json))
		return json_array_size(json);
	return list->key_size ? json_object_size(json)
			      : columns_size(list->fields, json);
}

static enum status
fields_decode_list(const struct field_list *list, json_t *json, char *base,
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
	*items = xcalloc(*n, list->item_size);
	if (keyed)
		return fields_decode_keyed(list, json, *items, err);
	if (json_is_object(json))
		return columns_decode(list->fields, json, *items,
			list->item_size, err);
	return fields_decode_array(list, json, *items, err);
}

enum status
record_decode(const struct record *record, const json_t *json, void *base,
	struct error *err)
{
	enum status status = fields_decode(&record->fields, json, base, err);

	for (size_t i = 0; i < record->lists_n && status == OK; i++) {
		const struct field_list *list = &record->lists[i];
		json_t *items = json_object_get(json, list->name);

		if (!items)
			continue;
		status = fields_decode_list(list, items, base, err);
		if (status != OK)
			error_wrap(err, "%s", list->name);
	}
	return status;
}

/* ---- life --------------------------------------------------------------- */

static void **
record_items(const struct field_list *list, void *base)
{
	return (void **)((char *)base + list->offset);
}

static struct field_blob *
record_blob(const struct field_row *field, void *base)
{
	return (struct field_blob *)((char *)base + field->offset);
}

void
record_clear(const struct record *record, void *base)
{
	for (size_t i = 0; i < record->lists_n; i++)
		free(*record_items(&record->lists[i], base));
	for (size_t i = 0; i < record->fields.n; i++)
		if (record->fields.items[i].type == FIELD_BLOB)
			free(record_blob(&record->fields.items[i], base)->data);
	memset(base, 0, record->size);
}
