/*
 * rlimits: what the system allows this process (ulimit), in words and numbers.
 */
#ifndef CFUZZ_BASE_RLIMITS_H
#define CFUZZ_BASE_RLIMITS_H

#include <stddef.h>
#include <stdint.h>

#define RLIMITS_TEXT_MAX 160

/*
 * An errno, and the limit behind it with what to do, if there is one: "Too
 * many open files; `ulimit -n` is 48: raise it". Returns buf.
 */
const char *rlimits_text(int errnum, char *buf, size_t size);

/* Descriptors that can still be opened. */
uint64_t rlimits_free_descriptors(void);

/* Bytes of address space that are left; UINT64_MAX: no limit. */
uint64_t rlimits_free_address_space(void);

/* A file that is too large for the limit is an error, and no end. */
void rlimits_ignore_file_signal(void);

#endif
