/* test_command_names: the first digits of ids in commands. */
#include "engine/front/command_names.h"

#include "base/xmalloc.h"
#include "engine/engine_private.h"
#include "engine/front/commands.h"
#include "engine/triage/findings_list.h"
#include "engine/triage/triage.h"
#include "lib/check.h"

/* The names of the inputs are the starts of their hashes. */
#define INPUT "ba7816bf8f01cfea" /* "abc" */

static const uint64_t ids[] = { 0x4e82a30000000001, 0x4e82a30000000002,
	0x4e82b30000000003, 0xba78ffff00000004 };

static int
set_up(void **state)
{
	struct engine *e = xcalloc(1, sizeof(*e));
	struct failure failure = { .kind = FAILURE_SIGNAL };

	settings_init(&e->settings);
	e->campaign.corpus = corpus_create(SIZE_MAX, NULL, NULL);
	corpus_add(e->campaign.corpus, "abc", 3, CORPUS_NONE, NULL);
	corpus_add(e->campaign.corpus, "abd", 3, CORPUS_NONE, NULL);
	for (size_t i = 0; i < ROWS(ids); i++) {
		struct finding *f = finding_create(&failure, ids[i]);

		snprintf(f->folder, sizeof(f->folder), "crashes/f-%zu", i);
		findings_add(e, f);
	}
	snprintf(findings_at(e, 0)->folder, sizeof(findings_at(e, 0)->folder),
		"4e82");
	*state = e;
	return 0;
}

static int
tear_down(void **state)
{
	struct engine *e = *state;

	triage_clear(e);
	corpus_destroy(e->campaign.corpus);
	settings_clear(&e->settings);
	free(e);
	return 0;
}

static const struct named_case {
	const char *name, *line;
	int arg;
	const char *want, *error; /* one of them is NULL */
} cases[] = {
	{ "a unique start", "replay 4e82b3", 0, "4e82b30000000003", NULL },
	{ "the whole id", "accept 4e82a30000000002", 0, "4e82a30000000002",
		NULL },
	{ "all but a digit", "note 4e82a3000000000", 0, NULL,
		"the ids of 2 findings begin with 4e82a3000000000: write more "
		"digits" },
	{ "of three", "export 4e82", 0, "4e82", NULL }, /* a folder */
	{ "of two", "mark 4e82a3 known", 0, NULL,
		"the ids of 2 findings begin with 4e82a3: write more digits" },
	{ "of a finding, not of an input", "accept ba78", 0, "ba78ffff00000004",
		NULL },
	{ "of an input, not of a finding", "fuzz ba78", 0, INPUT, NULL },
	{ "of a finding and an input", "minimize ba78", 0, NULL,
		"the ids of 2 findings and inputs begin with ba78: write more "
		"digits" },
	{ "an input", "minimize ba7816", 0, INPUT, NULL },
	{ "the second argument", "step next 4e82b", 1, "4e82b30000000003",
		NULL },
	{ "no name", "step next", 0, "next", NULL },
	{ "too few digits", "replay 4e8", 0, "4e8", NULL },
	{ "unknown digits", "replay 1234", 0, "1234", NULL },
	{ "other letters", "replay 4E82B3", 0, "4E82B3", NULL },
	{ "a number is no name", "workers 4000", 0, "4000", NULL },
	{ "a longer id", "replay 4e82b300000000030", 0, "4e82b300000000030",
		NULL },
};

static void
test_names(void **state)
{
	for (size_t i = 0; i < ROWS(cases); i++) {
		const struct named_case *row = &cases[i];
		char name[COMMAND_NAME_SIZE];
		struct error err = { 0 };
		struct command c;
		enum status status;

		assert_int_equal(command_parse(row->line, &c, &err), OK);
		status = command_names_complete(*state, &c, name, &err);
		check((status == OK) == (row->error == NULL), "%s: %s",
			row->name, err.text);
		if (status != OK)
			check_text(err.text, row->error, row->name);
		else
			check_text(c.argv[row->arg], row->want, row->name);
	}
}

/* The commands use it. */
static void
test_run(void **state)
{
	struct error err = { 0 };
	struct command c;
	char answer[256];

	assert_int_equal(command_parse("fuzz 4e82", &c, &err), OK);
	assert_int_equal(commands_run(*state, &c, answer, sizeof(answer), &err),
		E_NOT_FOUND);
	check_text(err.text, "there is no input 4e82", "fuzz");
	error_clear(&err);
	assert_int_equal(command_parse("mark 4e82a3 known", &c, &err), OK);
	assert_int_equal(commands_run(*state, &c, answer, sizeof(answer), &err),
		E_USAGE);
	error_clear(&err);
	assert_int_equal(command_parse("mark 4e82b nonsense", &c, &err), OK);
	assert_int_equal(commands_run(*state, &c, answer, sizeof(answer), &err),
		E_USAGE);
	assert_non_null(strstr(err.text, "can be marked"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_names, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_run, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
