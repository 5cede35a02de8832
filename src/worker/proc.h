/*
 * proc: reads process information from the system (Linux: /proc).
 */
#ifndef CFUZZ_WORKER_PROC_H
#define CFUZZ_WORKER_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct proc_times {
	pid_t parent;
	/* User and system time, with that of ended children, in units of
	 * sysconf(_SC_CLK_TCK). */
	uint64_t cpu_ticks;
	char state; /* R S T Z … */
	bool ends;  /* it has ended, or is about to, and adopts nobody */
};

/* False: the process is gone. */
bool proc_times(pid_t pid, struct proc_times *times);

/* Is pid a live child of parent? Needed before a pid is trusted. */
bool proc_is_child(pid_t pid, pid_t parent);
/* Is pid a live child of root, or a live child of such a child? */
bool proc_is_descendant(pid_t pid, pid_t root);

/* The child of root, or child of such a child, with this pid in its innermost
 * namespace; 0: none. */
pid_t proc_descendant_inside(pid_t root, pid_t inner);

/* Lists children of the main thread only, at most max; returns their number. */
size_t proc_children(pid_t pid, pid_t *children, size_t max);
/* The same list, to be read often; -1: the process is gone. Close-on-exec,
 * owned by the caller. */
int proc_open_children(pid_t pid);
/* Lists at most max children; *n: their number. False: the list cannot be
 * read. */
bool proc_read_children(int fd, pid_t *children, size_t max, size_t *n);

#endif
