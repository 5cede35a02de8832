/*
 * pool_jobs: queries about the workers' jobs and processes.
 */
#include "engine/pool.h"
#include "findings/finding.h"
#include "worker/worker.h"

uint32_t
pool_jobs_of(const struct engine *e, const struct finding *f)
{
	const struct worker *w;
	uint32_t i, n = 0;

	for (i = 0; i < pool_count(e); i++) {
		w = pool_worker(e, i);
		n += w != NULL && worker_job(w) != NULL &&
			job_owner_finding(worker_job(w)) == f;
	}
	return n;
}

pid_t
pool_process(const struct engine *e)
{
	const struct worker *w;
	uint32_t i;

	for (i = 0; i < pool_count(e); i++) {
		w = pool_worker(e, i);
		if (w != NULL && worker_pid(w) > 0)
			return worker_pid(w);
	}
	return 0;
}
