/*
 * allocate: jansson and libevent allocate with xmalloc(), which never fails.
 *
 * Otherwise both libraries return an error when memory runs out, and most
 * callers could not handle it sensibly: the journal would miss an event, or a
 * message would miss a member.
 */
#ifndef CFUZZ_CONTROL_ALLOCATE_H
#define CFUZZ_CONTROL_ALLOCATE_H

/* Call once, before the first use of either library. */
void allocate_for_libraries(void);

#endif
