/*
 * test_fit: of a name or a place that is cut, the part that tells it from others
 * stays.
 */
#include "ui/widgets/fit.h"

#include <string.h>

#include "base/text.h"
#include "lib/check.h"

static const struct {
	const char *name;
	int columns;
	const char *fits;
} functions[] = {
	{ "a::b::parse", 11, "a::b::parse" },
	{ "a::b::parse", 10, "~::parse" },
	{ "aaaa::b::parse", 11, "~::b::parse" },
	{ "a::b::parse", 8, "~::parse" },
	{ "a::b::parse", 7, "parse" },
	{ "a::b::parse", 4, "par~" },
	{ "a::b::parse", 1, "~" },
	{ "a::b::parse", 0, "~" },
	{ "parse_tree", 6, "parse~" },
	{ "abc::(anonymous)::parse", 20, "~::parse" },
	{ "abc::(anonymous)::parse", 21, "~::(anonymous)::parse" },
	{ "abc::list<d::e>::add<f::g>(h::i)", 24, "~::add<f::g>(h::i)" },
	{ "abc::list<d::e>::add<f::g>(h::i)", 14, "add<f::g>(h::~" },
	{ "abc::defg::operator>>(h::i)", 23, "~::operator>>(h::i)" },
	{ "abc::defg::operator<", 15, "~::operator<" },
	{ "abc::defg::", 4, "~::" },
	{ "abc::defg::", 2, "" },
	{ "abc::\033[31m", 11, "~::\\x1b[31m" },
	{ "reader::png+0x4f10", 11, "~png+0x4f10" },
	{ "", 0, "" },
};

static const struct {
	const char *file;
	uint32_t line;
	int columns;
	const char *fits;
} places[] = {
	{ "tile.c", 118, 10, "tile.c:118" },
	{ "tile.c", 118, 9, "~le.c:118" },
	{ "tile.c", 0, 6, "tile.c" },
	{ "t\xc3\xa4\xc3\xa4.c", 7, 5, "~.c:7" },
	{ "t\xc3\xa4\xc3\xa4.c", 7, 6, "~\xc3\xa4.c:7" },
};

static void
test_functions(void **state)
{
	struct grid *grid = grid_create(1, 1);
	char buf[64];

	grid_set_ascii(grid, true);
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		assert_string_equal(fit_function(grid, functions[i].name,
					    functions[i].columns, buf,
					    sizeof(buf)),
			functions[i].fits);
	grid_destroy(grid);
}

static void
test_places(void **state)
{
	struct grid *grid = grid_create(1, 1);
	char buf[64];

	grid_set_ascii(grid, true);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		assert_string_equal(fit_place(grid, places[i].file,
					    places[i].line, places[i].columns,
					    buf, sizeof(buf)),
			places[i].fits);
	grid_destroy(grid);
}

/* A name that fills the buffer has room for the ellipsis. */
static void
test_small_buffer(void **state)
{
	static const char *const names[] = { "::parse_tree_of_elements",
		"parse_tree::of_elements", "parse_tree_of_elements+0x4f10" };
	struct grid *grid = grid_create(1, 1);
	char buf[FIT_SPARE + 12];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		for (int columns = 0; columns < 30; columns++) {
			memset(buf, 'x', sizeof(buf));
			fit_function(grid, names[i], columns, buf, sizeof(buf));
			assert_non_null(memchr(buf, '\0', sizeof(buf)));
			assert_true((int)text_width(buf) <=
				(columns > 0 ? columns : 1));
		}
	}
	grid_destroy(grid);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_small_buffer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
