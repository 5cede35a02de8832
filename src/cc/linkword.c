/* linkword: removes linker options from a command, see linkword.h. */
#include "cc/linkword.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"

/* clang-format off */
static const struct unwanted {
	enum compile_command_output output;
	const char *word;	/* without dashes */
	const char *value;	/* NULL: none; "": any */
} unwanted[] = {
	{ OUTPUT_SHARED,  "z",				"defs" },
	{ OUTPUT_SHARED,  "zdefs",			NULL },
	{ OUTPUT_SHARED,  "no-undefined",		NULL },
	{ OUTPUT_SHARED,  "no-allow-shlib-undefined",	NULL },
	{ OUTPUT_SHARED,  "unresolved-symbols",		"report-all" },
	{ OUTPUT_PROGRAM, "exclude-libs",		"" },
};
/* clang-format on */

#define N_UNWANTED (sizeof(unwanted) / sizeof(unwanted[0]))

/* A linker argument and the item that it stands in. */
struct linkword {
	char *text;
	struct item *item;
	bool removed;
};

struct linkwords {
	struct linkword *v;
	size_t n;
};

static void
linkword_add(struct linkwords *list, struct item *item, const char *text,
	size_t len)
{
	list->v = xreallocarray(list->v, list->n + 1, sizeof(*list->v));
	list->v[list->n++] = (struct linkword){
		.text = xstrndup(text, len),
		.item = item,
	};
}

static void
linkword_add_item(struct linkwords *list, struct item *item)
{
	const char *value = item->value;

	if (item->flag == NULL || value == NULL)
		return;
	switch (item->flag->id) {
	case FLAG_LINKER:
		for (;; value++) {
			size_t len = strcspn(value, ",");

			linkword_add(list, item, value, len);
			value += len;
			if (*value == '\0')
				return;
		}
	case FLAG_KEYWORD:
		linkword_add(list, item, "-z", 2);
		linkword_add(list, item, value, strlen(value));
		break;
	case FLAG_XLINKER:
		linkword_add(list, item, value, strlen(value));
		break;
	default:
		break;
	}
}

/* The number of words from list.v[at] on that form the unwanted option. */
static size_t
linkword_match(const struct linkwords *list, size_t at,
	const struct unwanted *u)
{
	const char *word = list->v[at].text;
	size_t len = strlen(u->word);
	const char *value = NULL;
	size_t n = 1;

	if (*word != '-')
		return 0;
	word += word[1] == '-' ? 2 : 1;
	if (strncmp(word, u->word, len) != 0)
		return 0;
	if (word[len] == '=') {
		value = word + len + 1;
	} else if (word[len] != '\0') {
		return 0;
	} else if (u->value != NULL && at + 1 < list->n) {
		value = list->v[at + 1].text;
		n = 2;
	}
	if (u->value == NULL)
		return value == NULL ? 1 : 0;
	if (value == NULL ||
		(*u->value != '\0' && strcmp(value, u->value) != 0))
		return 0;
	return n;
}

static bool
linkword_mark(struct linkwords *list, enum compile_command_output output)
{
	bool any = false;

	for (size_t at = 0; at < list->n; at++) {
		for (size_t u = 0; u < N_UNWANTED; u++) {
			size_t n = 0;

			if (unwanted[u].output == output)
				n = linkword_match(list, at, &unwanted[u]);
			for (size_t i = 0; i < n; i++)
				list->v[at + i].removed = any = true;
		}
	}
	return any;
}

/* Rewrites an item, given its n words, without the removed ones. */
static void
linkword_rewrite(struct item *item, const struct linkword *v, size_t n)
{
	size_t room = sizeof("-Wl"), left = 0;
	char *at;

	for (size_t i = 0; i < n; i++) {
		left += v[i].removed ? 0 : 1;
		room += strlen(v[i].text) + 1;
	}
	if (left == n)
		return;
	if (left == 0) {
		item->dropped = true;
		return;
	}
	item->replacement = xmalloc(room);
	at = stpcpy(item->replacement, "-Wl");
	for (size_t i = 0; i < n; i++)
		if (!v[i].removed)
			at = stpcpy(stpcpy(at, ","), v[i].text);
}

static void
linkword_clear(struct linkwords *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->v[i].text);
	free(list->v);
}

void
linkword_remove(struct compile_command *command)
{
	struct linkwords list = { 0 };

	for (size_t i = 0; i < command->n_items; i++)
		linkword_add_item(&list, &command->items[i]);
	if (linkword_mark(&list, command->output)) {
		for (size_t at = 0, n = 0; at < list.n; at += n) {
			struct item *item = list.v[at].item;

			for (n = 0;
				at + n < list.n && list.v[at + n].item == item;)
				n++;
			linkword_rewrite(item, &list.v[at], n);
		}
	}
	linkword_clear(&list);
}
