/*
 * command_line: the program and the arguments of a worker's process.
 */
#ifndef CFUZZ_WORKER_TARGET_COMMAND_LINE_H
#define CFUZZ_WORKER_TARGET_COMMAND_LINE_H

#include "worker/target/elf.h"
#include "worker/target/isolation.h"

/* The program that is a worker: the target or its adapter. Borrowed. */
int command_line_fd(const struct target_info *info);
/* The program that the adapter starts by its path, borrowed; 0: no adapter. */
int command_line_program_fd(const struct target_info *info);

/*
 * The arguments of that program: the adapter's name if there is one, the
 * target's path, args (NULL: none). Owned by the caller: xfree_list().
 */
char **command_line_create(const struct target_info *info, char *const *args);

/* Lets an isolated adapter see the target's folder, and an isolated program the
 * library that is loaded into it. Errors: those of isolation_show() and
 * isolation_show_beside(). */
enum status command_line_show(const struct target_info *info,
	struct isolation *isolation, struct error *err) MUST_CHECK;

#endif
