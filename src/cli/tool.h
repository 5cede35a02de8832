/*
 * tool: common code of the commands beside `cfuzz run`: a command line that
 * takes options and operands in any order, and the output.
 */
#ifndef CFUZZ_CLI_TOOL_H
#define CFUZZ_CLI_TOOL_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/engine.h"

struct tool_command {
	const char *help;              /* the text of --help */
	const enum option_id *options; /* options it takes, beside --help */
	size_t options_n;
	size_t least, most; /* operands; most 0: any number */
	/* The command's own flags, NULL-ended, such as "--gdb"; or NULL. */
	const char *const *flags;
	const char *missing; /* error message: what to name */
};

struct tool {
	struct settings settings;
	char **operands; /* NULL-ended; the array is owned */
	size_t operands_n;
	struct engine_config config; /* to be completed by the command */
	unsigned flags;              /* bits of the command's own flags */
	size_t progress;             /* width of the progress line */
};

/*
 * True: the command can run. False: help was shown, or an error was reported;
 * *status is the exit status. Call tool_clear() in either case.
 */
bool tool_parse(struct tool *tool, const struct tool_command *command, int argc,
	char **argv, int *status);
void tool_clear(struct tool *tool);

/*
 * Prints the error in err, if any; returns status.
 */
int tool_end(struct tool *tool, enum exit_status status,
	const struct error *err);

/* A member of an object from the engine; "" or 0 if it is missing. */
const char *tool_text(const json_t *object, const char *name);
uint64_t tool_number(const json_t *object, const char *name);

/* Prints indented JSON to stdout, for people and programs. */
void tool_print_json(const json_t *object);

#endif
