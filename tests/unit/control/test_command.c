/*
 * test_command: the table of commands, and valid and invalid lines.
 */

#include "control/command.h"

#include <string.h>

#include "lib/rows.h"

static void
test_table_is_sound(void **state)
{
	for (int i = 0; i < COMMAND_COUNT; i++) {
		const struct command_row *row = command_row((enum command_id)i);
		size_t len = strlen(row->name);

		row_check((int)row->id == i, "%s", row->name);
		row_check(command_find(row->name) == row, "%s", row->name);
		row_check(row->min_args <= row->max_args &&
				row->max_args <= COMMAND_ARGS_MAX,
			"%s", row->name);
		row_check(strncmp(row->usage, row->name, len) == 0, "%s",
			row->usage);
		row_check(row->help[strlen(row->help) - 1] == '.', "%s",
			row->name);
	}
	assert_null(command_find("nothing"));
	assert_null(command_find(""));
}

static void
test_good_lines(void **state)
{
	static const struct {
		const char *line;
		enum command_id id;
		int argc;
		const char *argv[COMMAND_ARGS_MAX];
	} rows[] = {
		{ "pause", COMMAND_PAUSE, 0, { NULL } },
		{ "pause 3", COMMAND_PAUSE, 1, { "3" } },
		{ "  resume \t 3  ", COMMAND_RESUME, 1, { "3" } },
		{ "workers +1", COMMAND_WORKERS, 1, { "+1" } },
		{ "set timeout 250ms", COMMAND_SET, 2, { "timeout", "250ms" } },
		{ "set dict \"a b\"", COMMAND_SET, 2, { "dict", "a b" } },
		{ "set dict \"\"", COMMAND_SET, 2, { "dict", "" } },
		{ "set dict \"a", COMMAND_SET, 2, { "dict", "\"a" } },
		{ "set dict a\"b\"", COMMAND_SET, 2, { "dict", "a\"b\"" } },
		{ "note 1 \"a \"\"b\"\" c\"", COMMAND_NOTE, 2,
			{ "1", "a \"b\" c" } },
		{ "note 1 \"\"\"\"", COMMAND_NOTE, 2, { "1", "\"" } },
		{ "note 1 \"\"\"", COMMAND_NOTE, 2, { "1", "\"\"\"" } },
		{ "note 1 several words", COMMAND_NOTE, 2,
			{ "1", "several words" } },
		{ " note\t1 \t several  \"quoted\" words \t", COMMAND_NOTE, 2,
			{ "1", "several  \"quoted\" words" } },
		{ "note 1 \"a\" or \"b\"", COMMAND_NOTE, 2,
			{ "1", "\"a\" or \"b\"" } },
		{ "note 1 \" a \" ", COMMAND_NOTE, 2, { "1", " a " } },
		{ "note 1 \"", COMMAND_NOTE, 2, { "1", "\"" } },
		{ "note 1 \"\"", COMMAND_NOTE, 2, { "1", "" } },
		{ "note 1 ", COMMAND_NOTE, 1, { "1" } },
		{ "note \"1\" a b", COMMAND_NOTE, 2, { "1", "a b" } },
		{ "export 1 \"a b\"", COMMAND_EXPORT, 2, { "1", "a b" } },
		{ "stop", COMMAND_STOP, 0, { NULL } },
		{ "quit minimized", COMMAND_QUIT, 1, { "minimized" } },
		{ "minimize 1a2b3c4d", COMMAND_MINIMIZE, 1, { "1a2b3c4d" } },
		{ "replay 1a2b3c4d 5", COMMAND_REPLAY, 2, { "1a2b3c4d", "5" } },
		{ "accept 1a2b3c4d", COMMAND_ACCEPT, 1, { "1a2b3c4d" } },
		{ "step next", COMMAND_STEP, 1, { "next" } },
		{ "note 1a2b3c4d \"of the lexer\"", COMMAND_NOTE, 2,
			{ "1a2b3c4d", "of the lexer" } },
		{ "ping", COMMAND_PING, 0, { NULL } },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct error err = { 0 };
		struct command command;

		row_check(command_parse(rows[i].line, &command, &err) == OK,
			"%s: %s", rows[i].line, err.text);
		row_check(command.id == rows[i].id, "%s", rows[i].line);
		row_check(command.argc == rows[i].argc, "%s", rows[i].line);
		for (int j = 0; j < rows[i].argc; j++)
			row_check(strcmp(command.argv[j], rows[i].argv[j]) == 0,
				"%s: %s", rows[i].line, command.argv[j]);
	}
}

static void
test_bad_lines(void **state)
{
	static const struct {
		const char *line;
		enum status status;
		const char *message;
	} rows[] = {
		{ "", E_FORMAT, "the command is empty" },
		{ "   ", E_FORMAT, "the command is empty" },
		{ "jump", E_NOT_FOUND,
			"there is no command \"jump\", only pause, resume, "
			"workers, set, stop, quit, minimize, step, replay, "
			"accept, mark, note, export, fuzz, take, give, detach, "
			"ping" },
		{ "PAUSE", E_NOT_FOUND, "there is no command \"PAUSE\"" },
		{ "\x1b[2J", E_NOT_FOUND, "there is no command \"\\x1b[2J\"" },
		{ "set timeout", E_USAGE, "write: set OPTION VALUE" },
		{ "set timeout 1 2", E_USAGE, "write: set OPTION VALUE" },
		{ "set a b c d e f g h i", E_USAGE, "write: set OPTION" },
		{ "note", E_USAGE, "write: note FINDING [TEXT]" },
		{ "export 1 a b", E_USAGE, "write: export FINDING [FOLDER]" },
		{ "workers", E_USAGE, "write: workers N|+1|-1" },
		{ "ping pong", E_USAGE, "write: ping" },
		{ "pause\n", E_NOT_FOUND, "there is no command \"pause\\n\"" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct error err = { 0 };
		struct command command;

		row_check(command_parse(rows[i].line, &command, &err) ==
				rows[i].status,
			"%s", rows[i].line);
		row_check(strncmp(err.text, rows[i].message,
				  strlen(rows[i].message)) == 0,
			"%s: %s", rows[i].line, err.text);
	}
}

static void
test_line_length(void **state)
{
	char line[COMMAND_LINE_MAX + 1];
	struct error err = { 0 };
	struct command command;

	memset(line, 'x', sizeof(line));
	memcpy(line, "accept ", 7);
	line[COMMAND_LINE_MAX] = '\0';
	assert_int_equal(command_parse(line, &command, &err), E_RANGE);
	line[COMMAND_LINE_MAX - 1] = '\0';
	assert_int_equal(command_parse(line, &command, NULL), OK);
	assert_int_equal(strlen(command.argv[0]), COMMAND_LINE_MAX - 8);
}

/* A quoted word is parsed to the word, or to its start where it is cut. */
static void
test_quote(void **state)
{
	static const struct {
		const char *word;
		size_t size;
		const char *quoted;
	} rows[] = {
		{ "", 4, "\"\"" },
		{ "a b", 9, "\"a b\"" },
		{ "a\"b", 9, "\"a\"\"b\"" },
		{ "abcdef", 7, "\"ab\"" },
		{ "a\"\"\"\"", 8, "\"a\"\"\"" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		char quoted[16];

		command_quote(rows[i].word, quoted, rows[i].size);
		row_check(strcmp(quoted, rows[i].quoted) == 0, "%s: %s",
			rows[i].word, quoted);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table_is_sound),
		cmocka_unit_test(test_good_lines),
		cmocka_unit_test(test_bad_lines),
		cmocka_unit_test(test_line_length),
		cmocka_unit_test(test_quote),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
