/*
 * explain_words: labels of fields, and what they stand for.
 *
 * A label leads to an entry of the glossary, or has words of its own: columns
 * of lists have no value for the whole campaign. What stands for different
 * things in different views has a row for each of them.
 */
#ifndef CFUZZ_UI_CONSOLE_EXPLAIN_WORDS_H
#define CFUZZ_UI_CONSOLE_EXPLAIN_WORDS_H

#include <stddef.h>

#include "ui/term/keys.h"

struct explain_words {
	enum key_context view; /* KEYS_COMMON: where no other row is for it */
	const char *label;     /* as it stands on the screen */
	const char *entry;     /* of the glossary; NULL: text */
	const char *text;
};

const struct explain_words *explain_words(size_t i); /* NULL at the end */

#endif
