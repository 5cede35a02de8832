/*
 * engine: set-up, the loop, and the end of a campaign.
 *
 * All that can be wrong with the target, the seeds or the output directory is
 * reported before anything runs. Then one loop turns until all workers are
 * down, the writer is done, and the last numbers are on disk.
 */
#include "engine/engine.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/rlimits.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/libraries.h"
#include "corpus/dictionary.h"
#include "engine/earlier_runs.h"
#include "engine/engine_private.h"
#include "engine/front/limit_effects.h"
#include "engine/front/server.h"
#include "engine/front/snapshot_view.h"
#include "engine/grow_memory.h"
#include "engine/load.h"
#include "engine/messages.h"
#include "engine/pc_table_calls.h"
#include "engine/pool.h"
#include "engine/schedule.h"
#include "engine/set_up.h"
#include "engine/triage/dedup.h"
#include "engine/triage/minimize_tasks.h"
#include "engine/triage/naming.h"
#include "engine/triage/suspect.h"
#include "engine/triage/triage.h"
#include "engine/trim.h"
#include "findings/report_names.h"
#include "store/lineage.h"
#include "worker/environment.h"
#include "worker/type_names.h"

#define MS 1000000ull
#define TICK_MS 10
#define PAUSED_TICK_MS 100
#define LINE_S 3
#define FINISH_MS 5000
#define LAST_LINES_MS 200 /* for the last lines on a failing disk */

double
engine_campaign_s(const struct engine *e)
{
	return e->earlier.elapsed_s +
		(double)run_clock_elapsed_ns(&e->clock) / 1e9;
}

uint64_t
engine_executions(const struct engine *e)
{
	uint64_t n = e->counts.executions;
	const struct job *job;
	uint32_t i;

	for (i = 0; i < e->pool.n; i++) {
		job = worker_job(e->pool.slots[i].worker);
		if (job != NULL && job->kind != JOB_REPLAY &&
			job->kind != JOB_SEQUENCE && job->kind != JOB_TABLES)
			n += worker_sample_count(e->pool.slots[i].worker);
	}
	return n;
}

bool
engine_warming(const struct engine *e)
{
	return e->load.under_way || e->load.warmup_left > 0;
}

static void
engine_set_tick(struct engine *e, uint64_t ms)
{
	struct timeval tv = { 0, (suseconds_t)(ms * 1000) };

	event_add(e->timers.tick, &tv);
}

void
engine_set_paused(struct engine *e, bool paused)
{
	uint32_t i;

	if (e->clock.paused == paused)
		return;
	if (paused)
		limit_effects_note_pause(e);
	run_clock_set_paused(&e->clock, paused);
	for (i = 0; i < e->pool.n; i++)
		worker_set_paused(e->pool.slots[i].worker, paused);
	message_event(e, "operator", NULL,
		paused ? "paused" : "fuzzing goes on");
	engine_set_tick(e, TICK_MS);
	pool_wake(e);
}

/* ---- time ------------------------------------------------------------- */

static void
engine_on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct engine *e = arg;
	uint64_t now = clock_now_ns();

	(void)fd;
	(void)what;
	pool_tick(e, now);
	minimize_tasks_tick(e, now);
	grow_memory_tick(e);
	limit_effects_tick(e, false);
	pc_table_calls_tick(e);
	server_tick(e->front.server, now);
	if (!e->clock.paused)
		engine_check_end(e);
	/* In a long pause a tick has little to do. */
	engine_set_tick(e,
		e->clock.paused && now - e->clock.pause_began_ns > 1000 * MS
			? PAUSED_TICK_MS
			: TICK_MS);
}

static void
engine_write_stats(struct engine *e)
{
	struct snapshot snapshot;
	json_t *stats;

	view_make(e, &snapshot);
	stats = snapshot_encode(&snapshot);
	if (stats != NULL && e->target.types.n > 0)
		json_object_set_new(stats, "types",
			type_names_json(&e->target.types));
	if (stats != NULL && e->suspects.waiting_n > 0)
		json_object_set_new(stats, "suspects_left", suspects_left(e));
	if (stats != NULL)
		store_write_stats(e->store, stats);
	json_decref(stats);
	snapshot_clear(&snapshot);
}

/* Once, until all files are on the disk again. */
static void
engine_tell_trouble(struct engine *e, const char *files)
{
	struct writer_status writer;

	store_get_status(e->store, &writer);
	if (writer.unsaved == 0 || e->messages.disk_said) {
		e->messages.disk_said =
			e->messages.disk_said && writer.unsaved > 0;
		return;
	}
	e->messages.disk_said = true;
	message_print(e, "warning: %s; %s: %llu", writer.text, files,
		(unsigned long long)writer.unsaved);
}

static void
engine_on_second(evutil_socket_t fd, short what, void *arg)
{
	struct engine *e = arg;

	(void)fd;
	(void)what;
	pool_note_orphans(e);
	if (e->front.server == NULL)
		rate_add(&e->counts.rate, clock_now_ns(), engine_executions(e));
	if (!e->pool.any_ready)
		return; /* the directory may belong to another target */
	new_functions_on_second(e);
	engine_write_stats(e);
	naming_next(e);
	dedup_tick(e);
	engine_tell_trouble(e, "files in memory until the disk takes them");
	pool_wake(e);
}

static void
engine_on_line_time(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	message_statistics(arg);
}

static void
engine_on_signal(evutil_socket_t signo, short what, void *arg)
{
	struct engine *e = arg;

	(void)what;
	log_debug("signal %d", (int)signo);
	engine_stop(e, END_USER);
}

/* ---- set-up ----------------------------------------------------------- */

static enum exit_status
engine_status_of(const struct error *err)
{
	return err->code == E_FULL || err->code == E_NOMEM ? EXIT_LOST
							   : EXIT_SETUP;
}

static void
engine_make_events(struct engine *e, const struct engine_config *config)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	int i;

	e->timers.tick = event_new(e->base, -1, 0, engine_on_tick, e);
	e->timers.load = event_new(e->base, -1, 0, load_on_turn, e);
	e->timers.second =
		event_new(e->base, -1, EV_PERSIST, engine_on_second, e);
	e->timers.log =
		event_new(e->base, -1, EV_PERSIST, engine_on_line_time, e);
	for (i = 0; config->watch_signals && i < 3; i++) {
		e->timers.signals[i] =
			evsignal_new(e->base, signals[i], engine_on_signal, e);
		event_add(e->timers.signals[i], NULL);
	}
}

static enum status
engine_set_up(struct engine *e, const struct engine_config *config,
	struct error *err)
{
	if (e->settings.debug != NULL && e->settings.debug[0] != '\0' &&
		log_open(e->settings.debug, err) != OK)
		return err->code;
	if (target_check(config->target, &e->target.info, err) != OK ||
		isolation_open(&e->target.isolation, &e->settings,
			e->target.info.fd, err) != OK)
		return err->code;
	if (e->settings.seed == 0)
		random_bytes(&e->settings.seed, sizeof(e->settings.seed));
	/* JSON integers are signed. */
	e->settings.seed &= INT64_MAX;
	set_up_names(e, config);
	if (set_up_memory(e, err) != OK || set_up_store(e, config, err) != OK)
		return err->code;
	isolation_hide(&e->target.isolation, e->output_path);
	engine_make_events(e, config);
	e->naming.names = names_create(e->base, &e->target.info);
	e->naming.reports = report_names_create(e->naming.names);
	e->new_functions = new_functions_create(e);
	triage_resume(e);
	earlier_runs_resume(e);
	store_forget(e->store);
	return pool_open(e, err);
}

/* For a front end that reads only snapshots. */
static void
engine_report_nothing(void *arg, const struct report *report)
{
	(void)arg;
	(void)report;
}

struct engine *
engine_create(const struct engine_config *config, enum exit_status *status,
	struct error *err)
{
	char why[RLIMITS_TEXT_MAX];
	struct engine *e;

	*status = EXIT_SETUP;
	if (process_workers_room(1, why, sizeof(why)) == 0) {
		error_set(err, E_USAGE, "no worker can be started: %s", why);
		return NULL;
	}
	e = xcalloc(1, sizeof(*e));
	signal(SIGPIPE, SIG_IGN);
	process_harden();
	process_note_strangers(&e->pool.strangers);
	process_become_subreaper();
	e->base = libraries_base_new();
	e->messages.report =
		config->report != NULL ? config->report : engine_report_nothing;
	e->messages.report_arg = config->arg;
	e->target.info.fd = -1;
	e->campaign.memory.sealed.fd = -1;
	e->messages.events = event_ring_create();
	queue_init(&e->schedule.inputs);
	queue_init(&e->schedule.user_queue);
	queue_init(&e->trims.queue);
	settings_init(&e->settings);
	settings_copy(&e->settings, config->settings);
	e->schedule.processors = settings_processors();
	if (engine_set_up(e, config, err) != OK) {
		*status = engine_status_of(err);
		engine_destroy(e);
		return NULL;
	}
	if (config->control_fd >= 0)
		e->front.server = server_create(e, config->control_fd);
	*status = EXIT_NOTHING;
	return e;
}

/* ---- the run ---------------------------------------------------------- */

static void
engine_print_lost(void *arg, const struct writer_file *file)
{
	struct engine *e = arg;
	char hex[2 * 256 + 1];
	size_t i, n = file->len < 256 ? file->len : 256;

	if (file->kind != WRITER_FINDING || strcmp(file->name, "input") != 0)
		return;
	for (i = 0; i < n; i++)
		snprintf(hex + 2 * i, 3, "%02x",
			((const unsigned char *)file->data)[i]);
	hex[2 * n] = '\0';
	message_print(e, "not saved: %s, %zu bytes: %s%s", file->folder,
		file->len, hex, n < file->len ? " ..." : "");
}

static void
engine_finish_files(struct engine *e)
{
	minimize_tasks_drain(e, false);
	triage_finish(e);
	/* Late acknowledgements must be counted before the end event. */
	if (store_finish(e->store, FINISH_MS, NULL, NULL) > 0)
		e->end.lost = true;
	message_event(e, "end",
		json_pack("{s:i, s:I, s:I}", "exit", (int)engine_status(e),
			"execs", (json_int_t)e->counts.executions, "bits",
			(json_int_t)e->campaign.memory.bits),
		"ended");
	engine_write_stats(e);
	if (store_finish(e->store, e->end.lost ? LAST_LINES_MS : FINISH_MS,
		    engine_print_lost, e) > 0)
		e->end.lost = true;
	engine_tell_trouble(e, "files that are not written");
}

static void
engine_finish(struct engine *e)
{
	struct report report = { .kind = REPORT_ENDED };
	struct snapshot snapshot;

	message_statistics(e);
	if (e->pool.refused) {
		(void)store_finish(e->store, FINISH_MS, NULL, NULL);
		store_withdraw(e->store);
	} else {
		engine_finish_files(e);
	}
	view_make(e, &snapshot);
	report.snapshot = &snapshot;
	report.text = e->end.fatal.code != OK ? e->end.fatal.text : "";
	e->messages.report(e->messages.report_arg, &report);
	server_say_bye(e->front.server, report.text);
	snapshot_clear(&snapshot);
	server_flush(e->front.server);
}

enum exit_status
engine_run(struct engine *e, struct error *err)
{
	const struct timeval second = { 1, 0 }, line = { LINE_S, 0 };

	e->clock.start_ns = e->messages.line_ns = clock_now_ns();
	e->load.under_way = true;
	message_print_warnings(e);
	event_add(e->timers.second, &second);
	event_add(e->timers.log, &line);
	pool_tick(e, clock_now_ns());
	engine_set_tick(e, TICK_MS);
	event_base_dispatch(e->base);
	engine_finish(e);
	if (e->end.fatal.code != OK)
		error_set(err, e->end.fatal.code, "%s", e->end.fatal.text);
	return engine_status(e);
}

static void
engine_free_events(struct engine *e)
{
	struct event *events[] = { e->timers.tick, e->timers.load,
		e->timers.second, e->timers.log, e->timers.signals[0],
		e->timers.signals[1], e->timers.signals[2] };
	size_t i;

	for (i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		if (events[i] != NULL)
			event_free(events[i]);
}

static void
engine_free_texts(struct engine *e)
{
	size_t i;

	free(e->target.path);
	free(e->target.name);
	free(e->output_path);
	for (i = 0; e->target.argv != NULL && e->target.argv[i] != NULL; i++)
		free(e->target.argv[i]);
	free(e->target.argv);
	environment_destroy(e->target.envp);
	for (i = 0; i < e->campaign.labels_n; i++)
		free(e->campaign.labels[i]);
	free(e->campaign.labels);
	for (i = 0; i < e->messages.warnings_n; i++)
		free(e->messages.warnings[i].text);
	free(e->messages.warnings);
}

void
engine_destroy(struct engine *e)
{
	if (e == NULL)
		return;
	names_destroy(e->naming.names);
	report_names_destroy(e->naming.reports);
	pool_close(e);
	new_functions_destroy(e->new_functions);
	pc_table_clear(&e->pc_tables.table);
	server_destroy(e->front.server);
	e->front.server = NULL;
	trim_drop_all(e);
	queue_clear(&e->schedule.inputs);
	queue_clear(&e->schedule.user_queue);
	queue_clear(&e->trims.queue);
	seeds_close(e->load.seeds);
	lineage_destroy(e->load.lineage);
	store_close(e->store);
	event_ring_destroy(e->messages.events);
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
	engine_free_texts(e);
	settings_clear(&e->settings);
	log_close();
	free(e);
}
