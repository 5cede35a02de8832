/* type_names: see type_names.h. */
#include "worker/inputs/type_names.h"

#include <stdio.h>
#include <string.h>

json_t *
type_names_json(const struct tuple_types *types)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < types->n; i++)
		json_array_append_new(list,
			json_string(value_type_name(types->types[i])));
	return list;
}

static bool
type_of_name(const char *name, enum value_type *type)
{
	for (unsigned i = 0; name != NULL && i < VALUE_TYPE_N; i++)
		if (strcmp(value_type_name((enum value_type)i), name) == 0) {
			*type = (enum value_type)i;
			return true;
		}
	return false;
}

bool
type_names_parse(const json_t *json, struct tuple_types *types)
{
	size_t n = json_array_size(json);

	*types = (struct tuple_types){ .n = 0 };
	if (!json_is_array(json) || n > TUPLE_MAX)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!type_of_name(json_string_value(json_array_get(json, i)),
			    &types->types[i]))
			return false;
	types->n = (uint32_t)n;
	return true;
}

void
type_names_text(const struct tuple_types *types, char *buf, size_t size)
{
	size_t len = 0;

	snprintf(buf, size, "bytes");
	for (uint32_t i = 0; i < types->n && len < size; i++)
		len += (size_t)snprintf(buf + len, size - len, "%s%s",
			i > 0 ? ", " : "", value_type_name(types->types[i]));
}

bool
type_names_same(const struct tuple_types *a, const struct tuple_types *b)
{
	if (a->n != b->n)
		return false;
	for (uint32_t i = 0; i < a->n; i++)
		if (a->types[i] != b->types[i])
			return false;
	return true;
}

enum status
type_names_check(const struct tuple_types *was, const struct tuple_types *is,
	const char *shown, const char *advice, struct error *err)
{
	char old[TYPE_NAMES_SIZE], now[TYPE_NAMES_SIZE];

	if (type_names_same(was, is))
		return OK;
	type_names_text(was, old, sizeof(old));
	type_names_text(is, now, sizeof(now));
	return error_set(err, E_EXISTS,
		"%s belongs to a target that takes (%s), not (%s)%s", shown,
		old, now, advice);
}
