/*
 * commands: runs the commands of a front end.
 */
#ifndef CFUZZ_ENGINE_FRONT_COMMANDS_H
#define CFUZZ_ENGINE_FRONT_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "shared/status.h"

struct command;
struct engine;
struct finding;

/* A command: checks its arguments, acts, and answers with one sentence of less
 * than `size` bytes. Any error: the text of err is the answer. */
typedef enum status command_fn(struct engine *e, const struct command *c,
	char *answer, size_t size, struct error *err);
command_fn command_step;     /* command_step.c */
command_fn command_minimize; /* command_minimize.c */
/* Holds the minimization of this finding or input, and answers. False: it is
 * not under way. */
bool command_hold(struct engine *e, const char *name, char *answer,
	size_t size);
command_fn command_mark, command_note, command_export; /* command_finding.c */

/* Runs a command that command_parse() has made. */
command_fn commands_run;

/* Finds a finding by id or folder. NULL: E_NOT_FOUND is in err. */
struct finding *command_find_finding(struct engine *e, const char *id,
	struct error *err);
/* Members of the event that a command did something to this finding; a new
 * reference. In command_finding.c. */
json_t *command_about(const struct finding *f);

#endif
