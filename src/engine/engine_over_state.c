/* engine_over_state: see engine_over_state.h. */
#include "engine/engine_over_state.h"

#include "engine/engine_end.h"
#include "engine/engine_over_private.h"
#include "engine/parts.h"

void
over_begin_past(struct engine *e, json_t *take_stats,
	const struct error *no_target)
{
	struct over *over = engine_over_part(e);

	over->stats = take_stats;
	over->no_target = *no_target;
	engine_set_over(e);
}

void
over_clear(struct engine *e)
{
	json_decref(engine_over_part(e)->stats);
}

const json_t *
over_stats(const struct engine *e)
{
	return engine_over_part(e)->stats;
}

bool
over_works(const struct engine *e)
{
	return engine_over_part(e)->works;
}
