/* place: where a console is, as another console says it. */
#include "ui/model/place.h"
#include "fuzz/fuzz.h"

int fuzz_place(const uint8_t *data, size_t size);

int
fuzz_place(const uint8_t *data, size_t size)
{
	json_t *json = json_loadb((const char *)data, size, 0, NULL), *back;
	struct place place, again;

	if (json != NULL && place_decode(&place, json)) {
		back = place_encode(&place);
		FUZZ_CHECK(place_decode(&again, back));
		FUZZ_CHECK(place_equal(&place, &again));
		json_decref(back);
	}
	json_decref(json);
	return 0;
}

FUZZ_TARGET(place)
