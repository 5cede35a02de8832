/*
 * explain_words: labels of fields and their explanations.
 *
 * A label refers to an entry of the glossary or has a text of its own, as the
 * columns of lists have, which have no value for the whole campaign. A label
 * with different meanings in several views has a row for each.
 */
#ifndef CFUZZ_UI_CONSOLE_EXPLAIN_WORDS_H
#define CFUZZ_UI_CONSOLE_EXPLAIN_WORDS_H

#include <stddef.h>

#include "ui/term/keys.h"

struct explain_words {
	enum key_context view; /* KEYS_COMMON: in all views without a row */
	const char *label;     /* as on the screen */
	const char *entry;     /* of the glossary; NULL: use text */
	const char *text;
};

const struct explain_words *explain_words(size_t i); /* NULL after the last */

#endif
