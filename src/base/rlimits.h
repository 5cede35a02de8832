/*
 * rlimits: the system's limits of this process (ulimit), as text and numbers.
 */
#ifndef CFUZZ_BASE_RLIMITS_H
#define CFUZZ_BASE_RLIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RLIMITS_TEXT_MAX 160 /* enough for rlimits_text() */

/*
 * The text of an errno. If a limit caused it, also the limit and the remedy:
 * "Too many open files; `ulimit -n` is 48: raise it". Returns buf.
 */
const char *rlimits_text(int errnum, char *buf, size_t size);

/*
 * The number of descriptors that can still be opened. 4096, without counting,
 * if the limit is higher than 4096 or unknown.
 */
uint64_t rlimits_free_descriptors(void);

/*
 * May descriptor fd, just opened, stay open for something that the campaign can
 * do without? The highest 64 numbers below the limit, or the highest third if
 * the limit is below 192, are kept for workers and files. A new descriptor has
 * the lowest free number, so fd tells how many are open.
 */
bool rlimits_can_spare(int fd);

/* Bytes of address space that are left; UINT64_MAX: no limit. */
uint64_t rlimits_free_address_space(void);

/* Writing beyond the file size limit becomes an error instead of a signal. */
void rlimits_ignore_file_signal(void);

#endif
