/*
 * glossary: the meaning of each number in plain words, and advice.
 */
#ifndef CFUZZ_UI_VIEWS_GLOSSARY_H
#define CFUZZ_UI_VIEWS_GLOSSARY_H

#include <stddef.h>

#include "ui/model/model.h"
#include "ui/term/grid.h"

#define GLOSSARY_VALUE 64

struct glossary_entry {
	const char *name;
	/* The current value as text. */
	void (*value)(const struct model *model, char buf[GLOSSARY_VALUE]);
	/* Advice in a few words, for keys_text(); a literal. "" or no function:
	 * none. Sets the style, unless it returns "". */
	const char *(*advice)(const struct model *model, enum style *style);
	const char *text; /* one or two sentences */
};

const struct glossary_entry *glossary_entry(size_t i); /* or NULL */

#endif
