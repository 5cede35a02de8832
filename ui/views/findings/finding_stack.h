/*
 * finding_stack: the stack of a finding, and the source around a frame.
 */
#ifndef CFUZZ_UI_VIEWS_FINDINGS_FINDING_STACK_H
#define CFUZZ_UI_VIEWS_FINDINGS_FINDING_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control/query.h"
#include "ui/term/grid.h"
#include "ui/widgets/list.h"
#include "ui/widgets/text_lines.h"

struct finding_stack {
	struct reply_frame *frames; /* owned */
	struct list list;           /* n of them */
	struct text_lines source;   /* of the file … */
	char path[256];             /* … at this path, */
	char why[256];              /* or why there is none */
	long scroll;                /* rows away from the frame's line */
	int page;                   /* rows of source when it was drawn */
};

void finding_stack_clear(struct finding_stack *stack);

/* Takes the frames out of the reply; the selection stays if they are the
 * same. */
void finding_stack_take(struct finding_stack *stack,
	struct reply_finding *reply);

void finding_stack_draw(struct finding_stack *stack, struct grid *grid,
	struct rect rect);

/* "up", "down", "home", "end", "row N": frames; "page-up", "page-down": the
 * source. */
bool finding_stack_command(struct finding_stack *stack, const char *command);

#endif
