/*
 * arguments: a growing list of strings, as a command line is one.
 *
 * The list owns copies of its strings and is always ended by NULL, so that
 * words.v can be given to exec as it stands.
 */
#ifndef CFUZZ_CC_ARGUMENTS_H
#define CFUZZ_CC_ARGUMENTS_H

#include <stddef.h>

struct words {
	char **v;
	size_t n;
	size_t cap;
};

void words_init(struct words *words);
void words_clear(struct words *words);

void words_add(struct words *words, const char *word);
/* Add a string that the list owns from now on. */
void words_take(struct words *words, char *take_word);
void words_add_list(struct words *words, const struct words *more);

/*
 * Split text the way compilers read a response file: blanks separate, single
 * and double quotes hold together, a backslash takes the next character as it
 * is. An open quote ends with the text.
 */
void words_parse(struct words *words, const char *text, size_t len);

#endif
