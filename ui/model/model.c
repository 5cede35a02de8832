/*
 * model: the data that the views draw.
 *
 * Each new snapshot is compared with the one before; the difference becomes
 * history points and announcements. Announcements expire and snapshots become
 * stale with time alone.
 */
#include "ui/model/model.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"

#define MODEL_MESSAGE_S 8.0
#define MODEL_RECENT_STEP_S 0.2
#define MODEL_WHOLE_STEP_S 0.2
#define MODEL_PLATEAU_S 60.0
#define MODEL_PLATEAU_GAPS 3.0

void
model_init(struct model *model)
{
	struct snapshot *snapshot = xcalloc(1, sizeof(*snapshot));

	memset(model, 0, sizeof(*model));
	snapshot_init(snapshot);
	model->snapshot = snapshot;
	history_init(&model->whole, false, MODEL_WHOLE_STEP_S);
	history_init(&model->recent, true, MODEL_RECENT_STEP_S);
	model->context = model->view = KEYS_DASHBOARD;
}

void
model_clear(struct model *model)
{
	struct snapshot *snapshot = (struct snapshot *)model->snapshot;

	snapshot_clear(snapshot);
	free(snapshot);
	model->snapshot = NULL;
}

/* ---- announcements ---- */

static void model_announce(struct model *model, enum announce_kind kind,
	const char *key, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* A less important announcement does not replace a more important one. */
static void
model_announce(struct model *model, enum announce_kind kind, const char *key,
	const char *fmt, ...)
{
	struct announcement *a = &model->announcement;
	char raw[MODEL_TEXT];
	va_list ap;

	if (a->kind > kind)
		return;
	va_start(ap, fmt);
	vsnprintf(raw, sizeof(raw), fmt, ap);
	va_end(ap);
	text_clean_string(raw, a->text, sizeof(a->text));
	snprintf(a->key, sizeof(a->key), "%s", key);
	a->finding[0] = '\0';
	a->kind = kind;
	a->until_s = model->now_s + MODEL_ANNOUNCE_S;
}

static void
model_announce_finding(struct model *model, const struct snapshot *before,
	const struct snapshot *now)
{
	const struct snapshot_finding *f = now->findings; /* newest first */
	const char *key = keys_common("view findings");
	struct announcement *a = &model->announcement;
	uint64_t n = snapshot_findings(now) - snapshot_findings(before);

	if (snapshot_findings(now) <= snapshot_findings(before) ||
		a->kind > ANNOUNCE_FINDING)
		return;
	if (now->findings_n == 0) {
		model_announce(model, ANNOUNCE_FINDING, key, "new finding");
		return;
	}
	if (n > 1)
		snprintf(a->before, sizeof(a->before),
			"%llu new findings, the last", (unsigned long long)n);
	else
		snprintf(a->before, sizeof(a->before), "new");
	model_announce(model, ANNOUNCE_FINDING, key, "%s: %s%s%s", a->before,
		f->what, f->where[0] != '\0' ? " in " : "", f->where);
	snprintf(a->finding, sizeof(a->finding), "%s", f->id);
}

static bool
model_is_plateau(const struct snapshot *s)
{
	double limit = s->plateau_gap_s * MODEL_PLATEAU_GAPS;

	if (limit < MODEL_PLATEAU_S)
		limit = MODEL_PLATEAU_S;
	return s->state == RUN_FUZZING && s->last_find_s > limit;
}

static void
model_announce_plateau(struct model *model, const struct snapshot *now)
{
	bool plateau = model_is_plateau(now);
	char ago[TEXT_NUMBER_SIZE];

	if (plateau && !model->plateau)
		model_announce(model, ANNOUNCE_PLATEAU,
			keys_common("view dashboard"), "no new coverage for %s",
			text_clock(now->last_find_s, ago));
	model->plateau = plateau;
}

/* Is it the worker? The death of a child is announced as a finding, if new. */
static bool
model_worker_died(const struct snapshot_worker *before,
	const struct snapshot_worker *now)
{
	if (now->retiring || now->stop_step != STOP_NONE ||
		before->stop_step != STOP_NONE)
		return false;
	return (now->restarts > before->restarts && !now->restart_asked) ||
		(now->state == WORKER_VIEW_DOWN &&
			before->state != WORKER_VIEW_DOWN);
}

static void
model_announce_workers(struct model *model, const struct snapshot *before,
	const struct snapshot *now)
{
	for (size_t i = 0; i < now->workers_n; i++) {
		const struct snapshot_worker *w = &now->workers[i];
		const struct snapshot_worker *old =
			snapshot_find_worker(before, w->id);

		if (old == NULL || !model_worker_died(old, w))
			continue;
		model_announce(model, ANNOUNCE_WORKER,
			keys_common("view workers"), "worker %u died%s%s",
			w->id, w->restart_why[0] != '\0' ? ": " : "",
			w->restart_why);
	}
}

/* Views and keys are for the first worker from now on. */
static void
model_leave_worker(struct model *model, const struct snapshot *before,
	const struct snapshot *now)
{
	uint32_t gone = model->selected_worker;

	if (now->workers_n == 0 || snapshot_find_worker(before, gone) == NULL ||
		snapshot_find_worker(now, gone) != NULL)
		return;
	model->selected_worker = now->workers[0].id;
	model_say(model, false, "worker %u was removed; worker %u is selected",
		gone, model->selected_worker);
}

/* ---- replays ---- */

void
model_sent(struct model *model, uint64_t command, const char *line)
{
	struct rerun *rerun = &model->rerun;
	char id[sizeof(rerun->id)];

	if (sscanf(line, "replay %23s", id) != 1)
		return;
	*rerun = (struct rerun){ .command = command };
	snprintf(rerun->id, sizeof(rerun->id), "%s", id);
}

void
model_answered(struct model *model, uint64_t command, bool ok)
{
	const struct snapshot *s = model->snapshot;
	struct rerun *rerun = &model->rerun;

	if (rerun->command != command)
		return;
	rerun->begun = ok;
	rerun->seen = s->events_n > 0 ? s->events[s->events_n - 1].seq : 0;
}

/* The engine calls it "replayed" if no replay failed. */
static bool
model_is_replay(const struct snapshot_event *e)
{
	return strcmp(e->kind, "verified") == 0 ||
		strcmp(e->kind, "replayed") == 0;
}

/* Shows the result of a replay, which is in the text of its event. */
static void
model_say_rerun(struct model *model, const struct snapshot *now)
{
	struct rerun *rerun = &model->rerun;
	unsigned failed, tries;

	for (size_t i = 0; i < now->events_n && rerun->begun; i++) {
		const struct snapshot_event *e = &now->events[i];

		if (e->seq <= rerun->seen || !model_is_replay(e) ||
			strncmp(e->about, rerun->id, strlen(rerun->id)) != 0)
			continue;
		rerun->begun = false;
		if (sscanf(e->text, "reproduced %u of %u", &failed, &tries) ==
			2)
			model_say(model, failed < tries,
				"re-run: %u of %u failed again", failed, tries);
		else
			model_say(model, false, "re-run: %s", e->text);
	}
}

/* Other events drive a hint off a small screen before anyone has read it. */
static void
model_keep_hint(struct model *model, const struct snapshot *now)
{
	for (size_t i = 0; i < now->events_n; i++)
		if (strcmp(now->events[i].kind, "hint") == 0)
			model->hint = now->events[i];
	if (now->past_s + now->elapsed_s - model->hint.at_s > MODEL_HINT_S)
		model->hint.kind[0] = '\0';
}

/* ---- snapshots and time ---- */

void
model_add_snapshot(struct model *model, struct snapshot *take, double now_s)
{
	struct snapshot *own = (struct snapshot *)model->snapshot;
	struct snapshot before = *own;

	*own = *take;
	snapshot_init(take);
	model->now_s = now_s;
	model->stale_s = 0;
	if (model->link == LINK_STARTING)
		model->link = LINK_UP;
	if (model->whole.n == 0)
		history_add_past(&model->whole, own);
	history_add(&model->whole, own);
	history_add(&model->recent, own);
	minimization_series_list_add(&model->minimizations, own);
	if (before.seq != 0 && own->state < RUN_STOPPING) {
		model_announce_workers(model, &before, own);
		model_announce_plateau(model, own);
		model_leave_worker(model, &before, own);
	}
	if (before.seq != 0)
		model_announce_finding(model, &before, own);
	model_say_rerun(model, own);
	model_keep_hint(model, own);
	snapshot_clear(&before);
}

void
model_forget(struct model *model)
{
	struct snapshot *own = (struct snapshot *)model->snapshot;

	snapshot_clear(own);
	snapshot_init(own);
	history_init(&model->whole, false, MODEL_WHOLE_STEP_S);
	history_init(&model->recent, true, MODEL_RECENT_STEP_S);
	memset(&model->minimizations, 0, sizeof(model->minimizations));
	model->announcement.kind = ANNOUNCE_NONE;
	model->hint.kind[0] = '\0';
	model->plateau = false;
}

bool
model_tick(struct model *model, double now_s)
{
	bool changed = (uint64_t)now_s != (uint64_t)model->now_s;

	if (now_s > model->now_s && model->link != LINK_ENDED)
		model->stale_s += now_s - model->now_s;
	model->now_s = now_s;
	if (model->announcement.kind != ANNOUNCE_NONE &&
		now_s >= model->announcement.until_s) {
		model->announcement.kind = ANNOUNCE_NONE;
		changed = true;
	}
	if (model->message[0] != '\0' && now_s >= model->message_until_s) {
		model->message[0] = '\0';
		changed = true;
	}
	return changed;
}

void
model_say(struct model *model, bool bad, const char *fmt, ...)
{
	char raw[2 * MODEL_TEXT];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(raw, sizeof(raw), fmt, ap);
	va_end(ap);
	text_clean_string(raw, model->message, sizeof(model->message));
	model->message_bad = bad;
	model->message_until_s = model->now_s + MODEL_MESSAGE_S;
}

/* ---- questions ---- */

bool
model_stale(const struct model *model)
{
	return model->snapshot->seq != 0 && model->stale_s >= MODEL_STALE_S &&
		model->link != LINK_ENDED;
}

bool
model_takes_playback_keys(const struct model *model)
{
	return model->playback.on && model->context != KEYS_HELP &&
		model->context != KEYS_EXPLAIN &&
		!key_context_closed(model->context);
}

uint64_t
model_new_bits(const struct model *model, double seconds)
{
	uint64_t now = model->snapshot->coverage_bits, then;
	double at_s =
		model->snapshot->past_s + model->snapshot->elapsed_s - seconds;

	/* Only the whole history knows times before the first snapshot. */
	then = history_bits_at(history_reaches(&model->recent, at_s)
			? &model->recent
			: &model->whole,
		at_s > 0 ? at_s : 0);
	/* Coverage of earlier runs is not new. */
	if (then < model->snapshot->past_bits)
		then = model->snapshot->past_bits;
	return now > then ? now - then : 0;
}

const char *
model_only_shows(const struct model *model)
{
	if (model->playback.on)
		return "this is a recording: nothing in it can be changed";
	if (model->link == LINK_ENDED)
		return "the campaign has ended";
	if (model->watching)
		return "you only watch this campaign: :take takes control";
	return NULL;
}

bool
model_uninstrumented(const struct model *model)
{
	return model->snapshot->execs > 0 && !model->snapshot->instrumented;
}

const struct snapshot_worker *
model_worker(const struct model *model)
{
	const struct snapshot *s = model->snapshot;
	const struct snapshot_worker *w =
		snapshot_find_worker(s, model->selected_worker);

	return w == NULL && s->workers_n > 0 ? &s->workers[0] : w;
}
