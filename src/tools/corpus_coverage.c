/* corpus_coverage: see corpus_coverage.h. */
#include "tools/corpus_coverage.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dir.h"
#include "base/fd.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "corpus/seeds.h"
#include "coverage/sources.h"
#include "tools/corpus_tables.h"
#include "tools/runner.h"
#include "worker/inputs/input_text.h"
#include "worker/target/replaced.h"

#define CORPUS_RUN_PASSES 4u

/* The input that a worker runs. */
struct corpus_given {
	uint8_t *data; /* owned; NULL: none */
	size_t len;
	unsigned tries;
	bool again;
};

struct corpus_run {
	struct runner runner;
	struct corpus_coverage *coverage;
	const struct texts *paths; /* of the user's seeds */
	int corpus_fd;             /* owned; -1: there is none */
	struct input_sequence own; /* seeds of the target itself */
	struct seeds *seeds; /* NULL: all inputs of this pass were given */
	struct corpus_given given[MEMORY_WORKERS_MAX];
	uint64_t found; /* inputs, before the target's types are known */
	uint64_t running, failed;
	uint64_t refused; /* inputs, by the system */
	char why[256];    /* the last of them was refused */
	unsigned passes;
	bool again; /* edges appeared too late for an input: another pass */
	struct corpus_tables tables;
	struct sources *sources;
	struct coverage_module *asked;
};

/* ---- the corpus --------------------------------------------------------- */

static enum status
corpus_run_open_seeds(struct corpus_run *run, struct error *err)
{
	return seeds_open(&run->seeds, run->paths->items, run->paths->n,
		run->corpus_fd, SETTINGS_MAX_LEN_MAX, err);
}

/* Counts the inputs and finds the largest one. */
static enum status
corpus_run_measure(struct corpus_run *run, uint64_t *largest, struct error *err)
{
	enum seeds_step step;
	struct seed seed;

	*largest = 1;
	if (corpus_run_open_seeds(run, err) != OK)
		return err->code;
	while ((step = seeds_next(run->seeds, &seed)) != SEEDS_END) {
		if (step != SEEDS_ONE)
			continue;
		run->found++;
		if (input_room(seed.data, seed.len) > *largest)
			*largest = input_room(seed.data, seed.len);
		free(seed.data);
	}
	seeds_close(run->seeds);
	run->seeds = NULL;
	return OK;
}

static void
corpus_run_give(const struct corpus_given *given, struct job *job)
{
	job->kind = JOB_WARMUP;
	job->data = given->data;
	job->len = given->len;
}

/* The input that this worker has not run yet, unless the user has stopped. */
static bool
corpus_run_same_input(struct corpus_run *run, struct corpus_given *given,
	struct job *job)
{
	bool again = given->again;

	given->again = false;
	if (again && !run->coverage->stopped) {
		corpus_run_give(given, job);
		return true;
	}
	run->running -= again;
	free(given->data);
	given->data = NULL;
	return false;
}

/* Later passes run the same files. What is no file of its own, such as a folder,
 * nobody expects to run. */
static void
corpus_run_note_skipped(struct corpus_run *run)
{
	char text[1024];
	int why;

	if (run->passes > 1)
		return;
	for (why = SEEDS_SKIP_LARGE; why < SEEDS_SKIP_COUNT; why++)
		if (seeds_message(run->seeds, (enum seeds_skip)why, text,
			    sizeof(text)))
			json_array_append_new(run->coverage->skipped,
				json_string(text));
}

static bool
corpus_run_next_input(struct corpus_run *run, struct corpus_given *given,
	struct job *job)
{
	enum seeds_step step = SEEDS_END;
	struct seed seed;

	while (run->seeds != NULL &&
		(step = seeds_next(run->seeds, &seed)) != SEEDS_ONE)
		if (step == SEEDS_END) {
			corpus_run_note_skipped(run);
			seeds_close(run->seeds);
			run->seeds = NULL;
		}
	if (step != SEEDS_ONE)
		return false;
	run->running++;
	run->coverage->inputs += run->passes == 1;
	*given = (struct corpus_given){ .data = seed.data, .len = seed.len };
	corpus_run_give(given, job);
	return true;
}

static enum status
corpus_run_begin_pass(struct corpus_run *run, struct error *err)
{
	if (corpus_run_open_seeds(run, err) != OK)
		return err->code;
	seeds_set_types(run->seeds, &run->runner.types);
	seeds_set_own(run->seeds, &run->own);
	run->again = false;
	run->failed = run->refused = 0;
	run->passes++;
	return OK;
}

/* A module that was loaded during a run counts from the next run on. */
static bool
corpus_run_again(struct corpus_run *run)
{
	struct error err = { 0 };

	return run->again && !run->coverage->stopped && run->seeds == NULL &&
		run->running == 0 && run->passes < CORPUS_RUN_PASSES &&
		corpus_run_begin_pass(run, &err) == OK;
}

/* ---- jobs and results --------------------------------------------------- */

static bool
corpus_run_next(void *arg, const struct worker *w, struct job *job)
{
	struct corpus_run *run = arg;
	struct corpus_given *given = &run->given[worker_slot(w)];

	if (!run->runner.instrumented) {
		error_set(&run->runner.fatal, E_TARGET,
			"the target was not built with coverage "
			"instrumentation");
		runner_stop(&run->runner);
		return false;
	}
	if (corpus_tables_is_held(&run->tables, worker_slot(w)))
		return false; /* the other worker's answer wakes it */
	if (corpus_tables_next_of(&run->tables, worker_slot(w), job) ||
		corpus_run_same_input(run, given, job) ||
		corpus_run_next_input(run, given, job))
		return true;
	if (corpus_run_again(run) && corpus_run_next_input(run, given, job))
		return true;
	if (run->running > 0 || corpus_tables_await(&run->tables))
		return false;
	if (corpus_tables_next(&run->tables, job))
		return true;
	if (!pc_table_outstanding(&run->tables.table))
		runner_stop(&run->runner);
	return false;
}

static void
corpus_run_take_features(struct corpus_run *run, const struct worker_result *r)
{
	struct campaign_memory *memory = &run->runner.memory;
	struct ring_input input;
	size_t offset = 0;
	bool damaged = false;

	while (ring_next(r->ring, r->ring_len, &offset, memory->head->max_len,
		&input, &damaged))
		(void)campaign_memory_merge(memory, input.features,
			input.record.features_n);
}

static void
corpus_run_note_refused(struct corpus_run *run, const struct worker_result *r)
{
	if (!runner_was_refused(r))
		return;
	run->refused++;
	text_clean_string(r->error, run->why, sizeof(run->why));
}

static void
corpus_run_on_result(void *arg, const struct worker *w,
	const struct worker_result *r)
{
	struct corpus_run *run = arg;
	struct corpus_given *given = &run->given[worker_slot(w)];

	/* Also before an input that has not run: the one before it was rejected. */
	if (r->end == CALL_MODULES)
		corpus_tables_note_late(&run->tables, worker_slot(w));
	if (r->job.kind == JOB_PC_TABLE) {
		corpus_tables_take(&run->tables, worker_slot(w), r);
	} else if (!r->interrupted && !runner_has_run(r) &&
		!runner_was_refused(r) && ++given->tries < RUNNER_TRIES) {
		given->again = true;
	} else {
		corpus_run_note_refused(run, r);
		run->running--;
		run->again |= r->end == CALL_MODULES;
		run->failed += r->failure.kind != FAILURE_NONE;
		corpus_run_take_features(run, r);
	}
	runner_wake(&run->runner);
}

static enum status
corpus_run_on_ready(void *arg, struct worker *w, struct error *err)
{
	struct corpus_run *run = arg;

	if (!worker_copy_seeds(w, &run->own, NULL))
		runner_say(&run->runner,
			"some seeds of the target are missing");
	/* A campaign without seeds begins with the empty input. */
	if (run->found + run->own.n == 0 && run->runner.types.n == 0)
		input_sequence_push(&run->own, xmalloc(1), 0);
	return corpus_run_begin_pass(run, err);
}

/* At the first signal, the inputs that run end, and the PC tables are still read:
 * without them there is no coverage to show. The second signal waits for nothing. */
static void
corpus_run_on_stop(void *arg)
{
	struct corpus_run *run = arg;

	run->coverage->stopped = !run->runner.any_ready || run->seeds != NULL ||
		run->running > 0 || run->again;
	seeds_close(run->seeds);
	run->seeds = NULL;
	if (run->runner.any_ready)
		runner_wake(&run->runner);
	else
		runner_stop(&run->runner);
}

/* ---- the map ------------------------------------------------------------ */

static void
corpus_run_put_edges(struct corpus_run *run)
{
	const struct campaign_memory *memory = &run->runner.memory;
	const struct query query = { .kind = QUERY_COVERAGE };
	struct reply reply = { .kind = QUERY_COVERAGE };
	struct reply_coverage *c = &reply.coverage;
	uint32_t n = memory->head->counters;

	if (memory->profile_n > 0 &&
		memory->profile_base + memory->profile_n == n)
		n = memory->profile_base;
	c->revision = 1;
	c->counters = n;
	c->whole = true;
	c->mask.data = xmalloc(n + 1);
	c->mask.len = n;
	for (uint32_t i = 0; i < n; i++)
		c->mask.data[i] = campaign_memory_bits(memory, i);
	coverage_map_reply(&run->coverage->map, &query, &reply);
	reply_clear(&reply);
}

/* ---- names -------------------------------------------------------------- */

/* False: there is nothing left to ask. */
static bool
corpus_run_ask_names(struct corpus_run *run)
{
	struct coverage_map *map = &run->coverage->map;
	struct coverage_module *m;
	struct sources_question question;

	while ((m = coverage_map_nameless(map)) != NULL) {
		question = (struct sources_question){ m->path, m->id, m->pcs,
			m->n };
		m->names = NAMES_ASKED;
		run->asked = m;
		if (sources_ask(run->sources, &question))
			return true;
		coverage_map_name(map, m, NULL,
			"the source reader cannot be started");
	}
	return false;
}

static void
corpus_run_on_names(void *arg, struct source_table *take_table, const char *why)
{
	struct corpus_run *run = arg;

	/* The reader has opened the file by its path. */
	if (target_is_replaced(&run->runner.target, run->asked->path,
		    run->asked->id)) {
		take_table = NULL;
		why = "the file was built again while the corpus ran: make the "
		      "report once more";
	}
	coverage_map_name(&run->coverage->map, run->asked, take_table, why);
	if (!corpus_run_ask_names(run))
		event_base_loopbreak(run->runner.base);
}

static void
corpus_run_read_names(struct corpus_run *run)
{
	const struct sources_config config = { .base = run->runner.base,
		.done = corpus_run_on_names,
		.arg = run };

	run->sources = sources_create(&config);
	if (corpus_run_ask_names(run))
		event_base_dispatch(run->runner.base);
	sources_destroy(run->sources);
}

/* Has the user not waited for the places of the code? */
static bool
corpus_run_is_unread(const struct corpus_run *run)
{
	const struct coverage_map *map = &run->coverage->map;
	bool unread = !run->runner.any_ready ||
		pc_table_outstanding(&run->tables.table);

	for (size_t i = 0; i < map->modules_n; i++)
		unread |= map->modules[i].names == NAMES_ASKED ||
			map->modules[i].names == NAMES_TO_ASK;
	return unread;
}

static void
corpus_run_tell_refused(struct corpus_run *run)
{
	struct corpus_coverage *coverage = run->coverage;

	coverage->refused = run->refused > 0;
	coverage->inputs -= run->refused;
	if (coverage->refused)
		json_array_insert_new(coverage->skipped, 0,
			json_sprintf("%llu input%s could not be run: %s",
				(unsigned long long)run->refused,
				run->refused == 1 ? "" : "s", run->why));
}

/* ---- the whole ---------------------------------------------------------- */

static enum status
corpus_run_all(struct corpus_run *run, const struct engine_config *config,
	struct error *err)
{
	static const struct runner_handlers handlers = {
		.on_ready = corpus_run_on_ready,
		.next = corpus_run_next,
		.on_result = corpus_run_on_result,
		.on_stop = corpus_run_on_stop,
	};
	struct corpus_coverage *coverage = run->coverage;
	uint64_t largest, workers = config->settings->parallel;
	enum status status;

	if (corpus_run_measure(run, &largest, err) != OK)
		return err->code;
	if (workers > run->found)
		workers = run->found + 1;
	status = runner_open(&run->runner, config, &handlers, run,
		(uint32_t)workers, largest, err);
	if (status == OK) {
		runner_say_target(&run->runner);
		status = runner_run(&run->runner, err);
	}
	if (status == OK) {
		coverage->failed = run->failed;
		corpus_run_tell_refused(run);
		corpus_tables_add(&run->tables);
		corpus_run_put_edges(run);
		corpus_tables_put(&run->tables, &run->coverage->map);
		if (run->runner.signals < 2) /* the second waits for nothing */
			corpus_run_read_names(run);
		coverage->unread = corpus_run_is_unread(run);
	}
	runner_close(&run->runner);
	return err->code;
}

/* It may be missing: a campaign that has just begun. */
static enum status
corpus_run_open_corpus(struct corpus_run *run, const char *output,
	struct error *err)
{
	char *path = xasprintf("%s/corpus", output);
	enum status status =
		dir_open_at(AT_FDCWD, path, 0, &run->corpus_fd, err);

	free(path);
	if (status != E_NOT_FOUND)
		return status;
	error_clear(err);
	return OK;
}

static void
corpus_run_clear(struct corpus_run *run)
{
	seeds_close(run->seeds);
	input_sequence_clear(&run->own);
	for (size_t i = 0; i < MEMORY_WORKERS_MAX; i++)
		free(run->given[i].data);
	pc_table_clear(&run->tables.table);
	fd_close(&run->corpus_fd);
	free(run);
}

enum status
corpus_coverage_make(struct corpus_coverage *coverage,
	const struct engine_config *config, const char *output,
	struct error *err)
{
	struct corpus_run *run = xcalloc(1, sizeof(*run));
	enum status status;

	memset(coverage, 0, sizeof(*coverage));
	coverage->skipped = json_array();
	run->coverage = coverage;
	run->tables.runner = &run->runner;
	run->paths = &config->settings->seeds;
	run->corpus_fd = -1;
	status = corpus_run_open_corpus(run, output, err);
	if (status == OK)
		status = corpus_run_all(run, config, err);
	corpus_run_clear(run);
	return status;
}

void
corpus_coverage_clear(struct corpus_coverage *coverage)
{
	coverage_map_clear(&coverage->map);
	json_decref(coverage->skipped);
}
