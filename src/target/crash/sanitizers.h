/*
 * sanitizers: what the runtime tells a sanitizer that is linked in.
 *
 * The runtime itself is never instrumented, so it must say by hand which
 * bytes the target may touch and which are initialised. Everything here is a
 * test of a weak symbol and nothing more in a program without sanitizer.
 */
#ifndef CFUZZ_TARGET_CRASH_SANITIZERS_H
#define CFUZZ_TARGET_CRASH_SANITIZERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "address", "memory", "thread", "leak", "undefined", or "". */
const char *sanitizers_name(void);

/* Threads that the sanitizer itself has started. */
int sanitizers_threads(void);

/* Reports go to this descriptor. False: there is none to tell. */
bool sanitizers_set_report_fd(int fd);

/*
 * Has it print a stack to nowhere: what a report needs is in its tables then,
 * and children need not fill them again.
 */
void sanitizers_rehearse(void);

/* Can single bytes be made untouchable? */
bool sanitizers_can_poison(void);
void sanitizers_poison(const void *start, size_t len);
void sanitizers_unpoison(const void *start, size_t len);

/* Does the sanitizer mind where an input starts? */
bool sanitizers_want_alignment(void);

/*
 * Does one know which bytes are initialised? If not, what follows does
 * nothing.
 */
bool sanitizers_track_bytes(void);

/*
 * Leaks: is there one who finds them? What the present thread allocates is
 * watched, or is not; both in turn. Looking takes long and may end the
 * process; with true there is a report.
 */
bool sanitizers_can_find_leaks(void);
void sanitizers_watch_leaks(bool watch);
bool sanitizers_find_leaks(void);
/* Calls these at each allocation and each release, from now on. */
void sanitizers_count(void (*on_malloc)(const volatile void *at, size_t len),
	void (*on_free)(const volatile void *at));

/*
 * Our own code runs between hide and show: what it hands to the C library
 * is not looked at. Calls nest.
 */
void sanitizers_hide(void);
void sanitizers_show(void);

/* Before each call of the target: data and both parameters are whole. */
void sanitizers_input(const uint8_t *data, size_t len);

/* Before a call with n parameters: they are whole, and so is data. */
void sanitizers_pass(const uint8_t *data, size_t len, size_t n);

#endif
