/*
 * fork_pages: what a run forks has variables of its own, and its edges count.
 *
 * The counters of a run are on pages that the child shares with all that it
 * forks. On the first and last of them there are variables of the program as
 * well. A run has those for itself, but whatever it forks would write them into
 * the run. So a process that is forked in a run gets pages of its own in place of
 * these. They come from memory that the child shares: after the run it adds their
 * counters to its own. Where this memory is at its end, the counters on these
 * pages are lost.
 *
 * Only fork() is noticed, not a bare system call.
 */
#ifndef CFUZZ_TARGET_PROGRAM_FORK_PAGES_H
#define CFUZZ_TARGET_PROGRAM_FORK_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Once, in the worker. *has_runs is true in a child alone, which forks runs, and
 * not in these: it is on a page that forks do not copy. Without memory, the
 * functions below do nothing, and the variables stay shared.
 */
void fork_pages_open(bool *has_runs);

/*
 * The len counters at start are shared from now on, in this process and in those
 * that it forks; in the child they are at home, as far into a page as here.
 */
void fork_pages_add(const uint8_t *start, const uint8_t *home, size_t len);

/* In the child, before a run. */
void fork_pages_begin(void);

/* In the child, after the run and all that it has forked: adds their counters to
 * those of the regions that the child knows. */
void fork_pages_collect(void);

#endif
