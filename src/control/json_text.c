/* json_text: see json_text.h. */
#include "control/json_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

json_t *
json_text_new(const char *text)
{
	char *clean = text_clean_dup(text, strlen(text));
	json_t *value = json_string(clean);

	free(clean);
	return value;
}

const char *
json_text_get(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

const char *
json_text_of(const json_t *object, const char *name)
{
	const char *text = json_text_get(object, name);

	return text != NULL ? text : "";
}

uint64_t
json_count_of(const json_t *object, const char *name)
{
	json_int_t n = json_integer_value(json_object_get(object, name));

	return n > 0 ? (uint64_t)n : 0;
}

json_t *
json_count_new(uint64_t n)
{
	return json_integer(n < INT64_MAX ? (json_int_t)n : INT64_MAX);
}
