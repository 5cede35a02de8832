/*
 * pool_workers: starts, restarts and retires workers, and gives them work.
 *
 * A worker starts at most POOL_STARTS_MAX times a second. The pause before a
 * restart doubles while the worker executes nothing in between, and after a few
 * such starts the worker is given up. Only this module starts the workers of a
 * campaign.
 */
#include "engine/pool/pool_workers.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "control/settings.h"
#include "corpus/corpus.h"
#include "engine/coordinator.h"
#include "engine/corpus/load_files.h"
#include "engine/engine_end.h"
#include "engine/engine_end_check.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/pool/first_answer.h"
#include "engine/pool/grow_memory.h"
#include "engine/pool/pool.h"
#include "engine/pool/pool_private.h"
#include "engine/pool/pool_room.h"
#include "engine/program.h"
#include "engine/schedule/finding_budget.h"
#include "engine/schedule/schedule_next.h"
#include "engine/schedule/trim.h"
#include "engine/statistics/counts.h"
#include "engine/statistics/run_clock.h"
#include "findings/finding.h"
#include "worker/process.h"
#include "worker/target/command_line.h"
#include "worker/target/elf.h"
#include "worker/target/isolation.h"
#include "worker/worker.h"

#define RESTARTS_MAX 5u  /* in a row without an execution */
#define REFUSALS_MAX 10u /* the same where the system refuses */
#define RESTART_MS 50    /* doubles with each */
#define SECOND_NS 1000000000ull

static void
pool_on_ready(void *arg, struct worker *w, const struct rpc_reply *ping)
{
	struct engine *e = arg;
	struct pool *pool = engine_pool(e);
	struct slot *slot = pool_slot(e, w);
	struct error err = { 0 };

	if (!pool->any_ready && load_begin(e, w, ping, &err) != OK) {
		pool->refused = true;
		engine_fail(e, EXIT_SETUP, "%s", err.text);
		return;
	}
	if (pool->any_ready && !first_answer_fits(e, w)) {
		slot->wanted = false;
		pool->lost_why = "its types are not those of the first worker";
		worker_stop(w);
		return;
	}
	first_answer_on_modules(e, w, ping->modules, ping->modules_n);
	first_answer_note_leaks(e, ping);
	slot->ready_once = true;
	slot->renewed = slot->renewed_for != NULL;
	slot->renewed_for = NULL;
	finding_budget_charge_start(e, slot);
	if (pool->any_ready)
		return;
	pool->any_ready = true;
	first_answer_note_build(e, ping);
}

static void
pool_give(struct engine *e, struct slot *slot)
{
	struct job job;
	const struct corpus_entry *entry;
	const struct finding *f;
	const struct trim_job *trim;

	if (slot->worker == NULL || !worker_is_idle(slot->worker) ||
		worker_paused(slot->worker))
		return;
	if (!slot->wanted || slot->needs_memory || slot->needs_limit) {
		worker_stop(slot->worker);
		return;
	}
	if (!schedule_next(e, slot, &job))
		return;
	if (grow_memory_needed(slot, &job)) {
		worker_stop(slot->worker);
		return;
	}
	if (worker_must_renew(slot->worker, job.kind)) {
		slot->needs_process = slot->was_finding = true;
		slot->renewed_for = job_owner_finding(&job);
		finding_budget_note_renewal(slot);
		worker_stop(slot->worker);
		return;
	}
	if (job.kind == JOB_PC_TABLE) {
		worker_assign(slot->worker, &job);
		return;
	}
	slot->renewed = false;
	schedule_taken(e, slot, &job);
	slot->entry[0] = '\0';
	slot->entry_len = job.len;
	slot->generation = 0;
	f = job_owner_finding(&job);
	trim = job_owner_trim(&job);
	entry = trim != NULL ? trim->entry : job_owner_entry(&job);
	if (f != NULL) {
		snprintf(slot->entry, sizeof(slot->entry), "%s", f->id);
	} else {
		snprintf(slot->entry, sizeof(slot->entry), "%.16s",
			entry->name);
		slot->generation = entry->generation;
	}
	worker_assign(slot->worker, &job);
}

static void
pool_give_all(struct engine *e)
{
	uint32_t i;

	if (engine_stopping(e) || engine_paused(e))
		return;
	for (i = 0; i < pool_count(e); i++)
		pool_give(e, pool_at(e, i));
}

static void
pool_on_idle(void *arg, struct worker *w)
{
	struct engine *e = arg;
	struct slot *slot = pool_slot(e, w);

	if (engine_stopping(e)) {
		worker_stop(w);
		return;
	}
	pool_give(e, slot);
	/* A result may make work for other idle workers. */
	pool_wake(e);
}

/* Reports the last output of a target that failed to start. */
static void
pool_fail_start(struct engine *e, struct slot *slot, const char *why)
{
	static const char link[] = "communicating with fuzzing process: ";
	char tail[700], reason[256];

	/* The message below says this already. */
	if (strncmp(why, link, sizeof(link) - 1) == 0)
		why += sizeof(link) - 1;
	slot->entry[0] = '\0';
	text_clean_string(why, reason, sizeof(reason));
	worker_last_output(slot->worker, tail, sizeof(tail));
	engine_fail(e, EXIT_SETUP,
		"fuzzing process terminated without fuzzing: %s%s%s%s", reason,
		tail[0] != '\0' ? "; its last output: " : "", tail,
		isolation_hint(program_isolation(e)));
}

/* Resources that the system lacks now may be free soon: retry for about a
 * minute, but not at the very start of a campaign. */
static uint32_t
pool_tries(const struct engine *e, const struct slot *slot)
{
	return pool_any_ready(e) && worker_was_refused(slot->worker)
		? REFUSALS_MAX
		: RESTARTS_MAX;
}

static void
pool_say_again(struct engine *e, struct slot *slot)
{
	uint32_t id = worker_slot(slot->worker);

	pool_say_end(e, slot, "worker %u restarts: %s", id, slot->restart_why);
	/* The target is not to blame, and nothing else reports this. */
	if (worker_was_refused(slot->worker) && slot->vain_starts == 1)
		message_print(e, "warning: worker %u restarts: %s", id,
			slot->restart_why);
}

/* Schedules a restart. wanted: the engine asked the old worker to end. */
static void
pool_start_again(struct engine *e, struct slot *slot, bool wanted)
{
	uint32_t id = worker_slot(slot->worker), vain = slot->vain_starts;

	/* A restart by the user is no failure. */
	if (wanted && !slot->needs_memory)
		slot->vain_starts = vain = 0;
	else
		slot->vain_starts++;
	if (vain >= pool_tries(e, slot)) {
		engine_pool(e)->lost_why = slot->restart_why;
		message_event(e, "worker", NULL,
			"worker %u no longer starts: %s", id,
			slot->restart_why);
		return;
	}
	slot->restart_ns = clock_now_ns();
	if (vain > 0)
		slot->restart_ns += RESTART_MS * 1000000ull << (vain - 1);
	/* A loop that ends in a process with threads is ordinary. */
	if (!wanted && (vain > 0 || !worker_was_spent(slot->worker)))
		pool_say_again(e, slot);
}

static void
pool_on_down(void *arg, struct worker *w, bool wanted, const char *why)
{
	struct engine *e = arg;
	struct slot *slot = pool_slot(e, w);
	char text[256];

	/* Orphans of a dead fork server become our children: kill and reap
	 * them. */
	process_kill_orphans(&engine_pool(e)->strangers);
	text_clean_string(why, text, sizeof(text));
	if (!engine_stopping(e) && (!wanted || slot->wanted)) {
		slot->restart_asked = wanted && !slot->needs_process;
		snprintf(slot->restart_why, sizeof(slot->restart_why), "%s",
			!wanted                      ? text
				: slot->needs_memory ? "longer inputs"
				: slot->needs_limit  ? "another rss-limit"
				: slot->needs_process
				? "a replay needs a fresh process"
				: "stopped by hand");
	}
	if (!wanted && !engine_stopping(e) && !pool_any_ready(e) &&
		!slot->ready_once && !worker_was_refused(w))
		pool_fail_start(e, slot, why);
	else if (!engine_stopping(e) && (!wanted || slot->wanted))
		pool_start_again(e, slot, wanted);
	if (!slot->needs_process || !slot->wanted)
		slot->renewed_for = NULL;
	if (wanted && !slot->needs_process)
		finding_budget_waive_start(e, slot);
	slot->needs_memory = slot->needs_limit = slot->needs_process = false;
	/* Only here: earlier, the dead worker's result is still to come. */
	if (!engine_stopping(e) && pool_all_down(e, false))
		engine_fail(e,
			counts_executions(e) == 0 ? EXIT_SETUP : EXIT_LOST,
			"no worker is left: %s", engine_pool(e)->lost_why);
	else if (!engine_stopping(e))
		pool_note_pause(e);
	engine_check_end(e);
}

static void
pool_on_line(void *arg, const char *line)
{
	message_print(arg, "%s", line);
}

/* The user asks for it, maybe long after the worker's end. A worker that is still
 * about to end starts again when it has ended. */
static void
pool_ask_start(struct engine *e, struct slot *slot)
{
	finding_budget_waive_start(e, slot);
	slot->vain_starts = 0;
	if (worker_is_down(slot->worker))
		slot->restart_ns = clock_now_ns();
}

/* Starts the worker of a new or retired slot. */
static enum status
pool_start_slot(struct engine *e, uint32_t index, struct error *err)
{
	struct worker_config config = {
		.base = engine_base(e),
		.campaign = engine_memory(e),
		.target_fd = command_line_fd(program_info(e)),
		.argv = program_argv(e),
		.envp = program_envp(e),
		.folder = program_folder(e),
		.isolate = isolation_spec(program_isolation(e)),
		.input = program_input(e),
		.campaign_seed = engine_settings(e)->seed,
		.leaks = !engine_settings(e)->no_leaks,
		.fail_on_exit = engine_settings(e)->fail_on_exit,
		.fixed_addresses = engine_settings(e)->deterministic,
		.handlers = &engine_pool(e)->handlers,
		.arg = e,
	};
	struct slot *slot = pool_at(e, index);

	if (slot->worker == NULL)
		slot->worker = worker_create(&config, index, err);
	if (slot->worker == NULL)
		return err->code;
	if (index >= engine_pool(e)->n)
		engine_pool(e)->n = index + 1;
	slot->wanted = true;
	pool_ask_start(e, slot);
	pool_set_limits(e);
	return OK;
}

enum status
pool_start_one(struct engine *e, struct error *err)
{
	uint32_t i;

	for (i = 0; i < pool_count(e); i++)
		if (!worker_is_down(pool_worker(e, i)) ||
			pool_at(e, i)->restart_ns != 0)
			return OK;
	return pool_room_check(e, 0, err) == OK ? pool_start_slot(e, 0, err)
						: err->code;
}

static uint64_t
pool_elapsed_ns(void *arg)
{
	const struct engine *e = arg;

	return run_clock_elapsed_ns(engine_clock(e));
}

static void
pool_prepare(struct engine *e)
{
	engine_pool(e)->on_wake = pool_give_all;
	engine_pool(e)->handlers = (struct worker_handlers){
		.on_ready = pool_on_ready,
		.on_idle = pool_on_idle,
		.on_result = coordinator_on_result,
		.on_down = pool_on_down,
		.on_modules = first_answer_on_modules,
		.on_line = pool_on_line,
		.elapsed_ns = pool_elapsed_ns,
	};
}

void
pool_open_past(struct engine *e)
{
	pool_prepare(e);
	/* From now on the modules and types of the target are known. */
	engine_pool(e)->any_ready = true;
}

enum status
pool_open(struct engine *e, struct error *err)
{
	uint64_t n = engine_settings(e)->parallel, limit = engine_limit(e);
	uint32_t i;

	if (limit > 0 && n > limit)
		n = limit;
	if (pool_room_fit(e, &n, err) != OK)
		return err->code;
	pool_prepare(e);
	for (i = 0; i < n; i++)
		if (pool_start_slot(e, i, err) != OK)
			return err->code;
	return OK;
}

void
pool_close(struct engine *e)
{
	uint32_t i;

	for (i = 0; i < pool_count(e); i++)
		worker_destroy(pool_worker(e, i));
	engine_pool(e)->n = 0;
	process_kill_leftovers(&engine_pool(e)->strangers);
}

void
pool_note_orphans(struct engine *e)
{
	pid_t fork_servers[MEMORY_WORKERS_MAX];
	uint32_t i, n = 0;

	for (i = 0; i < pool_count(e); i++)
		if (worker_process(pool_worker(e, i)) != 0)
			fork_servers[n++] = worker_process(pool_worker(e, i));
	process_note_orphans(&engine_pool(e)->strangers, fork_servers, n);
}

static void
pool_retire(struct slot *slot)
{
	slot->wanted = false;
	slot->restart_ns = 0;
	/* A busy worker ends its call and gets no other job. A paused worker
	 * must run to get there. */
	worker_end_call(slot->worker);
	worker_set_paused(slot->worker, false);
	if (worker_is_idle(slot->worker))
		worker_stop(slot->worker);
}

void
pool_restart(struct engine *e, struct slot *slot)
{
	if (!worker_is_down(slot->worker) || engine_stopping(e)) {
		worker_stop(slot->worker);
		return;
	}
	/* Nothing will tell of its end: it was given up, or is to start. */
	pool_ask_start(e, slot);
}

/* Retires all but the first n workers that are there; how many stay. */
static uint32_t
pool_retire_others(struct engine *e, uint32_t n)
{
	uint32_t i, have = 0;

	for (i = 0; i < pool_count(e); i++) {
		if (have < n && pool_is_there(pool_at(e, i)))
			have++;
		else if (pool_at(e, i)->wanted)
			pool_retire(pool_at(e, i));
	}
	return have;
}

uint32_t
pool_resize(struct engine *e, uint32_t n)
{
	uint32_t i, have = pool_retire_others(e, n);
	struct error err = { 0 };

	for (i = 0; i < MEMORY_WORKERS_MAX && have < n; i++) {
		if (i < pool_count(e) && pool_at(e, i)->wanted)
			continue;
		if (pool_room_check(e, i, &err) != OK ||
			pool_start_slot(e, i, &err) != OK)
			break;
		have++;
	}
	if (err.code != OK)
		message_event(e, "worker", NULL,
			"%u of %u workers are started: %s", have, n, err.text);
	engine_change_settings(e)->parallel = have;
	pool_note_pause(e);
	return have;
}

/* At most POOL_STARTS_MAX starts in any second, however short they are. */
static bool
pool_must_wait(struct engine *e, struct slot *slot, uint64_t now)
{
	uint64_t first = slot->starts_ns[slot->starts_n % POOL_STARTS_MAX];

	if (slot->starts_n < POOL_STARTS_MAX || now - first >= SECOND_NS)
		return false;
	if (!slot->wait_said)
		message_event(e, "worker", NULL,
			"worker %u waits: at most %u starts a second; %s",
			worker_slot(slot->worker), POOL_STARTS_MAX,
			slot->restart_why);
	slot->wait_said = true;
	return true;
}

void
pool_tick(struct engine *e, uint64_t now)
{
	struct slot *slot;
	uint32_t i;

	for (i = 0; i < pool_count(e); i++) {
		slot = pool_at(e, i);
		if (slot->restart_ns != 0 && now >= slot->restart_ns &&
			worker_is_down(slot->worker) && !engine_stopping(e) &&
			!pool_must_wait(e, slot, now)) {
			slot->starts_ns[slot->starts_n++ % POOL_STARTS_MAX] =
				now;
			slot->restart_ns = 0;
			worker_start(slot->worker);
		}
		worker_tick(slot->worker, now);
	}
}
