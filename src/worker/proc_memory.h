/*
 * proc_memory: measures the memory of processes (Linux: /proc).
 *
 * Files of a process that is measured often stay open: opening a file of /proc
 * takes many times as long as reading it.
 */
#ifndef CFUZZ_WORKER_PROC_MEMORY_H
#define CFUZZ_WORKER_PROC_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Measures the memory of all descendants that a process starts or adopts after
 * it was opened here. At most 64 earlier children are exempt, with all that
 * they start.
 */
struct proc_memory {
	pid_t fork_server;  /* the fork server; 0: none */
	int fork_server_fd; /* list of its children; -1: opened each time */
	pid_t exempt[64];   /* exempt processes */
	size_t exempt_n;
	pid_t pid; /* the child that is expected there; 0: none */
	int statm_fd, children_fd, task_fd;
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
