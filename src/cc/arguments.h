/*
 * arguments: a growing list of strings, as a command line is one.
 *
 * The list owns copies of its strings and is always ended by NULL, so that
 * words.v can be given to exec as it stands.
 */
#ifndef CFUZZ_CC_ARGUMENTS_H
#define CFUZZ_CC_ARGUMENTS_H

#include <stddef.h>

struct arguments {
	char **v;
	size_t n;
	size_t cap;
};

void arguments_init(struct arguments *words);
void arguments_clear(struct arguments *words);

void arguments_add(struct arguments *words, const char *word);
/* Add a string that the list owns from now on. */
void arguments_take(struct arguments *words, char *take_word);
void arguments_add_list(struct arguments *words, const struct arguments *more);

/*
 * Split text the way compilers read a response file: blanks separate, single
 * and double quotes hold together, a backslash takes the next character as it
 * is. An open quote ends with the text.
 */
void arguments_parse(struct arguments *words, const char *text, size_t len);

#endif
