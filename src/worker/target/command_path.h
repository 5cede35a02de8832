/*
 * command_path: programs that a user names as in a shell: by a name to be
 * searched for, or by a script whose interpreter is meant.
 */
#ifndef CFUZZ_WORKER_TARGET_COMMAND_PATH_H
#define CFUZZ_WORKER_TARGET_COMMAND_PATH_H

#include <stddef.h>

#include "shared/status.h"

/*
 * The file that a name without a folder means in a shell: an existing file of
 * this name, else an executable file of PATH. Returns buf, or name if it has a
 * folder or nothing else was found.
 */
const char *command_path_find(const char *name, char *buf, size_t size);

#define COMMAND_SCRIPT_START 1024 /* bytes that tell all about a script */

/*
 * Sets the message that refuses a script, and returns E_TARGET. `shown` is its
 * path, cleaned; `start` is the text of its first bytes behind "#!", of fewer
 * than COMMAND_SCRIPT_START.
 */
enum status command_path_refuse_script(const char *shown, const char *start,
	struct error *err);

#endif
