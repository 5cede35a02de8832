/*
 * writer_file: does a job in the thread: writes, appends or removes one file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/errnum.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/xmalloc.h"
#include "store/writer_private.h"

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

enum status
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

/* A finding may have thousands of files: the last one syncs all. To sync each
 * of them, and its folders, would take minutes. */
static bool
writer_is_durable(const struct writer_job *job)
{
	return job->kind == WRITER_FINDING && !job->unsynced;
}

static unsigned
writer_flags(const struct writer_job *job)
{
	if (writer_is_durable(job))
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

/* An empty file, which somebody else has made so, gets its first line again. A
 * foreign incomplete line is completed, so that ours is a line of its own. */
static const char *
writer_before_line(int fd, off_t size, const char *head)
{
	char last = '\n';

	if (size == 0 && head != NULL)
		return head;
	if (size > 0 && pread(fd, &last, 1, size - 1) == 1 && last != '\n')
		return "\n";
	return "";
}

/* Appends all or nothing: on failure the file is cut back. */
static enum status
writer_append(struct writer_thread *thread, int fd, struct writer_job *job)
{
	struct stat st;
	struct writer_span span;
	const char *before;
	enum status status = OK;

	if (fstat(fd, &st) < 0)
		return writer_journal_failed(job, errno);
	before = writer_before_line(fd, st.st_size, job->head);
	span.from = (uint64_t)st.st_size;
	span.to = span.from + strlen(before) + job->len;
	writer_thread_note(thread, span);
	if (fd_write_all(fd, before, strlen(before), NULL) != OK ||
		fd_write_all(fd, job->data, job->len, NULL) != OK)
		status = writer_journal_failed(job, errno);
	if (status == OK && job->sync && fdatasync(fd) < 0)
		status = writer_journal_failed(job, errno);
	if (status != OK && ftruncate(fd, st.st_size) < 0)
		error_wrap(&job->error, "not taken back");
	return status;
}

static enum status
writer_run_journal(struct writer_thread *thread, int dirfd,
	struct writer_job *job)
{
	enum status status;
	int fd;

	status = file_open_own_at(dirfd, job->name, O_RDWR | O_APPEND | O_CREAT,
		&fd, &job->error);
	if (status != OK)
		return status;
	/* First: what cannot be taken back would be appended again. */
	if (job->sync)
		status = dir_sync(dirfd, &job->error);
	if (status == OK)
		status = writer_append(thread, fd, job);
	/* After a sync the lines are on the disk, whatever close() says. */
	if (close(fd) < 0 && status == OK && !job->sync)
		status = writer_journal_failed(job, errno);
	return status;
}

enum status
writer_run_once(struct writer_thread *thread, struct writer_job *job)
{
	enum status status;
	int fd;

	job->error = (struct error){ 0 };
	status = writer_open_folder(thread->dirfd, job->folder,
		writer_is_durable(job), &fd, &job->error);
	if (status != OK)
		return status;
	if (job->kind == WRITER_JOURNAL)
		status = writer_run_journal(thread, fd, job);
	else
		status = writer_run_file(fd, job);
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
