/*
 * keys_file: the user's key bindings, from a JSON file.
 */
#include "ui/model/keys_file.h"

#include <stdint.h>
#include <stdlib.h>

#include <jansson.h>

#include "base/file.h"
#include "base/text.h"
#include "ui/term/json_position.h"

#define KEYS_FILE_NAME "keys.json"

static enum status
keys_file_bind(struct keymap *map, enum key_context context, const char *key,
	const json_t *value, struct error *err)
{
	if (json_is_null(value))
		return keymap_bind(map, context, key, NULL, err);
	if (!json_is_string(value))
		return error_set(err, E_USAGE,
			"the value of a key is a command or null");
	return keymap_bind(map, context, key, json_string_value(value), err);
}

static enum status
keys_file_context(struct json_position *at, struct keymap *map,
	const char *name, json_t *keys, struct error *err)
{
	enum key_context context = key_context_find(name);
	struct error why = { 0 };
	const char *key;
	json_t *value;

	at->path[0] = name;
	at->path_n = 1;
	if (context == KEYS_CONTEXT_COUNT)
		return json_position_error(at, err, name,
			"there is no such group of keys");
	if (!json_is_object(keys))
		return json_position_error(at, err, name,
			"expected {\"KEY\": \"COMMAND\", …}");
	json_object_foreach(keys, key, value) {
		at->path[1] = key;
		at->path_n = 2;
		if (keys_file_bind(map, context, key, value, &why) != OK)
			return json_position_error(at, err, name, "%s",
				why.text);
	}
	return OK;
}

static enum status
keys_file_read(struct json_position *at, struct keymap *map, json_t *root,
	struct error *err)
{
	enum status status = OK;
	struct error why = { 0 };
	const char *name;
	json_t *keys;

	if (!json_is_object(root))
		return json_position_error(at, err, "",
			"expected {\"common\": {\"KEY\": \"COMMAND\", …}, …}");
	json_object_foreach(root, name, keys) {
		status = keys_file_context(at, map, name, keys, err);
		if (status != OK)
			return status;
	}
	at->path_n = 0;
	if (keymap_check(map, &why) != OK)
		return json_position_error(at, err, "", "%s", why.text);
	return OK;
}

struct keymap *
keys_file_parse(const char *file, const char *text, size_t len,
	struct error *err)
{
	struct json_position at = { .file = file, .text = text, .len = len };
	json_t *root = json_position_load(&at, err);
	struct keymap *map;

	if (root == NULL)
		return NULL;
	map = keymap_create();
	if (keys_file_read(&at, map, root, err) != OK) {
		keymap_destroy(map);
		map = NULL;
	}
	json_decref(root);
	return map;
}

/* ---- in use ---- */

static struct keymap *keys_file_map; /* NULL: the default keys */

static void
keys_file_use(struct keymap *take_map)
{
	if (take_map != NULL)
		keymap_use(take_map);
	else
		keys_use(NULL, 0);
	keymap_destroy(keys_file_map);
	keys_file_map = take_map;
}

void
keys_reset(void)
{
	keys_file_use(NULL);
}

enum status
keys_load(const char *path, struct error *err)
{
	char shown[512];
	uint8_t *data = NULL;
	size_t len = 0;
	enum status status;
	struct keymap *map;

	text_clean_string(path, shown, sizeof(shown));
	if (path[0] != '\0')
		status = file_read(path, JSON_POSITION_FILE_MAX, &data, &len,
			err);
	else
		status = json_position_read_config(KEYS_FILE_NAME, &data, &len,
			err);
	if (status == E_NOT_FOUND && path[0] == '\0') {
		error_clear(err);
		keys_reset();
		return OK;
	}
	if (status != OK)
		return status;
	map = keys_file_parse(path[0] != '\0' ? shown : KEYS_FILE_NAME,
		(const char *)data, len, err);
	free(data);
	if (map == NULL)
		return E_FORMAT;
	keys_file_use(map);
	return OK;
}
