/*
 * label_value: names and values, one after the other, over as many rows as needed.
 */
#ifndef CFUZZ_UI_WIDGETS_LABEL_VALUE_H
#define CFUZZ_UI_WIDGETS_LABEL_VALUE_H

#include <stddef.h>

#include "ui/term/grid.h"

#define FACTS_MAX 16
#define FACTS_TEXT 160

struct facts {
	size_t n;
	struct fact {
		const char *name; /* "" = none */
		enum style style;
		char text[FACTS_TEXT];
	} items[FACTS_MAX];
};

/* The value may be foreign text; empty values and too many are left out. */
void facts_add(struct facts *facts, const char *name, enum style style,
	const char *text);

/* Rows that they take in so many columns. */
int facts_rows(const struct facts *facts, int columns);
void facts_draw(const struct facts *facts, struct grid *grid, struct rect rect);

#endif
