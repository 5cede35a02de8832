/*
 * label_value: names and values in a row, wrapped where needed.
 */
#ifndef CFUZZ_UI_WIDGETS_LABEL_VALUE_H
#define CFUZZ_UI_WIDGETS_LABEL_VALUE_H

#include <stddef.h>

#include "ui/term/grid.h"

#define LABEL_VALUES_MAX 16
#define LABEL_VALUES_TEXT 160

struct label_values {
	size_t n;
	struct label_value {
		const char *name; /* "" = only the value */
		enum style style;
		char text[LABEL_VALUES_TEXT];
	} items[LABEL_VALUES_MAX];
};

/* The value may be foreign text. Drops empty values, and those that exceed the
 * maximum number. */
void label_values_add(struct label_values *values, const char *name,
	enum style style, const char *text);

/* Rows that the pairs take at a width. */
int label_values_rows(const struct label_values *values, int columns);
void label_values_draw(const struct label_values *values, struct grid *grid,
	struct rect rect);

#endif
