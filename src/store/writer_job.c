/*
 * writer_job: a file to be written, with its waiters.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/xmalloc.h"
#include "store/writer_private.h"

void
writer_waiters_add(struct writer_waiter **list, writer_done_fn *done, void *arg)
{
	struct writer_waiter **last = list;

	if (!done)
		return;
	while (*last)
		last = &(*last)->next;
	*last = xmalloc(sizeof(**last));
	**last = (struct writer_waiter){ .done = done, .arg = arg };
}

void
writer_waiters_tell(struct writer_waiter *take_list, enum status status)
{
	struct writer_waiter *waiter;

	while ((waiter = take_list) != NULL) {
		take_list = waiter->next;
		waiter->done(waiter->arg, status);
		free(waiter);
	}
}

struct writer_job *
writer_job_create(const struct writer_file *file)
{
	struct writer_job *job = xcalloc(1, sizeof(*job));

	job->kind = file->kind;
	job->folder = xstrdup(file->folder);
	job->name = xstrdup(file->name);
	job->other_name = file->other_name ? xstrdup(file->other_name) : NULL;
	job->head = file->head ? xstrdup(file->head) : NULL;
	job->retire = file->retire ? xstrdup(file->retire) : NULL;
	job->keep = file->keep;
	job->remove = file->remove;
	job->unsynced = file->unsynced;
	job->sync_all = file->sync_all;
	job->sync = file->sync;
	job->data = xmemdup(file->data, file->len);
	job->len = file->len;
	job->since_ns = clock_now_ns();
	writer_waiters_add(&job->waiters, file->done, file->arg);
	return job;
}

void
writer_job_rename(struct writer_job *job, const struct writer_file *file)
{
	free(job->name);
	free(job->other_name);
	job->name = xstrdup(file->name);
	job->other_name = file->other_name ? xstrdup(file->other_name) : NULL;
}

void
writer_job_destroy(struct writer_job *job)
{
	free(job->folder);
	free(job->name);
	free(job->other_name);
	free(job->head);
	free(job->retire);
	free(job->data);
	free(job);
}

bool
writer_job_is_input(const struct writer_job *job)
{
	return job->kind == WRITER_FINDING && strcmp(job->name, "input") == 0;
}

bool
writer_job_is(const struct writer_job *a, const struct writer_file *b)
{
	/* An entry that is kept may come between two removals. */
	return a->kind == b->kind &&
		(a->kind == WRITER_FINDING || (!a->remove && !b->remove)) &&
		!a->keep && !b->keep && !a->retire && !b->retire &&
		strcmp(a->name, b->name) == 0 &&
		strcmp(a->folder, b->folder) == 0;
}

struct writer_file
writer_job_file(const struct writer_job *job)
{
	return (struct writer_file){
		.kind = (enum writer_kind)job->kind,
		.folder = job->folder,
		.name = job->name,
		.other_name = job->other_name,
		.head = job->head,
		.keep = job->keep,
		.remove = job->remove,
		.retire = job->retire,
		.sync = job->sync,
		.sync_all = job->sync_all,
		.data = job->data,
		.len = job->len,
	};
}
