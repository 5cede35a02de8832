/*
 * idle_engine: see idle_engine.h.
 */
#include "lib/idle_engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "engine/functions/pc_table_calls.h"
#include "engine/triage/naming.h"
#include "engine/triage/triage.h"
#include "lib/whole_engine.h"

#define IDLE_PATIENCE_S 120

static void
on_report(void *arg, const struct report *report)
{
	struct idle *idle = arg;
	size_t len = strlen(idle->lines);

	idle->findings += report->kind == REPORT_FINDING;
	if (report->kind == REPORT_EVENT)
		json_array_append_new(idle->events,
			json_deep_copy(report->event));
	if (report->kind == REPORT_LINE)
		snprintf(idle->lines + len, sizeof(idle->lines) - len, "%s\n",
			report->text);
}

void
idle_open(struct idle *idle, const struct tree *tree,
	const char *const *options)
{
	memset(idle, 0, sizeof(*idle));
	idle->events = json_array();
	idle->result = xcalloc(1, sizeof(*idle->result));
	idle->engine =
		whole_engine_open(tree, "good", options, -1, on_report, idle);
	idle->engine->clock.start_ns = clock_now_ns();
	idle->engine->pool.any_ready = true; /* results come from workers */
}

enum exit_status
idle_close(struct idle *idle)
{
	struct error err = { 0 };
	enum exit_status status;

	if (!idle->engine->end.stopping)
		engine_stop(idle->engine, END_USER);
	else
		idle->engine->end.ended =
			false; /* a loop here ended, not the run */
	status = whole_engine_run(idle->engine, &err);
	engine_destroy(idle->engine);
	json_decref(idle->events);
	free(idle->result);
	return status;
}

static bool
is_settled(const struct idle *idle)
{
	const struct engine *e = idle->engine;
	size_t i;

	for (i = 0; i < e->findings.n; i++)
		if (e->findings.list[i]->naming == NAMING_WANTED ||
			e->findings.list[i]->announcement != ANNOUNCE_DONE)
			return false;
	return e->naming.queries_n == 0 && !naming_busy(e);
}

static void
on_deadline(evutil_socket_t fd, short what, void *arg)
{
	*(bool *)arg = true;
}

void
idle_until(struct idle *idle, idle_done_fn *done)
{
	const struct timeval patience = { IDLE_PATIENCE_S, 0 };
	struct engine *e = idle->engine;
	struct event *deadline;
	bool late = false;

	deadline = event_new(e->base, -1, 0, on_deadline, &late);
	event_add(deadline, &patience);
	while (!done(idle) && !late)
		event_base_loop(e->base, EVLOOP_ONCE);
	event_free(deadline);
	assert_false(late);
}

void
idle_settle(struct idle *idle)
{
	idle_until(idle, is_settled);
}

static bool
has_number(const struct idle *idle)
{
	return *idle->number > 0;
}

void
idle_wait(struct idle *idle, const unsigned *n)
{
	idle->number = n;
	idle_until(idle, has_number);
}

const struct worker_result *
idle_result(struct idle *idle, enum failure_kind kind, int signo,
	uint64_t offset, const char *input)
{
	struct worker_result *r = idle->result;
	struct failure *f = &r->failure;

	memset(r, 0, sizeof(*r));
	r->job = (struct job){ .kind = JOB_FUZZ, .cap = 4096 };
	r->worker = idle->engine->pool.slots[0].worker;
	r->count = 1;
	r->candidate = (const uint8_t *)input;
	r->candidate_len = strlen(input);
	r->candidate_raw = true;
	f->kind = kind;
	f->signo = signo;
	snprintf(f->what, sizeof(f->what), "%s",
		signo > 0 ? failure_signal_name(signo)
			  : failure_kind_name(kind));
	snprintf(f->text, sizeof(f->text), "the text of %s", f->what);
	if (offset != 0) {
		f->frames_n = 1;
		f->frames[0].offset = offset;
		snprintf(f->frames[0].module, sizeof(f->frames[0].module),
			"%.120s", idle->engine->target.info.name);
	}
	return r;
}

void
idle_fail(struct idle *idle, enum failure_kind kind, int signo, uint64_t offset,
	const char *input)
{
	triage_on_failure(idle->engine, &idle->engine->pool.slots[0],
		idle_result(idle, kind, signo, offset, input), NULL);
}

void
idle_module(struct idle *idle, uint32_t n)
{
	const struct counter_module module = { .key = 7, .n = n };
	struct engine *e = idle->engine;

	assert_true(campaign_memory_add_module(&e->campaign.memory, module.key,
		module.n));
	pc_table_calls_add_modules(e, &module, 1);
	memset(&idle->job, 0, sizeof(idle->job));
	assert_true(pc_table_calls_next(e, &idle->job));
	assert_int_equal(idle->job.kind, JOB_PC_TABLE);
}

void
idle_table(struct idle *idle, const uint64_t *numbers, uint32_t n)
{
	const struct pc_table_head head = { .n = n };

	memset(idle->result, 0, sizeof(*idle->result));
	idle->result->job = idle->job;
	idle->result->table = numbers != NULL ? &head : NULL;
	idle->result->pcs = numbers;
	new_functions_on_table(idle->engine, idle->result);
}

void
idle_hit(struct idle *idle, uint32_t counter, const struct corpus_entry *entry)
{
	const struct feature feature = { .counter = counter, .buckets = 1 };

	campaign_memory_merge(&idle->engine->campaign.memory, &feature, 1);
	new_functions_look(idle->engine, entry);
}

static const char *
kind_of(const json_t *event)
{
	const char *kind = json_string_value(json_object_get(event, "event"));

	return kind != NULL ? kind : "";
}

size_t
idle_events(const struct idle *idle, const char *kind)
{
	size_t i, n = 0;

	for (i = 0; i < json_array_size(idle->events); i++)
		n += strcmp(kind_of(json_array_get(idle->events, i)), kind) ==
			0;
	return n;
}

const json_t *
idle_event(const struct idle *idle, const char *kind)
{
	size_t i = json_array_size(idle->events);

	while (i-- > 0)
		if (strcmp(kind_of(json_array_get(idle->events, i)), kind) == 0)
			return json_array_get(idle->events, i);
	return NULL;
}

const char *
idle_event_text(const struct idle *idle, const char *kind, const char *member)
{
	const char *text = json_string_value(
		json_object_get(idle_event(idle, kind), member));

	return text != NULL ? text : "";
}
