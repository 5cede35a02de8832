/* test_place: places go to other consoles and come from anywhere. */
#include "ui/model/place.h"

#include <string.h>

#include "lib/check.h"

static void
test_round_trip(void **state)
{
	const struct place place = { .view = "findings",
		.item = "f\u00fcnf",
		.filter = "heap",
		.page = 3,
		.worker = 7,
		.row = 4000000000u };
	struct place back;
	json_t *json = place_encode(&place);

	assert_non_null(json);
	assert_true(place_decode(&back, json));
	assert_true(place_equal(&place, &back));
	back.row--;
	assert_false(place_equal(&place, &back));
	json_decref(json);
}

#define TEXTS "\"view\": \"corpus\", \"filter\": \"\", \"item\": "

static void
test_foreign(void **state)
{
	static const struct {
		const char *json;
		bool good;
	} rows[] = {
		{ "{" TEXTS "\"\"}", true },
		{ "{" TEXTS "\"a\\u001b[2Jb\", \"page\": 1}", true },
		{ "{" TEXTS "7}", false },
		{ "{" TEXTS "\"\", \"page\": -1}", false },
		{ "{" TEXTS "\"\", \"page\": 4294967296}", false },
		{ "{" TEXTS "\"\", \"row\": 99999999999999}", false },
		{ "{}", false },
		{ "[]", false },
	};
	struct place place;

	for (size_t i = 0; i < ROWS(rows); i++) {
		json_t *json = json_loads(rows[i].json, 0, NULL);

		assert_non_null(json);
		place = (struct place){ 0 };
		check(place_decode(&place, json) == rows[i].good, "%s",
			rows[i].json);
		assert_null(strchr(place.item, '\033'));
		json_decref(json);
	}
	assert_false(place_decode(&place, NULL));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_foreign),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
