/*
 * shm_names: names of POSIX shared memory that a worker has left behind.
 *
 * The adapter makes such memory for programs of AFL++ that attach no other. It
 * removes the names when the program has it, but not if it is killed before.
 */
#ifndef CFUZZ_WORKER_MEMORY_SHM_NAMES_H
#define CFUZZ_WORKER_MEMORY_SHM_NAMES_H

#include <sys/types.h>

/* Removes those of an ended process that was not reaped yet: its number must not
 * be another's. One in namespaces of its own has left none here. */
void shm_names_unlink(pid_t pid);

#endif
