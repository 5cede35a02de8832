/*
 * libraries: libevent and jansson never come back without memory.
 *
 * They get theirs from xmalloc(), the one place that says so and ends the
 * program with exit status 3: who makes an event or a JSON value need not look
 * whether it is there. Text that is no UTF-8 is none of this: what comes from
 * outside is cleaned before.
 */
#ifndef CFUZZ_CONTROL_LIBRARIES_H
#define CFUZZ_CONTROL_LIBRARIES_H

#include <event2/event.h>

/* Once, before the first use of either library. */
void libraries_prepare(void);

/* As event_base_new(), but never NULL; prepares the libraries before. */
struct event_base *libraries_base_new(void);

#endif
