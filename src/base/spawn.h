/*
 * spawn: starts a program detached from our terminal, session and signals.
 */
#ifndef CFUZZ_BASE_SPAWN_H
#define CFUZZ_BASE_SPAWN_H

#include <stddef.h>
#include <sys/types.h>

/* Descriptor `to` of the program; `from` stays open in our process. */
struct spawn_fd {
	int to;
	int from; /* negative: /dev/null, for input or for output */
};

/*
 * The program leads a session of its own; no signal is ignored or blocked. fds
 * are placed in this order, so no `to` may be a later `from`. If 0, 1 or 2 is
 * not among them, the program inherits ours. envp NULL: our environment.
 * Returns 0 or an errno.
 */
int spawn_apart(pid_t *pid, const char *path, char *const *argv,
	char *const *envp, const struct spawn_fd *fds, size_t n);

/* For a new process of our own: leaves the session, and the terminal's files. */
void spawn_leave_terminal(void);

#endif
