/*
 * command_names: finds what a command names by the first digits of an id.
 */
#ifndef CFUZZ_ENGINE_FRONT_COMMAND_NAMES_H
#define CFUZZ_ENGINE_FRONT_COMMAND_NAMES_H

#include "control/command.h"
#include "shared/status.h"

struct engine;

#define COMMAND_NAME_SIZE 80u /* bytes, with the NUL */

/*
 * Puts the whole id in place of its first digits, at least COMMAND_DIGITS_MIN:
 * the command then points into `name`, which has COMMAND_NAME_SIZE bytes. An
 * unknown name stays as it is. E_USAGE: several ids begin with the digits.
 */
enum status command_names_complete(struct engine *e, struct command *c,
	char *name, struct error *err) MUST_CHECK;

#endif
