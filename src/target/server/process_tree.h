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

#define PROCESS_TREE_EXEMPT_MAX 64

/* Processes that the target's initialisation has started and may need. */
struct process_tree_exempt_list {
	pid_t pids[PROCESS_TREE_EXEMPT_MAX];
	size_t n;
};

/* From now on orphans come to us. */
void process_tree_adopt(void);

/* The children that live now. */
void process_tree_exempt(struct process_tree_exempt_list *spared);

/* How many children a process has. */
size_t process_tree_count(pid_t pid);

/* Ends and reaps all descendants but those (NULL: all). */
void process_tree_kill(const struct process_tree_exempt_list *spared);

/*
 * Ends all descendants of a process that adopts, but for the caller, then the
 * process. It may be called in a fork of a process that has threads.
 */
void process_tree_kill_tree(pid_t root);

#endif
