/*
 * isolate: a target in namespaces of its own (Linux), for those that one does
 * not trust.
 *
 * The executable is started again, with ISOLATE_OPTION, in place of the target:
 *
 *  helper   waits, and ends as the target has ended
 *    init     process 1 of the target's processes; makes what they see
 *      target   the keeper, and whatever it starts
 *
 * The helper is a child of the engine's, so it is what the engine waits for. The
 * end of the engine ends the helper, that ends the init, and the kernel kills
 * whatever is left in there: nothing that the target does prevents that.
 */
#ifndef CFUZZ_ISOLATE_ISOLATE_H
#define CFUZZ_ISOLATE_ISOLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "shared/status.h"
#include "shared/wire/memory.h"

#define ISOLATE_OPTION "--isolated-target"
/* The helper finds the executable of the target there. */
#define ISOLATE_FD (WORKER_FD_DEFAULT + WORKER_FD_COUNT)

struct isolate_spec {
	const char *hidden;    /* a folder that is not to be seen; NULL: none */
	char *const *readable; /* absolute paths that may be read, too … */
	size_t readable_n;
	uint64_t file_limit_mb; /* of files that it writes, 0 = none */
};

#define ISOLATE_NUMBER 24 /* room for a number of the spec */

/*
 * The arguments of the helper, for a target with these; argv NULL: it only
 * tries. The array alone is the caller's; number is for one of them.
 */
char **isolate_argv(const struct isolate_spec *spec, char *const *argv,
	char number[ISOLATE_NUMBER]);

/*
 * Does all of it but for starting the target, in another process. E_USAGE: the
 * machine does not allow it, and what to do about that.
 */
enum status isolate_try(const struct isolate_spec *spec, int target_fd,
	struct error *err) MUST_CHECK;

/* Whether this process was started as a helper; then *status is its end. */
bool isolate_main(int argc, char **argv, int *status);

#endif
