/* finding_counts: see finding_counts.h. */
#include "findings/finding_counts.h"

#include <string.h>

#include <jansson.h>

#include "control/json_text.h"

/* False: the member of the row is not higher, or of another type. */
static bool
finding_counts_take_one(json_t *info, const json_t *row, const char *name)
{
	const json_t *old = json_object_get(info, name);
	json_t *now = json_object_get(row, name);

	return now != NULL && old != NULL &&
		json_typeof(now) == json_typeof(old) &&
		json_number_value(now) > json_number_value(old) &&
		json_object_set(info, name, now) == 0;
}

bool
finding_counts_take(json_t *info, const json_t *stats)
{
	const json_t *rows = json_object_get(stats, "findings");
	const char *id = json_text_get(info, "id");
	const json_t *row = NULL;
	bool count, time;
	size_t i;

	for (i = 0; id != NULL && i < json_array_size(rows); i++) {
		row = json_array_get(rows, i);
		if (strcmp(json_text_of(row, "id"), id) == 0)
			break;
		row = NULL;
	}
	count = finding_counts_take_one(info, row, "count");
	time = finding_counts_take_one(info, row, "last_s");
	return count || time;
}
