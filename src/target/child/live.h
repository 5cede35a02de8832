/*
 * live: publishes the progress of a minimization, see struct minimize_live.
 */
#ifndef CFUZZ_TARGET_CHILD_LIVE_H
#define CFUZZ_TARGET_CHILD_LIVE_H

#include "shared/minimize/minimize.h"
#include "shared/wire/memory.h"

static inline void
live_show(struct minimize_live *live, const struct minimizer *m)
{
	live->phase = m->s.phase;
	live->position = (uint32_t)m->s.position;
	live->tries = m->s.tries;
	live->accepted = m->s.accepted;
	live->best_len = m->s.best_len;
	live->cut_offset = m->cut_offset;
	live->cut_len = m->cut_len;
}

#endif
