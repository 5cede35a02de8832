/*
 * memory_limit: how much memory the system gives this process and its children
 * together. Beyond it the kernel kills one of them with SIGKILL.
 */
#ifndef CFUZZ_BASE_MEMORY_LIMIT_H
#define CFUZZ_BASE_MEMORY_LIMIT_H

#include <stdint.h>

/* Bytes: the machine's memory, or the control group's limit if that is lower. */
uint64_t memory_limit(void);

#endif
