/*
 * test_prompt: history and completion of the line after `:`.
 */
#include "ui/console/prompt.h"

#include "control/command.h"
#include "lib/check.h"

struct typed {
	struct model *model;
	struct prompt_history history;
	const char *line; /* of the last command that closed it */
};

static struct snapshot_worker workers[2] = { { .id = 0, .entry = "3fa9c1" },
	{ .id = 1, .entry = "3fa9c1" } };
static struct snapshot_limit limits[1] = { { .name = "timeout",
	.value = "1000" } };
static struct snapshot_finding findings[2] = { { .id = "51ab0c" },
	{ .id = "51ff00" } };

static void
typed_open(struct typed *t)
{
	struct snapshot *snapshot;

	memset(t, 0, sizeof(*t));
	t->model = malloc(sizeof(*t->model));
	model_init(t->model);
	snapshot = (struct snapshot *)t->model->snapshot;
	snapshot->workers = workers;
	snapshot->workers_n = 2;
	snapshot->findings = findings;
	snapshot->findings_n = 2;
	snapshot->limits = limits;
	snapshot->limits_n = 1;
	prompt_open(&t->history, t->model);
}

static void
typed_close(struct typed *t)
{
	struct snapshot *snapshot = (struct snapshot *)t->model->snapshot;

	snapshot->workers = NULL;
	snapshot->findings = NULL;
	snapshot->limits = NULL;
	snapshot->limits_n = 0;
	snapshot->workers_n = snapshot->findings_n = 0;
	model_clear(t->model);
	free(t->model);
	prompt_history_clear(&t->history);
}

static void
type(struct typed *t, const char *text)
{
	prompt_type(t->model, text, strlen(text));
}

static bool
command(struct typed *t, const char *name)
{
	return prompt_command(&t->history, t->model, name, &t->line);
}

static void
test_complete(void **state)
{
	static const struct {
		const char *typed, *want, *hint; /* hint: a part of it */
	} rows[] = {
		{ "pa", "pause ", NULL },
		{ "pause ", "pause ", "0  1" },
		{ "th", "theme ", NULL },
		{ "theme li", "theme light ", NULL },
		{ "theme ", "theme ", "colour-blind" },
		{ "view w", "view workers ", NULL },
		{ "re", "re", "resume  replay  redraw" },
		{ "qu", "quit ", NULL },
		{ "quit m", "quit minimized ", NULL },
		{ "set timeo", "set timeout ", NULL },
		{ "set minimize-rule same-k", "set minimize-rule same-kind ",
			NULL },
		{ "set output", "set output", "no completion" },
		{ "set schedule e", "set schedule e", "energy  even" },
		{ "mouse o", "mouse o", "on  off" },
		{ "fuzz 3f", "fuzz 3fa9c1 ", NULL },
		{ "minimize 5", "minimize 51", "51ab0c  51ff00" },
		{ "minimize 51a", "minimize 51ab0c ", NULL },
		{ "workers ", "workers ", "+1  -1" },
		{ "xyzzy", "xyzzy", "no completion" },
		{ "pause 0 ", "pause 0 ", "no completion" },
		{ "a b c d e f", "a b c d e f", "no completion" },
		{ "", "", "pause  resume" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct typed t;

		typed_open(&t);
		type(&t, rows[i].typed);
		assert_false(command(&t, "complete"));
		check_text(t.model->prompt.field.text, rows[i].want,
			rows[i].typed);
		if (rows[i].hint != NULL)
			check(strstr(t.model->prompt.hint, rows[i].hint) !=
					NULL,
				"%s: %s", rows[i].typed, t.model->prompt.hint);
		typed_close(&t);
	}
}

/* Completion works on the word before the cursor, even within a line. */
static void
test_complete_middle(void **state)
{
	struct typed t;

	typed_open(&t);
	type(&t, "pau");
	type(&t, " 1");
	command(&t, "left");
	command(&t, "left");
	command(&t, "complete");
	assert_string_equal(t.model->prompt.field.text, "pause  1");
	typed_close(&t);
}

/* A long value is cut at the end of a character. */
static void
test_hint_long(void **state)
{
	struct typed t;
	const char *now;
	size_t i;

	typed_open(&t);
	for (i = 0; i < 50; i++)
		memcpy(limits[0].value + 1 + 3 * i, "\u20ac", 3);
	type(&t, "set timeout 5");
	now = strstr(t.model->prompt.hint, " Now: 1");
	assert_non_null(now);
	assert_int_equal(strlen(now + 7) % 3, 0);
	assert_true(strlen(now + 7) >= 57);
	memset(limits[0].value + 1, 0, 3 * i);
	snprintf(limits[0].value, sizeof(limits[0].value), "1000");
	typed_close(&t);
}

static void
test_hint(void **state)
{
	struct typed t;

	typed_open(&t);
	type(&t, "set");
	assert_non_null(strstr(t.model->prompt.hint, "set OPTION VALUE"));
	type(&t, "x");
	assert_string_equal(t.model->prompt.hint, "");
	command(&t, "kill-line");
	type(&t, "set timeout 5");
	assert_string_equal(t.model->prompt.hint,
		"set timeout MS   Time limit of one execution; an input that "
		"exceeds it is a hang. Now: 1000");
	command(&t, "kill-line");
	type(&t, "theme x");
	assert_non_null(strstr(t.model->prompt.hint, "theme [NAME]"));
	typed_close(&t);
}

static void
enter(struct typed *t, const char *line)
{
	prompt_open(&t->history, t->model);
	type(t, line);
	assert_true(command(t, "accept"));
	assert_false(t->model->prompt.open);
}

static void
test_history(void **state)
{
	struct typed t;

	typed_open(&t);
	enter(&t, "  pause 1  ");
	assert_string_equal(t.line, "pause 1");
	enter(&t, "resume 1");
	enter(&t, "resume 1"); /* once is enough */
	enter(&t, "");
	assert_string_equal(t.line, "");
	assert_int_equal(t.history.n, 2);

	prompt_open(&t.history, t.model);
	type(&t, "half");
	command(&t, "previous");
	assert_string_equal(t.model->prompt.field.text, "resume 1");
	command(&t, "previous");
	assert_string_equal(t.model->prompt.field.text, "pause 1");
	command(&t, "previous"); /* there is no older one */
	assert_string_equal(t.model->prompt.field.text, "pause 1");
	command(&t, "next");
	command(&t, "next");
	assert_string_equal(t.model->prompt.field.text, "half");
	command(&t, "next");
	assert_string_equal(t.model->prompt.field.text, "half");
	for (int i = 0; i < 3 * PROMPT_HISTORY; i++) {
		char line[32];

		snprintf(line, sizeof(line), "pause %d", i);
		enter(&t, line);
	}
	assert_int_equal(t.history.n, PROMPT_HISTORY);
	typed_close(&t);
}

static void
test_close(void **state)
{
	struct typed t;

	typed_open(&t);
	type(&t, "ab");
	assert_false(command(&t, "rubout"));
	assert_false(command(&t, "rubout"));
	assert_true(command(&t, "rubout")); /* of nothing: leaves */
	assert_string_equal(t.line, "");
	prompt_open(&t.history, t.model);
	type(&t, "stop");
	assert_true(command(&t, "cancel"));
	assert_string_equal(t.line, "");
	assert_int_equal(t.history.n, 0);
	typed_close(&t);
}

/* Any last word of a command is passed on unchanged. */
static void
test_word(void **state)
{
	static const struct {
		const char *command, *text, *typed, *keys, *line;
	} rows[] = {
		{ "replay 51ab", "5", "", "accept", "replay 51ab \"5\"" },
		{ "replay 51ab", "5", "0", "accept", "replay 51ab \"50\"" },
		{ "note 51ab", "", "", "accept", "note 51ab \"\"" },
		{ "note 51ab", "old", " and new ", "accept",
			"note 51ab \"old and new\"" },
		{ "note 51ab", "", "a \"b\"", "accept",
			"note 51ab \"a \"\"b\"\"\"" },
		{ "note 51ab", "old", "", "kill-line accept",
			"note 51ab \"\"" },
		{ "note 51ab", "old", "x", "cancel", "" },
		{ "note 51ab", "", "", "rubout previous complete", NULL },
	};
	char keys[64], *rest, *key;

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct command command;
		struct typed t;
		bool closed = false;

		typed_open(&t);
		prompt_open_word(t.model, rows[i].command, rows[i].text);
		type(&t, rows[i].typed);
		snprintf(keys, sizeof(keys), "%s", rows[i].keys);
		for (rest = keys; (key = strsep(&rest, " ")) != NULL;)
			closed = prompt_command(&t.history, t.model, key,
				&t.line);
		check(closed == (rows[i].line != NULL), "%s", rows[i].keys);
		if (closed)
			check_text(t.line, rows[i].line, rows[i].text);
		if (closed && t.line[0] != '\0')
			check(command_parse(t.line, &command, NULL) == OK, "%s",
				t.line);
		assert_int_equal(t.history.n, 0);
		typed_close(&t);
	}
}

/* The longest possible note fits, with any content. */
static void
test_long_word(void **state)
{
	struct typed t;

	typed_open(&t);
	prompt_open_word(t.model, "note 0123456789abcdef", "");
	for (int i = 0; i < 600; i++)
		type(&t, "\"");
	assert_true(prompt_command(&t.history, t.model, "accept", &t.line));
	assert_int_equal(t.line[strlen(t.line) - 1], '"');
	assert_true(strlen(t.line) > 1000);
	typed_close(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_word),
		cmocka_unit_test(test_long_word),
		cmocka_unit_test(test_complete),
		cmocka_unit_test(test_complete_middle),
		cmocka_unit_test(test_hint),
		cmocka_unit_test(test_hint_long),
		cmocka_unit_test(test_history),
		cmocka_unit_test(test_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
