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
