/*
 * writer_queue: the jobs of the writer that are not in the thread: the next one
 * to be written, and newer content for the same file.
 *
 * If a file may be replaced, its older content must not reach the disk after
 * the newer one, even after a retry. So at most one job for a file is in the
 * thread, and at most one waits.
 */
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "store/writer_private.h"

bool
writer_is_urgent(unsigned kind)
{
	return kind == WRITER_FINDING || kind == WRITER_JOURNAL;
}

struct writer_line *
writer_line_of(struct writer *writer, unsigned kind)
{
	if (kind == WRITER_ENTRY)
		return &writer->entries;
	return writer_is_urgent(kind) ? &writer->urgent : &writer->other;
}

void
writer_count(struct writer *writer, const struct writer_job *job, int sign)
{
	writer->waiting += (uint64_t)(int64_t)sign;
	if (!job->refused)
		return;
	writer->unsaved += (uint64_t)(int64_t)sign;
	if (job->kind == WRITER_FINDING)
		writer->findings += (uint64_t)(int64_t)sign;
}

void
writer_end_job(struct writer *writer, struct writer_job *job,
	enum status status)
{
	struct writer_waiter *waiters = job->waiters;

	TAILQ_REMOVE(&writer->all, job, all);
	writer_count(writer, job, -1);
	writer->bytes -= job->len;
	job->waiters = NULL;
	writer_job_destroy(job);
	writer_waiters_tell(waiters, status);
}

static struct writer_job *
writer_find_in(struct writer_line *line, const struct writer_file *file)
{
	struct writer_job *job;

	TAILQ_FOREACH(job, line, line)
		if (writer_job_is(job, file))
			return job;
	return NULL;
}

struct writer_job *
writer_find_waiting(struct writer *writer, const struct writer_file *file)
{
	struct writer_job *job;

	if (file->keep || file->retire)
		return NULL;
	job = writer_find_in(&writer->held, file);
	return job ? job
		   : writer_find_in(writer_line_of(writer, file->kind), file);
}

void
writer_set_data(struct writer *writer, struct writer_job *job, uint8_t *take,
	size_t len)
{
	writer->bytes = writer->bytes - job->len + len;
	free(job->data);
	job->data = take;
	job->len = len;
}

static void
writer_append_data(struct writer *writer, struct writer_job *job,
	const void *data, size_t len)
{
	job->data = xrealloc(job->data, job->len + len);
	memcpy(job->data + job->len, data, len);
	job->len += len;
	writer->bytes += len;
}

void
writer_merge(struct writer *writer, struct writer_job *job,
	const struct writer_file *file)
{
	if (file->kind == WRITER_JOURNAL)
		writer_append_data(writer, job, file->data, file->len);
	else
		writer_set_data(writer, job, xmemdup(file->data, file->len),
			file->len);
	job->remove = file->remove;
	job->sync = job->sync || file->sync;
	job->sync_all = job->sync_all || file->sync_all;
	writer_waiters_add(&job->waiters, file->done, file->arg);
}

void
writer_absorb(struct writer *writer, struct writer_job *job)
{
	struct writer_file file = writer_job_file(job);
	struct writer_job *newer = writer_find_waiting(writer, &file);
	struct writer_waiter **last = &job->waiters;

	if (!newer)
		return;
	file = writer_job_file(newer);
	writer_merge(writer, job, &file);
	while (*last)
		last = &(*last)->next;
	*last = newer->waiters;
	newer->waiters = NULL;
	TAILQ_REMOVE(writer_line_of(writer, newer->kind), newer, line);
	writer_end_job(writer, newer, OK);
}

/* Are both in the folder of the same finding, "crashes/x"? */
static bool
writer_is_beside(const char *a, const char *b)
{
	size_t len = strcspn(b, "/");

	if (b[len] == '/')
		len += 1 + strcspn(b + len + 1, "/");
	return strncmp(a, b, len) == 0 && (a[len] == '\0' || a[len] == '/');
}

/*
 * A folder to be removed must not be recreated by earlier jobs, and what these
 * save of it in the other finding's folder has to be there. Of a file that is
 * kept, and of its removal, the last one counts, even after a retry.
 */
static bool
writer_is_after(const struct writer_job *job, const struct writer_job *older)
{
	if (job->retire)
		return writer_is_beside(older->folder, job->retire) ||
			writer_is_beside(older->folder, job->folder);
	return job->remove != older->remove &&
		strcmp(older->name, job->name) == 0 &&
		strcmp(older->folder, job->folder) == 0;
}

static bool
writer_is_early(const struct writer *writer, const struct writer_job *job)
{
	const struct writer_job *older;

	if (!job->retire && !job->remove && !job->keep)
		return false;
	TAILQ_FOREACH(older, &writer->all, all) {
		if (older == job)
			break;
		if (writer_is_after(job, older))
			return true;
	}
	return false;
}

bool
writer_is_refused(const struct writer *writer)
{
	const struct writer_job *job;

	if (writer->unsaved == 0 || !TAILQ_EMPTY(&writer->handed))
		return false;
	TAILQ_FOREACH(job, &writer->all, all)
		if (!job->refused && !writer_is_early(writer, job))
			return false;
	return true;
}

/* Returns the first job in line for a file that is not in the thread. */
static struct writer_job *
writer_next_in(struct writer *writer, struct writer_line *line)
{
	struct writer_file file;
	struct writer_job *job;

	TAILQ_FOREACH(job, line, line) {
		file = writer_job_file(job);
		if (!writer_find_in(&writer->handed, &file) &&
			!writer_is_early(writer, job))
			return job;
	}
	return NULL;
}

struct writer_job *
writer_next(struct writer *writer)
{
	struct writer_job *job = writer_next_in(writer, &writer->urgent);

	if (!job && !writer->stalled)
		job = writer_next_in(writer, &writer->other);
	if (!job && !writer->stalled && writer->entries_due)
		job = writer_next_in(writer, &writer->entries);
	return job;
}

struct writer_job *
writer_find_entry(struct writer *writer, const char *folder, const char *name)
{
	struct writer_job *job;

	TAILQ_FOREACH_REVERSE(job, &writer->entries, writer_line, line)
		if (!job->remove && !job->refused &&
			strcmp(job->name, name) == 0 &&
			strcmp(job->folder, folder) == 0)
			return job;
	return NULL;
}

bool
writer_appends(const struct writer *writer)
{
	const struct writer_job *job;

	TAILQ_FOREACH(job, &writer->handed, line)
		if (job->kind == WRITER_JOURNAL)
			return true;
	return false;
}

struct writer_span
writer_last_append(const struct writer *writer)
{
	return writer_thread_append(writer->thread);
}

void
writer_each_lost(const struct writer *writer, writer_lost_fn *fn, void *arg)
{
	const struct writer_job *job;
	struct writer_file file;

	TAILQ_FOREACH(job, &writer->all, all) {
		file = writer_job_file(job);
		fn(arg, &file);
	}
}
