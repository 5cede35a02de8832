/*
 * harness: does an input of a link hold the entry point of a target?
 *
 * Nothing but names is looked at, and a wrong guess does no harm.
 */
#ifndef CFUZZ_CC_HARNESS_H
#define CFUZZ_CC_HARNESS_H

#include <stdbool.h>

#include "cc/compile_command.h"

/* The one that an archive among the inputs defines; NULL: none does. */
const char *harness_in_archive(const struct compile_command *command);

/* A source, an object or an archive among the inputs names it. */
bool harness_in_command(const struct compile_command *command);

#endif
