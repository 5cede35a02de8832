/*
 * json_position: the user's JSON files, and positions of errors in them.
 */
#include "ui/term/json_position.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"

#define JSON_POSITION_WHAT 512

/* Returns the offset after the string that starts at `at`. */
static size_t
json_position_skip_string(const struct json_position *position, size_t at)
{
	for (at++; at < position->len && position->text[at] != '"'; at++)
		if (position->text[at] == '\\')
			at++;
	return at + 1;
}

/* Is the string the name of a member, and equal to `name`? */
static bool
json_position_is_name(const struct json_position *position, size_t at,
	size_t end, const char *name)
{
	size_t n = strlen(name);

	if (end - at != n + 2 || end >= position->len ||
		memcmp(position->text + at + 1, name, n) != 0)
		return false;
	while (end < position->len &&
		strchr(" \t\r\n", position->text[end]) != NULL)
		end++;
	return end < position->len && position->text[end] == ':';
}

/* Offset of the member that the path names; if it is missing, of the innermost
 * member of the path that exists. */
static size_t
json_position_find(const struct json_position *position)
{
	size_t depth = 0, found = 0, offset = 0;

	for (size_t at = 0; at < position->len && found < position->path_n;) {
		size_t end = at + 1;

		if (position->text[at] == '{' || position->text[at] == '[') {
			depth++;
		} else if (position->text[at] == '}' ||
			position->text[at] == ']') {
			depth--;
		} else if (position->text[at] == '"') {
			end = json_position_skip_string(position, at);
			if (depth == found + 1 &&
				json_position_is_name(position, at, end,
					position->path[found])) {
				offset = at;
				found++;
			}
		}
		at = end;
	}
	return offset;
}

enum status
json_position_error(const struct json_position *position, struct error *err,
	const char *element, const char *fmt, ...)
{
	size_t offset = json_position_find(position);
	unsigned line = 1, column = 1;
	char what[JSON_POSITION_WHAT], clean[64];
	va_list ap;

	for (size_t i = 0; i < offset; i++) {
		column++;
		if (position->text[i] == '\n') {
			line++;
			column = 1;
		}
	}
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	text_clean_string(element, clean, sizeof(clean));
	return error_set(err, E_FORMAT, "%s:%u:%u: %s%s%s", position->file,
		line, column, clean, clean[0] != '\0' ? ": " : "", what);
}

json_t *
json_position_load(const struct json_position *position, struct error *err)
{
	json_error_t why;
	json_t *root = json_loadb(position->text, position->len,
		JSON_REJECT_DUPLICATES, &why);
	char shown[JSON_ERROR_TEXT_LENGTH * 2];

	if (root != NULL)
		return root;
	text_clean_string(why.text, shown, sizeof(shown));
	error_set(err, E_FORMAT, "%s:%d:%d: %s", position->file, why.line,
		why.column, shown);
	return NULL;
}

enum status
json_position_read_config(const char *name, uint8_t **data, size_t *len,
	struct error *err)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	char path[4096];

	if (config != NULL && config[0] == '/')
		snprintf(path, sizeof(path), "%s/cfuzz/%s", config, name);
	else if (home != NULL && home[0] == '/')
		snprintf(path, sizeof(path), "%s/.config/cfuzz/%s", home, name);
	else
		return error_set(err, E_NOT_FOUND,
			"there is no folder for %s: HOME is not set", name);
	return file_read(path, JSON_POSITION_FILE_MAX, data, len, err);
}
