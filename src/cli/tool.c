/* tool: see tool.h. */
#include "cli/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "cli/cli.h"

/* ---- output ------------------------------------------------------------- */

/* Overwrites the line without escape sequences. Prints nothing on a pipe. */
static void
tool_progress(struct tool *tool, const char *text)
{
	size_t columns = text_width(text), most = 79;

	if (!isatty(STDOUT_FILENO) || tool->settings.json)
		return;
	printf("\r%.*s", (int)text_fit(text, most), text);
	for (; tool->progress > columns; tool->progress--)
		putchar(' ');
	tool->progress = columns < most ? columns : most;
	fflush(stdout);
}

static void
tool_end_progress(struct tool *tool)
{
	if (tool->progress > 0)
		putchar('\n');
	tool->progress = 0;
}

static void
tool_report(void *arg, const struct report *report)
{
	struct tool *tool = arg;
	bool json = tool->settings.json;
	char line[4096];

	if (report->kind == REPORT_PROGRESS) {
		tool_progress(tool, report->text);
	} else if (report->kind == REPORT_LINE && !json) {
		tool_end_progress(tool);
		text_clean_string(report->text, line, sizeof(line));
		puts(line);
	} else if (report->kind == REPORT_EVENT && json) {
		tool_print_json(report->event, JSON_COMPACT);
	}
	fflush(stdout);
}

void
tool_print_title(const char *class, const char *kind, const char *what,
	const char *where)
{
	fputs(class, stdout);
	if (strcmp(class, "crash") == 0 || strcmp(what, kind) != 0)
		printf(": %s", what);
	printf("%s%s\n", where[0] != '\0' ? " in " : "", where);
}

void
tool_print_json(const json_t *json, size_t flags)
{
	char *text = json_dumps(json, flags | JSON_REAL_PRECISION(10));

	if (text != NULL)
		puts(text);
	free(text);
}

/* ---- the command line --------------------------------------------------- */

static enum status
tool_check_options(const struct tool *tool, const struct tool_command *command,
	const char *name, struct error *err)
{
	int id;

	for (id = 0; id < OPT_COUNT_; id++)
		if (tool->settings.origin[id] == ORIGIN_FLAG &&
			!settings_takes(command->options, (enum option_id)id))
			return error_set(err, E_USAGE,
				"--%s is not an option of cfuzz %s; --help lists the "
				"options",
				settings_option((enum option_id)id)->name,
				name);
	return OK;
}

static void
tool_take_args(struct tool *tool, char **argv)
{
	char **args = tool->operands + tool->operands_n + 1;

	tool->config.args = args;
	while (*argv != NULL)
		*args++ = *argv++;
}

/* Parses options up to an operand, then the operand, and so on. All words after
 * "--" are operands, or arguments for the target. */
static enum status
tool_parse_words(struct tool *tool, const struct tool_command *command,
	int argc, char **argv, struct error *err)
{
	bool only_operands = false;
	int at = 0, next;

	while (at + 1 < argc) {
		next = 1;
		if (!only_operands) {
			if (settings_parse_some(&tool->settings, argc - at,
				    argv + at, OPTION_RUN, command->options,
				    &next, err) != OK)
				return err->code;
			only_operands = next > 1 &&
				strcmp(argv[at + next - 1], "--") == 0;
		}
		at += next;
		if (only_operands && next > 1 && command->args &&
			tool->operands_n >= command->least) {
			tool_take_args(tool, argv + at);
			break;
		}
		if (at < argc)
			tool->operands[tool->operands_n++] = argv[at];
	}
	return OK;
}

/* The word is no flag. Is it one with a value that it does not take, or nearly
 * one? */
static void
tool_refuse_near(const char *word, const char *flag_word, struct error *err)
{
	char name[64], flag[64];

	text_clean(word, strcspn(word, "="), name, sizeof(name));
	text_clean(flag_word, strcspn(flag_word, "="), flag, sizeof(flag));
	if (strcmp(name, flag) == 0)
		error_set(err, E_USAGE, "%s takes no value", flag);
	else if (strncmp(name, "--", 2) == 0 && !settings_find(name + 2) &&
		settings_is_near(name + 2, flag + 2))
		error_set(err, E_USAGE, "unknown option %s; did you mean %s?",
			name, flag);
}

/* How many words from[0] … are a flag of the command's own; 0: none. A near miss
 * is an error. */
static int
tool_take_flag(struct tool *tool, const struct tool_command *command,
	char *const *from, struct error *err)
{
	const char *const *flags = command->flags, *word = from[0];

	for (size_t i = 0; flags != NULL && flags[i] != NULL; i++) {
		size_t len = strcspn(flags[i], "=");
		bool valued = flags[i][len] == '=';

		if (strncmp(word, flags[i], len) == 0 &&
			(word[len] == '\0' || (valued && word[len] == '='))) {
			tool->flags |= 1u << i;
			tool->values[i] = !valued  ? NULL
				: word[len] == '=' ? word + len + 1
						   : from[1];
			if (valued && tool->values[i] == NULL)
				error_set(err, E_USAGE, "%s needs a value",
					word);
			else if (valued && tool->values[i][0] == '\0')
				error_set(err, E_USAGE,
					"%.*s needs a value, but it is empty",
					(int)len, word);
			return valued && word[len] == '\0' &&
					tool->values[i] != NULL
				? 2
				: 1;
		}
		tool_refuse_near(word, flags[i], err);
	}
	return 0;
}

/* Copies the words without the command's own flags to argv, which has room for
 * all of them. */
static enum status
tool_take_flags(struct tool *tool, const struct tool_command *command,
	int *argc, char **from, char **argv, struct error *err)
{
	bool only_operands = false;
	int i, n = 0, taken;

	for (i = 0; i<*argc; i += taken> 0 ? taken : 1) {
		only_operands |= i > 0 && strcmp(from[i], "--") == 0;
		taken = i > 0 && !only_operands
			? tool_take_flag(tool, command, &from[i], err)
			: 0;
		if (taken == 0)
			argv[n++] = from[i];
	}
	*argc = n;
	return err->code;
}

static enum status
tool_check_operands(const struct tool *tool, const struct tool_command *command,
	const char *name, struct error *err)
{
	size_t most = command->most == TOOL_NO_OPERANDS ? 0
		: command->most == 0                    ? SIZE_MAX
							: command->most;

	if (tool->operands_n < command->least)
		return error_set(err, E_USAGE, "%s", command->missing);
	if (tool->operands_n > most)
		return error_set(err, E_USAGE,
			"cfuzz %s: unexpected argument %s", name,
			tool->operands[most]);
	return OK;
}

static void
tool_take_output(struct tool *tool, const struct tool_command *command)
{
	if (command->output_from == 0 ||
		tool->operands_n < command->output_from)
		return;
	tool->output = settings_named_output(tool->operands[0]);
	tool->operands[0] = tool->output;
}

/*
 * True: the command can run. False: help was shown, or an error was reported;
 * *status is the exit status.
 */
static bool
tool_parse(struct tool *tool, const struct tool_command *command, int argc,
	char **argv, int *status)
{
	char **words = xcalloc((size_t)argc + 1, sizeof(*words));
	struct error err = { 0 };
	enum status parsed;

	*tool = (struct tool){ .config = { .control_fd = -1 } };
	settings_init(&tool->settings);
	tool->operands = xcalloc((size_t)argc + 1, sizeof(*tool->operands));
	tool->config.settings = &tool->settings;
	tool->config.report = tool_report;
	tool->config.arg = tool;
	*status = 0;
	parsed = tool_take_flags(tool, command, &argc, argv, words, &err);
	if (parsed == OK)
		parsed = tool_parse_words(tool, command, argc, words, &err);
	free(words);
	if (parsed == OK) {
		if (tool->settings.help) {
			fputs(command->help, stdout);
			return false;
		}
		if (tool->settings.version) {
			cli_print_version();
			return false;
		}
		if (tool_check_options(tool, command, argv[0], &err) == OK &&
			tool_check_operands(tool, command, argv[0], &err) ==
				OK) {
			tool_take_output(tool, command);
			return true;
		}
	}
	*status = cli_fail(EXIT_SETUP, "%s", err.text);
	return false;
}

int
tool_part(const struct tool_command *command, int argc, char **argv)
{
	struct error err = { 0 };
	struct tool tool;
	int status;

	if (tool_parse(&tool, command, argc, argv, &status)) {
		status = (int)command->run(&tool, &err);
		tool_end_progress(&tool);
		fflush(stdout);
		if (err.code != OK)
			cli_fail(status, "%s", err.text);
	}
	settings_clear(&tool.settings);
	free(tool.operands);
	free(tool.output);
	return status;
}

int
tool_main(const struct tool_command *command, int argc, char **argv)
{
	return cli_end(tool_part(command, argc, argv));
}
