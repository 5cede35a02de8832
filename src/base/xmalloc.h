/*
 * xmalloc: memory that is always there.
 *
 * Host programs do not limp on without memory: when there is none left, one
 * place says so and ends the program with exit status 3. What comes from
 * here is released with free(). Sizes of 0 give a valid pointer.
 */
#ifndef CFUZZ_BASE_XMALLOC_H
#define CFUZZ_BASE_XMALLOC_H

#include <stddef.h>

#define XMALLOC_EXIT_STATUS 3

/* The one place. For whoever gets memory from elsewhere, as from a library. */
_Noreturn void xmalloc_fail(void);

void *xmalloc(size_t size) __attribute__((malloc, returns_nonnull));
void *xcalloc(size_t n, size_t size) __attribute__((malloc, returns_nonnull));
void *xrealloc(void *p, size_t size) __attribute__((returns_nonnull));
void *xreallocarray(void *p, size_t n, size_t size)
	__attribute__((returns_nonnull));
void *xmemdup(const void *p, size_t size)
	__attribute__((malloc, returns_nonnull));
char *xstrdup(const char *s) __attribute__((malloc, returns_nonnull));
char *xstrndup(const char *s, size_t len)
	__attribute__((malloc, returns_nonnull));
char *xasprintf(const char *fmt, ...)
	__attribute__((malloc, returns_nonnull, format(printf, 1, 2)));

#endif
