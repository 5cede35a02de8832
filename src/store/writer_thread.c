/*
 * writer_thread: the thread of the writer. It takes a job, does it, returns it
 * and signals the loop; it syncs the corpus folder once a second. First it syncs
 * the name of the output directory.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/fd.h"
#include "base/rlimits.h"
#include "base/xmalloc.h"
#include "store/writer_private.h"

#define WRITER_SYNC_DELAY_S 1
#define WRITER_STACK (1u << 20)

/* ---- corpus folder ------------------------------------------------------ */

static void
writer_sync_dirty(struct writer_thread *thread)
{
	int fd;

	if (!thread->dirty)
		return;
	if (writer_open_folder(thread->dirfd, thread->dirty, false, &fd,
		    NULL) == OK) {
		/* The entries are synced. If this fails, a system crash may
		 * lose their names, but a crash of the engine does not. */
		if (dir_sync(fd, NULL) != OK)
			errno = 0;
		fd_close(&fd);
	}
	free(thread->dirty);
	thread->dirty = NULL;
}

static void
writer_mark_dirty(struct writer_thread *thread, const char *folder)
{
	if (thread->dirty && strcmp(thread->dirty, folder) != 0)
		writer_sync_dirty(thread);
	if (thread->dirty)
		return;
	thread->dirty = xstrdup(folder);
	clock_gettime(CLOCK_MONOTONIC, &thread->sync_at);
	thread->sync_at.tv_sec += WRITER_SYNC_DELAY_S;
}

static bool
writer_sync_is_due(const struct writer_thread *thread)
{
	struct timespec now;

	if (!thread->dirty)
		return false;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec > thread->sync_at.tv_sec ||
		(now.tv_sec == thread->sync_at.tv_sec &&
			now.tv_nsec >= thread->sync_at.tv_nsec);
}

static enum status
writer_run_in_order(struct writer_thread *thread, struct writer_job *job)
{
	if (writer_waits(thread, job))
		return error_set(&job->error, E_STATE,
			"%s/%s waits for the input", job->folder, job->name);
	return writer_run_once(thread, job);
}

/* ---- the thread --------------------------------------------------------- */

static void
writer_run(struct writer_thread *thread, struct writer_job *job)
{
	if (job->kind == WRITER_SYNC) {
		writer_sync_dirty(thread);
		job->status = OK;
		return;
	}
	if (job->kind == WRITER_STEP) {
		job->more = job->step(job->waiters->arg);
		return;
	}
	if (job->kind == WRITER_RESERVE) {
		job->status = writer_make_reserve(thread->dirfd, &job->error);
		return;
	}
	job->status = writer_run_in_order(thread, job);
	if (job->status == E_FULL && job->kind == WRITER_FINDING &&
		unlinkat(thread->dirfd, WRITER_RESERVE_NAME, 0) == 0) {
		job->took_reserve = true;
		job->status = writer_run_once(thread, job);
	}
	if (writer_job_is_input(job))
		writer_note_input(thread, job);
	if (job->status == OK && job->kind == WRITER_ENTRY)
		writer_mark_dirty(thread, job->folder);
}

static void
writer_ring(const struct writer_thread *thread)
{
	uint64_t one = 1;

	while (write(thread->event_fd, &one, sizeof(one)) < 0 && errno == EINTR)
		continue;
}

/* Returns the next job; NULL: it is time to sync. Called with the lock held. */
static struct writer_job *
writer_wait(struct writer_thread *thread)
{
	int result = 0;

	while (STAILQ_EMPTY(&thread->todo) && !thread->stop && result == 0) {
		if (thread->dirty)
			result = pthread_cond_timedwait(&thread->wake,
				&thread->mutex, &thread->sync_at);
		else
			pthread_cond_wait(&thread->wake, &thread->mutex);
	}
	if (thread->stop || STAILQ_EMPTY(&thread->todo))
		return NULL;
	return STAILQ_FIRST(&thread->todo);
}

static void *
writer_main(void *arg)
{
	struct writer_thread *thread = arg;
	struct writer_job *job;
	bool stop;

	/* A file that is synced is of use only if its folder has a name. */
	dir_sync_name(thread->dirfd);
	do {
		pthread_mutex_lock(&thread->mutex);
		job = writer_wait(thread);
		if (job)
			STAILQ_REMOVE_HEAD(&thread->todo, hand);
		if (job && job->kind == WRITER_JOURNAL)
			thread->append = (struct writer_span){ 0 };
		stop = thread->stop;
		pthread_mutex_unlock(&thread->mutex);
		if (job) {
			writer_run(thread, job);
			pthread_mutex_lock(&thread->mutex);
			STAILQ_INSERT_TAIL(&thread->done, job, hand);
			pthread_mutex_unlock(&thread->mutex);
			writer_ring(thread);
		}
		if (stop || writer_sync_is_due(thread))
			writer_sync_dirty(thread);
	} while (!stop);
	return NULL;
}

/* ---- the side of the loop ----------------------------------------------- */

void
writer_thread_hand(struct writer_thread *thread, struct writer_job *job)
{
	pthread_mutex_lock(&thread->mutex);
	STAILQ_INSERT_TAIL(&thread->todo, job, hand);
	pthread_cond_signal(&thread->wake);
	pthread_mutex_unlock(&thread->mutex);
}

void
writer_thread_recall(struct writer_thread *thread, struct writer_hand *jobs)
{
	STAILQ_INIT(jobs);
	pthread_mutex_lock(&thread->mutex);
	STAILQ_CONCAT(jobs, &thread->todo);
	pthread_mutex_unlock(&thread->mutex);
}

void
writer_thread_collect(struct writer_thread *thread, struct writer_hand *jobs)
{
	uint64_t rings;

	/* Clear the signal first: a job that comes now signals again. */
	while (read(thread->event_fd, &rings, sizeof(rings)) < 0 &&
		errno == EINTR)
		continue;
	STAILQ_INIT(jobs);
	pthread_mutex_lock(&thread->mutex);
	STAILQ_CONCAT(jobs, &thread->done);
	pthread_mutex_unlock(&thread->mutex);
}

void
writer_thread_note(struct writer_thread *thread, struct writer_span span)
{
	pthread_mutex_lock(&thread->mutex);
	thread->append = span;
	pthread_mutex_unlock(&thread->mutex);
}

struct writer_span
writer_thread_append(struct writer_thread *thread)
{
	struct writer_span span;

	pthread_mutex_lock(&thread->mutex);
	span = thread->append;
	pthread_mutex_unlock(&thread->mutex);
	return span;
}

/* The thread must not handle signals of the process. */
static int
writer_thread_start(struct writer_thread *thread)
{
	pthread_attr_t attr;
	sigset_t all, old;
	int errnum;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	errnum = pthread_attr_init(&attr);
	if (errnum == 0) {
		/* Otherwise the size is that of `ulimit -s`, which may be
		 * anything. */
		errnum = pthread_attr_setstacksize(&attr, WRITER_STACK);
		if (errnum == 0)
			errnum = pthread_create(&thread->thread, &attr,
				writer_main, thread);
		pthread_attr_destroy(&attr);
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return errnum;
}

static void
writer_thread_free(struct writer_thread *thread)
{
	pthread_cond_destroy(&thread->wake);
	pthread_mutex_destroy(&thread->mutex);
	fd_close(&thread->event_fd);
	fd_close(&thread->dirfd);
	writer_forget_missing(thread);
	free(thread->dirty);
	free(thread);
}

struct writer_thread *
writer_thread_create(int dirfd, struct error *err)
{
	struct writer_thread *thread = xcalloc(1, sizeof(*thread));
	pthread_condattr_t attr;
	char why[RLIMITS_TEXT_MAX], more[RLIMITS_TEXT_MAX];
	int errnum = 0;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&thread->wake, &attr);
	pthread_condattr_destroy(&attr);
	pthread_mutex_init(&thread->mutex, NULL);
	STAILQ_INIT(&thread->todo);
	STAILQ_INIT(&thread->done);
	thread->dirfd = fcntl(dirfd, F_DUPFD_CLOEXEC, 0);
	thread->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (thread->dirfd < 0 || thread->event_fd < 0)
		errnum = errno;
	if (errnum == 0)
		errnum = writer_thread_start(thread);
	if (errnum == 0)
		return thread;
	writer_thread_free(thread);
	/* pthread_create() also returns EAGAIN for lack of memory. */
	error_set(err, E_IO,
		"cannot start the thread that writes files: %s%s%s",
		rlimits_text(errnum, why, sizeof(why)),
		errnum == EAGAIN ? "; or " : "",
		errnum == EAGAIN ? rlimits_text(ENOMEM, more, sizeof(more))
				 : "");
	return NULL;
}

void
writer_thread_destroy(struct writer_thread *thread, struct writer_hand *left)
{
	pthread_mutex_lock(&thread->mutex);
	thread->stop = true;
	pthread_cond_signal(&thread->wake);
	pthread_mutex_unlock(&thread->mutex);
	pthread_join(thread->thread, NULL);
	STAILQ_INIT(left);
	STAILQ_CONCAT(left, &thread->done);
	STAILQ_CONCAT(left, &thread->todo);
	writer_thread_free(thread);
}
