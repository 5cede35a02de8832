/*
 * job: sets and reads the owner of a job, asks for PC tables, and has the longer
 * time limit.
 */
#include "worker/job.h"

#include "worker/pc_table.h"

#define LONG_TIMES 5u      /* time-outs until a hang is believed */
#define LONG_MS_MAX 60000u /* the most, or the time-out itself */

uint64_t
job_long_ms(uint64_t limit_ms)
{
	uint64_t more = LONG_TIMES * limit_ms;

	if (more > LONG_MS_MAX)
		more = LONG_MS_MAX;
	return more > limit_ms ? more : limit_ms;
}

bool
job_is_fresh(enum job_kind kind)
{
	return kind == JOB_REPLAY || kind == JOB_SEQUENCE;
}

void
job_let_grow(struct job *job, enum failure_kind kind)
{
	if (kind == FAILURE_OOM)
		job->hang_ms = job_long_ms(job->hang_ms);
}

void
job_drop_bytes(struct job *job)
{
	job->data = job->other = NULL;
	job->keep = NULL;
	job->what = NULL;
	job->machine = NULL;
	job->known = NULL;
}

#define JOB_OWNER(KIND, TYPE, MEMBER) \
	void job_set_##MEMBER(struct job *job, struct TYPE *owner) \
	{ \
		job->owner.kind = JOB_OWNER_##KIND; \
		job->owner.MEMBER = owner; \
	} \
	struct TYPE *job_owner_##MEMBER(const struct job *job) \
	{ \
		return job->owner.kind == JOB_OWNER_##KIND ? job->owner.MEMBER \
							   : NULL; \
	}

JOB_OWNER(ENTRY, corpus_entry, entry)
JOB_OWNER(FINDING, finding, finding)
JOB_OWNER(TRIM, trim_job, trim)
JOB_OWNER(MODULE, pc_table_module, module)
JOB_OWNER(CMIN_INPUT, cmin_input, cmin_input)
JOB_OWNER(CHECK_ITEM, check_item, check_item)

void
job_ask_table(struct job *job, struct pc_table_module *module)
{
	job->kind = JOB_PC_TABLE;
	job->module = (struct counter_module){
		.key = module->key,
		.n = module->n,
		.base = module->base,
	};
	job->first = module->known;
	job_set_module(job, module);
}
