/*
 * delta: both directions, see delta.h.
 *
 * A list that grows at its end and loses items at its front, such as the events
 * of a snapshot, is encoded as the number of dropped items and the new items.
 */
#include "ui/console/recording/delta.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DELTA_DROP "drop"
#define DELTA_N "n"

/* ---- from two values ---- */

static json_t *
delta_objects(const json_t *from, const json_t *to)
{
	json_t *delta = json_object();
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)to, key, value) {
		json_t *part = delta_make(json_object_get(from, key), value);

		if (part != NULL)
			json_object_set_new_nocheck(delta, key, part);
	}
	json_object_foreach((json_t *)from, key, value) {
		if (json_object_get(to, key) == NULL)
			json_object_set_new_nocheck(delta, key, json_null());
	}
	if (json_object_size(delta) > 0)
		return delta;
	json_decref(delta);
	return NULL;
}

/* Does `to` begin with the items of `from` after the first ones? */
static bool
delta_goes_on(const json_t *from, size_t first, const json_t *to)
{
	for (size_t i = first; i < json_array_size(from); i++)
		if (!json_equal(json_array_get(from, i),
			    json_array_get(to, i - first)))
			return false;
	return true;
}

/* The number of items dropped at the front; 0: none, or no such relation. */
static size_t
delta_dropped(const json_t *from, const json_t *to)
{
	size_t n = json_array_size(from);

	for (size_t i = 0; i < n; i++)
		if (delta_goes_on(from, i, to))
			return i;
	return 0;
}

static json_t *
delta_arrays(const json_t *from, const json_t *to)
{
	size_t drop = delta_dropped(from, to), n = json_array_size(to);
	json_t *delta = json_object();
	char name[24];

	if (drop > 0)
		json_object_set_new(delta, DELTA_DROP,
			json_integer((json_int_t)drop));
	if (n != json_array_size(from) - drop)
		json_object_set_new(delta, DELTA_N,
			json_integer((json_int_t)n));
	for (size_t i = 0; i < n; i++) {
		json_t *part = delta_make(json_array_get(from, i + drop),
			json_array_get(to, i));

		snprintf(name, sizeof(name), "%zu", i);
		if (part != NULL)
			json_object_set_new(delta, name, part);
	}
	if (json_object_size(delta) > 0)
		return delta;
	json_decref(delta);
	return NULL;
}

json_t *
delta_make(const json_t *from, const json_t *to)
{
	if (json_is_object(from) && json_is_object(to))
		return delta_objects(from, to);
	if (json_is_array(from) && json_is_array(to))
		return delta_arrays(from, to);
	return json_equal(from, to) ? NULL : json_incref((json_t *)to);
}

/* ---- and back ---- */

static json_t *
delta_apply_members(json_t *object, const json_t *delta)
{
	const char *key;
	json_t *part;

	json_object_foreach((json_t *)delta, key, part) {
		json_t *old = json_object_get(object, key);

		if (json_is_null(part)) {
			json_object_del(object, key);
			continue;
		}
		json_object_set_new_nocheck(object, key,
			delta_apply(json_incref(old), part));
	}
	return object;
}

static size_t
delta_number(const json_t *delta, const char *name, size_t otherwise)
{
	const json_t *value = json_object_get(delta, name);

	if (!json_is_integer(value) || json_integer_value(value) < 0 ||
		json_integer_value(value) > (json_int_t)DELTA_ITEMS_MAX)
		return otherwise;
	return (size_t)json_integer_value(value);
}

/* Appends new items, which the delta sets; an item without a value is null. */
static void
delta_resize(json_t *array, const json_t *delta)
{
	size_t drop = delta_number(delta, DELTA_DROP, 0), n;

	while (drop-- > 0 && json_array_remove(array, 0) == 0)
		continue;
	n = delta_number(delta, DELTA_N, json_array_size(array));
	while (json_array_size(array) > n)
		json_array_remove(array, json_array_size(array) - 1);
	while (json_array_size(array) < n)
		json_array_append_new(array, json_null());
}

static json_t *
delta_apply_items(json_t *array, const json_t *delta)
{
	const char *key;
	json_t *part;

	delta_resize(array, delta);
	json_object_foreach((json_t *)delta, key, part) {
		size_t i = strtoul(key, NULL, 10);

		if (key[0] < '0' || key[0] > '9' || i >= json_array_size(array))
			continue;
		json_array_set_new(array, i,
			delta_apply(json_incref(json_array_get(array, i)),
				part));
	}
	return array;
}

json_t *
delta_apply(json_t *take_value, const json_t *delta)
{
	if (!json_is_object(delta)) {
		json_decref(take_value);
		return json_deep_copy(delta);
	}
	if (json_is_array(take_value))
		return delta_apply_items(take_value, delta);
	if (json_is_object(take_value))
		return delta_apply_members(take_value, delta);
	json_decref(take_value);
	return delta_apply_members(json_object(), delta);
}
