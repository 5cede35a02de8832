/*
 * plain: comparisons and copies without hooks.
 *
 * The functions behave as in the C library, but call nothing and use no data.
 * They work before the C library does, and cannot be intercepted. The runtime's
 * own calls of memcmp() and the like go here (see the Makefile), so that they
 * neither pass through a sanitizer nor count as comparisons of the target.
 * Letters are ASCII.
 */
#ifndef CFUZZ_TARGET_HOOKS_PLAIN_H
#define CFUZZ_TARGET_HOOKS_PLAIN_H

#include <stddef.h>

/* Hidden: called directly, even before the program is relocated. */
#pragma GCC visibility push(hidden)

int plain_memcmp(const void *a, const void *b, size_t n);
int plain_bcmp(const void *a, const void *b, size_t n);
int plain_strcmp(const char *a, const char *b);
int plain_strncmp(const char *a, const char *b, size_t n);
int plain_strcasecmp(const char *a, const char *b);
int plain_strncasecmp(const char *a, const char *b, size_t n);
char *plain_strstr(const char *text, const char *word);
char *plain_strcasestr(const char *text, const char *word);
void *plain_memmem(const void *data, size_t len, const void *part,
	size_t part_len);

/* Like memcpy(), for bytes that a sanitizer does not allow to be read. */
void plain_copy(void *to, const void *from, size_t n);

#pragma GCC visibility pop

#endif
