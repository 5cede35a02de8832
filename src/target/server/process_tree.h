/*
 * process_tree: ending what the target has started.
 *
 * The keeper adopts the orphans of its descendants, so nothing that the
 * target starts, however often it forks, gets out of its reach.
 */
#ifndef CFUZZ_TARGET_SERVER_PROCESS_TREE_H
#define CFUZZ_TARGET_SERVER_PROCESS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define DESCEND_SPARED_MAX 64

/* Processes that the target's initialisation has started and may need. */
struct descend_spared {
	pid_t pids[DESCEND_SPARED_MAX];
	size_t n;
};

/* From now on orphans come to us. */
void descend_adopt(void);

/* The children that live now. */
void descend_spare(struct descend_spared *spared);

/* How many children a process has. */
size_t descend_count(pid_t pid);

/* Ends and reaps all descendants but those (NULL: all). */
void descend_kill(const struct descend_spared *spared);

/*
 * Ends all descendants of a process that adopts, but for the caller, then the
 * process. It may be called in a fork of a process that has threads.
 */
void descend_kill_tree(pid_t root);

#endif
