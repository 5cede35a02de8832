/*
 * test_finding_location: the line number is kept at every width; the function is
 * cut first, then the failure's text.
 */
#include "ui/widgets/finding_location.h"

#include <stdio.h>
#include <string.h>

#include "lib/check.h"

static const struct {
	const char *where;
	int columns;
	const char *fits;
	const char *apart;
} cases[] = {
	{ "ini_section ini.c:118", 21, "ini_section ini.c:118", "" },
	{ "ini_section ini.c:118", 20, "ini_secti~ ini.c:118", "" },
	{ "ini_section ini.c:118", 14, "ini~ ini.c:118", "" },
	{ "ini_section ini.c:118", 13, "ini.c:118", "" },
	{ "ini v.h:7", 9, "ini v.h:7", "" },
	{ "ini_section ini.c:118", 11, "ini.c:118", "" },
	{ "ini_section ini.c:118", 9, "ini.c:118", "" },
	{ "ini_section ini.c:118", 8, "~i.c:118", "" },
	{ "at(unsigned long) v.h:7", 12, "at(un~ v.h:7", "" },
	{ "ini_section", 6, "ini_s~", "" },
	{ "a::(anonymous)::read v.h:7", 26, "a::(anonymous)::read v.h:7", "" },
	{ "abc::d::read v.h:7", 17, "~::d::read v.h:7", "" },
	{ "a::(anonymous)::read v.h:7", 15, "~::read v.h:7", "" },
	{ "a::(anonymous)::read v.h:7", 12, "read v.h:7", "" },
	{ "a::(anonymous)::section v.h:7", 12, "secti~ v.h:7", "" },
	{ "target+0x1234", 8, "~+0x1234", "" },
	{ "", 8, "", "" },
	{ "put twelve.c:9", 24, "put twelve.c:9 < caller", "caller" },
	{ "put twelve.c:9", 22, "twelve.c:9 < caller", "caller" },
	{ "put twelve.c:9", 19, "twelve.c:9 < caller", "caller" },
	{ "put twelve.c:9", 15, "twelve.c:9 < c~", "caller" },
};

static void
test_fit(void **state)
{
	struct grid *grid = grid_create(1, 1);
	struct snapshot_finding f = { 0 };
	char buf[FINDING_LOCATION_SIZE];
	size_t i;

	grid_set_ascii(grid, true);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(f.where, sizeof(f.where), "%s", cases[i].where);
		snprintf(f.apart, sizeof(f.apart), "%s", cases[i].apart);
		assert_string_equal(finding_location_fit(grid, &f,
					    cases[i].columns, buf),
			cases[i].fits);
	}
	grid_destroy(grid);
}

static void
test_title(void **state)
{
	struct grid *grid = grid_create(1, 1);
	struct snapshot_finding f = { .what = "heap-buffer-overflow",
		.where = "ini_section ini.c:118" };
	char buf[FINDING_LOCATION_TITLE_SIZE];

	grid_set_ascii(grid, true);
	assert_string_equal(finding_location_title(grid, "crash", &f, 52, buf),
		"crash: heap-buffer-overflow in ini_section ini.c:118");
	assert_string_equal(finding_location_title(grid, "crash", &f, 45, buf),
		"crash: heap-buffer-overflow in ini~ ini.c:118");
	assert_string_equal(finding_location_title(grid, "crash", &f, 44, buf),
		"crash: heap-buffer-overflow in ini.c:118");
	assert_string_equal(finding_location_title(grid, "crash", &f, 36, buf),
		"crash: heap-buffer-ove~ in ini.c:118");
	assert_string_equal(finding_location_title(grid, "crash", &f, 24, buf),
		"crash: heap-~ in ~.c:118");
	f.where[0] = '\0';
	assert_string_equal(finding_location_title(grid, "crash", &f, 36, buf),
		"crash: heap-buffer-overflow");
	grid_destroy(grid);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fit),
		cmocka_unit_test(test_title),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
