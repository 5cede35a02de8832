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

/* Each finding is compared with at most so many. */
#define DISTINGUISH_TWINS 32u
#define DISTINGUISH_PARTS 16u

struct part {
	const char *at;
	size_t len;
};

static int
distinguish_compare(const void *a, const void *b)
{
	const struct distinguish *x = a, *y = b;
	int order = strcmp(x->what, y->what);

	return order != 0 ? order : strcmp(x->where, y->where);
}

/* The n-th part of an identity; empty beyond the last part. */
static struct part
distinguish_part(const char *identity, unsigned n)
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
distinguish_same(struct part a, struct part b)
{
	return a.len == b.len && memcmp(a.at, b.at, a.len) == 0;
}

/* "caller" of "caller twelve.c". */
static struct part
distinguish_function(struct part part)
{
	const char *space = memrchr(part.at, ' ', part.len);

	if (space != NULL &&
		memchr(space, '.', part.len - (size_t)(space - part.at)))
		part.len = (size_t)(space - part.at);
	return part;
}

/* The first part that differs; DISTINGUISH_PARTS if none does. */
static unsigned
distinguish_first(const char *a, const char *b)
{
	unsigned i;

	for (i = 0; i < DISTINGUISH_PARTS; i++)
		if (!distinguish_same(distinguish_part(a, i),
			    distinguish_part(b, i)))
			break;
	return i;
}

static void
distinguish_add(const struct distinguish *item, struct part part)
{
	size_t n = strlen(item->text);

	if (part.len > 0 && n < item->size)
		snprintf(item->text + n, item->size - n, "%s%.*s",
			n > 0 ? " < " : "", (int)part.len, part.at);
}

/* A full buffer may have cut the text inside a character. */
static void
distinguish_clean(const struct distinguish *item)
{
	char *text = xstrdup(item->text);

	text_clean_string(text, item->text, item->size);
	free(text);
}

static void
distinguish_tell_one(const struct distinguish *item,
	const struct distinguish *twins, size_t n)
{
	bool wanted[DISTINGUISH_PARTS] = { false },
	     whole[DISTINGUISH_PARTS] = { false };
	unsigned i, at;

	for (i = 0; i < n && i < DISTINGUISH_TWINS; i++) {
		if (&twins[i] == item || twins[i].identity == NULL)
			continue;
		at = distinguish_first(item->identity, twins[i].identity);
		if (at == DISTINGUISH_PARTS)
			continue;
		wanted[at] = true;
		whole[at] |= distinguish_same(
			distinguish_function(
				distinguish_part(item->identity, at)),
			distinguish_function(
				distinguish_part(twins[i].identity, at)));
	}
	for (i = 0; i < DISTINGUISH_PARTS; i++)
		if (wanted[i])
			distinguish_add(item,
				whole[i]
					? distinguish_part(item->identity, i)
					: distinguish_function(distinguish_part(
						  item->identity, i)));
	distinguish_clean(item);
}

void
distinguish_tell(struct distinguish *items, size_t n,
	distinguish_identity_fn *identity)
{
	size_t from, to, i;

	if (n > 0)
		qsort(items, n, sizeof(*items), distinguish_compare);
	for (from = 0; from < n; from = to) {
		for (to = from + 1; to < n; to++)
			if (distinguish_compare(&items[from], &items[to]) != 0)
				break;
		for (i = from; i < to && to - from > 1; i++)
			items[i].identity = identity(&items[i]);
		for (i = from; i < to && to - from > 1; i++)
			if (items[i].identity != NULL)
				distinguish_tell_one(&items[i], items + from,
					to - from);
	}
}
