/*
 * allocate: the libraries' memory is always there, as our own is.
 *
 * jansson and libevent hand on that there was no memory, and in most places
 * nothing sensible can be done then: an event would be missing from the journal,
 * or a member from a message. They get what xmalloc.h gives.
 */
#ifndef CFUZZ_CONTROL_ALLOCATE_H
#define CFUZZ_CONTROL_ALLOCATE_H

/* Once, before the first use of either. */
void allocate_for_libraries(void);

#endif
