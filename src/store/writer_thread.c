/*
 * writer_thread: the thread of the writer. It takes a job, does it, returns it
 * and signals the loop; it syncs the corpus folder once a second.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/errnum.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/rlimits.h"
#include "base/xmalloc.h"
#include "store/writer_private.h"

#define WRITER_SYNC_DELAY_S 1
#define WRITER_STACK (1u << 20)

/* ---- doing a job -------------------------------------------------------- */

/*
 * Enters a subfolder, and creates it if missing. Durable: its parent is synced
 * even if the folder exists, because an earlier try may have failed before the
 * sync.
 */
static enum status
writer_enter(int parent, const char *name, bool durable, int *fd,
	struct error *err)
{
	enum status status = dir_open_at(parent, name, DIR_NOFOLLOW, fd, NULL);

	if (status == E_NOT_FOUND) {
		status = dir_create_at(parent, name, 0, err);
		if (status != OK)
			return status;
	}
	if (status != OK || *fd < 0)
		status = dir_open_at(parent, name, DIR_NOFOLLOW, fd, err);
	if (status == OK && durable)
		status = dir_sync(parent, err);
	if (status != OK)
		fd_close(fd);
	return status;
}

/* Opens "a/b/c" below the top, part by part, without following links. */
static enum status
writer_open_folder(int top, const char *folder, bool durable, int *fd,
	struct error *err)
{
	char *path = xstrdup(folder), *rest = path, *part;
	enum status status = dir_open_at(top, ".", 0, fd, err);
	int next = -1;

	while (status == OK && (part = strsep(&rest, "/")) != NULL) {
		if (!*part)
			continue;
		status = writer_enter(*fd, part, durable, &next, err);
		fd_close(fd);
		if (status == OK)
			*fd = next;
	}
	free(path);
	return status;
}

/* E_NOT_FOUND: no file; OK: the same bytes; E_EXISTS: other bytes. */
static enum status
writer_compare(int dirfd, const char *name, const struct writer_job *job)
{
	uint8_t *data;
	size_t len;
	enum status status =
		file_read_at(dirfd, name, job->len, &data, &len, NULL);

	if (status == OK) {
		if (len != job->len || memcmp(data, job->data, len) != 0)
			status = E_EXISTS;
		free(data);
		return status;
	}
	return status == E_NOT_FOUND ? E_NOT_FOUND : E_EXISTS;
}

/* A file whose content does not match its name is not ours to remove. */
static bool
writer_is_named_by_content(int dirfd, const char *name)
{
	char hex[SHA256_HEX_SIZE];
	uint8_t *data;
	size_t len;

	if (file_read_at(dirfd, name, WRITER_HELD_MAX, &data, &len, NULL) != OK)
		return false;
	sha256_name(data, len, hex);
	free(data);
	return strncmp(name, hex, strlen(name)) == 0;
}

static enum status
writer_run_remove(int dirfd, struct writer_job *job)
{
	if (job->kind == WRITER_ENTRY &&
		!writer_is_named_by_content(dirfd, job->name))
		return OK;
	if (unlinkat(dirfd, job->name, 0) < 0 && errno != ENOENT)
		return error_set(&job->error, errnum_status(errno),
			"cannot remove %s/%s: %s", job->folder, job->name,
			strerror(errno));
	return OK;
}

static unsigned
writer_flags(const struct writer_job *job)
{
	if (job->kind == WRITER_FINDING && !job->unsynced)
		return FILE_FSYNC | FILE_FSYNC_DIR;
	return job->kind == WRITER_ENTRY ? FILE_FSYNC : 0;
}

static enum status
writer_run_file(int dirfd, struct writer_job *job)
{
	unsigned flags = writer_flags(job);
	const char *name = job->name;
	enum status there = E_NOT_FOUND;

	if (job->remove)
		return writer_run_remove(dirfd, job);
	if (job->name[0] == '\0')
		return OK;
	if (job->keep) {
		there = writer_compare(dirfd, name, job);
		if (there == E_EXISTS && job->other_name) {
			name = job->other_name;
			there = writer_compare(dirfd, name, job);
		}
	}
	if (there == E_EXISTS)
		return error_set(&job->error, E_EXISTS,
			"%s/%s exists already, with other content", job->folder,
			name);
	if (there == OK && job->kind == WRITER_ENTRY)
		return OK;
	/* Write a finding again: an existing file may not be synced. */
	return file_write_atomic_at(dirfd, name, job->data, job->len, flags,
		&job->error);
}

static enum status
writer_journal_failed(struct writer_job *job, int errnum)
{
	return error_set(&job->error, errnum_status(errnum),
		"cannot append to %s: %s", job->name, strerror(errnum));
}

/* Completes a foreign incomplete line, so that ours is a line of its own. */
static enum status
writer_end_line(int fd, off_t size)
{
	char last = '\n';

	if (size > 0 && pread(fd, &last, 1, size - 1) == 1 && last != '\n')
		return fd_write_all(fd, "\n", 1, NULL);
	return OK;
}

/* Appends all or nothing: on failure the file is cut back. */
static enum status
writer_append(int fd, struct writer_job *job)
{
	struct stat st;
	enum status status = OK;

	if (fstat(fd, &st) < 0)
		return writer_journal_failed(job, errno);
	if (writer_end_line(fd, st.st_size) != OK ||
		fd_write_all(fd, job->data, job->len, NULL) != OK)
		status = writer_journal_failed(job, errno);
	if (status == OK && job->sync && fdatasync(fd) < 0)
		status = writer_journal_failed(job, errno);
	if (status != OK && ftruncate(fd, st.st_size) < 0)
		error_wrap(&job->error, "not taken back");
	return status;
}

static enum status
writer_run_journal(int dirfd, struct writer_job *job)
{
	enum status status;
	int fd;

	status = file_open_own_at(dirfd, job->name, O_RDWR | O_APPEND | O_CREAT,
		&fd, &job->error);
	if (status != OK)
		return status;
	status = writer_append(fd, job);
	if (close(fd) < 0 && status == OK)
		status = writer_journal_failed(job, errno);
	if (status == OK && job->sync)
		status = dir_sync(dirfd, &job->error);
	return status;
}

static enum status
writer_run_once(struct writer_thread *thread, struct writer_job *job)
{
	enum status status;
	int fd;

	job->error = (struct error){ 0 };
	status = writer_open_folder(thread->dirfd, job->folder,
		job->kind == WRITER_FINDING, &fd, &job->error);
	if (status != OK)
		return status;
	if (job->kind == WRITER_JOURNAL)
		status = writer_run_journal(fd, job);
	else
		status = writer_run_file(fd, job);
	/* Syncing hundreds of small files one by one would take many
	 * seconds. */
	if (status == OK && job->sync_all && syncfs(fd) < 0)
		status = error_set(&job->error, errnum_status(errno),
			"cannot sync %s: %s", job->folder, strerror(errno));
	fd_close(&fd);
	if (status == OK && job->retire)
		writer_retire(thread->dirfd, job->retire);
	return status;
}

enum status
writer_make_reserve(int dirfd, struct error *err)
{
	struct error why = { 0 };
	enum status status;
	int fd, errnum;

	/* An existing file is removed, not enlarged. */
	unlinkat(dirfd, WRITER_RESERVE_NAME, 0);
	status = file_open_own_at(dirfd, WRITER_RESERVE_NAME,
		O_WRONLY | O_CREAT | O_EXCL, &fd, &why);
	if (status != OK)
		return error_set(err, status,
			"cannot make the reserve file: %s", why.text);
	errnum = posix_fallocate(fd, 0, WRITER_RESERVE_LEN);
	fd_close(&fd);
	if (errnum == 0)
		return OK;
	unlinkat(dirfd, WRITER_RESERVE_NAME, 0);
	return error_set(err, errnum_status(errnum),
		"cannot make the reserve file: %s", strerror(errnum));
}

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

	do {
		pthread_mutex_lock(&thread->mutex);
		job = writer_wait(thread);
		if (job)
			STAILQ_REMOVE_HEAD(&thread->todo, hand);
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
	char why[RLIMITS_TEXT_MAX];
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
		errnum == EAGAIN ? strerror(ENOMEM) : "");
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
