/*
 * trim: coverage inputs that wait to be made smaller.
 *
 * Each new input waits here with its features. Trimming gets a small share of
 * all executions. An input for which there is no room keeps its size.
 */
#include "engine/schedule/trim.h"

#include <stdlib.h>

#include "base/xmalloc.h"
#include "control/settings.h"
#include "corpus/corpus.h"
#include "corpus/queue.h"
#include "engine/engine_end.h"
#include "engine/parts.h"
#include "engine/pool/pool.h"
#include "engine/schedule/schedule.h"
#include "engine/schedule/trim_private.h"
#include "engine/statistics/counts.h"
#include "worker/memory/campaign_memory.h"
#include "worker/worker.h"

#define TRIM_MS 200 /* the most for one input */
#define TRIM_QUEUE_MAX 4096
#define TRIM_BYTES_MAX (64u << 20) /* of the features to keep */
#define TRIM_PART 32               /* share of all executions */
#define TRIM_EXECUTIONS 64

void
trim_job_destroy(struct trim_job *job)
{
	if (job == NULL)
		return;
	free(job->keep);
	free(job);
}

/*
 * The smaller input must replace the larger one: it keeps the new features, and
 * hits all other edges any number of times.
 */
static struct feature *
trim_features_to_keep(const struct engine *e, const struct ring_input *input,
	uint32_t *n)
{
	uint32_t i, n_new = input->record.features_n, all = n_new;
	struct feature *keep, feature;

	if (input->record.edges_hit_n <= MEMORY_KEEP_MAX - all)
		all += input->record.edges_hit_n;
	keep = xmalloc((all + 1) * sizeof(*keep));
	*n = 0;
	for (i = 0; i < all; i++) {
		feature = (struct feature){ .buckets = 0xff };
		if (i < n_new)
			feature = input->features[i];
		else
			feature.counter = input->edges_hit[i - n_new];
		/* The value profile is not measured during a trim. */
		if (!campaign_memory_is_profile(engine_memory(e),
			    feature.counter))
			keep[(*n)++] = feature;
	}
	return keep;
}

void
trim_add(struct engine *e, struct corpus_entry *entry,
	const struct ring_input *input)
{
	struct trims *trims = engine_trims(e);
	struct trim_job *job;
	uint32_t n = input->record.features_n;

	if (n == 0 || n > MEMORY_KEEP_MAX || entry->len < 2 ||
		trims->queue.n >= TRIM_QUEUE_MAX ||
		trims->bytes >= TRIM_BYTES_MAX)
		return;
	job = xcalloc(1, sizeof(*job));
	job->entry = entry;
	job->keep = trim_features_to_keep(e, input, &job->keep_n);
	trims->bytes += job->keep_n * sizeof(*job->keep);
	queue_push(&trims->queue, job);
}

struct trim_job *
trim_pop(struct engine *e)
{
	struct trim_job *job = queue_pop(&engine_trims(e)->queue);

	if (job != NULL)
		engine_trims(e)->bytes -= job->keep_n * sizeof(*job->keep);
	return job;
}

/*
 * A smaller input saves little later, and the lost bytes might have led
 * somewhere. So trimming gets a small share of all executions, and each input
 * gets about two tries per byte.
 */
static uint64_t
trim_worth(const struct trim_job *m)
{
	return TRIM_EXECUTIONS + 2 * m->entry->len;
}

bool
trim_next(struct engine *e, struct job *job)
{
	const struct settings *settings = engine_settings(e);
	struct trim_job *m = queue_peek(&engine_trims(e)->queue);
	uint64_t limit = engine_limit(e);

	if (m == NULL || !schedule_may_minimize(e) ||
		!schedule_minimizer_free(e) ||
		(!schedule_is_fifo(e) &&
			engine_trims(e)->executions >
				counts_executions(e) / TRIM_PART))
		return false;
	job->kind = JOB_MINIMIZE_COVERAGE;
	if (corpus_load(engine_corpus(e), m->entry, &job->data, NULL) != OK) {
		trim_job_destroy(trim_pop(e));
		return false;
	}
	job->len = m->entry->len;
	job->keep = m->keep;
	job->keep_n = m->keep_n;
	job->budget_ms = settings->minimizetime.duration_ms;
	if (job->budget_ms > TRIM_MS && !settings->deterministic)
		job->budget_ms = TRIM_MS;
	job->limit = settings->minimizetime.executions;
	if (job->limit == 0 && limit > 0)
		job->limit = (limit + pool_wanted(e) - 1) / pool_wanted(e);
	if (settings->deterministic) {
		job->budget_ms = 0;
		if (job->limit == 0 || job->limit > SCHEDULE_CALL_EXECUTIONS)
			job->limit = SCHEDULE_CALL_EXECUTIONS;
	}
	if (!schedule_is_fifo(e) &&
		(job->limit == 0 || job->limit > trim_worth(m)))
		job->limit = trim_worth(m);
	job_set_trim(job, m);
	return true;
}

void
trim_drop_all(struct engine *e)
{
	struct trim_job *job;

	while ((job = trim_pop(e)) != NULL)
		trim_job_destroy(job);
	queue_clear(&engine_trims(e)->queue);
}

size_t
trim_waiting(const struct engine *e)
{
	return engine_trims(e)->queue.n;
}

void
trim_add_executions(struct engine *e, uint64_t n)
{
	engine_trims(e)->executions += n;
}
