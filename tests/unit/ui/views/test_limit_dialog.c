/*
 * test_limit_dialog: state and keys of the limits dialog.
 */
#include "ui/views/limit_dialog.h"

#include "control/command.h"
#include "lib/check.h"

static struct snapshot_limit table[] = {
	{ "timeout", "1s", "default", true },
	{ "max-len", "4096", "flag", true }, { "seed", "7", "flag", false },
	{ "fuzztime", "none", "default", true },
	{ "dict", "a.dict, b.dict", "flag", true }, /* a list: for display */
};

static struct model *
dialog_open(size_t n)
{
	struct model *model = malloc(sizeof(*model));
	struct snapshot *snapshot;

	model_init(model);
	snapshot = (struct snapshot *)model->snapshot;
	snapshot->limits = table;
	snapshot->limits_n = n;
	limit_dialog_open(model);
	return model;
}

static void
dialog_close(struct model *model)
{
	struct snapshot *snapshot = (struct snapshot *)model->snapshot;

	snapshot->limits = NULL;
	snapshot->limits_n = 0;
	model_clear(model);
	free(model);
}

/* Runs commands; "=text" types. The line for the engine goes into `send`. */
static void
dialog_do(struct model *model, const char *script, char *send)
{
	char copy[128], *rest = copy, *word;

	send[0] = '\0';
	snprintf(copy, sizeof(copy), "%s", script);
	while ((word = strsep(&rest, " ")) != NULL) {
		if (word[0] == '=')
			limit_dialog_type(model, word + 1, strlen(word + 1));
		else if (word[0] != '\0')
			check(limit_dialog_command(model, word, send), "%s",
				word);
	}
}

static void
test_keys(void **state)
{
	static const struct {
		const char *script;
		size_t rows, selected;
		bool open, editing;
		const char *field, *send;
	} rows[] = {
		{ "", 3, 0, true, false, "", "" },
		{ "down", 3, 1, true, false, "", "" },
		{ "down down down down", 3, 2, true, false, "", "" },
		{ "up", 3, 0, true, false, "", "" },
		{ "end home page-down page-up", 3, 0, true, false, "", "" },
		{ "open", 3, 0, true, true, "1s", "" },
		{ "open kill-line =250ms accept", 3, 0, true, true, "250ms",
			"set timeout 250ms" },
		{ "down =8192 accept", 3, 1, true, true, "8192",
			"set max-len 8192" },
		{ "=x", 3, 0, true, false, "", "" },
		{ "open cancel", 3, 0, true, false, "1s", "" },
		{ "open kill-line accept", 3, 0, true, false, "", "" },
		{ "end open =5m accept", 4, 3, true, true, "5m",
			"set fuzztime 5m" },
		{ "end open accept", 4, 3, true, false, "", "" },
		{ "end open accept", 5, 4, true, false, "", "" },
		{ "end open =c.dict accept", 5, 4, true, true, "c.dict",
			"set dict c.dict" },
		{ "end open", 3, 2, true, false, "", "" },
		{ "back", 3, 0, false, false, "", "" },
		{ "open", 0, 0, true, false, "", "" },
		{ "down end =5", 0, 0, true, false, "", "" },
	};
	char send[COMMAND_LINE_MAX];

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct model *m = dialog_open(rows[i].rows);

		dialog_do(m, rows[i].script, send);
		check(m->limits.selected == rows[i].selected, "%s: %zu",
			rows[i].script, m->limits.selected);
		check(m->limits.open == rows[i].open, "%s", rows[i].script);
		check(m->limits.editing == rows[i].editing, "%s",
			rows[i].script);
		check_text(m->limits.field.text, rows[i].field, rows[i].script);
		check_text(send, rows[i].send, rows[i].script);
		dialog_close(m);
	}
}

/* It arrives as it was typed, for the engine to judge. */
static void
test_one_value(void **state)
{
	static const char *const values[] = { "5 s", " ", "my words.dict",
		"\"5 s\"", "a\"b" };

	for (size_t i = 0; i < ROWS(values); i++) {
		struct model *m = dialog_open(3);
		char send[COMMAND_LINE_MAX] = "";
		struct error err = { 0 };
		struct command command;

		dialog_do(m, "open kill-line", send);
		limit_dialog_type(m, values[i], strlen(values[i]));
		dialog_do(m, "accept", send);
		check(command_parse(send, &command, &err) == OK, "%s: %s", send,
			err.text);
		check_text(command.argv[1], values[i], send);
		dialog_close(m);
	}
}

static void
test_fixed(void **state)
{
	struct model *m = dialog_open(3);
	char send[COMMAND_LINE_MAX];

	dialog_do(m, "end open", send);
	assert_non_null(strstr(m->limits.problem, "seed cannot change"));
	dialog_do(m, "up", send);
	assert_string_equal(m->limits.problem, "");
	dialog_close(m);
}

/* The field stays open until the engine accepts the value. */
static void
test_answer(void **state)
{
	struct model *m = dialog_open(3);
	char send[COMMAND_LINE_MAX];

	dialog_do(m, "open =x accept", send);
	limit_dialog_answer(m, false, "timeout: 1sx is no time");
	assert_true(m->limits.editing);
	assert_string_equal(m->limits.problem, "timeout: 1sx is no time");
	dialog_do(m, "rubout accept", send);
	assert_string_equal(send, "set timeout 1s");
	limit_dialog_answer(m, true, "from the next call on");
	assert_false(m->limits.editing);
	assert_string_equal(m->limits.problem, "");
	assert_string_equal(m->limits.answer, "from the next call on");
	limit_dialog_command(m, "down", send);
	limit_dialog_command(m, "back", send);
	limit_dialog_open(m); /* same row as before */
	assert_int_equal(m->limits.selected, 1);
	assert_false(limit_dialog_command(m, "sort", send));
	dialog_close(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_one_value),
		cmocka_unit_test(test_fixed),
		cmocka_unit_test(test_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
