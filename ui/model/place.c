/* place: see place.h. */
#include "ui/model/place.h"

#include <string.h>

#include "control/fields.h"

/* clang-format off */
static const struct fields place_fields = FIELDS(place,
	FIELD_ROW(place, TEXT, view),
	FIELD_ROW(place, TEXT, item),
	FIELD_ROW(place, TEXT, filter),
	FIELD_ROW(place, U32, page),
	FIELD_ROW(place, U32, worker),
	FIELD_ROW(place, U32, row));
/* clang-format on */

json_t *
place_encode(const struct place *place)
{
	json_t *json = json_object();

	fields_encode(&place_fields, place, json);
	return json;
}

bool
place_decode(struct place *place, const json_t *json)
{
	struct place read = { .page = 0 };

	if (fields_decode(&place_fields, json, &read, NULL) != OK ||
		read.view[0] == '\0')
		return false;
	*place = read;
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
