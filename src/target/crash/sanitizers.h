/*
 * sanitizers: the runtime's calls to a sanitizer that is linked in.
 *
 * The runtime is not instrumented, so it must say by hand which bytes the
 * target may touch and which are initialised. Without a sanitizer, a function
 * here only tests a weak symbol. A function that needs another one may be
 * called only if that one returns true.
 */
#ifndef CFUZZ_TARGET_CRASH_SANITIZERS_H
#define CFUZZ_TARGET_CRASH_SANITIZERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "address", "memory", "thread", "leak", "undefined", or "". */
const char *sanitizers_name(void);

/*
 * The sanitizer prepares its memory. Where the system has given addresses that it
 * cannot use, it executes the program once more. Only MemorySanitizer waits for
 * this call; the other sanitizers have begun by themselves.
 */
void sanitizers_begin(void);

/* The number of threads that the sanitizer itself has started. */
int sanitizers_threads(void);

/* Sends reports to this descriptor. False: the sanitizer cannot do that. */
bool sanitizers_set_report_fd(int fd);

/*
 * Is there a report in the file, before its offset, in the last 256 KiB? False as
 * well for a warning, after which the target goes on, and for a file that cannot
 * be read.
 */
bool sanitizers_have_reported(int fd);

/*
 * Prints a stack to /dev/null. This fills the sanitizer's tables once, so that
 * no child has to fill them for its report. Afterwards reports go to stderr.
 */
void sanitizers_rehearse(void);

/*
 * From now on, is ThreadSanitizer ending the process? It does so after a report,
 * and holds locks for which its versions of the C library's functions may wait for
 * ever. The second call may say no if the target has a death callback of its own.
 */
void sanitizers_watch_end(void);
bool sanitizers_hold_locks(void);

/* Can single bytes be poisoned? */
bool sanitizers_can_poison(void);
/* Needs sanitizers_can_poison(). len: bytes. */
void sanitizers_poison(const void *start, size_t len);
void sanitizers_unpoison(const void *start, size_t len);

/* Does the sanitizer check the alignment of an input? */
bool sanitizers_want_alignment(void);

/*
 * Does the sanitizer track which bytes are initialised? If not, the calls that
 * mark bytes as initialised do nothing.
 */
bool sanitizers_track_bytes(void);

/*
 * Leak detection, if the sanitizer has it. sanitizers_watch_leaks() turns
 * tracking of the present thread's allocations on (true) or off; calls must
 * alternate. sanitizers_find_leaks() is slow and may end the process; true: it
 * has found leaks and written a report. It needs sanitizers_can_find_leaks().
 */
bool sanitizers_can_find_leaks(void);
void sanitizers_watch_leaks(bool watch);
bool sanitizers_find_leaks(void);
/* From now on, the sanitizer calls these at each allocation and each release.
 * Needs sanitizers_can_find_leaks(). */
void sanitizers_count(void (*on_malloc)(const volatile void *at, size_t len),
	void (*on_free)(const volatile void *at));

/*
 * Between hide and show, the sanitizer does not check what the runtime passes
 * to the C library. Calls nest.
 */
void sanitizers_hide(void);
void sanitizers_show(void);

/*
 * Before each call of the target: marks data and two parameters as initialised.
 */
void sanitizers_input(const uint8_t *data, size_t len);

/*
 * Before a call with n parameters: marks data and the parameters as
 * initialised.
 */
void sanitizers_pass(const uint8_t *data, size_t len, size_t n);

#endif
