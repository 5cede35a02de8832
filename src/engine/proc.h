/*
 * proc: what the system tells of processes (Linux: /proc).
 *
 * A process that is looked at again and again is looked at through files that
 * stay open: finding a file of /proc takes many times as long as reading it.
 */
#ifndef CFUZZ_ENGINE_PROC_H
#define CFUZZ_ENGINE_PROC_H

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

/* Children of the main thread: enough, since targets fork there. */
size_t proc_children(pid_t pid, pid_t *children, size_t max);

/* Of one process at a time. */
struct proc_memory {
	pid_t pid; /* 0: none */
	int statm_fd, children_fd;
};

void proc_memory_init(struct proc_memory *memory);
void proc_memory_close(struct proc_memory *memory);
/* RssAnon and swap in KiB, of its children as well; 0: it is gone. */
uint64_t proc_memory_kb(struct proc_memory *memory, pid_t pid);

#endif
