/*
 * tool: what the commands beside `cfuzz run` share: a command line on which
 * options and operands may stand in any order, and what they print.
 */
#ifndef CFUZZ_CLI_TOOL_H
#define CFUZZ_CLI_TOOL_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/engine.h"

struct tool_command {
	const char *help;              /* the text of --help */
	const enum option_id *options; /* it takes, beside --help */
	size_t options_n;
	size_t least, most; /* operands; most 0: any number */
	/* Of its own, NULL-ended, such as "--gdb"; or NULL. */
	const char *const *flags;
	const char *missing; /* a sentence: what to name */
};

struct tool {
	struct settings settings;
	char **operands; /* NULL-ended; the array is owned */
	size_t operands_n;
	struct engine_config config; /* to be filled in further */
	unsigned flags;              /* of its own that were given, as bits */
	size_t progress;             /* columns of the line on the terminal */
};

/*
 * True: the command is to be done; tool_clear() is due in any case. False:
 * help was shown, or a mistake was told; *status is the exit status.
 */
bool tool_parse(struct tool *tool, const struct tool_command *command, int argc,
	char **argv, int *status);
void tool_clear(struct tool *tool);

/* After an engine_…(): tells what is in err, if anything; returns status. */
int tool_end(struct tool *tool, enum exit_status status,
	const struct error *err);

/* A member of what the engine tells: "" and 0 if it is not there. */
const char *tool_text(const json_t *object, const char *name);
uint64_t tool_number(const json_t *object, const char *name);

/* To stdout, for a reader as well as for a program. */
void tool_print_json(const json_t *object);

#endif
