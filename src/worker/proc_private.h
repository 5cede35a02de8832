/* proc_private: how the files of proc read /proc. */
#ifndef CFUZZ_WORKER_PROC_PRIVATE_H
#define CFUZZ_WORKER_PROC_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Opens /proc/PID/NAME. -1: the process is gone. */
int proc_open(pid_t pid, const char *name);
/* Reads text from the start, as much as fits. False: the process is gone. */
bool proc_read_fd(int fd, char *buf, size_t size);
bool proc_read(pid_t pid, const char *name, char *buf, size_t size);

#endif
