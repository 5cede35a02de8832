/* raw_text: see raw_text.h. */
#include "store/raw_text.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hex_text.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/json_text.h"

#define NAME_SIZE 64

static void
raw_text_name(const char *name, char buf[NAME_SIZE])
{
	snprintf(buf, NAME_SIZE, "%s" RAW_TEXT_SUFFIX, name);
}

static bool
raw_text_is(const json_t *value, const char *text)
{
	return strcmp(json_string_value(value), text) == 0;
}

static json_t *
raw_text_hex(const char *text)
{
	size_t len = strlen(text);
	char *hex = xmalloc(2 * len + 1);
	json_t *value;

	hex_encode(text, len, hex);
	value = json_string(hex);
	free(hex);
	return value;
}

void
raw_text_put(json_t *object, const char *name, const char *text)
{
	json_t *clean = json_text_new(text);
	char hex[NAME_SIZE];

	json_object_set_new(object, name, clean);
	raw_text_name(name, hex);
	if (!raw_text_is(clean, text))
		json_object_set_new(object, hex, raw_text_hex(text));
}

void
raw_text_put_list(json_t *object, const char *name, char *const *texts,
	size_t n)
{
	json_t *list = json_array(), *raw = json_array(), *clean;
	char hex[NAME_SIZE];
	bool same = true;
	size_t i;

	for (i = 0; i < n; i++) {
		clean = json_text_new(texts[i]);
		same = same && raw_text_is(clean, texts[i]);
		json_array_append_new(list, clean);
		json_array_append_new(raw, raw_text_hex(texts[i]));
	}
	json_object_set_new(object, name, list);
	raw_text_name(name, hex);
	if (!same)
		json_object_set(object, hex, raw);
	json_decref(raw);
}

/* Returns a new string; NULL: invalid hex, or text that does not clean to
 * `read`. */
static char *
raw_text_decode(const char *hex, const char *read)
{
	size_t n = strlen(hex) / 2;
	char *text = xcalloc(n + 1, 1), *clean;
	bool good = strlen(hex) % 2 == 0 && hex_decode(hex, text, n) &&
		strlen(text) == n;

	clean = text_clean_dup(text, strlen(text));
	good = good && strcmp(clean, read) == 0;
	free(clean);
	if (good)
		return text;
	free(text);
	return NULL;
}

static char *
raw_text_of(const json_t *text, const json_t *hex)
{
	const char *read = json_string_value(text);
	const char *digits = json_string_value(hex);
	char *raw = NULL;

	if (read != NULL && digits != NULL)
		raw = raw_text_decode(digits, read);
	return raw != NULL || read == NULL ? raw : xstrdup(read);
}

char *
raw_text_get(const json_t *object, const char *name)
{
	char hex[NAME_SIZE];

	raw_text_name(name, hex);
	return raw_text_of(json_object_get(object, name),
		json_object_get(object, hex));
}

char **
raw_text_get_list(const json_t *object, const char *name, size_t max)
{
	const json_t *list = json_object_get(object, name), *raw;
	size_t i, n = json_array_size(list);
	char hex[NAME_SIZE], **texts;

	raw_text_name(name, hex);
	raw = json_object_get(object, hex);
	if (n > max)
		n = 0;
	for (i = 0; i < n; i++)
		if (!json_is_string(json_array_get(list, i)))
			n = 0;
	texts = xcalloc(n + 1, sizeof(*texts));
	for (i = 0; i < n; i++)
		texts[i] = raw_text_of(json_array_get(list, i),
			json_array_get(raw, i));
	return texts;
}
