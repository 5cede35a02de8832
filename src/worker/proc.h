/*
 * proc: what the system tells of processes (Linux: /proc).
 *
 * A process that is looked at again and again is looked at through files that
 * stay open: finding a file of /proc takes many times as long as reading it.
 */
#ifndef CFUZZ_WORKER_PROC_H
#define CFUZZ_WORKER_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct proc_times {
	pid_t parent;
	uint64_t cpu_ticks; /* user and system, those of ended children
				 included, sysconf(_SC_CLK_TCK) */
	char state;         /* R S T Z … */
};

/* False: it is gone. */
bool proc_times(pid_t pid, struct proc_times *times);

/* Whether pid is a child of parent now: checked before pid is believed. */
bool proc_is_child(pid_t pid, pid_t parent);

/*
 * The child of parent that has this number in the innermost namespace it is in;
 * 0: there is none.
 */
pid_t proc_child_inside(pid_t parent, pid_t inner);

/* Children of the main thread: enough for one that has children there only. */
size_t proc_children(pid_t pid, pid_t *children, size_t max);

/*
 * The memory of all that a process has started since it was opened here, at any
 * depth, and of what it has adopted; who is there already is spared.
 */
struct proc_memory {
	pid_t keeper;     /* 0: none */
	int keeper_fd;    /* its children; -1: as they are looked up */
	pid_t spared[64]; /* of these */
	size_t spared_n;
	pid_t pid; /* the one that is expected there; 0: none */
	int statm_fd, children_fd;
	struct proc_family *family; /* owned; NULL: not needed yet */
};

void proc_memory_init(struct proc_memory *memory);
void proc_memory_open(struct proc_memory *memory, pid_t keeper);
void proc_memory_close(struct proc_memory *memory);
/*
 * RssAnon and swap in KiB. pid is the process that most of it is expected of:
 * a child of the keeper, which need not be true, or the keeper itself, which
 * then counts as well. 0: there is nobody, or that process is ending.
 */
uint64_t proc_memory_kb(struct proc_memory *memory, pid_t pid);

#endif
