/*
 * engine: set-up, the loop, and the end of a campaign.
 *
 * All that can be wrong with the target, the seeds or the output directory is
 * reported before anything runs. Then one loop turns until all workers are
 * down, the writer is done, and the last numbers are on disk.
 */
#include "engine/engine.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <event2/event.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/rlimits.h"
#include "base/xmalloc.h"
#include "control/libraries.h"
#include "control/settings.h"
#include "control/snapshot.h"
#include "corpus/corpus.h"
#include "corpus/corpus_list.h"
#include "corpus/energy.h"
#include "engine/corpus/load.h"
#include "engine/corpus/load_files.h"
#include "engine/engine_coverage.h"
#include "engine/engine_end.h"
#include "engine/engine_end_check.h"
#include "engine/engine_over.h"
#include "engine/engine_over_state.h"
#include "engine/engine_private.h"
#include "engine/engine_signals.h"
#include "engine/front/answers.h"
#include "engine/front/commands.h"
#include "engine/front/engine_stats.h"
#include "engine/front/server.h"
#include "engine/front/snapshot_view.h"
#include "engine/functions/new_functions.h"
#include "engine/functions/pc_table_calls.h"
#include "engine/hints.h"
#include "engine/log/messages.h"
#include "engine/notify/hooks.h"
#include "engine/parts.h"
#include "engine/pool/grow_memory.h"
#include "engine/pool/pool.h"
#include "engine/pool/pool_workers.h"
#include "engine/program.h"
#include "engine/schedule/schedule.h"
#include "engine/schedule/trim.h"
#include "engine/set_up.h"
#include "engine/set_up_past.h"
#include "engine/statistics/counts.h"
#include "engine/statistics/earlier_runs.h"
#include "engine/statistics/limit_effects.h"
#include "engine/statistics/rate.h"
#include "engine/statistics/run_clock.h"
#include "engine/statistics/statistics.h"
#include "engine/triage/minimize_tasks.h"
#include "engine/triage/naming.h"
#include "engine/triage/record.h"
#include "engine/triage/triage.h"
#include "engine/web/web.h"
#include "store/store.h"
#include "worker/inputs/mutation_log.h"
#include "worker/memory/campaign_memory.h"
#include "worker/pc_table.h"
#include "worker/process.h"
#include "worker/target/command_line.h"
#include "worker/target/elf.h"
#include "worker/target/isolation.h"
#include "worker/worker.h"

#define MS 1000000ull
#define TICK_MS 10
#define PAUSED_TICK_MS 100
#define LINE_S 3
#define FINISH_MS 5000
#define LAST_LINES_MS 200 /* for the last lines on a failing disk */

double
engine_campaign_s(const struct engine *e)
{
	return earlier_runs_elapsed_s(e) +
		(double)run_clock_run_ns(&e->clock) / 1e9;
}

uint64_t
engine_executions(const struct engine *e)
{
	uint64_t n = counts_executions(e);
	const struct job *job;
	uint32_t i;

	for (i = 0; i < pool_count(e) && !engine_over(e); i++) {
		job = worker_job(pool_worker(e, i));
		if (job != NULL && job->kind != JOB_REPLAY &&
			job->kind != JOB_SEQUENCE && job->kind != JOB_PC_TABLE)
			n += worker_sample_count(pool_worker(e, i));
	}
	return n;
}

void
engine_set_paused(struct engine *e, bool paused)
{
	bool changed = engine_paused(e) != paused;
	uint32_t i;

	if (changed && paused)
		limit_effects_note_pause(e);
	run_clock_set_paused(&e->clock, paused);
	for (i = 0; i < pool_count(e); i++)
		changed |= pool_set_paused(e, i, paused);
	if (!changed)
		return;
	message_event(e, "operator", NULL,
		paused ? "paused" : "fuzzing goes on");
	libraries_set_timer(e->timers.tick, TICK_MS);
	pool_wake(e);
}

/* ---- time ------------------------------------------------------------- */

/* In a long pause, and after the end. */
static bool
engine_has_little_to_do(const struct engine *e, uint64_t now)
{
	return engine_over(e) ? !over_works(e)
			      : run_clock_pause_ns(&e->clock, now) > 1000 * MS;
}

static void
engine_on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct engine *e = arg;
	uint64_t now = clock_now_ns();

	pool_tick(e, now);
	minimize_tasks_tick(e, now);
	grow_memory_tick(e);
	limit_effects_tick(e, false);
	pc_table_calls_tick(e);
	server_tick(e->front.server, now);
	web_tick(e->front.web, now);
	if (engine_over(e))
		over_tick(e);
	else if (!engine_paused(e))
		engine_check_end(e);
	libraries_set_timer(e->timers.tick,
		engine_has_little_to_do(e, now) ? PAUSED_TICK_MS : TICK_MS);
}

static void
engine_on_second(evutil_socket_t fd, short what, void *arg)
{
	struct engine *e = arg;

	if (engine_over(e)) {
		over_on_second(e);
		return;
	}
	pool_note_orphans(e);
	if (!server_has_clients(e->front.server))
		rate_add(counts_rate(e), clock_now_ns(), engine_executions(e));
	if (!pool_any_ready(e))
		return; /* the directory may belong to another target */
	new_functions_on_second(e);
	hints_on_second(e);
	engine_stats_write(e);
	engine_coverage_on_second(e);
	triage_tick(e);
	hooks_on_second(e->front.hooks);
	message_disk(e, "files in memory until the disk takes them");
	pool_wake(e);
}

static void
engine_on_line_time(evutil_socket_t fd, short what, void *arg)
{
	statistics_line(arg);
}

static void
engine_on_signal(evutil_socket_t signo, short what, void *arg)
{
	struct engine *e = arg;

	log_debug("signal %d", (int)signo);
	engine_leave(e);
	if (engine_over(e))
		over_leave(e);
	else
		engine_stop(e, END_USER);
}

/* ---- set-up ----------------------------------------------------------- */

static enum exit_status
engine_status_of(const struct error *err)
{
	bool full = err->code == E_FULL || err->code == E_NOMEM;

	return full ? EXIT_LOST : EXIT_SETUP;
}

static void
engine_make_events(struct engine *e, const struct engine_config *config)
{
	static const int signals[ENGINE_SIGNALS] = { SIGINT, SIGTERM, SIGHUP };
	int i;

	e->timers.tick = event_new(e->base, -1, 0, engine_on_tick, e);
	e->timers.load = event_new(e->base, -1, 0, load_on_turn, e);
	e->timers.second =
		event_new(e->base, -1, EV_PERSIST, engine_on_second, e);
	e->timers.log =
		event_new(e->base, -1, EV_PERSIST, engine_on_line_time, e);
	for (i = 0; config->watch_signals && i < ENGINE_SIGNALS; i++)
		e->timers.signals[i] = libraries_watch_end(e->base, signals[i],
			engine_on_signal, e);
}

static const struct minimize_tasks_handlers engine_minimizations = {
	.on_failure = triage_on_failure,
	.on_minimized = triage_on_minimized,
};

static enum status
engine_set_up_past(struct engine *e, const struct engine_config *config,
	struct error *err)
{
	if (set_up_log(e, err) != OK ||
		set_up_past(e, config->target, config->args, err) != OK)
		return err->code;
	engine_make_events(e, config);
	naming_open(e, triage_step, pc_table_calls_table(e));
	minimize_tasks_open(e, &engine_minimizations);
	set_up_past_load(e);
	pool_open_past(e);
	return OK;
}

static enum status
engine_set_up(struct engine *e, const struct engine_config *config,
	struct error *err)
{
	if (set_up_log(e, err) != OK)
		return err->code;
	if (target_check(config->target, &e->target.info, err) != OK ||
		isolation_open(&e->target.isolation, &e->settings,
			e->target.info.fd, err) != OK ||
		command_line_show(&e->target.info, &e->target.isolation, err) !=
			OK)
		return err->code;
	if (e->settings.seed == 0)
		random_bytes(&e->settings.seed, sizeof(e->settings.seed));
	/* JSON integers are signed. */
	e->settings.seed &= INT64_MAX;
	set_up_names(e, config->target, config->args);
	/* The output directory last: what is refused leaves none behind. */
	if (set_up_memory(e, err) != OK ||
		hooks_create(&e->front.hooks, e, err) != OK ||
		web_create(&e->front.web, e, err) != OK ||
		set_up_store(e, config->args, err) != OK)
		return err->code;
	isolation_hide(&e->target.isolation, e->output_path);
	engine_make_events(e, config);
	naming_open(e, triage_step, pc_table_calls_table(e));
	e->new_functions = new_functions_create(e);
	minimize_tasks_open(e, &engine_minimizations);
	triage_resume(e);
	earlier_runs_resume(e);
	store_forget(e->store);
	return pool_open(e, err);
}

struct engine *
engine_create(const struct engine_config *config, enum exit_status *status,
	struct error *err)
{
	static const struct server_handlers handlers = {
		.on_query = answers_take,
		.on_command = commands_run,
	};
	char why[RLIMITS_TEXT_MAX];
	struct engine *e;

	*status = EXIT_SETUP;
	if (process_workers_room(1, 0, why, sizeof(why)) == 0) {
		error_set(err, E_USAGE, "no worker can be started: %s", why);
		return NULL;
	}
	e = xcalloc(1, sizeof(*e));
	signal(SIGPIPE, SIG_IGN);
	process_harden();
	process_note_strangers(&e->pool.strangers);
	process_become_subreaper();
	e->base = libraries_base_new();
	messages_open(e, config->report, config->arg);
	e->target.info.fd = -1;
	e->campaign.memory.sealed.fd = -1;
	schedule_open(e);
	settings_init(&e->settings);
	settings_copy(&e->settings, config->settings);
	program_place(e, config->folder, config->keep_input);
	e->front.may_stay = config->report == NULL;
	if ((config->past ? engine_set_up_past(e, config, err)
			  : engine_set_up(e, config, err)) != OK) {
		*status = engine_status_of(err);
		engine_destroy(e);
		return NULL;
	}
	web_begin(e->front.web);
	e->front.server = server_create(e, config->control_fd, &handlers);
	*status = EXIT_NOTHING;
	return e;
}

/* ---- the run ---------------------------------------------------------- */

static void
engine_print_lost(void *arg, const struct writer_file *file)
{
	struct engine *e = arg;

	if (file->kind == WRITER_FINDING && strcmp(file->name, "input") == 0)
		record_tell_unsaved(e, triage_find(e, file->folder), file);
}

static void
engine_finish_files(struct engine *e)
{
	minimize_tasks_drain(e, false);
	triage_finish(e);
	/* Late acknowledgements must be counted before the end event. */
	engine_note_unsaved(e,
		store_finish(e->store, FINISH_MS, NULL, NULL) > 0);
	message_event(e, "end",
		json_pack("{s:i, s:I, s:I}", "exit", (int)engine_status(e),
			"execs", (json_int_t)counts_executions(e), "bits",
			(json_int_t)e->campaign.memory.bits),
		"ended");
	engine_stats_write(e);
	(void)engine_stats_finish(e,
		engine_unsaved(e) || e->end.lost ? LAST_LINES_MS : FINISH_MS,
		engine_print_lost, e);
	message_disk(e, "files that are not written");
	/* It may be large, can be made again, and keeps nothing else waiting. */
	engine_coverage_on_end(e);
	(void)engine_stats_finish(e,
		engine_unsaved(e) ? LAST_LINES_MS : FINISH_MS, NULL, NULL);
}

static void
engine_finish(struct engine *e)
{
	struct snapshot snapshot;
	struct report report = { .kind = REPORT_ENDED, .snapshot = &snapshot };

	statistics_line(e);
	if (pool_refused(e)) {
		(void)store_finish(e->store, FINISH_MS, NULL, NULL);
		store_withdraw(e->store);
	} else {
		engine_finish_files(e);
	}
	view_make(e, &snapshot);
	server_view(e->front.server, &snapshot);
	report.text = engine_failure(e);
	message_report(e, &report);
	/* Programs that read lines wait for the end. */
	if (!e->front.may_stay || !over_begin(e))
		server_say_bye(e->front.server, report.text);
	server_flush(e->front.server);
	hooks_end(e->front.hooks, &snapshot, engine_over(e));
	snapshot_clear(&snapshot);
}

/* As long as somebody looks at it. */
static void
engine_show_end(struct engine *e)
{
	event_del(e->timers.log);
	libraries_set_timer(e->timers.tick, PAUSED_TICK_MS);
	over_run(e);
	server_say_bye(e->front.server, engine_failure(e));
	server_flush(e->front.server);
}

enum exit_status
engine_run(struct engine *e, struct error *err)
{
	const struct timeval second = { 1, 0 }, line = { LINE_S, 0 };
	struct engine_signals signals;

	event_add(e->timers.second, &second);
	if (engine_over(e)) {
		engine_show_end(e);
		return engine_status(e);
	}
	run_clock_start(&e->clock);
	statistics_begin(e);
	load_expect(e);
	message_print_warnings(e);
	event_add(e->timers.log, &line);
	pool_tick(e, clock_now_ns());
	libraries_set_timer(e->timers.tick, TICK_MS);
	event_base_dispatch(e->base);
	engine_signals_hold(&signals, e->timers.signals, ENGINE_SIGNALS);
	engine_finish(e);
	if (engine_over(e)) {
		engine_signals_release(&signals);
		engine_show_end(e);
		engine_signals_hold(&signals, e->timers.signals,
			ENGINE_SIGNALS);
	}
	hooks_finish(e->front.hooks, &signals.watched);
	engine_signals_release(&signals);
	if (e->end.fatal.code != OK)
		error_set(err, e->end.fatal.code, "%s", e->end.fatal.text);
	return engine_status(e);
}

const char *
engine_last_words(const struct engine *e)
{
	struct writer_status writer;

	/* Since then the disk may have taken all. */
	store_get_status(e->store, &writer);
	return writer.waiting > 0 ? message_kept_words(e) : "";
}

static void
engine_free_events(struct engine *e)
{
	struct event *events[] = { e->timers.tick, e->timers.load,
		e->timers.second, e->timers.log, e->timers.signals[0],
		e->timers.signals[1], e->timers.signals[2] };

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		if (events[i] != NULL)
			event_free(events[i]);
}

void
engine_destroy(struct engine *e)
{
	if (e == NULL)
		return;
	naming_close(e);
	over_clear(e);
	hooks_destroy(e->front.hooks);
	e->front.hooks = NULL;
	web_destroy(e->front.web);
	e->front.web = NULL;
	pool_close(e);
	input_file_leave(&e->target.input);
	new_functions_destroy(e->new_functions);
	pc_table_clear(pc_table_calls_table(e));
	server_destroy(e->front.server);
	e->front.server = NULL;
	trim_drop_all(e);
	schedule_close(e);
	load_close(e);
	store_close(e->store);
	messages_close(e);
	corpus_list_destroy(e->campaign.list);
	mutation_logs_destroy(e->campaign.logs);
	energy_destroy(e->campaign.energy);
	corpus_destroy(e->campaign.corpus);
	minimize_tasks_clear(e);
	triage_clear(e);
	campaign_memory_close(&e->campaign.memory);
	isolation_close(&e->target.isolation);
	target_info_clear(&e->target.info);
	engine_free_events(e);
	event_base_free(e->base);
	free(e->output_path);
	program_clear(e);
	settings_clear(&e->settings);
	log_close();
	free(e);
}
