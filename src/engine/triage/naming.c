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
#include <event2/event.h>

#include "base/clock.h"
#include "base/xmalloc.h"
#include "control/settings.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/pool/pool.h"
#include "engine/program.h"
#include "engine/triage/dedup.h"
#include "engine/triage/findings_list.h"
#include "engine/triage/naming_private.h"
#include "engine/triage/record.h"
#include "findings/bucket.h"
#include "findings/finding.h"
#include "findings/names.h"
#include "findings/report_names.h"
#include "findings/stack_hash.h"
#include "worker/worker.h"

#define NAMING_HOLD_S 3
#define NAMING_ASKS_MAX 16u

/* Source lines around the finding's own frame, with its line marked. */
static char *
naming_excerpt(const struct finding *f, const struct symbols_answer *answer)
{
	uint32_t depth, frame = names_own_frame(&f->failure, f->names, &depth);
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

/* Nothing more will be added to the report. */
static void
naming_finish(struct engine *e, struct finding *f)
{
	finding_move_naming(f, NAMING_DONE);
	if (f->report != NULL)
		record_put_report(e, f, f->report, f->report_len);
	free(f->report);
	f->report = NULL;
}

/* ---- the report ---- */

static bool naming_ask_report(struct engine *e, struct finding *f);

static void
naming_on_report(void *arg, char *take_text)
{
	struct finding *f = arg;
	struct engine *e = f->owner;
	bool old = f->naming == NAMING_REPORT_OLD;

	engine_naming(e)->queries_n--;
	if (!old) {
		free(f->report);
		f->report = xstrdup(take_text);
		f->report_len = strlen(take_text);
	}
	free(take_text);
	if (!old || !naming_ask_report(e, f))
		naming_finish(e, f);
	pool_wake(e);
	naming_next(e);
}

/* Asks for names for the addresses in the report. False: there are none. */
static bool
naming_ask_report(struct engine *e, struct finding *f)
{
	if (f->report == NULL ||
		!report_names_ask(engine_naming(e)->reports, f->report,
			f->report_len, pool_process(e), naming_on_report, f))
		return false;
	finding_move_naming(f, NAMING_REPORT);
	engine_naming(e)->queries_n++;
	return true;
}

void
naming_renew_report(struct engine *e, struct finding *f)
{
	if (f->naming == NAMING_REPORT)
		finding_move_naming(f, NAMING_REPORT_OLD);
	if (f->naming != NAMING_DONE || naming_ask_report(e, f))
		return;
	free(f->report);
	f->report = NULL;
}

/* ---- the source lines ---- */

static void
naming_on_source(void *arg, struct symbols_answer *take_answer)
{
	struct finding *f = arg;
	struct engine *e = f->owner;

	engine_naming(e)->queries_n--;
	if (take_answer->lines_n > 0) {
		free(f->excerpt);
		f->excerpt = naming_excerpt(f, take_answer);
	}
	symbols_answer_destroy(take_answer);
	if (!naming_ask_report(e, f))
		naming_finish(e, f);
	pool_wake(e);
	naming_next(e);
}

/* Asks for the source of the frame that names the finding. */
static bool
naming_ask_source(struct engine *e, struct finding *f)
{
	uint32_t depth, frame = names_own_frame(&f->failure, f->names, &depth);

	if (frame >= f->names->n || depth >= f->names->at[frame].n ||
		f->names->at[frame].symbols[depth].line == 0 ||
		!names_ask_source(engine_naming(e)->names,
			&f->failure.frames[frame], depth, pool_process(e),
			naming_on_source, f))
		return false;
	finding_move_naming(f, NAMING_SOURCE);
	engine_naming(e)->queries_n++;
	return true;
}

void
naming_ask_more(struct engine *e, struct finding *f)
{
	if (f->names == NULL ||
		(!naming_ask_source(e, f) && !naming_ask_report(e, f)))
		naming_finish(e, f);
}

/* ---- a newer build ---- */

static void
naming_set_places(struct finding *f, const struct failure *failure,
	struct symbols_answer *take_names)
{
	f->failure = *failure;
	symbols_answer_destroy(f->names);
	f->names = take_names;
	names_where(&f->failure, f->names, f->where, sizeof(f->where));
	free(f->excerpt);
	f->excerpt = NULL;
}

static void
naming_take_places(struct engine *e, struct finding *f,
	const struct failure *failure, struct symbols_answer *take_names)
{
	naming_set_places(f, failure, take_names);
	record_save_json(e, f);
	naming_ask_more(e, f);
}

static void
naming_answered(struct engine *e, struct finding *f)
{
	finding_move_naming(f, NAMING_ANSWERED);
	engine_naming(e)->on_done(e, f);
	pool_wake(e);
}

static void
naming_on_newer(void *arg, struct symbols_answer *take_answer)
{
	struct finding *f = arg;
	struct engine *e = f->owner;
	struct failure *newer = f->newer;

	engine_naming(e)->queries_n--;
	f->newer = NULL;
	f->newer_is = NEWER_SAME;
	if (newer != NULL && f->unnamed) {
		f->unnamed = false; /* these settle it */
		dedup_add_stack_hash(e, f, failure_stack_hash(newer));
		naming_set_places(f, newer, take_answer);
		naming_answered(e, f);
	} else if (newer != NULL &&
		bucket_identity(newer, take_answer) == f->bucket) {
		dedup_add_stack_hash(e, f, failure_stack_hash(newer));
		naming_take_places(e, f, newer, take_answer);
	} else {
		if (newer != NULL && bucket_line_counts(newer) &&
			names_differ(&f->failure, f->names, newer, take_answer))
			f->newer_is = NEWER_OTHER;
		symbols_answer_destroy(take_answer);
		free(f->report);
		f->report = NULL;
		naming_finish(e, f);
	}
	free(newer);
	pool_wake(e);
	naming_next(e);
}

bool
naming_renew(struct engine *e, struct finding *f, const struct worker_result *r)
{
	if (f->naming != NAMING_DONE || finding_is_overflow(f) ||
		!names_ask(engine_naming(e)->names, &r->failure,
			pool_process(e), naming_on_newer, f))
		return false;
	f->newer = xmemdup(&r->failure, sizeof(r->failure));
	record_take_report(f, r);
	finding_move_naming(f, NAMING_NEWER);
	engine_naming(e)->queries_n++;
	return true;
}

void
naming_take(struct engine *e, struct finding *f, struct finding *merged)
{
	struct symbols_answer *names = merged->names;

	if (f->naming != NAMING_DONE || finding_is_overflow(f))
		return;
	finding_move_naming(f, NAMING_NEWER);
	free(f->report);
	f->report = merged->report;
	f->report_len = merged->report_len;
	merged->report = NULL;
	merged->names = NULL;
	naming_take_places(e, f, &merged->failure, names);
}

/* ---- the frames ---- */

static void
naming_on_answer(void *arg, struct symbols_answer *take_answer)
{
	struct finding *f = arg;
	struct engine *e = f->owner;

	if (take_answer->blind && !engine_naming(e)->blind_said)
		message_warn(e, "names", NAMES_BLIND);
	engine_naming(e)->blind_said |= take_answer->blind;
	symbols_answer_destroy(f->names); /* of an earlier run */
	f->names = take_answer;
	engine_naming(e)->queries_n--;
	if (!finding_is_overflow(f))
		names_where(&f->failure, f->names, f->where, sizeof(f->where));
	naming_answered(e, f);
	naming_next(e);
}

static void
naming_on_late(evutil_socket_t fd, short what, void *arg)
{
	struct finding *f = arg;

	/* Without this line a timer that is early by a moment would be lost. */
	if (f->state == FINDING_NEW)
		f->names_until = 0;
	engine_naming(f->owner)->on_done(f->owner, f);
	pool_wake(f->owner);
}

static void
naming_on_none(evutil_socket_t fd, short what, void *arg)
{
	struct finding *f = arg;

	naming_answered(f->owner, f);
}

/*
 * A finding that cannot be asked for has no names. This is reported from the
 * loop: here a result may be under way, and workers must not get jobs.
 */
static void
naming_ask(struct engine *e, struct finding *f)
{
	const struct timeval now = { 0, 0 };

	if (names_ask(engine_naming(e)->names, &f->failure, pool_process(e),
		    naming_on_answer, f)) {
		finding_move_naming(f, NAMING_ASKED);
		engine_naming(e)->queries_n++;
		return;
	}
	finding_move_naming(f, NAMING_REFUSED);
	(void)event_base_once(engine_base(e), -1, EV_TIMEOUT, naming_on_none, f,
		&now);
}

bool
naming_ask_once(struct engine *e, const struct failure *failure,
	symbols_done_fn *done, void *arg)
{
	return names_ask(engine_naming(e)->names, failure, pool_process(e),
		done, arg);
}

bool
naming_is_full(const struct engine *e)
{
	return engine_naming(e)->queries_n >= NAMING_ASKS_MAX;
}

void
naming_next(struct engine *e)
{
	size_t i;

	for (i = 0; i < findings_count(e) && !naming_is_full(e); i++)
		if (findings_at(e, i)->naming == NAMING_WANTED)
			naming_ask(e, findings_at(e, i));
}

void
naming_start(struct engine *e, struct finding *f)
{
	const struct timeval hold = { NAMING_HOLD_S, 0 };

	f->names_until = clock_now_ns() + NAMING_HOLD_S * CLOCK_NS_PER_S;
	if (!engine_settings(e)->deterministic &&
		event_base_once(engine_base(e), -1, EV_TIMEOUT, naming_on_late,
			f, &hold) != 0)
		f->names_until = 0;
	naming_next(e);
}

/* A deterministic run waits however long it takes. */
bool
naming_is_awaited(const struct engine *e, const struct finding *f)
{
	return f->naming <= NAMING_ANSWERED &&
		(engine_settings(e)->deterministic ||
			clock_now_ns() < f->names_until);
}

bool
naming_busy(const struct engine *e)
{
	const struct finding *f;
	size_t i;

	for (i = 0; i < findings_count(e); i++) {
		f = findings_at(e, i);
		if (f->state == FINDING_NEW || finding_is_asked(f))
			return true;
	}
	return false;
}

void
naming_open(struct engine *e, naming_done_fn *on_done,
	const struct pc_table *modules)
{
	struct naming *n = engine_naming(e);

	n->on_done = on_done;
	n->names = names_create(engine_base(e), program_info(e), modules);
	n->reports = report_names_create(n->names);
}

void
naming_close(struct engine *e)
{
	names_destroy(engine_naming(e)->names);
	report_names_destroy(engine_naming(e)->reports);
}
