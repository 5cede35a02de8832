/*
 * xmalloc: allocation that never returns NULL.
 *
 * A host program without memory ends in one place, with a message and exit
 * status 3. The caller releases memory with free(). A size of 0 gives a valid
 * pointer.
 */
#ifndef CFUZZ_BASE_XMALLOC_H
#define CFUZZ_BASE_XMALLOC_H

#include <stddef.h>

#define XMALLOC_EXIT_STATUS 3

/* Ends the program. Also for failed allocations of libraries. */
_Noreturn void xmalloc_fail(void);

void *xmalloc(size_t size) __attribute__((malloc, returns_nonnull));
void *xcalloc(size_t n, size_t size) __attribute__((malloc, returns_nonnull));
void *xrealloc(void *p, size_t size) __attribute__((returns_nonnull));
void *xreallocarray(void *p, size_t n, size_t size)
	__attribute__((returns_nonnull));
/*
 * Makes room for `more` items of `size` bytes behind the first n of a list that
 * only this function allocates, and returns the list, which may have moved. A
 * list of NULL with n 0 is new. The room doubles.
 */
void *xgrow(void *items, size_t n, size_t more, size_t size)
	__attribute__((returns_nonnull));
void *xmemdup(const void *p, size_t size)
	__attribute__((malloc, returns_nonnull));
/* Frees a NULL-ended list of strings, such as an argv. NULL is fine. */
void xfree_list(char **list);
char *xstrdup(const char *s) __attribute__((malloc, returns_nonnull));
char *xstrndup(const char *s, size_t len)
	__attribute__((malloc, returns_nonnull));
char *xasprintf(const char *fmt, ...)
	__attribute__((malloc, returns_nonnull, format(printf, 1, 2)));

#endif
