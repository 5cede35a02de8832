/* engine_over_state: see engine_over_state.h. */
#include "engine/engine_over_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "control/query.h"
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
	free(engine_over_part(e)->functions);
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

void
over_set_new_functions(struct engine *e, const struct reply_new_function *list,
	size_t n)
{
	struct over *over = engine_over_part(e);

	free(over->functions);
	over->functions_n =
		n < QUERY_NEW_FUNCTIONS_MAX ? n : QUERY_NEW_FUNCTIONS_MAX;
	over->functions = xmemdup(list, over->functions_n * sizeof(*list));
}

uint32_t
over_new_functions(const struct engine *e, struct reply_new_function *list)
{
	const struct over *over = engine_over_part(e);

	if (over->functions_n > 0)
		memcpy(list, over->functions,
			over->functions_n * sizeof(*list));
	return (uint32_t)over->functions_n;
}
