/*
 * listing: rows of text below headings, as wide as their cells.
 */
#ifndef CFUZZ_CLI_LISTING_H
#define CFUZZ_CLI_LISTING_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/tool.h"

struct listing_column {
	const char *head;
	bool right; /* aligned */
};

struct listing {
	const struct listing_column *columns;
	size_t n;
	/* Sets a cell for each column: clean text of malloc(). */
	void (*fill)(char **cells, const json_t *row);
	const char *none; /* instead of an empty list */
};

/* Prints an array of objects to stdout, and frees it: as it is with --json, else
 * the headings and a row for each; cuts nothing. NULL: EXIT_SETUP. */
enum exit_status listing_run(const struct listing *listing,
	const struct tool *tool, json_t *take_rows);

#endif
