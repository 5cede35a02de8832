/*
 * growth: how coverage grew over a campaign, in few points.
 *
 * A point stands where something changed, and at most one in each step of
 * time; when there is no room for a further one, the steps get longer.
 */
#ifndef CFUZZ_STORE_GROWTH_H
#define CFUZZ_STORE_GROWTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control/snapshot.h"

struct growth {
	double step_s; /* 0: nothing has been added */
	size_t n;
	struct snapshot_past points[SNAPSHOT_PAST_MAX]; /* in order */
	double find_s; /* of the last find; 0: there was none */
	double gap_s;  /* the longest between finds, the first one's included */
};

/* What is known now: coverage, and what was found since the last call. A time
 * before that of the last call counts as that. */
void growth_add(struct growth *growth, const struct snapshot_past *now);

/* Takes a line of the journal: of a find, a finding, or one that tells how much
 * is covered. Others are nothing to it. */
void growth_take_line(struct growth *growth, const char *line);

#endif
