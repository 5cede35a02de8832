/*
 * hot_pages: spares runs and child most page faults.
 *
 * A forked process inherits no mapped pages of a file: the first use of each
 * costs a page fault, dozens in every run. It does inherit pages that its parent
 * has a copy of. So the child makes copies of those pages of code and constants
 * that runs use, and unmaps all others, because each mapped page makes fork()
 * slower. Pages of data that most runs write are pinned (page_pins.h).
 *
 * Some runs show which pages these are. Meanwhile each page of code is a
 * mapping of its own, or the kernel would map the pages around it as well. At its
 * end a run reads in /proc which pages it has touched.
 *
 * Without /proc all works the same, but slower. A program may have put itself
 * into a sandbox that ends it for such a look at /proc: then its runs are not
 * asked again, and only what the child uses is known.
 */
#ifndef CFUZZ_TARGET_PROGRAM_HOT_PAGES_H
#define CFUZZ_TARGET_PROGRAM_HOT_PAGES_H

#include <stdbool.h>

struct hot_pages;

/*
 * In the fork server, before any child. The memory is shared with all children
 * and runs, and is never freed. NULL: no memory.
 */
struct hot_pages *hot_pages_open(void);

/*
 * These functions do nothing with NULL. Call this one in a new child. True: the
 * next run has to call hot_pages_on_end().
 */
bool hot_pages_on_child(struct hot_pages *hot);
/* Call it in the child after each run. True: as above. */
bool hot_pages_on_run(struct hot_pages *hot);
/* Call it in a run that has to, right before it ends. */
void hot_pages_on_end(struct hot_pages *hot);
/* Call it around what else a run does for that. */
void hot_pages_set_ending(struct hot_pages *hot, bool ending);
/*
 * Call it in the child after each run, before hot_pages_on_run(), with the wait
 * status of the run. True: the run was ended amid these functions, which says
 * nothing of its input. No later run has to call them. A crash of the program,
 * in another of its threads, is no such end, unless the program takes SIGSYS:
 * then a sandbox's handler may have crashed.
 */
bool hot_pages_was_ended(struct hot_pages *hot, int status);

#endif
