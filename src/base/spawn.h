/*
 * spawn: starts a program away from our terminal, session and signals.
 */
#ifndef CFUZZ_BASE_SPAWN_H
#define CFUZZ_BASE_SPAWN_H

#include <stddef.h>
#include <sys/types.h>

/* Of from, which stays open here. */
struct spawn_fd {
	int to;
	int from; /* negative: /dev/null, for input or for output */
};

/*
 * The program leads a session of its own and no signal is ignored or blocked.
 * fds are put in their places in this order; one whose place is the source of a
 * later one is lost. Each of 0, 1 and 2 must be among them, or the program has
 * ours. envp NULL: our environment. Returns an errno, 0: it runs.
 */
int spawn_apart(pid_t *pid, const char *path, char *const *argv,
	char *const *envp, const struct spawn_fd *fds, size_t n);

#endif
