/*
 * shm_names: names of POSIX shared memory that a worker has left behind.
 *
 * The adapter makes such memory for programs of AFL++ that attach no other. It
 * removes the names when the program has it, but not if it is killed before.
 */
#ifndef CFUZZ_SHARED_WIRE_SHM_NAMES_H
#define CFUZZ_SHARED_WIRE_SHM_NAMES_H

#include <sys/types.h>

/* Removes those of a process that has ended, just now or without being reaped:
 * its number must not be another's. One in namespaces of its own has left none
 * here. Allocates nothing, as it may run in a clone of a process with threads. */
void shm_names_unlink(pid_t pid);

#endif
