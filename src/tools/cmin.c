/*
 * cmin: makes a corpus smaller: a few files that have all features of the
 * corpus.
 *
 * Each file runs once in a fresh child, so that no file profits from an earlier
 * one. The global coverage map stays empty, so each run reports all its
 * features. Results join the set cover in the order of the files' sizes. Chosen
 * files run once more to check whether their features come back.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "shared/campaign_folder.h"
#include "tools/archive_config.h"
#include "tools/cmin_private.h"
#include "worker/inputs/input_text.h"

#define CMIN_AHEAD 1024 /* files run ahead of an unfinished one */

/* ---- features of a run -------------------------------------------------- */

/* Collects the features of an input: a number for each edge and bucket. */
static void
cmin_take_features(struct cmin *m, struct cmin_input *input,
	const struct ring_input *from)
{
	const struct campaign_memory *memory = &m->runner.memory;
	const struct feature *feature;
	uint32_t i, bit;

	m->cut |= from->record.features_n >= MEMORY_KEEP_MAX;
	input->features =
		xcalloc((size_t)from->record.features_n * 8, sizeof(uint32_t));
	input->features_n = 0;
	for (i = 0; i < from->record.features_n; i++) {
		feature = &from->features[i];
		if (feature->counter >= memory->head->counters ||
			campaign_memory_is_profile(memory, feature->counter))
			continue;
		for (bit = 0; bit < 8; bit++)
			if (feature->buckets & 1u << bit)
				input->features[input->features_n++] =
					feature->counter * 8 + bit;
	}
}

static int
cmin_compare_features(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* The target wrote the features: each counts once. */
static void
cmin_sort_features(struct cmin_input *input)
{
	size_t i, n = 0;

	if (input->features_n > 0)
		qsort(input->features, input->features_n, sizeof(uint32_t),
			cmin_compare_features);
	for (i = 0; i < input->features_n; i++)
		if (n == 0 || input->features[n - 1] != input->features[i])
			input->features[n++] = input->features[i];
	input->features_n = n;
}

static void
cmin_read_ring(struct cmin *m, struct cmin_input *input,
	const struct worker_result *r)
{
	struct ring_input from;
	size_t offset = 0;
	bool damaged = false;

	free(input->features);
	input->features = NULL;
	input->features_n = 0;
	if (ring_next(r->ring, r->ring_len, &offset,
		    m->runner.memory.head->max_len, &from, &damaged))
		cmin_take_features(m, input, &from);
	cmin_sort_features(input);
}

/* ---- the choice --------------------------------------------------------- */

static void
cmin_choose(struct cmin *m)
{
	m->chosen_n = set_cover_solve(m->cover, &m->chosen);
	m->choosing_done = true;
	m->seen_len = m->runner.memory.head->counters;
	m->seen = xcalloc(m->seen_len + 1, 1);
}

/* Adds results in the order of sizes, whatever ends first. */
static void
cmin_join(struct cmin *m)
{
	struct cmin_input *input;

	for (; m->known < m->inputs_n; m->known++) {
		input = &m->inputs[m->known];
		if (input->state == CMIN_WAITING)
			return;
		m->counts[input->state]++;
		if (input->state == CMIN_RUN)
			set_cover_add(m->cover, (uint32_t)m->known,
				input->features, input->features_n);
		free(input->features);
		input->features = NULL;
	}
	cmin_choose(m);
}

static void
cmin_note_check(struct cmin *m, struct cmin_input *input)
{
	uint8_t *seen, bit;
	size_t i;

	for (i = 0; i < input->features_n; i++) {
		if (input->features[i] / 8 >= m->seen_len)
			continue;
		seen = &m->seen[input->features[i] / 8];
		bit = (uint8_t)(1u << input->features[i] % 8);
		/*
		 * New features do not count: they are as unstable as lost ones.
		 */
		if (!(*seen & bit) &&
			set_cover_has(m->cover, input->features[i]))
			m->seen_n++;
		*seen |= bit;
	}
	free(input->features);
	input->features = NULL;
}

/* ---- jobs and results --------------------------------------------------- */

static void
cmin_again(struct cmin *m, const struct cmin_input *input)
{
	m->again = xreallocarray(m->again, m->again_n + 1, sizeof(*m->again));
	m->again[m->again_n++] = (uint32_t)(input - m->inputs);
}

static void
cmin_end_input(struct cmin *m, struct cmin_input *input, enum cmin_state state)
{
	input->tries = 0; /* if it is chosen, it runs once more */
	if (!m->choosing_done) {
		input->state = state;
		cmin_join(m);
		return;
	}
	if (state == CMIN_RUN)
		cmin_note_check(m, input);
	else if (state == CMIN_NOT_RUN)
		m->unchecked++;
	else
		m->flaky++;
	m->checked++;
}

static void
cmin_go_on(struct cmin *m)
{
	if (m->choosing_done && m->checked == m->chosen_n) {
		m->done = true;
		runner_stop(&m->runner);
	} else {
		runner_wake(&m->runner);
	}
}

static void
cmin_on_result(void *arg, const struct worker *w, const struct worker_result *r)
{
	struct cmin *m = arg;
	struct cmin_input *input = job_owner_cmin_input(&r->job);
	bool refused = runner_was_refused(r);
	bool again = (!runner_has_run(r) && !refused) ||
		(r->end == CALL_MODULES && r->failure.kind == FAILURE_NONE);

	free(input->data);
	input->data = NULL;
	if (r->interrupted)
		return; /* stopped by the user */
	if (refused)
		text_clean_string(r->error, m->why, sizeof(m->why));
	if (again && ++input->tries < RUNNER_TRIES) {
		cmin_again(m, input);
	} else if (r->failure.kind != FAILURE_NONE && r->count > 0) {
		cmin_end_input(m, input, CMIN_FAILS);
	} else if (r->count == 0) {
		cmin_end_input(m, input, CMIN_NOT_RUN);
	} else if (r->rejected > 0) {
		cmin_end_input(m, input, CMIN_REJECTED);
	} else {
		cmin_read_ring(m, input, r);
		cmin_end_input(m, input, CMIN_RUN);
	}
	cmin_go_on(m);
}

/* The next input to run; NULL: none now. */
static struct cmin_input *
cmin_next_input(struct cmin *m)
{
	if (m->again_n > 0)
		return &m->inputs[m->again[--m->again_n]];
	if (m->choosing_done)
		return m->checks_given < m->chosen_n
			? &m->inputs[m->chosen[m->checks_given++]]
			: NULL;
	return m->given < m->inputs_n && m->given < m->known + CMIN_AHEAD
		? &m->inputs[m->given++]
		: NULL;
}

/* False: the file does not have the target's types. */
static bool
cmin_convert(struct cmin *m, struct cmin_input *input, size_t *len)
{
	const struct tuple_types *types = &m->runner.types;
	size_t max = m->runner.memory.head->max_len;
	enum status status = input->is_foreign
		? input_from_seed(types, &input->data, len, max, NULL)
		: input_from_text(types, &input->data, len, max, NULL);

	if (status == OK)
		return true;
	free(input->data);
	input->data = NULL;
	cmin_end_input(m, input, CMIN_OTHER);
	return false;
}

static bool
cmin_next(void *arg, const struct worker *w, struct job *job)
{
	struct cmin *m = arg;
	struct cmin_input *input;

	if (!m->runner.instrumented) {
		error_set(&m->runner.fatal, E_TARGET,
			"the target was not built with coverage "
			"instrumentation: cmin needs coverage");
		runner_stop(&m->runner);
		return false;
	}
	while ((input = cmin_next_input(m)) != NULL) {
		if (!cmin_load(input)) {
			cmin_end_input(m, input, CMIN_NOT_RUN);
			continue;
		}
		job->len = input->len;
		if (!cmin_convert(m, input, &job->len))
			continue;
		job->data = input->data;
		/* A start for each file would take too long. */
		if (m->runner.no_fork)
			job->kind = JOB_WARMUP;
		job_set_cmin_input(job, input);
		return true;
	}
	if (m->choosing_done && m->checked == m->chosen_n)
		cmin_go_on(m);
	return false;
}

static void
cmin_on_second(void *arg)
{
	cmin_say_progress(arg);
}

/* ---- the whole ---------------------------------------------------------- */

static enum status
cmin_open(struct cmin *m, const struct archive_config *archive,
	struct error *err)
{
	static const struct runner_handlers handlers = {
		.next = cmin_next,
		.on_result = cmin_on_result,
		.on_second = cmin_on_second,
	};
	uint64_t workers = archive->settings.parallel;
	uint64_t len = m->largest;
	char text[1024];

	if (workers > m->inputs_n)
		workers = m->inputs_n;
	m->cover = set_cover_create();
	m->start_ns = clock_now_ns();
	if (runner_open(&m->runner, &archive->config, &handlers, m,
		    (uint32_t)workers, len > 0 ? len : 1, err) != OK)
		return err->code;
	archive_config_tell(archive, text, sizeof(text));
	if (text[0] != '\0')
		runner_say(&m->runner, "%s", text);
	return OK;
}

enum status
cmin_run(struct cmin *m, const struct archive_config *archive,
	struct error *err)
{
	if (cmin_open(m, archive, err) != OK)
		return err->code;
	return runner_run(&m->runner, err);
}

static enum exit_status
cmin_finish(struct cmin *m, struct error *err)
{
	if (!m->done) {
		error_set(err, E_STATE, "stopped: nothing was written");
		return EXIT_LOST;
	}
	if (m->chosen_n == 0) {
		cmin_say_result(m);
		error_set(err, E_USAGE,
			"no usable file is left: nothing was written");
		return m->counts[CMIN_NOT_RUN] > 0 ? EXIT_LOST : EXIT_SETUP;
	}
	if (cmin_write(m, err) != OK)
		return EXIT_LOST;
	cmin_say_result(m);
	return m->counts[CMIN_NOT_RUN] + m->unchecked > 0 ? EXIT_LOST
							  : EXIT_NOTHING;
}

/* A folder from elsewhere runs with the arguments of the campaigns. */
static enum status
cmin_take_campaign(struct archive_config *archive,
	const struct engine_config *config, char **folders, struct error *err)
{
	char **of_campaigns, *output;
	enum status status;
	size_t i, n = 0;

	for (i = 0; folders[i] != NULL; i++)
		;
	of_campaigns = xcalloc(i + 1, sizeof(*of_campaigns));
	for (i = 0; folders[i] != NULL; i++) {
		output = campaign_folder_of(folders[i]);
		if (output != NULL)
			of_campaigns[n++] = folders[i];
		free(output);
	}
	status =
		archive_config_take(archive, config, of_campaigns, "cmin", err);
	free(of_campaigns);
	return status;
}

enum exit_status
engine_cmin(const struct engine_config *config, char **folders,
	const char *output, struct error *err)
{
	struct cmin m = { .output = output };
	enum exit_status status = EXIT_SETUP;
	struct archive_config archive;

	if (cmin_take_campaign(&archive, config, folders, err) == OK &&
		cmin_check_output(output, err) == OK &&
		cmin_read(&m, folders, config, err) == OK) {
		if (cmin_run(&m, &archive, err) == OK)
			status = cmin_finish(&m, err);
		runner_close(&m.runner);
	}
	cmin_clear(&m);
	archive_config_clear(&archive);
	return status;
}
