/*
 * naming: what the frames of a new finding are called.
 *
 * Asked for once, when the finding is new. The announcement waits a moment
 * for the answer, so that people read names; everything else goes on.
 */
#include "engine/engine_private.h"

#define NAMING_HOLD_S 1

/* Somebody who has the modules loaded. */
static pid_t
naming_process(const struct engine *e)
{
	uint32_t i;

	for (i = 0; i < e->slots_n; i++)
		if (e->slots[i].worker != NULL &&
			worker_pid(e->slots[i].worker) > 0)
			return worker_pid(e->slots[i].worker);
	return 0;
}

static void
naming_on_answer(void *arg, struct symbols_answer *take_answer)
{
	struct finding *f = arg;

	f->names = take_answer;
	f->naming = false;
	names_where(&f->failure, f->names, f->where, sizeof(f->where));
	triage_on_named(f->owner, f, true);
}

static void
naming_on_late(evutil_socket_t fd, short what, void *arg)
{
	struct finding *f = arg;

	(void)fd;
	(void)what;
	triage_on_named(f->owner, f, false);
}

void
naming_start(struct engine *e, struct finding *f)
{
	const struct timeval hold = { NAMING_HOLD_S, 0 };

	f->naming = names_ask(e->names, &f->failure, naming_process(e),
		naming_on_answer, f);
	if (!f->naming)
		return;
	f->held = event_base_once(e->base, -1, EV_TIMEOUT, naming_on_late, f,
			  &hold) == 0;
}

bool
naming_busy(const struct engine *e)
{
	size_t i;

	for (i = 0; i < e->findings_n; i++)
		if (e->findings[i]->held)
			return true;
	return false;
}
