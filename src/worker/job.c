/*
 * job: sets and reads the owner of a job.
 */
#include "worker/job.h"

void
job_drop_bytes(struct job *job)
{
	job->data = job->other = NULL;
	job->keep = NULL;
	job->what = NULL;
	job->machine = NULL;
	job->known = NULL;
}

void
job_set_entry(struct job *job, struct corpus_entry *entry)
{
	job->owner.kind = JOB_OWNER_ENTRY;
	job->owner.entry = entry;
}

struct corpus_entry *
job_owner_entry(const struct job *job)
{
	return job->owner.kind == JOB_OWNER_ENTRY ? job->owner.entry : NULL;
}

void
job_set_finding(struct job *job, struct finding *finding)
{
	job->owner.kind = JOB_OWNER_FINDING;
	job->owner.finding = finding;
}

struct finding *
job_owner_finding(const struct job *job)
{
	return job->owner.kind == JOB_OWNER_FINDING ? job->owner.finding : NULL;
}

void
job_set_trim(struct job *job, struct trim_job *trim)
{
	job->owner.kind = JOB_OWNER_TRIM;
	job->owner.trim = trim;
}

struct trim_job *
job_owner_trim(const struct job *job)
{
	return job->owner.kind == JOB_OWNER_TRIM ? job->owner.trim : NULL;
}

void
job_set_module(struct job *job, struct pc_table_module *module)
{
	job->owner.kind = JOB_OWNER_MODULE;
	job->owner.module = module;
}

struct pc_table_module *
job_owner_module(const struct job *job)
{
	return job->owner.kind == JOB_OWNER_MODULE ? job->owner.module : NULL;
}

void
job_set_cmin_input(struct job *job, struct cmin_input *input)
{
	job->owner.kind = JOB_OWNER_CMIN_INPUT;
	job->owner.cmin_input = input;
}

struct cmin_input *
job_owner_cmin_input(const struct job *job)
{
	return job->owner.kind == JOB_OWNER_CMIN_INPUT ? job->owner.cmin_input
						       : NULL;
}

void
job_set_check_item(struct job *job, struct check_item *item)
{
	job->owner.kind = JOB_OWNER_CHECK_ITEM;
	job->owner.check_item = item;
}

struct check_item *
job_owner_check_item(const struct job *job)
{
	return job->owner.kind == JOB_OWNER_CHECK_ITEM ? job->owner.check_item
						       : NULL;
}
