/*
 * source_pane: a file of the target's source that shows which lines were hit.
 *
 * Symbols before each line show whether its code was hit fully, in part or not
 * at all, the highest hit count, new hits, and frontiers. A frontier is a line
 * that was hit although the code behind it never was: the next line of the
 * function, or a call in a missed block of this line. A missed block that only
 * jumps back to hit lines is not a frontier. Code that a sanitizer adds does
 * not count.
 *
 * Some blocks have no counter, and no other counter shows whether they run.
 * Their lines have a symbol of their own; sums and frontiers ignore them. A
 * function without debug information is shown as the addresses of its counters,
 * with the same symbols.
 *
 * The text is read from this machine's disk, by the path in the debug
 * information. It is foreign text: its size is bounded, and each line is
 * cleaned.
 */
#ifndef CFUZZ_UI_VIEWS_COVERAGE_SOURCE_PANE_H
#define CFUZZ_UI_VIEWS_COVERAGE_SOURCE_PANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text_lines.h"
#include "coverage/coverage_map.h"
#include "coverage/source_lines.h"
#include "ui/term/grid.h"
#include "ui/widgets/list.h"

struct source_pane {
	bool open;
	size_t module; /* index in the map */
	bool addresses;
	uint32_t index; /* of a file, or of a function's addresses */
	char title[SOURCE_PATH_MAX];
	char why[256]; /* why the text is missing */
	struct text_lines text;
	size_t lines_n; /* in the text, or up to the last line with code */
	uint64_t structure, changed;    /* of the map at the last update */
	struct source_line *code_lines; /* sorted by line */
	double made_s, drawn_s; /* elapsed_s at the last update and draw */
	size_t code_lines_n, known_n, frontiers_n; /* known: hit or missed */
	struct list list;
	int shift; /* columns scrolled to the right */
};

/* line 0: the start of the file. */
void source_pane_open_file(struct source_pane *pane,
	const struct coverage_map *map, size_t module, uint32_t file,
	uint32_t line);
/* Opens the function's file, or its addresses if the file is unknown. */
void source_pane_open_function(struct source_pane *pane,
	const struct coverage_map *map, size_t module, uint32_t function);
void source_pane_close(struct source_pane *pane);

/* Draws with a frame. */
void source_pane_draw(struct source_pane *pane, const struct coverage_map *map,
	double elapsed_s, struct grid *grid, struct rect rect);

/* Commands of a list, "left", "right", "next-frontier" and "previous-frontier".
 * `send` is as in struct view_ops. */
bool source_pane_command(struct source_pane *pane,
	const struct coverage_map *map, const char *command, char *send);

#endif
