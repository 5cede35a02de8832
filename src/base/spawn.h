/*
 * spawn: starts a program detached from our terminal, session and signals.
 */
#ifndef CFUZZ_BASE_SPAWN_H
#define CFUZZ_BASE_SPAWN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The program's descriptor `to` is a copy of our descriptor `from`, which stays
 * open in our process. */
struct spawn_fd {
	int to;
	int from; /* negative: /dev/null, to read if `to` is 0, else to write */
};

/*
 * Starts the file at path. The program leads a session of its own; no signal is
 * ignored or blocked. The n items of fds are copied one after the other, so no
 * `to` may be the `from` of a later item. A descriptor that is no `to` is
 * inherited unless it is close-on-exec: our 0, 1 and 2, too. envp NULL: our
 * environment. folder: its working directory, NULL: ours. Returns 0 or an errno;
 * on success the caller reaps *pid.
 */
int spawn_apart(pid_t *pid, const char *path, char *const *argv,
	char *const *envp, const char *folder, const struct spawn_fd *fds,
	size_t n);

/* Has spawn_apart() started this child? Else we have adopted or forked it. One
 * thread only may call both. */
bool spawn_is_ours(pid_t pid);

/* For a forked process of our own: begins a new session and puts /dev/null in
 * place of the descriptors 0, 1 and 2. */
void spawn_leave_terminal(void);

#endif
