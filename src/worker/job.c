/*
 * job: sets and reads the owner of a job, and asks for PC tables.
 */
#include "worker/job.h"

#include "worker/pc_table.h"

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
	job->kind = JOB_TABLES;
	job->module = (struct counter_module){
		.key = module->key,
		.n = module->n,
		.base = module->base,
	};
	job->first = module->known;
	job_set_module(job, module);
}
