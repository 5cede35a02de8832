/*
 * tool: common code of the commands beside `cfuzz run`: a command line that
 * takes options and operands in any order, and the output.
 */
#ifndef CFUZZ_CLI_TOOL_H
#define CFUZZ_CLI_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control/json_text.h"
#include "engine/engine.h"

struct tool;

#define TOOL_NO_OPERANDS SIZE_MAX
#define TOOL_FLAGS_MAX 8

struct tool_command {
	const char *help; /* the text of --help */
	/* Beside --help and --version: TOOL_OPTIONS(); NULL: all of cfuzz
	 * run. */
	const enum option_id *options;
	/* Operands; most 0: any number, TOOL_NO_OPERANDS: none. */
	size_t least, most;
	/* The command's own flags, NULL-ended, such as "--gdb", or "--sarif="
	 * with a value; or NULL. At most TOOL_FLAGS_MAX. */
	const char *const *flags;
	/* The words after "--", behind the operands, are arguments for the
	 * target: they become config.args. */
	bool args;
	const char *missing; /* error message: what to name */
	/* From so many operands on, the first is an output directory, and may
	 * be named by its target; 0: never. */
	size_t output_from;
	/* Runs after the command line is parsed. Returns the exit status; an
	 * error in err is printed. */
	enum exit_status (*run)(struct tool *tool, struct error *err);
};

/* A list of options, ended by OPT_COUNT_. */
#define TOOL_OPTIONS(...) \
	(const enum option_id[]) \
	{ \
		__VA_ARGS__, OPT_COUNT_ \
	}

/* The options of all commands that start a target, and their help. */
#define TOOL_TARGET_OPTIONS \
	OPT_TIMEOUT, OPT_RSS_LIMIT, OPT_MAX_LEN, OPT_START_TIMEOUT, \
		OPT_STOP_STEP, OPT_FILE_LIMIT, OPT_CLEAN_ENV, OPT_NO_LEAKS, \
		OPT_ISOLATE, OPT_READABLE, OPT_INPUT_FILE, OPT_FAIL_ON_EXIT, \
		OPT_COVERAGE
#define TOOL_TARGET_HELP \
	"      --timeout MS, --rss-limit MB, --max-len N, --start-timeout MS,\n" \
	"      --stop-step MS, --file-limit MB, --clean-env, --no-leaks,\n" \
	"      --isolate, --readable PATH, --input-file NAME, --fail-on-exit,\n" \
	"      --coverage HOW        As for cfuzz run"

struct tool {
	struct settings settings;
	/* NULL-ended; the array is owned, the words are those of argv.
	 * Arguments for the target follow the NULL. */
	char **operands;
	char *output; /* the first operand, if it is an output directory */
	size_t operands_n;
	struct engine_config config; /* to be completed by the command */
	unsigned flags; /* bit i: flags[i] of the command was given */
	const char *values[TOOL_FLAGS_MAX]; /* of flags[i], or NULL */
	size_t progress;                    /* columns of the progress line */
};

/* Parses the command line and runs the command; returns the exit status. */
int tool_main(const struct tool_command *command, int argc, char **argv);
/* The same as a part of another command, whose end tells of lost lines. */
int tool_part(const struct tool_command *command, int argc, char **argv);

/* Prints "crash: SIGSEGV in parse", or "hang in parse" where `what` would
 * repeat the class; class: `words` of struct failure_class. */
void tool_print_title(const char *class, const char *kind, const char *what,
	const char *where);

/* Prints JSON and a newline to stdout; flags: JSON_COMPACT, JSON_INDENT(n). */
void tool_print_json(const json_t *json, size_t flags);

#endif
