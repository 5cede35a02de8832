/*
 * minimization_stage: one minimization on the screen.
 *
 * The snapshot tells of all that go on, in numbers; of the one that is shown
 * the engine tells more: its tries, its bytes, its sizes. What it does not
 * tell of, small ones that come and go, is shown from the snapshot alone.
 */
#ifndef CFUZZ_UI_VIEWS_MINIMIZATION_MINIMIZATION_STAGE_H
#define CFUZZ_UI_VIEWS_MINIMIZATION_MINIMIZATION_STAGE_H

#include <stdbool.h>

#include "control/query.h"
#include "ui/model/model.h"
#include "ui/term/grid.h"

struct stage {
	const struct model *model;
	const struct snapshot_minimization *m; /* as it was seen last */
	const struct reply_minimization *r;    /* NULL: not told */
	bool ended;                            /* it goes on no more */
};

void stage_draw(const struct stage *stage, struct grid *grid, struct rect area);

/* minimization_tries.c: what was tried, the newest first. With a frame. */
void stage_draw_tries(const struct stage *stage, struct grid *grid,
	struct rect rect);

/* What came of a try: "no crash", "lost 2 of 3 bits" … */
#define STAGE_WORDS 160
const char *stage_words(const struct stage *stage, const struct reply_try *try,
	char buf[STAGE_WORDS]);

#endif
