/* arguments: a growing list of strings, see arguments.h. */
#include "cc/arguments.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"

void
words_init(struct words *words)
{
	words->n = 0;
	words->cap = 16;
	words->v = xcalloc(words->cap, sizeof(*words->v));
}

void
words_clear(struct words *words)
{
	for (size_t i = 0; i < words->n; i++)
		free(words->v[i]);
	free(words->v);
	words->v = NULL;
	words->n = words->cap = 0;
}

void
words_take(struct words *words, char *take_word)
{
	if (words->n + 1 >= words->cap) {
		words->cap *= 2;
		words->v =
			xreallocarray(words->v, words->cap, sizeof(*words->v));
	}
	words->v[words->n++] = take_word;
	words->v[words->n] = NULL;
}

void
words_add(struct words *words, const char *word)
{
	words_take(words, xstrdup(word));
}

void
words_add_list(struct words *words, const struct words *more)
{
	for (size_t i = 0; i < more->n; i++)
		words_add(words, more->v[i]);
}

static int
words_is_blank(char c)
{
	return c != '\0' && strchr(" \t\n\v\f\r", c) != NULL;
}

/* One word from text[*at] on into word, which has room for all of it. */
static void
words_parse_one(const char *text, size_t len, size_t *at, char *word)
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
		else if (quote == '\0' && words_is_blank(c))
			break;
		else
			*word++ = c;
	}
	*word = '\0';
}

void
words_parse(struct words *words, const char *text, size_t len)
{
	char *word = xmalloc(len + 1);

	for (size_t at = 0; at < len;) {
		if (words_is_blank(text[at])) {
			at++;
			continue;
		}
		words_parse_one(text, len, &at, word);
		words_add(words, word);
	}
	free(word);
}
