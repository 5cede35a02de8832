/*
 * pool: the workers as a group. Starts them, starts them again when they
 * die, retires them one by one, and hands out work.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "engine/engine_private.h"
#include "engine/environment.h"
#include "engine/type_names.h"

#define RESTARTS_MAX 5 /* in a row, without an execution in between */
#define MEMORY_LOOK_PART_MS 4
#define MEMORY_LOOK_MAX_MS 250
#define RESTART_MS 50 /* doubled with each failure */

struct slot *
pool_slot(struct engine *e, const struct worker *w)
{
	return &e->slots[worker_slot(w)];
}

/* False: it is not of one mind with the others, or the output directory. */
static bool
pool_check_types(struct engine *e, struct slot *slot, struct worker *w,
	const struct rpc_reply *ping)
{
	char takes[TYPE_NAMES_SIZE], others[TYPE_NAMES_SIZE];
	struct error err = { 0 };

	if (e->any_ready && type_names_same(worker_types(w), &e->types))
		return true;
	if (!e->any_ready) {
		if (load_begin(e, w, ping, &err) == OK)
			return true;
		e->refused = true;
		engine_fail(e, EXIT_SETUP, "%s", err.text);
		return false;
	}
	type_names_text(worker_types(w), takes, sizeof(takes));
	type_names_text(&e->types, others, sizeof(others));
	snprintf(err.text, sizeof(err.text),
		"worker %u takes (%s), not (%s) as the first one: it is not "
		"used",
		worker_slot(w), takes, others);
	lines_warn(e, "worker", err.text);
	slot->wanted = false;
	worker_stop(w);
	return false;
}

static void
pool_on_ready(void *arg, struct worker *w, const struct rpc_reply *ping)
{
	struct engine *e = arg;
	struct slot *slot = pool_slot(e, w);
	uint32_t i;

	if (!pool_check_types(e, slot, w, ping))
		return;
	for (i = 0; i < ping->modules_n; i++)
		campaign_memory_add_module(&e->memory, ping->modules[i].key,
			ping->modules[i].n);
	tables_add_modules(e, ping->modules, ping->modules_n);
	slot->ready_once = true;
	if (e->any_ready)
		return;
	e->any_ready = true;
	e->instrumented = e->memory.head->counters > e->memory.profile_n;
	snprintf(e->sanitizer, sizeof(e->sanitizer), "%s", ping->sanitizer);
	if (!e->instrumented)
		lines_print(e,
			"warning: the target was not built with coverage "
			"instrumentation, so fuzzing will run without coverage "
			"guidance and may be inefficient");
	if (ping->no_fork)
		lines_print(e,
			"warning: the target runs %d threads after its "
			"initialisation and cannot be forked; each death costs a "
			"new start",
			ping->threads);
	if (worker_leaks_trouble(ping->leaks) != NULL)
		lines_print(e, "warning: %s",
			worker_leaks_trouble(ping->leaks));
}

static void
pool_give(struct engine *e, struct slot *slot)
{
	struct job job;
	const struct corpus_entry *entry;
	const struct trim_job *m;

	if (slot->worker == NULL || !worker_is_idle(slot->worker) ||
		worker_paused(slot->worker))
		return;
	if (!slot->wanted || slot->refit) {
		worker_stop(slot->worker);
		return;
	}
	if (!schedule_next(e, slot, &job))
		return;
	if (refit_needed(slot, &job)) {
		worker_stop(slot->worker);
		return;
	}
	if (job.kind == JOB_TABLES) {
		worker_assign(slot->worker, &job);
		return;
	}
	schedule_taken(e, slot, &job);
	slot->entry[0] = '\0';
	slot->entry_len = job.len;
	slot->generation = 0;
	entry = job.owner;
	m = job.owner;
	if (job.kind == JOB_MINIMIZE_COVERAGE)
		entry = m->entry;
	if (job.kind == JOB_MINIMIZE_FAILURE || job.kind == JOB_REPLAY ||
		job.kind == JOB_SEQUENCE) {
		snprintf(slot->entry, sizeof(slot->entry), "%s",
			((const struct finding *)job.owner)->id);
	} else {
		snprintf(slot->entry, sizeof(slot->entry), "%.16s",
			entry->name);
		slot->generation = entry->generation;
	}
	worker_assign(slot->worker, &job);
}

static void
pool_on_idle(void *arg, struct worker *w)
{
	struct engine *e = arg;
	struct slot *slot = pool_slot(e, w);

	if (e->stopping) {
		worker_stop(w);
		return;
	}
	pool_give(e, slot);
	/* One result may make work for others that wait. */
	pool_wake(e);
}

void
pool_wake(struct engine *e)
{
	uint32_t i;

	if (e->stopping || e->paused)
		return;
	for (i = 0; i < e->slots_n; i++)
		pool_give(e, &e->slots[i]);
}

/* What the target said before it failed to start. */
static void
pool_fail_start(struct engine *e, struct slot *slot, const char *why)
{
	static const char link[] = "communicating with fuzzing process: ";
	char tail[700], reason[256];

	/* Not fuzzing yet: that is what the sentence says already. */
	if (strncmp(why, link, sizeof(link) - 1) == 0)
		why += sizeof(link) - 1;
	slot->entry[0] = '\0';
	text_clean_string(why, reason, sizeof(reason));
	worker_last_output(slot->worker, tail, sizeof(tail));
	engine_fail(e, EXIT_SETUP,
		"fuzzing process terminated without fuzzing: %s%s%s", reason,
		tail[0] != '\0' ? "; its last output: " : "", tail);
}

static void
pool_on_down(void *arg, struct worker *w, bool wanted, const char *why)
{
	struct engine *e = arg;
	struct slot *slot = pool_slot(e, w);
	char text[64];

	/* What a dead keeper leaves comes to us: nobody else reaps it. */
	process_kill_orphans();
	text_clean_string(why, text, sizeof(text));
	slot->restart_asked = wanted;
	if (!wanted && !e->stopping) {
		snprintf(slot->restart_why, sizeof(slot->restart_why), "%s",
			text);
		slot->failed_starts++;
		if (!e->any_ready && !slot->ready_once) {
			pool_fail_start(e, slot, why);
		} else if (slot->failed_starts > RESTARTS_MAX) {
			lines_event(e, "worker", NULL,
				"worker %u does not start any more: %s",
				worker_slot(w), text);
		} else {
			slot->restart_ns = clock_now_ns() +
				(RESTART_MS * 1000000ull
					<< (slot->failed_starts - 1));
			lines_event(e, "worker", NULL,
				"worker %u is started again: %s",
				worker_slot(w), text);
		}
	} else if (wanted && slot->wanted && !e->stopping) {
		/* A new one takes its place. */
		snprintf(slot->restart_why, sizeof(slot->restart_why), "%s",
			slot->refit ? "longer inputs" : "stopped by hand");
		slot->restart_ns = clock_now_ns();
	}
	slot->refit = false;
	/* Only here: before, a dead worker's result is still on its way. */
	if (!e->stopping && pool_all_down(e))
		engine_fail(e, e->count == 0 ? EXIT_SETUP : EXIT_LOST,
			"no worker is left: %s", text);
	engine_check_end(e);
}

static void
pool_on_line(void *arg, const char *line)
{
	lines_print(arg, "%s", line);
}

/* A new slot, or one that was retired, starts a worker. */
static enum status
pool_start_slot(struct engine *e, uint32_t index, struct error *err)
{
	struct worker_config config = {
		.base = e->base,
		.campaign = &e->memory,
		.target_fd = e->target.fd,
		.argv = e->argv,
		.envp = e->envp,
		.campaign_seed = e->settings.seed,
		.leaks = !e->settings.no_leaks,
		.handlers = &e->handlers,
		.arg = e,
	};
	struct slot *slot = &e->slots[index];

	if (slot->worker == NULL)
		slot->worker = worker_create(&config, index, err);
	if (slot->worker == NULL)
		return err->code;
	if (index >= e->slots_n)
		e->slots_n = index + 1;
	slot->wanted = true;
	slot->failed_starts = 0;
	slot->restart_ns = clock_now_ns();
	pool_set_limits(e);
	return OK;
}

static uint64_t
pool_elapsed_ns(void *arg)
{
	return engine_elapsed_ns(arg);
}

enum status
pool_open(struct engine *e, struct error *err)
{
	uint64_t n = e->settings.parallel, limit = engine_limit(e);
	uint32_t i;

	if (limit > 0 && n > limit)
		n = limit;
	e->handlers = (struct worker_handlers){
		.on_ready = pool_on_ready,
		.on_idle = pool_on_idle,
		.on_result = coordinator_on_result,
		.on_down = pool_on_down,
		.on_modules = coordinator_on_modules,
		.on_line = pool_on_line,
		.elapsed_ns = pool_elapsed_ns,
	};
	for (i = 0; i < n; i++)
		if (pool_start_slot(e, i, err) != OK)
			return err->code;
	return OK;
}

void
pool_close(struct engine *e)
{
	uint32_t i;

	for (i = 0; i < e->slots_n; i++)
		worker_destroy(e->slots[i].worker);
	e->slots_n = 0;
	process_kill_strays();
}

uint32_t
pool_wanted(const struct engine *e)
{
	uint32_t i, n = 0;

	for (i = 0; i < e->slots_n; i++)
		n += e->slots[i].wanted ? 1 : 0;
	return n > 0 ? n : 1;
}

static void
pool_retire(struct slot *slot)
{
	slot->wanted = false;
	slot->restart_ns = 0;
	/* A busy one ends its call first; then it has no work any more. One
	 * that is paused must run to get there. */
	worker_end_call(slot->worker);
	worker_set_paused(slot->worker, false);
	if (worker_is_idle(slot->worker))
		worker_stop(slot->worker);
}

void
pool_resize(struct engine *e, uint32_t n)
{
	struct error err = { 0 };
	uint32_t i, have = 0;

	for (i = 0; i < MEMORY_WORKERS_MAX && have < n; i++) {
		if ((i >= e->slots_n || !e->slots[i].wanted) &&
			pool_start_slot(e, i, &err) != OK)
			break;
		have++;
	}
	if (err.code != OK)
		lines_event(e, "worker", NULL, "no further worker: %s",
			err.text);
	for (; i < e->slots_n; i++)
		if (e->slots[i].wanted)
			pool_retire(&e->slots[i]);
	e->settings.parallel = have;
}

bool
pool_all_down(const struct engine *e)
{
	uint32_t i;

	for (i = 0; i < e->slots_n; i++)
		if (!worker_is_down(e->slots[i].worker) ||
			(e->slots[i].restart_ns != 0 && !e->stopping))
			return false;
	return true;
}

void
pool_set_limits(struct engine *e)
{
	struct worker_limits limits = {
		.start_timeout_ms = e->settings.start_timeout_ms,
		.stop_step_ms = e->settings.stop_step_ms,
		.rss_limit_kb = e->settings.rss_limit_mb << 10,
		/* Many share the processors, so that each grows slowly. */
		.memory_look_ms = pool_wanted(e) * MEMORY_LOOK_PART_MS,
	};
	uint32_t i;

	if (limits.memory_look_ms > MEMORY_LOOK_MAX_MS)
		limits.memory_look_ms = MEMORY_LOOK_MAX_MS;
	for (i = 0; i < e->slots_n; i++)
		if (e->slots[i].worker != NULL)
			worker_set_limits(e->slots[i].worker, &limits);
}

void
pool_tick(struct engine *e, uint64_t now)
{
	struct slot *slot;
	uint32_t i;

	for (i = 0; i < e->slots_n; i++) {
		slot = &e->slots[i];
		if (slot->restart_ns != 0 && now >= slot->restart_ns &&
			worker_is_down(slot->worker) && !e->stopping) {
			slot->restart_ns = 0;
			worker_start(slot->worker);
		}
		worker_tick(slot->worker, now);
	}
}
