/*
 * naming: the names of a new finding's frames.
 *
 * Names are asked for once, when the finding is new, and for only a few
 * findings at a time. The announcement waits a moment for the answer, so that
 * people read names; all else goes on. A deterministic run waits for the names,
 * see schedule_next(): its output must not depend on their speed.
 */
#include "engine/triage/naming.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/xmalloc.h"
#include "engine/engine_private.h"
#include "engine/messages.h"
#include "engine/pool.h"
#include "engine/triage/triage_sequence.h"
#include "findings/bucket.h"
#include "findings/report_names.h"

#define NAMING_HOLD_S 1
#define NAMING_ASKS_MAX 16u

/* Source lines around the finding's own frame, with its line marked. */
static char *
naming_excerpt(const struct finding *f, const struct symbols_answer *answer)
{
	uint32_t depth, frame = bucket_own_frame(&f->failure, f->names, &depth);
	const struct symbol *s = &f->names->at[frame].symbols[depth];
	char *text = xasprintf("\n%s:%u:\n", s->file, s->line), *longer;
	uint32_t i;

	for (i = 0; i < answer->lines_n; i++) {
		longer = xasprintf("%s  %c %6u  %s\n", text,
			answer->lines[i].number == s->line ? '>' : ' ',
			answer->lines[i].number, answer->lines[i].text);
		free(text);
		text = longer;
	}
	return text;
}

static void
naming_on_report(void *arg, char *take_text)
{
	struct finding *f = arg;
	struct engine *e = f->owner;

	e->naming.queries_n--;
	f->naming = false;
	if (f->merged == NULL && !f->report_new) {
		free(f->report);
		f->report = xstrdup(take_text);
		f->report_len = strlen(take_text);
	}
	free(take_text);
	/* A newer report may have come meanwhile. */
	if (f->merged == NULL && (!f->report_new || !naming_report(e, f)))
		triage_on_source(e, f);
	naming_next(e);
}

bool
naming_report(struct engine *e, struct finding *f)
{
	f->report_new = false;
	if (f->merged != NULL || f->report == NULL ||
		!report_names_ask(e->naming.reports, f->report, f->report_len,
			pool_process(e), naming_on_report, f))
		return false;
	f->naming = true;
	f->report_until = clock_now_ns() + NAMING_HOLD_S * CLOCK_NS_PER_S;
	e->naming.queries_n++;
	return true;
}

static void
naming_on_source(void *arg, struct symbols_answer *take_answer)
{
	struct finding *f = arg;
	struct engine *e = f->owner;

	e->naming.queries_n--;
	f->naming = false;
	if (f->merged == NULL && take_answer->lines_n > 0) {
		free(f->excerpt);
		f->excerpt = naming_excerpt(f, take_answer);
	}
	symbols_answer_destroy(take_answer);
	if (f->merged == NULL && !naming_report(e, f))
		triage_on_source(e, f);
	naming_next(e);
}

/* Asks for the source of the frame that names the finding. */
static void
naming_ask_source(struct engine *e, struct finding *f)
{
	uint32_t depth, frame = bucket_own_frame(&f->failure, f->names, &depth);

	if (f->merged != NULL || frame >= f->names->n ||
		depth >= f->names->at[frame].n ||
		f->names->at[frame].symbols[depth].line == 0)
		return;
	f->naming = names_ask_source(e->naming.names, &f->failure.frames[frame],
		depth, pool_process(e), naming_on_source, f);
	if (f->naming)
		e->naming.queries_n++;
}

static void
naming_on_answer(void *arg, struct symbols_answer *take_answer)
{
	struct finding *f = arg;
	struct engine *e = f->owner;

	if (take_answer->blind && !e->naming.blind_said)
		message_warn(e, "names", NAMES_BLIND);
	e->naming.blind_said |= take_answer->blind;
	symbols_answer_destroy(f->names); /* of an earlier run */
	f->names = take_answer;
	f->naming = false;
	e->naming.queries_n--;
	if (!f->overflow)
		names_where(&f->failure, f->names, f->where, sizeof(f->where));
	triage_on_named(e, f, true);
	if (f->merged == NULL)
		naming_ask_source(e, f);
	if (f->merged == NULL && !f->naming && !naming_report(e, f))
		triage_on_source(e, f);
	naming_next(e);
}

static void
naming_on_late(evutil_socket_t fd, short what, void *arg)
{
	struct finding *f = arg;

	(void)fd;
	(void)what;
	f->late = true;
	triage_on_named(f->owner, f, false);
}

static void
naming_on_none(evutil_socket_t fd, short what, void *arg)
{
	struct finding *f = arg;

	(void)fd;
	(void)what;
	triage_on_named(f->owner, f, true);
	if (f->merged == NULL)
		triage_on_source(f->owner, f);
}

/*
 * A finding that cannot be asked for has no names. This is reported from the
 * loop: here a result may be under way, and workers must not get jobs.
 */
static void
naming_ask(struct engine *e, struct finding *f)
{
	const struct timeval now = { 0, 0 };

	f->unasked = false;
	f->naming = names_ask(e->naming.names, &f->failure, pool_process(e),
		naming_on_answer, f);
	if (f->naming)
		e->naming.queries_n++;
	else
		(void)event_base_once(e->base, -1, EV_TIMEOUT, naming_on_none,
			f, &now);
}

void
naming_next(struct engine *e)
{
	size_t i;

	for (i = 0; i < e->findings.n && e->naming.queries_n < NAMING_ASKS_MAX;
		i++)
		if (e->findings.list[i]->unasked)
			naming_ask(e, e->findings.list[i]);
}

void
naming_start(struct engine *e, struct finding *f)
{
	const struct timeval hold = { NAMING_HOLD_S, 0 };

	f->unasked = true;
	f->held = e->settings.deterministic ||
		event_base_once(e->base, -1, EV_TIMEOUT, naming_on_late, f,
			&hold) == 0;
	naming_next(e);
}

bool
naming_busy(const struct engine *e)
{
	uint64_t now = clock_now_ns();
	const struct finding *f;
	size_t i;

	for (i = 0; i < e->findings.n; i++) {
		f = e->findings.list[i];
		if (f->held ||
			(f->naming &&
				(!f->late || e->settings.deterministic ||
					now < f->report_until)))
			return true;
	}
	return false;
}
