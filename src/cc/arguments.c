/* arguments: a growing list of strings, see arguments.h. */
#include "cc/arguments.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"

void
arguments_clear(struct arguments *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->v[i]);
	free(list->v);
	*list = (struct arguments){ .n = 0 };
}

void
arguments_take(struct arguments *list, char *take_word)
{
	list->v = xgrow(list->v, list->n, 2, sizeof(*list->v));
	list->v[list->n++] = take_word;
	list->v[list->n] = NULL;
}

void
arguments_add(struct arguments *list, const char *word)
{
	arguments_take(list, xstrdup(word));
}

void
arguments_add_list(struct arguments *list, const struct arguments *more)
{
	for (size_t i = 0; i < more->n; i++)
		arguments_add(list, more->v[i]);
}

static int
arguments_is_blank(char c)
{
	return c != '\0' && strchr(" \t\n\v\f\r", c) != NULL;
}

/* Parses a word from text[*at] on; word has room for all of text. */
static void
arguments_parse_one(const char *text, size_t len, size_t *at, char *word)
{
	char quote = '\0';

	for (; *at < len; (*at)++) {
		char c = text[*at];

		if (c == '\\' && *at + 1 < len)
			*word++ = text[++*at];
		else if (quote != '\0' && c == quote)
			quote = '\0';
		else if (quote == '\0' && (c == '\'' || c == '"'))
			quote = c;
		else if (quote == '\0' && arguments_is_blank(c))
			break;
		else
			*word++ = c;
	}
	*word = '\0';
}

void
arguments_parse(struct arguments *list, const char *text, size_t len)
{
	char *word = xmalloc(len + 1);

	for (size_t at = 0; at < len;) {
		if (arguments_is_blank(text[at])) {
			at++;
			continue;
		}
		arguments_parse_one(text, len, &at, word);
		arguments_add(list, word);
	}
	free(word);
}
