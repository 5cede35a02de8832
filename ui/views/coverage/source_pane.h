/*
 * source_pane: one file of a target's source, with what was hit of it.
 *
 * Before each line stand signs: whether its code was hit, in part, or not;
 * how often at most; whether that is new; and whether it is a frontier, a line
 * that was hit while the code behind it never was: the next line of the same
 * function, or a call in a part of this one. A missed part that only goes back
 * to lines that were hit is none. What a sanitizer adds is no code of a line.
 * Of a line in a block that has no counter, and that no counter tells about, it is
 * not known: it has a sign of its own, and is neither summed up nor looked at
 * for frontiers. A
 * function without debug information is shown as the addresses of its
 * counters, in the same way.
 *
 * The text is read from this machine's disk by the path that the debug
 * information has. It is foreign: its size is bounded, each line is cleaned.
 */
#ifndef CFUZZ_UI_VIEWS_COVERAGE_SOURCE_PANE_H
#define CFUZZ_UI_VIEWS_COVERAGE_SOURCE_PANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/term/grid.h"
#include "ui/views/coverage/coverage_map.h"
#include "ui/widgets/list.h"
#include "ui/widgets/text_lines.h"

enum source_state {
	SOURCE_NO_CODE,
	SOURCE_UNKNOWN, /* nobody counts whether it runs */
	SOURCE_MISSED,
	SOURCE_PARTLY,
	SOURCE_HIT,
};

/* A line with code. */
struct source_mark {
	uint32_t line, function;
	uint32_t hit, missed, unknown; /* blocks */
	uint32_t calls;                /* missed ones that call a function */
	uint8_t bits;                  /* of their counters */
	bool frontier;
	float first_s; /* the newest of their first hits, or NEVER */
};

struct source_pane {
	bool open;
	size_t module; /* of the map */
	bool addresses;
	uint32_t index; /* a file; addresses: a function */
	char title[SOURCE_PATH_MAX];
	char why[256]; /* there is no text: why */
	struct text_lines text;
	size_t lines_n;              /* of it, or of what would be there */
	uint64_t structure, changed; /* of the map, when marks were made */
	struct source_mark *marks;   /* by line */
	double made_s, drawn_s;      /* elapsed, of marks and of a frame */
	size_t marks_n, known_n, frontiers_n; /* known: hit or missed */
	struct list list;
	int shift; /* columns that are left out at the left */
};

/* line 0: the start. */
void source_pane_open_file(struct source_pane *pane,
	const struct coverage_map *map, size_t module, uint32_t file,
	uint32_t line);
/* Its file, or its addresses if none is known. */
void source_pane_open_function(struct source_pane *pane,
	const struct coverage_map *map, size_t module, uint32_t function);
void source_pane_close(struct source_pane *pane);

enum source_state source_mark_state(const struct source_mark *mark);

/* With a frame. */
void source_pane_draw(struct source_pane *pane, const struct coverage_map *map,
	double elapsed_s, struct grid *grid, struct rect rect);

/* Those of a list; "left", "right", "next-frontier", "previous-frontier".
 * send: as of struct view_ops. */
bool source_pane_command(struct source_pane *pane,
	const struct coverage_map *map, const char *command, char *send);

#endif
