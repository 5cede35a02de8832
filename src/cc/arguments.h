/*
 * arguments: a growing list of strings, such as a command line.
 *
 * A list of zero bytes is empty. Any other list owns its strings and ends with
 * NULL, so that list.v can be passed to exec.
 */
#ifndef CFUZZ_CC_ARGUMENTS_H
#define CFUZZ_CC_ARGUMENTS_H

#include <stddef.h>

struct arguments {
	char **v;
	size_t n;
};

void arguments_clear(struct arguments *list);

/* Adds a copy of the string. */
void arguments_add(struct arguments *list, const char *word);
/* Adds a string of malloc() and takes ownership of it. */
void arguments_take(struct arguments *list, char *take_word);
/* Adds copies of all strings of `more`. */
void arguments_add_list(struct arguments *list, const struct arguments *more);

/*
 * Adds the words of a text of len bytes, split as compilers split a response
 * file: blanks separate words, single and double quotes keep blanks, a
 * backslash quotes the next character. The end of the text closes an open
 * quote.
 */
void arguments_parse(struct arguments *list, const char *text, size_t len);

#endif
