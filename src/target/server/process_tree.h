/*
 * process_tree: kills the processes that the target has started.
 *
 * The fork server adopts orphans, so even a process that forks twice stays its
 * descendant.
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

/* Makes this process adopt its descendants' orphans. */
void process_tree_adopt(void);

/* Exempts the children that live now, PROCESS_TREE_EXEMPT_MAX at most. */
void process_tree_exempt(struct process_tree_exempt_list *exempt);

/*
 * Returns the parent and sets *state as in /proc/PID/stat. Returns 0 and sets
 * 'X' if there is no such process.
 */
pid_t process_tree_parent(pid_t pid, char *state);

/* The number of children of a process, of all its threads; at most 4096. */
size_t process_tree_count(pid_t pid);

/* The number of files that a process has open; 0: unknown. */
size_t process_tree_files(pid_t pid);

/*
 * Kills and reaps all descendants, except exempt children and what these have
 * started. NULL: none is exempt.
 */
void process_tree_kill(const struct process_tree_exempt_list *exempt);

/*
 * Kills all descendants of root but the caller, then root. root must have
 * called process_tree_adopt(). May be called in a fork of a process with
 * threads.
 */
void process_tree_kill_tree(pid_t root);

#endif
