/*
 * isolate: runs an untrusted target in namespaces of its own (Linux).
 *
 * cfuzz starts itself with ISOLATE_OPTION in place of the target:
 *
 *  helper   waits, and ends as the target ended
 *    init     process 1 of the namespace; sets up what the target sees
 *      target   the fork server and its children
 *
 * The engine waits for the helper, its own child. The end of the engine ends
 * the helper, which ends the init; then the kernel kills every process in the
 * namespace. The target cannot prevent that.
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

struct isolate_spec {
	const char *home;      /* of the user, in the list of users; or NULL */
	char *const *hidden;   /* absolute paths of folders */
	char *const *readable; /* absolute paths that may be read, too */
	size_t hidden_n, readable_n;
	uint64_t file_limit_mb; /* MiB of each file that it writes; 0: none */
};

#define ISOLATE_NUMBER 24 /* room for a number of the spec */

/*
 * The arguments of the helper for a target with the arguments argv; argv NULL:
 * the helper only tries. The caller frees the array. Its strings are borrowed
 * from spec, argv and `number`, which is overwritten.
 */
char **isolate_argv(const struct isolate_spec *spec, char *const *argv,
	char number[ISOLATE_NUMBER]);

/*
 * The environment of the helper for a target with envp; NULL if envp is NULL.
 * The helper loads no library of the target's LD_PRELOAD: one of them may make
 * a worker of the program that loads it. The caller frees the array and its
 * strings.
 */
char **isolate_envp(char *const *envp);

/*
 * Tries all steps except starting the target, in another process, for ten
 * seconds at most. target_fd stays the caller's. E_USAGE: the machine does not
 * allow them; the message names a remedy. E_IO: no process can be started.
 */
enum status isolate_try(const struct isolate_spec *spec, int target_fd,
	struct error *err) MUST_CHECK;

/*
 * Is the folder of this file too wide to show as a whole: is it, or does it
 * hold, a home of the user, /tmp, /dev/shm or the root? The homes are $HOME,
 * which may be missing or another's, and `home`, see struct isolate_spec; if
 * neither is known, every folder is too wide. The path is absolute, without
 * symbolic links.
 */
bool isolate_folder_too_wide(const char *path, const char *home);

/*
 * Call at the start of main(). A helper does not return: it ends as the target
 * ended. False: this process is no helper. True: isolate_argv() has not made
 * this command line; *status is the exit status.
 */
bool isolate_main(int argc, char **argv, int *status);

#endif
