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
 * Prints the headings and n rows to stdout; cuts nothing. take_cells: a list of
 * n * columns_n strings of clean text, row by row. Frees strings and list.
 */
void listing_print(const struct listing_column *columns, size_t columns_n,
	char **take_cells, size_t n);

#endif
