/*
 * minimization_stage: draws one minimization.
 *
 * The snapshot has the numbers of all minimizations. The engine sends more
 * about the one that is shown: tries, bytes and sizes. A short one that ends
 * before a reply is drawn from the snapshot alone.
 */
#ifndef CFUZZ_UI_VIEWS_MINIMIZATION_MINIMIZATION_STAGE_H
#define CFUZZ_UI_VIEWS_MINIMIZATION_MINIMIZATION_STAGE_H

#include <stdbool.h>

#include "control/query.h"
#include "ui/model/model.h"
#include "ui/term/grid.h"

struct stage {
	const struct model *model;
	const struct snapshot_minimization *m; /* newest state seen */
	const struct reply_minimization *r;    /* NULL: no reply */
	bool ended;                            /* no longer in the snapshot */
	const char *outcome; /* what the engine said of its end, or NULL */
};

void stage_draw(const struct stage *stage, struct grid *grid, struct rect area);

/* minimization_tries.c: the tries, newest first, with a frame. */
void stage_draw_tries(const struct stage *stage, struct grid *grid,
	struct rect rect);

/* Result of a try: "no crash", "lost 2 of 3 bits" … */
#define STAGE_WORDS 160
const char *stage_words(const struct stage *stage, const struct reply_try *try,
	char buf[STAGE_WORDS]);

#endif
