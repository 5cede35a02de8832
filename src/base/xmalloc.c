/*
 * xmalloc: allocation that never returns NULL, see xmalloc.h.
 *
 * The failure message is written without allocating.
 */

#include "base/xmalloc.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rlimits.h"

_Noreturn void
xmalloc_fail(void)
{
	char why[RLIMITS_TEXT_MAX], text[RLIMITS_TEXT_MAX + 64];
	int len = snprintf(text, sizeof(text), "cfuzz: out of memory: %s\n",
		rlimits_text(ENOMEM, why, sizeof(why)));
	ssize_t written = write(STDERR_FILENO, text, (size_t)len);

	(void)written; /* nothing is left to try */
	_exit(XMALLOC_EXIT_STATUS);
}

void *
xmalloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		xmalloc_fail();
	return p;
}

void *
xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p)
		xmalloc_fail();
	return p;
}

void *
xrealloc(void *p, size_t size)
{
	void *moved = realloc(p, size ? size : 1);

	if (!moved)
		xmalloc_fail();
	return moved;
}

void *
xreallocarray(void *p, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size)
		xmalloc_fail();
	return xrealloc(p, n * size);
}

void *
xgrow(void *items, size_t n, size_t more, size_t size)
{
	size_t room = 16;

	while (room < n)
		room *= 2;
	if (n > 0 && n + more <= room)
		return items;
	while (room < n + more)
		room *= 2;
	return xreallocarray(items, room, size);
}

void *
xmemdup(const void *p, size_t size)
{
	void *copy = xmalloc(size);

	if (size)
		memcpy(copy, p, size);
	return copy;
}

void
xfree_list(char **list)
{
	size_t i;

	for (i = 0; list != NULL && list[i] != NULL; i++)
		free(list[i]);
	free(list);
}

char *
xstrdup(const char *s)
{
	return xmemdup(s, strlen(s) + 1);
}

char *
xstrndup(const char *s, size_t len)
{
	char *copy;

	len = strnlen(s, len);
	copy = xmalloc(len + 1);
	memcpy(copy, s, len);
	copy[len] = '\0';
	return copy;
}

char *
xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *text;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len < 0)
		xmalloc_fail();
	return text;
}
