/*
 * finding_stack: the stack of a finding, and the source of a frame.
 */
#ifndef CFUZZ_UI_VIEWS_FINDINGS_FINDING_STACK_H
#define CFUZZ_UI_VIEWS_FINDINGS_FINDING_STACK_H

#include <stdbool.h>

#include "base/text_lines.h"
#include "control/query.h"
#include "ui/term/grid.h"
#include "ui/widgets/list.h"

struct finding_stack {
	struct reply_frame *frames; /* owned */
	struct list list;           /* n frames */
	struct text_lines source;   /* text of the file … */
	char path[256];             /* … at this path */
	char why[256];              /* why there is no source */
	long scroll;                /* rows from the frame's line */
	int page;                   /* rows of source at the last draw */
};

void finding_stack_clear(struct finding_stack *stack);

/* Moves the frames out of the reply. The selection stays if the frames are the
 * same. */
void finding_stack_take(struct finding_stack *stack,
	struct reply_finding *reply);

/* foreign: another user's engine named the files: they are not opened. */
void finding_stack_draw(struct finding_stack *stack, struct grid *grid,
	struct rect rect, bool foreign);

/* "up", "down", "home", "end" and "row N" select frames; "page-up" and
 * "page-down" scroll the source. */
bool finding_stack_command(struct finding_stack *stack, const char *command);

#endif
