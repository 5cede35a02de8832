/*
 * glossary: what each number means, in plain words, and whether it is good.
 */
#ifndef CFUZZ_UI_VIEWS_GLOSSARY_H
#define CFUZZ_UI_VIEWS_GLOSSARY_H

#include <stddef.h>

#include "ui/model/model.h"
#include "ui/term/grid.h"

#define GLOSSARY_VALUE 64

struct glossary_entry {
	const char *name;
	/* The present value as text. */
	void (*value)(const struct model *model, char buf[GLOSSARY_VALUE]);
	/* What to think of it, in a few words, for keys_text(); "" = nothing.
	 * NULL: nothing.
	 * The style is STYLE_GOOD or STYLE_WARN. */
	const char *(*advice)(const struct model *model, enum style *style);
	const char *text; /* one or two sentences */
};

const struct glossary_entry *glossary_entry(size_t i); /* NULL at the end */

#endif
