/*
 * answer_minimization: one minimization with its history.
 */
#include <stdio.h>

#include "base/clock.h"
#include "control/query.h"
#include "engine/front/answers.h"
#include "engine/triage/minimize_tasks.h"

enum status
answer_minimization(struct engine *e, uint64_t id, const struct query *query,
	struct reply *reply, struct error *err)
{
	struct minimize_task *m = minimize_tasks_find(e, query->name);
	struct reply_minimization *r = &reply->minimization;

	if (m == NULL)
		return error_set(err, E_NOT_FOUND, "%s is not being minimized",
			query->name);
	m->looked_ns = clock_now_ns();
	snprintf(r->name, sizeof(r->name), "%s", m->name);
	minimization_answer(m->driver.minimization, m->at, query->first,
		query->count, r);
	r->ended = m->ended;
	return OK;
}
