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

	return e->start_ns == 0 ? 0
				: now - e->start_ns - engine_paused_ns(e, now);
}

double
engine_campaign_s(const struct engine *e)
{
	return e->past_s + (double)engine_elapsed_ns(e) / 1e9;
}

uint64_t
engine_paused_ns(const struct engine *e, uint64_t now)
{
	return e->paused_ns + (e->paused ? now - e->pause_began_ns : 0);
}

uint64_t
engine_fuzzed_ns(const struct engine *e)
{
	uint64_t now = clock_now_ns();

	if (e->fuzz_start_ns == 0)
		return 0;
	return now - e->fuzz_start_ns -
		(engine_paused_ns(e, now) - e->warm_paused_ns);
}

uint64_t
engine_executions(const struct engine *e)
{
	uint64_t n = e->count;
	const struct job *job;
	uint32_t i;

	for (i = 0; i < e->slots_n; i++) {
		job = worker_job(e->slots[i].worker);
		if (job != NULL && job->kind != JOB_REPLAY &&
			job->kind != JOB_SEQUENCE && job->kind != JOB_TABLES)
			n += worker_sample_count(e->slots[i].worker);
	}
	return n;
}

bool
engine_warming(const struct engine *e)
{
	return e->loading || e->warmup_left > 0;
}

uint64_t
engine_limit(const struct engine *e)
{
	return e->settings.fuzztime.executions;
}

enum exit_status
engine_status(const struct engine *e)
{
	if (e->lost)
		return EXIT_LOST;
	if (e->fatal.code != OK)
		return e->fatal_status;
	return e->found || triage_found(e) ? EXIT_FOUND : EXIT_NOTHING;
}

void
engine_fail(struct engine *e, enum exit_status status, const char *fmt, ...)
{
	char text[ERROR_TEXT_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (e->fatal.code == OK) {
		e->fatal_status = status;
		error_set(&e->fatal, E_TARGET, "%s", text);
	}
	engine_stop(e, END_ERROR);
}

/* The first call begins the stop; each later call by the user takes its next
 * step. */
void
engine_stop(struct engine *e, enum end_reason why)
{
	uint32_t i;

	if (e->stopping && why != END_USER)
		return;
	if (!e->stopping) {
		limit_effects_tick(e, true);
		log_debug("stop called, reason %d", (int)why);
		e->why = why;
		if (why == END_USER)
			message_event(e, "operator", NULL, "stop");
		e->paused_ns = engine_paused_ns(e, clock_now_ns());
		e->paused = false;
		e->stopping = true;
		e->stop_ns = clock_now_ns();
		e->stop_step = STOP_CLOSED;
	} else if (e->stop_step < STOP_KILL) {
		e->stop_step++;
	}
	for (i = 0; i < e->slots_n; i++) {
		e->slots[i].restart_ns = 0;
		worker_stop(e->slots[i].worker);
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

	if (e->drain_ns == 0)
		return UINT64_MAX;
	return e->drain_ns > now ? (e->drain_ns - now) / MS : 0;
}

/* Starts no further inputs; findings known so far are still checked. */
void
engine_drain(struct engine *e, enum end_reason why, bool minimizations)
{
	uint32_t i;

	e->draining = true;
	e->drain_minimize = minimizations;
	e->drain_ns = drain_end_ns(e, why);
	if (e->why == END_NONE)
		e->why = why;
	for (i = 0; i < e->slots_n; i++) {
		const struct job *job = worker_job(e->slots[i].worker);

		if (job != NULL &&
			(job->kind == JOB_FUZZ || job->kind == JOB_WARMUP ||
				job->kind == JOB_MINIMIZE_COVERAGE ||
				(job->kind == JOB_MINIMIZE_FAILURE &&
					!minimizations)))
			worker_end_call(e->slots[i].worker);
	}
	minimize_tasks_drain(e, minimizations);
	pool_wake(e);
	engine_check_end(e);
}

static bool
limit_reached(const struct engine *e)
{
	uint64_t limit = engine_limit(e);

	return limit > 0 && e->count >= limit;
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

	for (i = 0; i < e->slots_n; i++)
		if (worker_job(e->slots[i].worker) != NULL)
			return false;
	if (triage_busy(e))
		return false;
	if (!e->drain_minimize || !schedule_may_minimize(e))
		return true;
	for (n = 0; n < e->findings_n; n++)
		if (e->findings[n]->work == WORK_MINIMIZE)
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

	engine_stop(e, e->why);
	for (i = 0; i < e->slots_n; i++)
		if (worker_job(e->slots[i].worker) != NULL)
			worker_stop(e->slots[i].worker);
}

/* Missing names must not delay the end for ever. */
static bool
names_are_late(const struct engine *e)
{
	return !e->settings.deterministic && e->stop_ns != 0 &&
		clock_now_ns() - e->stop_ns > NAMES_MS * MS;
}

void
engine_check_end(struct engine *e)
{
	if (!e->stopping && !e->draining && !e->loading) {
		if (limit_reached(e))
			engine_drain(e, END_LIMIT, false);
		else if (time_reached(e))
			engine_drain(e, END_TIME, false);
	}
	if (e->draining && !e->stopping && drained(e))
		engine_stop(e, e->why);
	if (e->draining && !e->stopping && engine_drain_left_ms(e) == 0)
		end_late_drain(e);
	/* Only a request: callers up the stack still use the engine. */
	if (e->stopping && pool_all_down(e) && !e->ended &&
		(!naming_busy(e) || names_are_late(e)) &&
		new_functions_settle(e)) {
		e->ended = true;
		event_base_loopexit(e->base, NULL);
	}
}

static void
set_tick(struct engine *e, uint64_t ms)
{
	struct timeval tv = { 0, (suseconds_t)(ms * 1000) };

	event_add(e->tick_event, &tv);
}

void
engine_set_paused(struct engine *e, bool paused)
{
	uint64_t now = clock_now_ns();
	uint32_t i;

	if (e->paused == paused)
		return;
	if (paused)
		e->rate_at_pause = limit_effects_rate(e);
	e->paused_ns = engine_paused_ns(e, now);
	e->pause_began_ns = now;
	e->paused = paused;
	for (i = 0; i < e->slots_n; i++)
		worker_set_paused(e->slots[i].worker, paused);
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
	server_tick(e->server, now);
	if (!e->paused)
		engine_check_end(e);
	/* In a long pause a tick has little to do. */
	set_tick(e,
		e->paused && now - e->pause_began_ns > 1000 * MS
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
	if (stats != NULL && e->types.n > 0)
		json_object_set_new(stats, "types", type_names_json(&e->types));
	if (stats != NULL && e->on_probation_n > 0)
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
	if (writer.unsaved == 0 || e->disk_said) {
		e->disk_said = e->disk_said && writer.unsaved > 0;
		return;
	}
	e->disk_said = true;
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
	if (e->server == NULL)
		rate_add(&e->rate, clock_now_ns(), engine_executions(e));
	if (!e->any_ready)
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

	e->target_path = xstrdup(config->target);
	e->target_name = xstrdup(e->target.name);
	e->output_path =
		e->settings.output != NULL && e->settings.output[0] != '\0'
		? xstrdup(e->settings.output)
		: xasprintf("%s.cfuzz", e->target.name);
	while (config->args != NULL && config->args[n] != NULL)
		n++;
	e->argv = xcalloc(n + 2, sizeof(*e->argv));
	e->argv[0] = xstrdup(e->target.path);
	for (i = 0; i < n; i++)
		e->argv[i + 1] = xstrdup(config->args[i]);
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
		.target = &e->target,
		.args = config->args,
		.seed = e->settings.seed,
		.isolation = &e->isolation,
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
	e->corpus = corpus_create(CORPUS_BUDGET, read_again, e);
	e->energy = energy_create(&e->memory, e->corpus);
	e->corpus_list = corpus_list_create(e->corpus, e->energy);
	e->trails = mutation_logs_create(TRAILS_ROOM);
	return seeds_open(&e->seeds, e->settings.seeds.items,
		e->settings.seeds.n, store_corpus_fd(e->store),
		e->settings.max_len, err);
}

void
engine_keep_warning(struct engine *e, const char *kind, const char *text)
{
	e->warnings = xreallocarray(e->warnings, e->warnings_n + 1,
		sizeof(*e->warnings));
	e->warnings[e->warnings_n++] =
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
	e->envp = environment_create(environ, &spec);
	if (campaign_memory_open(&e->memory, (uint32_t)e->settings.max_len,
		    e->settings.corpus_mem_mb << 20, err) != OK)
		return err->code;
	for (i = 0; i < e->settings.dict.n; i++)
		if (dictionary_load(e->settings.dict.items[i], &e->memory,
			    keep_warning, e, err) != OK)
			return err->code;
	return OK;
}

static void
make_events(struct engine *e, const struct engine_config *config)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	int i;

	e->tick_event = event_new(e->base, -1, 0, on_tick, e);
	e->load_event = event_new(e->base, -1, 0, load_on_turn, e);
	e->second_event = event_new(e->base, -1, EV_PERSIST, on_second, e);
	e->log_event = event_new(e->base, -1, EV_PERSIST, on_line_time, e);
	for (i = 0; config->watch_signals && i < 3; i++) {
		e->signal_events[i] =
			evsignal_new(e->base, signals[i], on_signal, e);
		event_add(e->signal_events[i], NULL);
	}
}

static enum status
set_up(struct engine *e, const struct engine_config *config, struct error *err)
{
	if (e->settings.debug != NULL && e->settings.debug[0] != '\0' &&
		log_open(e->settings.debug, err) != OK)
		return err->code;
	if (target_check(config->target, &e->target, err) != OK ||
		isolation_open(&e->isolation, &e->settings, e->target.fd,
			err) != OK)
		return err->code;
	if (e->settings.seed == 0)
		random_bytes(&e->settings.seed, sizeof(e->settings.seed));
	/* JSON integers are signed. */
	e->settings.seed &= INT64_MAX;
	make_names(e, config);
	if (open_memory(e, err) != OK || open_places(e, config, err) != OK)
		return err->code;
	isolation_hide(&e->isolation, e->output_path);
	make_events(e, config);
	e->names = names_create(e->base, &e->target);
	e->report_names = report_names_create(e->names);
	e->reached = new_functions_create(e);
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
	process_note_strangers(&e->strangers);
	process_become_subreaper();
	e->base = libraries_base_new();
	e->report = config->report != NULL ? config->report : report_nothing;
	e->report_arg = config->arg;
	e->target.fd = -1;
	e->memory.sealed.fd = -1;
	e->events = event_ring_create();
	queue_init(&e->inputs);
	queue_init(&e->wishes);
	queue_init(&e->trims);
	settings_init(&e->settings);
	settings_copy(&e->settings, config->settings);
	e->processors = settings_processors();
	if (set_up(e, config, err) != OK) {
		*status = status_of(err);
		engine_destroy(e);
		return NULL;
	}
	if (config->control_fd >= 0)
		e->server = server_create(e, config->control_fd);
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
	for (i = 0; i < e->warnings_n; i++)
		message_warn(e, e->warnings[i].kind, e->warnings[i].text);
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
		e->lost = true;
	message_event(e, "end",
		json_pack("{s:i, s:I, s:I}", "exit", (int)engine_status(e),
			"execs", (json_int_t)e->count, "bits",
			(json_int_t)e->memory.bits),
		"ended");
	write_stats(e);
	if (store_finish(e->store, e->lost ? LAST_LINES_MS : FINISH_MS,
		    print_lost, e) > 0)
		e->lost = true;
	tell_trouble(e, "files that are not written");
}

static void
finish(struct engine *e)
{
	struct report report = { .kind = REPORT_ENDED };
	struct snapshot snapshot;

	message_statistics(e);
	if (e->refused) {
		(void)store_finish(e->store, FINISH_MS, NULL, NULL);
		store_withdraw(e->store);
	} else {
		finish_files(e);
	}
	view_make(e, &snapshot);
	report.snapshot = &snapshot;
	report.text = e->fatal.code != OK ? e->fatal.text : "";
	e->report(e->report_arg, &report);
	server_say_bye(e->server, report.text);
	snapshot_clear(&snapshot);
	server_flush(e->server);
}

enum exit_status
engine_run(struct engine *e, struct error *err)
{
	const struct timeval second = { 1, 0 }, line = { LINE_S, 0 };

	e->start_ns = e->line_ns = clock_now_ns();
	e->loading = true;
	print_warnings(e);
	event_add(e->second_event, &second);
	event_add(e->log_event, &line);
	pool_tick(e, clock_now_ns());
	set_tick(e, TICK_MS);
	event_base_dispatch(e->base);
	finish(e);
	if (e->fatal.code != OK)
		error_set(err, e->fatal.code, "%s", e->fatal.text);
	return engine_status(e);
}

static void
free_events(struct engine *e)
{
	struct event *events[] = { e->tick_event, e->load_event,
		e->second_event, e->log_event, e->signal_events[0],
		e->signal_events[1], e->signal_events[2] };
	size_t i;

	for (i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		if (events[i] != NULL)
			event_free(events[i]);
}

static void
free_texts(struct engine *e)
{
	size_t i;

	free(e->target_path);
	free(e->target_name);
	free(e->output_path);
	for (i = 0; e->argv != NULL && e->argv[i] != NULL; i++)
		free(e->argv[i]);
	free(e->argv);
	environment_destroy(e->envp);
	for (i = 0; i < e->labels_n; i++)
		free(e->labels[i]);
	free(e->labels);
	for (i = 0; i < e->warnings_n; i++)
		free(e->warnings[i].text);
	free(e->warnings);
}

void
engine_destroy(struct engine *e)
{
	if (e == NULL)
		return;
	names_destroy(e->names);
	report_names_destroy(e->report_names);
	pool_close(e);
	new_functions_destroy(e->reached);
	pc_table_clear(&e->places);
	server_destroy(e->server);
	e->server = NULL;
	trim_drop_all(e);
	queue_clear(&e->inputs);
	queue_clear(&e->wishes);
	queue_clear(&e->trims);
	seeds_close(e->seeds);
	lineage_destroy(e->lineage);
	store_close(e->store);
	event_ring_destroy(e->events);
	corpus_list_destroy(e->corpus_list);
	mutation_logs_destroy(e->trails);
	energy_destroy(e->energy);
	corpus_destroy(e->corpus);
	minimize_tasks_clear(e);
	triage_clear(e);
	campaign_memory_close(&e->memory);
	isolation_close(&e->isolation);
	target_info_clear(&e->target);
	free_events(e);
	event_base_free(e->base);
	free_texts(e);
	settings_clear(&e->settings);
	log_close();
	free(e);
}
