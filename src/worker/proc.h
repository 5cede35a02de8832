/*
 * proc: reads process information from the system (Linux: /proc).
 *
 * Files of a process that is measured often stay open: opening a file of /proc
 * takes many times as long as reading it.
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
};

/* False: the process is gone. */
bool proc_times(pid_t pid, struct proc_times *times);

/* Is pid a child of parent now? Needed before a pid is trusted. */
bool proc_is_child(pid_t pid, pid_t parent);
/* A live child of root, or a child of such a child. */
bool proc_is_descendant(pid_t pid, pid_t root);

/* The child of parent with this pid in its innermost namespace; 0: none. */
pid_t proc_child_inside(pid_t parent, pid_t inner);

/* Children of the main thread only. */
size_t proc_children(pid_t pid, pid_t *children, size_t max);

/*
 * Measures the memory of all descendants that a process starts or adopts after
 * it was opened here. Earlier descendants are exempt.
 */
struct proc_memory {
	pid_t fork_server;  /* the fork server; 0: none */
	int fork_server_fd; /* list of its children; -1: opened each time */
	pid_t exempt[64];   /* exempt processes */
	size_t exempt_n;
	pid_t pid; /* the child that is expected there; 0: none */
	int statm_fd, children_fd;
	struct proc_family *family; /* owned; NULL: not open */
};

void proc_memory_init(struct proc_memory *memory);
void proc_memory_open(struct proc_memory *memory, pid_t fork_server);
void proc_memory_close(struct proc_memory *memory);
/*
 * RssAnon and swap in KiB. pid is the process expected to have most of it: a
 * child of the fork server, which is not trusted, or the fork server itself,
 * which then counts as well. 0: no such process, or it is ending.
 */
uint64_t proc_memory_kb(struct proc_memory *memory, pid_t pid);

#endif
