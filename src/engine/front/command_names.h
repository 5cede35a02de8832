/*
 * command_names: findings and inputs that a command names by their first digits.
 */
#ifndef CFUZZ_ENGINE_FRONT_COMMAND_NAMES_H
#define CFUZZ_ENGINE_FRONT_COMMAND_NAMES_H

#include "control/command.h"
#include "shared/status.h"

struct engine;

#define COMMAND_NAME_SIZE 80u

/*
 * Puts the whole id in place of its first digits, at least 4, and stores it in
 * `name`, of COMMAND_NAME_SIZE bytes. An unknown name stays as it is. E_USAGE:
 * several ids begin with the digits.
 */
enum status command_names_complete(struct engine *e, struct command *c,
	char *name, struct error *err) MUST_CHECK;

#endif
