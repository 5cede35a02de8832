/* arguments: a growing list of strings, see arguments.h. */
#include "cc/arguments.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"

void
arguments_clear(struct arguments *words)
{
	for (size_t i = 0; i < words->n; i++)
		free(words->v[i]);
	free(words->v);
	*words = (struct arguments){ .n = 0 };
}

void
arguments_take(struct arguments *words, char *take_word)
{
	words->v = xgrow(words->v, words->n, 2, sizeof(*words->v));
	words->v[words->n++] = take_word;
	words->v[words->n] = NULL;
}

void
arguments_add(struct arguments *words, const char *word)
{
	arguments_take(words, xstrdup(word));
}

void
arguments_add_list(struct arguments *words, const struct arguments *more)
{
	for (size_t i = 0; i < more->n; i++)
		arguments_add(words, more->v[i]);
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
arguments_parse(struct arguments *words, const char *text, size_t len)
{
	char *word = xmalloc(len + 1);

	for (size_t at = 0; at < len;) {
		if (arguments_is_blank(text[at])) {
			at++;
			continue;
		}
		arguments_parse_one(text, len, &at, word);
		arguments_add(words, word);
	}
	free(word);
}
