/*
 * test_shown: what may stand on the command line of a console that only shows an
 * output directory.
 */
#include "ui/console/shown.h"

#include "control/settings.h"
#include "lib/check.h"

/* clang-format off */
static const struct option_row {
	const char *option, *value; /* NULL: none */
	bool allowed;
} OPTIONS[] = {
	{ NULL, NULL, true },
	{ "record", "f.rec", true },
	{ "debug", "f.log", true },
	{ "theme", "night", true },
	{ "keys", "f.json", true },
	{ "no-mouse", "on", true },
	{ "no-color", "on", true },
	{ "ascii", "on", true },
	{ "timeout", "2s", false },
	{ "seeds", "folder", false },
	{ "fuzztime", "10x", false },
	{ "isolate", "on", false },
	{ "dict", "f.dict", false },
	{ "parallel", "2", false },
};

static const struct operands_row {
	const char *name;
	const char *operands[3];
	const char *says; /* NULL: it is allowed */
} OPERANDS[] = {
	{ "nothing", { NULL }, NULL },
	{ "a directory", { "out" }, NULL },
	{ "two directories", { "out", "out2" }, "an output directory takes no arguments: cfuzz-tui OUT" },
	{ "an option after it", { "out", "--ascii" }, "options stand before the output directory: cfuzz-tui [OPTION]... OUT" },
};
/* clang-format on */

/* The refusal names the option. */
static void
test_options(void **state)
{
	const struct option_row *row;

	for (row = OPTIONS; row < OPTIONS + ROWS(OPTIONS); row++) {
		const char *name = row->option != NULL ? row->option : "none";
		struct settings settings;
		struct error err = { 0 };
		char want[64];

		settings_init(&settings);
		if (row->option != NULL)
			check(settings_set(&settings, row->option, row->value,
				      ORIGIN_FLAG, &err) == OK,
				"%s", err.text);
		snprintf(want, sizeof(want),
			"--%s is for the start of a campaign", name);
		check(shown_check_options(&settings, &err) ==
				(row->allowed ? OK : E_USAGE),
			"%s: %s", name, err.text);
		check(row->allowed || strstr(err.text, want) != NULL, "%s: %s",
			name, err.text);
		settings_clear(&settings);
	}
}

static void
test_operands(void **state)
{
	const struct operands_row *row;

	for (row = OPERANDS; row < OPERANDS + ROWS(OPERANDS); row++) {
		struct error err = { 0 };
		enum status status;

		status = shown_check_operands((char **)(uintptr_t)row->operands,
			"cfuzz-tui", &err);
		check(status == (row->says != NULL ? E_USAGE : OK), "%s: %s",
			row->name, err.text);
		if (row->says != NULL)
			check_text(err.text, row->says, row->name);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_operands),
	};

	return cmocka_run_group_tests_name("shown", tests, NULL, NULL);
}
