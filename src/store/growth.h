/*
 * growth: the growth of coverage over a campaign, in few points.
 *
 * A point stands for a change; there is at most one in each time step. When
 * there is no room for another point, the steps are doubled.
 */
#ifndef CFUZZ_STORE_GROWTH_H
#define CFUZZ_STORE_GROWTH_H

#include <stddef.h>

#include "control/snapshot.h"

struct growth {
	double step_s; /* seconds between points; 0: no point yet */
	size_t n;
	struct snapshot_past points[SNAPSHOT_PAST_MAX]; /* in order */
	double find_s; /* campaign time of the last new input; 0: none */
	double gap_s; /* longest time between new inputs, or before the first */
};

/* Adds the coverage now, and the new inputs and findings since the last call. A
 * time before that of the last call counts as that time. */
void growth_add(struct growth *growth, const struct snapshot_past *now);

/* Adds a line of the journal about a new input, a finding or the total
 * coverage. Ignores other lines. */
void growth_take_line(struct growth *growth, const char *line);

#endif
