/*
 * listing: rows of text below headings, as wide as their cells.
 */
#ifndef CFUZZ_CLI_LISTING_H
#define CFUZZ_CLI_LISTING_H

#include <stdbool.h>
#include <stddef.h>

struct listing_column {
	const char *head;
	bool right; /* aligned */
};

/*
 * Prints n rows to stdout; cuts nothing. The cells, row by row, are clean text
 * and are freed.
 */
void listing_print(const struct listing_column *columns, size_t columns_n,
	char **take_cells, size_t n);

#endif
