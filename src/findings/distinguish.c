/*
 * distinguish: see distinguish.h.
 */
#include "findings/distinguish.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"

#define APART_TWINS 32u /* so many are compared with each */
#define APART_PARTS 16u

struct part {
	const char *at;
	size_t len;
};

static int
apart_compare(const void *a, const void *b)
{
	const struct apart *x = a, *y = b;
	int order = strcmp(x->what, y->what);

	return order != 0 ? order : strcmp(x->where, y->where);
}

/* A part of an identity; beyond the last one there is nothing. */
static struct part
apart_part(const char *identity, unsigned n)
{
	const char *end = identity;

	while (n > 0 && (end = strstr(identity, ", ")) != NULL) {
		identity = end + 2;
		n--;
	}
	if (n > 0)
		return (struct part){ "", 0 };
	end = strstr(identity, ", ");
	return (struct part){ identity,
		end != NULL ? (size_t)(end - identity) : strlen(identity) };
}

static bool
apart_same(struct part a, struct part b)
{
	return a.len == b.len && memcmp(a.at, b.at, a.len) == 0;
}

/* "caller" of "caller twelve.c". */
static struct part
apart_function(struct part part)
{
	const char *space = memrchr(part.at, ' ', part.len);

	if (space != NULL &&
		memchr(space, '.', part.len - (size_t)(space - part.at)))
		part.len = (size_t)(space - part.at);
	return part;
}

/* The first part that is not the same in both; the number of parts: none. */
static unsigned
apart_first(const char *a, const char *b)
{
	unsigned i;

	for (i = 0; i < APART_PARTS; i++)
		if (!apart_same(apart_part(a, i), apart_part(b, i)))
			break;
	return i;
}

static void
apart_add(const struct apart *item, struct part part)
{
	size_t n = strlen(item->text);

	if (part.len > 0 && n < item->size)
		snprintf(item->text + n, item->size - n, "%s%.*s",
			n > 0 ? " < " : "", (int)part.len, part.at);
}

/* Cut where it was full, it may have ended inside a character. */
static void
apart_clean(const struct apart *item)
{
	char *text = xstrdup(item->text);

	text_clean_string(text, item->text, item->size);
	free(text);
}

static void
apart_tell_one(const struct apart *item, const struct apart *twins, size_t n)
{
	bool wanted[APART_PARTS] = { false }, whole[APART_PARTS] = { false };
	unsigned i, at;

	for (i = 0; i < n && i < APART_TWINS; i++) {
		if (&twins[i] == item || twins[i].identity == NULL)
			continue;
		at = apart_first(item->identity, twins[i].identity);
		if (at == APART_PARTS)
			continue;
		wanted[at] = true;
		whole[at] |= apart_same(apart_function(
						apart_part(item->identity, at)),
			apart_function(apart_part(twins[i].identity, at)));
	}
	for (i = 0; i < APART_PARTS; i++)
		if (wanted[i])
			apart_add(item,
				whole[i] ? apart_part(item->identity, i)
					 : apart_function(
						   apart_part(item->identity,
							   i)));
	apart_clean(item);
}

void
apart_tell(struct apart *items, size_t n, apart_identity_fn *identity)
{
	size_t from, to, i;

	if (n > 0)
		qsort(items, n, sizeof(*items), apart_compare);
	for (from = 0; from < n; from = to) {
		for (to = from + 1; to < n; to++)
			if (apart_compare(&items[from], &items[to]) != 0)
				break;
		for (i = from; i < to && to - from > 1; i++)
			items[i].identity = identity(&items[i]);
		for (i = from; i < to && to - from > 1; i++)
			if (items[i].identity != NULL)
				apart_tell_one(&items[i], items + from,
					to - from);
	}
}
