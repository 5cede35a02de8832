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
#include "engine/front/view.h"
#include "engine/grow_memory.h"
#include "engine/load.h"
#include "engine/messages.h"
#include "engine/pc_table_calls.h"
#include "engine/pool.h"
#include "engine/schedule.h"
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
#define NAMES_MS 1000 /* to wait for the names of frames at the end */
#define FINISH_MS 5000
#define LAST_LINES_MS 200         /* for the last lines on a failing disk */
#define CORPUS_BUDGET (64u << 20) /* bytes kept in memory */
#define REST_SPACE (100ull << 20) /* address space for all but inputs */
#define TRAILS_ROOM (64u << 20)   /* for mutation logs */

extern char **environ;

uint64_t
engine_elapsed_ns(const struct engine *e)
{
	uint64_t now = clock_now_ns();

	return e->clock.start_ns == 0
		? 0
		: now - e->clock.start_ns - engine_paused_ns(e, now);
}

double
engine_campaign_s(const struct engine *e)
{
	return e->earlier.elapsed_s + (double)engine_elapsed_ns(e) / 1e9;
}

uint64_t
engine_paused_ns(const struct engine *e, uint64_t now)
{
	return e->clock.paused_ns +
		(e->clock.paused ? now - e->clock.pause_began_ns : 0);
}

uint64_t
engine_fuzzed_ns(const struct engine *e)
{
	uint64_t now = clock_now_ns();

	if (e->clock.fuzz_start_ns == 0)
		return 0;
	return now - e->clock.fuzz_start_ns -
		(engine_paused_ns(e, now) - e->clock.warm_paused_ns);
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

uint64_t
engine_limit(const struct engine *e)
{
	return e->settings.fuzztime.executions;
}

enum exit_status
engine_status(const struct engine *e)
{
	if (e->end.lost)
		return EXIT_LOST;
	if (e->end.fatal.code != OK)
		return e->end.fatal_status;
	return e->end.found || triage_found(e) ? EXIT_FOUND : EXIT_NOTHING;
}

void
engine_fail(struct engine *e, enum exit_status status, const char *fmt, ...)
{
	char text[ERROR_TEXT_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (e->end.fatal.code == OK) {
		e->end.fatal_status = status;
		error_set(&e->end.fatal, E_TARGET, "%s", text);
	}
	engine_stop(e, END_ERROR);
}

/* The first call begins the stop; each later call by the user takes its next
 * step. */
void
engine_stop(struct engine *e, enum end_reason why)
{
	uint32_t i;

	if (e->end.stopping && why != END_USER)
		return;
	if (!e->end.stopping) {
		limit_effects_tick(e, true);
		log_debug("stop called, reason %d", (int)why);
		e->end.why = why;
		if (why == END_USER)
			message_event(e, "operator", NULL, "stop");
		e->clock.paused_ns = engine_paused_ns(e, clock_now_ns());
		e->clock.paused = false;
		e->end.stopping = true;
		e->end.stop_ns = clock_now_ns();
		e->end.stop_step = STOP_CLOSED;
	} else if (e->end.stop_step < STOP_KILL) {
		e->end.stop_step++;
	}
	for (i = 0; i < e->pool.n; i++) {
		e->pool.slots[i].restart_ns = 0;
		worker_stop(e->pool.slots[i].worker);
	}
	engine_check_end(e);
}

/* A drain that the user ordered has no time limit. A deterministic run has none
 * either: there, no clock may decide. */
static uint64_t
drain_end_ns(const struct engine *e, enum end_reason why)
{
	if (why == END_USER || (why == END_LIMIT && e->settings.deterministic))
		return 0;
	return clock_now_ns() + e->settings.finish_time_ms * MS;
}

uint64_t
engine_drain_left_ms(const struct engine *e)
{
	uint64_t now = clock_now_ns();

	if (e->end.drain_ns == 0)
		return UINT64_MAX;
	return e->end.drain_ns > now ? (e->end.drain_ns - now) / MS : 0;
}

/* Starts no further inputs; findings known so far are still checked. */
void
engine_drain(struct engine *e, enum end_reason why, bool minimizations)
{
	uint32_t i;

	e->end.draining = true;
	e->end.drain_minimize = minimizations;
	e->end.drain_ns = drain_end_ns(e, why);
	if (e->end.why == END_NONE)
		e->end.why = why;
	for (i = 0; i < e->pool.n; i++) {
		const struct job *job = worker_job(e->pool.slots[i].worker);

		if (job != NULL &&
			(job->kind == JOB_FUZZ || job->kind == JOB_WARMUP ||
				job->kind == JOB_MINIMIZE_COVERAGE ||
				(job->kind == JOB_MINIMIZE_FAILURE &&
					!minimizations)))
			worker_end_call(e->pool.slots[i].worker);
	}
	minimize_tasks_drain(e, minimizations);
	pool_wake(e);
	engine_check_end(e);
}

static bool
limit_reached(const struct engine *e)
{
	uint64_t limit = engine_limit(e);

	return limit > 0 && e->counts.executions >= limit;
}

static bool
time_reached(const struct engine *e)
{
	uint64_t ms = e->settings.fuzztime.duration_ms;

	return ms > 0 && engine_fuzzed_ns(e) >= ms * MS;
}

/* Draining is over when no worker has a job and no permitted work is left. */
static bool
drained(const struct engine *e)
{
	uint32_t i;
	size_t n;

	for (i = 0; i < e->pool.n; i++)
		if (worker_job(e->pool.slots[i].worker) != NULL)
			return false;
	if (triage_busy(e))
		return false;
	if (!e->end.drain_minimize || !schedule_may_minimize(e))
		return true;
	for (n = 0; n < e->findings.n; n++)
		if (e->findings.list[n]->work == WORK_MINIMIZE)
			return false;
	return !minimize_tasks_any(e);
}

/*
 * The drain took too long: unfinished work is left for the next start. The
 * drain asked busy workers to end their calls; here they are stopped.
 */
static void
end_late_drain(struct engine *e)
{
	uint32_t i;

	engine_stop(e, e->end.why);
	for (i = 0; i < e->pool.n; i++)
		if (worker_job(e->pool.slots[i].worker) != NULL)
			worker_stop(e->pool.slots[i].worker);
}

/* Missing names must not delay the end for ever. */
static bool
names_are_late(const struct engine *e)
{
	return !e->settings.deterministic && e->end.stop_ns != 0 &&
		clock_now_ns() - e->end.stop_ns > NAMES_MS * MS;
}

void
engine_check_end(struct engine *e)
{
	if (!e->end.stopping && !e->end.draining && !e->load.under_way) {
		if (limit_reached(e))
			engine_drain(e, END_LIMIT, false);
		else if (time_reached(e))
			engine_drain(e, END_TIME, false);
	}
	if (e->end.draining && !e->end.stopping && drained(e))
		engine_stop(e, e->end.why);
	if (e->end.draining && !e->end.stopping && engine_drain_left_ms(e) == 0)
		end_late_drain(e);
	/* Only a request: callers up the stack still use the engine. */
	if (e->end.stopping && pool_all_down(e) && !e->end.ended &&
		(!naming_busy(e) || names_are_late(e)) &&
		new_functions_settle(e)) {
		e->end.ended = true;
		event_base_loopexit(e->base, NULL);
	}
}

static void
set_tick(struct engine *e, uint64_t ms)
{
	struct timeval tv = { 0, (suseconds_t)(ms * 1000) };

	event_add(e->timers.tick, &tv);
}

void
engine_set_paused(struct engine *e, bool paused)
{
	uint64_t now = clock_now_ns();
	uint32_t i;

	if (e->clock.paused == paused)
		return;
	if (paused)
		e->clock.rate_at_pause = limit_effects_rate(e);
	e->clock.paused_ns = engine_paused_ns(e, now);
	e->clock.pause_began_ns = now;
	e->clock.paused = paused;
	for (i = 0; i < e->pool.n; i++)
		worker_set_paused(e->pool.slots[i].worker, paused);
	message_event(e, "operator", NULL,
		paused ? "paused" : "fuzzing goes on");
	set_tick(e, TICK_MS);
	pool_wake(e);
}

/* ---- time ------------------------------------------------------------- */

static void
on_tick(evutil_socket_t fd, short what, void *arg)
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
	set_tick(e,
		e->clock.paused && now - e->clock.pause_began_ns > 1000 * MS
			? PAUSED_TICK_MS
			: TICK_MS);
}

static void
write_stats(struct engine *e)
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
tell_trouble(struct engine *e, const char *files)
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
on_second(evutil_socket_t fd, short what, void *arg)
{
	struct engine *e = arg;

	(void)fd;
	(void)what;
	pool_note_orphans(e);
	if (e->front.server == NULL)
		rate_add(&e->clock.rate, clock_now_ns(), engine_executions(e));
	if (!e->pool.any_ready)
		return; /* the directory may belong to another target */
	new_functions_on_second(e);
	write_stats(e);
	naming_next(e);
	dedup_tick(e);
	tell_trouble(e, "files in memory until the disk takes them");
	pool_wake(e);
}

static void
on_line_time(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	message_statistics(arg);
}

static void
on_signal(evutil_socket_t signo, short what, void *arg)
{
	struct engine *e = arg;

	(void)what;
	log_debug("signal %d", (int)signo);
	engine_stop(e, END_USER);
}

/* ---- set-up ----------------------------------------------------------- */

static void
make_names(struct engine *e, const struct engine_config *config)
{
	size_t n = 0, i;

	e->target.path = xstrdup(config->target);
	e->target.name = xstrdup(e->target.info.name);
	e->output_path =
		e->settings.output != NULL && e->settings.output[0] != '\0'
		? xstrdup(e->settings.output)
		: xasprintf("%s.cfuzz", e->target.info.name);
	while (config->args != NULL && config->args[n] != NULL)
		n++;
	e->target.argv = xcalloc(n + 2, sizeof(*e->target.argv));
	e->target.argv[0] = xstrdup(e->target.info.path);
	for (i = 0; i < n; i++)
		e->target.argv[i + 1] = xstrdup(config->args[i]);
}

static enum exit_status
status_of(const struct error *err)
{
	return err->code == E_FULL || err->code == E_NOMEM ? EXIT_LOST
							   : EXIT_SETUP;
}

static enum status
read_again(void *arg, const char *name, size_t max, uint8_t **data, size_t *len,
	struct error *err)
{
	struct engine *e = arg;

	return store_read(e->store, "corpus", name, max, data, len, err);
}

static enum status
open_places(struct engine *e, const struct engine_config *config,
	struct error *err)
{
	struct store_config store = {
		.target = &e->target.info,
		.args = config->args,
		.seed = e->settings.seed,
		.isolation = &e->target.isolation,
		.base = e->base,
	};
	struct seeds *probe;

	/* Seeds first: a wrong name must not leave a directory behind. */
	if (seeds_open(&probe, e->settings.seeds.items, e->settings.seeds.n, -1,
		    e->settings.max_len, err) != OK)
		return err->code;
	seeds_close(probe);
	store.path = e->output_path;
	if (store_open(&e->store, &store, err) != OK)
		return err->code;
	e->campaign.corpus = corpus_create(CORPUS_BUDGET, read_again, e);
	e->campaign.energy =
		energy_create(&e->campaign.memory, e->campaign.corpus);
	e->campaign.list =
		corpus_list_create(e->campaign.corpus, e->campaign.energy);
	e->campaign.logs = mutation_logs_create(TRAILS_ROOM);
	return seeds_open(&e->load.seeds, e->settings.seeds.items,
		e->settings.seeds.n, store_corpus_fd(e->store),
		e->settings.max_len, err);
}

void
engine_keep_warning(struct engine *e, const char *kind, const char *text)
{
	e->messages.warnings = xreallocarray(e->messages.warnings,
		e->messages.warnings_n + 1, sizeof(*e->messages.warnings));
	e->messages.warnings[e->messages.warnings_n++] =
		(struct kept_warning){ .kind = kind, .text = xstrdup(text) };
}

static void
keep_warning(void *arg, const char *text)
{
	engine_keep_warning(arg, "dictionary", text);
}

/*
 * Shared memory for the corpus is mapped as a whole before there are any
 * entries. Under an address space limit it gets half of what remains, because
 * all targets map it too.
 */
static void
fit_corpus(struct engine *e)
{
	uint64_t want = e->settings.corpus_mem_mb, mb;
	uint64_t left = rlimits_free_address_space(), rest;
	char why[RLIMITS_TEXT_MAX], text[RLIMITS_TEXT_MAX + 128];
	struct worker_layout layout;

	if (left == UINT64_MAX)
		return;
	worker_layout_init(&layout, (uint32_t)e->settings.max_len);
	rest = REST_SPACE + 2 * e->settings.parallel * layout.size;
	mb = left > rest ? (left - rest) / 2 >> 20 : 0;
	if (mb >= want)
		return;
	e->settings.corpus_mem_mb = mb > 0 ? mb : 1;
	snprintf(text, sizeof(text),
		"the corpus has %llu MB in memory, not the %llu of "
		"--corpus-mem: %s",
		(unsigned long long)e->settings.corpus_mem_mb,
		(unsigned long long)want,
		rlimits_text(ENOMEM, why, sizeof(why)));
	engine_keep_warning(e, "memory", text);
}

static void
warn_of_root(struct engine *e)
{
	if (geteuid() == 0 && !e->settings.isolate)
		engine_keep_warning(e, "root",
			"the target runs as root, and may do whatever root "
			"may: run cfuzz as another user, or with --isolate");
}

static enum status
open_memory(struct engine *e, struct error *err)
{
	const struct environment_spec spec = {
		.rss_limit_mb = e->settings.rss_limit_mb,
		.no_leaks = e->settings.no_leaks,
		.clean = e->settings.clean_env,
	};
	size_t i;

	warn_of_root(e);
	fit_corpus(e);
	e->target.envp = environment_create(environ, &spec);
	if (campaign_memory_open(&e->campaign.memory,
		    (uint32_t)e->settings.max_len,
		    e->settings.corpus_mem_mb << 20, err) != OK)
		return err->code;
	for (i = 0; i < e->settings.dict.n; i++)
		if (dictionary_load(e->settings.dict.items[i],
			    &e->campaign.memory, keep_warning, e, err) != OK)
			return err->code;
	return OK;
}

static void
make_events(struct engine *e, const struct engine_config *config)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	int i;

	e->timers.tick = event_new(e->base, -1, 0, on_tick, e);
	e->timers.load = event_new(e->base, -1, 0, load_on_turn, e);
	e->timers.second = event_new(e->base, -1, EV_PERSIST, on_second, e);
	e->timers.log = event_new(e->base, -1, EV_PERSIST, on_line_time, e);
	for (i = 0; config->watch_signals && i < 3; i++) {
		e->timers.signals[i] =
			evsignal_new(e->base, signals[i], on_signal, e);
		event_add(e->timers.signals[i], NULL);
	}
}

static enum status
set_up(struct engine *e, const struct engine_config *config, struct error *err)
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
	make_names(e, config);
	if (open_memory(e, err) != OK || open_places(e, config, err) != OK)
		return err->code;
	isolation_hide(&e->target.isolation, e->output_path);
	make_events(e, config);
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
report_nothing(void *arg, const struct report *report)
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
		config->report != NULL ? config->report : report_nothing;
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
	if (set_up(e, config, err) != OK) {
		*status = status_of(err);
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
print_warnings(struct engine *e)
{
	const char *text;
	size_t i;

	for (i = 0; (text = store_warning(e->store, i)) != NULL; i++)
		message_print(e, "warning: %s", text);
	for (i = 0; i < e->messages.warnings_n; i++)
		message_warn(e, e->messages.warnings[i].kind,
			e->messages.warnings[i].text);
}

static void
print_lost(void *arg, const struct writer_file *file)
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
finish_files(struct engine *e)
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
	write_stats(e);
	if (store_finish(e->store, e->end.lost ? LAST_LINES_MS : FINISH_MS,
		    print_lost, e) > 0)
		e->end.lost = true;
	tell_trouble(e, "files that are not written");
}

static void
finish(struct engine *e)
{
	struct report report = { .kind = REPORT_ENDED };
	struct snapshot snapshot;

	message_statistics(e);
	if (e->pool.refused) {
		(void)store_finish(e->store, FINISH_MS, NULL, NULL);
		store_withdraw(e->store);
	} else {
		finish_files(e);
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
	print_warnings(e);
	event_add(e->timers.second, &second);
	event_add(e->timers.log, &line);
	pool_tick(e, clock_now_ns());
	set_tick(e, TICK_MS);
	event_base_dispatch(e->base);
	finish(e);
	if (e->end.fatal.code != OK)
		error_set(err, e->end.fatal.code, "%s", e->end.fatal.text);
	return engine_status(e);
}

static void
free_events(struct engine *e)
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
free_texts(struct engine *e)
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
	free_events(e);
	event_base_free(e->base);
	free_texts(e);
	settings_clear(&e->settings);
	log_close();
	free(e);
}
