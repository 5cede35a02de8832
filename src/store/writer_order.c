/*
 * writer_order: writes a finding's input first. The other files are useless
 * without it, and the folder would look complete. So the other files wait as
 * long as the disk refuses the input.
 */
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "store/writer_private.h"

static size_t
writer_find_missing(const struct writer_thread *thread,
	const struct writer_job *job)
{
	size_t i, len;

	for (i = 0; i < thread->missing_n; i++) {
		len = strlen(thread->missing[i]);
		if (strncmp(job->folder, thread->missing[i], len) == 0 &&
			(job->folder[len] == '\0' || job->folder[len] == '/'))
			break;
	}
	return i;
}

void
writer_note_input(struct writer_thread *thread, const struct writer_job *job)
{
	size_t at = writer_find_missing(thread, job);

	if (job->status == OK && at < thread->missing_n) {
		free(thread->missing[at]);
		thread->missing[at] = thread->missing[--thread->missing_n];
	} else if (job->status != OK && at == thread->missing_n) {
		thread->missing = xreallocarray(thread->missing, at + 1,
			sizeof(*thread->missing));
		thread->missing[thread->missing_n++] = xstrdup(job->folder);
	}
}

bool
writer_waits(const struct writer_thread *thread, const struct writer_job *job)
{
	return job->kind == WRITER_FINDING && !writer_job_is_input(job) &&
		writer_find_missing(thread, job) < thread->missing_n;
}

void
writer_forget_missing(struct writer_thread *thread)
{
	while (thread->missing_n > 0)
		free(thread->missing[--thread->missing_n]);
	free(thread->missing);
	thread->missing = NULL;
}
