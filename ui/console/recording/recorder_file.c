/*
 * recorder_file: a thread writes one buffer while the other is filled.
 */
#include "ui/console/recording/recorder_file.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/fd.h"
#include "base/xmalloc.h"

#define RECORDER_CLOSE_S 2

struct recorder_file {
	int fd;
	pthread_t thread;
	bool started;
	pthread_mutex_t lock; /* of all below */
	pthread_cond_t filled;
	char *waiting;
	size_t len, room;
	size_t writing; /* bytes that the thread has taken */
	bool closing;
	int errnum;
};

/* ---- the thread ---- */

/* Waits for bytes; false: there will be none. The lock is held. */
static bool
recorder_file_take(struct recorder_file *file, char **bytes, size_t *len)
{
	while (file->len == 0 && !file->closing)
		pthread_cond_wait(&file->filled, &file->lock);
	*bytes = file->waiting;
	*len = file->writing = file->len;
	file->waiting = NULL;
	file->len = file->room = 0;
	return *len > 0;
}

static void *
recorder_file_run(void *arg)
{
	struct recorder_file *file = arg;
	char *bytes;
	size_t len;

	pthread_mutex_lock(&file->lock);
	while (recorder_file_take(file, &bytes, &len)) {
		int errnum = file->errnum;

		pthread_mutex_unlock(&file->lock);
		if (errnum == 0 &&
			fd_write_all(file->fd, bytes, len, NULL) != OK)
			errnum = errno != 0 ? errno : EIO;
		free(bytes);
		pthread_mutex_lock(&file->lock);
		file->errnum = errnum;
		file->writing = 0;
	}
	pthread_mutex_unlock(&file->lock);
	return NULL;
}

/* ---- the other side ---- */

struct recorder_file *
recorder_file_create(int take_fd)
{
	struct recorder_file *file = xcalloc(1, sizeof(*file));
	sigset_t all, before;

	file->fd = take_fd;
	pthread_mutex_init(&file->lock, NULL);
	pthread_cond_init(&file->filled, NULL);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	file->errnum =
		pthread_create(&file->thread, NULL, recorder_file_run, file);
	file->started = file->errnum == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return file;
}

static void
recorder_file_append(struct recorder_file *file, const char *line, size_t len)
{
	if (file->len + len > file->room) {
		file->room = 2 * (file->len + len);
		file->waiting = xrealloc(file->waiting, file->room);
	}
	memcpy(file->waiting + file->len, line, len);
	file->len += len;
}

bool
recorder_file_add(struct recorder_file *file, const char *line, size_t len)
{
	bool fits;

	pthread_mutex_lock(&file->lock);
	fits = file->errnum == 0 &&
		file->len + file->writing + len <= RECORDER_WAITING_MAX;
	if (fits)
		recorder_file_append(file, line, len);
	pthread_cond_signal(&file->filled);
	pthread_mutex_unlock(&file->lock);
	return fits;
}

int
recorder_file_errno(struct recorder_file *file)
{
	int errnum;

	pthread_mutex_lock(&file->lock);
	errnum = file->errnum;
	pthread_mutex_unlock(&file->lock);
	return errnum;
}

int
recorder_file_close(struct recorder_file *file)
{
	struct timespec until;
	int errnum;

	if (file == NULL)
		return 0;
	pthread_mutex_lock(&file->lock);
	file->closing = true;
	pthread_cond_signal(&file->filled);
	pthread_mutex_unlock(&file->lock);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += RECORDER_CLOSE_S;
	if (file->started &&
		pthread_timedjoin_np(file->thread, NULL, &until) != 0)
		return ETIMEDOUT;
	errnum = file->errnum;
	fd_close(&file->fd);
	pthread_cond_destroy(&file->filled);
	pthread_mutex_destroy(&file->lock);
	free(file->waiting);
	free(file);
	return errnum;
}
