/* place: see place.h. */
#include "ui/model/place.h"

#include <string.h>

#include "base/text.h"

json_t *
place_encode(const struct place *place)
{
	return json_pack("{s:s, s:s, s:s, s:I, s:I, s:I}", "view", place->view,
		"item", place->item, "filter", place->filter, "page",
		(json_int_t)place->page, "worker", (json_int_t)place->worker,
		"row", (json_int_t)place->row);
}

static bool
place_decode_number(const json_t *json, const char *name, uint64_t max,
	uint64_t *n)
{
	json_int_t value = json_integer_value(json_object_get(json, name));

	*n = value > 0 ? (uint64_t)value : 0;
	return value >= 0 && *n <= max;
}

bool
place_decode(struct place *place, const json_t *json)
{
	const char *view = json_string_value(json_object_get(json, "view"));
	const char *item = json_string_value(json_object_get(json, "item"));
	const char *filter = json_string_value(json_object_get(json, "filter"));
	uint64_t page, worker, row;

	if (view == NULL || item == NULL || filter == NULL ||
		!place_decode_number(json, "page", UINT32_MAX, &page) ||
		!place_decode_number(json, "worker", UINT32_MAX, &worker) ||
		!place_decode_number(json, "row", UINT32_MAX, &row))
		return false;
	*place = (struct place){ .page = (uint32_t)page,
		.worker = (uint32_t)worker,
		.row = row };
	text_clean_string(view, place->view, sizeof(place->view));
	text_clean_string(item, place->item, sizeof(place->item));
	text_clean_string(filter, place->filter, sizeof(place->filter));
	return true;
}

bool
place_equal(const struct place *a, const struct place *b)
{
	return a->page == b->page && a->worker == b->worker &&
		a->row == b->row && strcmp(a->view, b->view) == 0 &&
		strcmp(a->item, b->item) == 0 &&
		strcmp(a->filter, b->filter) == 0;
}
