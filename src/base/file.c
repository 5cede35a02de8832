/*
 * file: reads whole files with distrust and writes them atomically, see file.h.
 *
 * An open file is checked through its descriptor, never again by its name, so
 * nobody can swap it in between.
 */

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/errnum.h"
#include "base/fd.h"
#include "base/hash.h"
#include "base/xmalloc.h"

#define FILE_NAME_TRIES 16
#define FILE_TMP_DIGITS 16 /* of the random number */

/* ---- reading ------------------------------------------------------------ */

const char *
file_kind(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFDIR:
		return "a folder";
	case S_IFIFO:
		return "a FIFO";
	case S_IFSOCK:
		return "a socket";
	case S_IFCHR:
	case S_IFBLK:
		return "a device";
	case S_IFLNK:
		return "a symbolic link";
	default:
		return "not a regular file";
	}
}

bool
file_is_link(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

bool
file_is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
		access(path, X_OK) == 0;
}

static enum status
file_refuse(struct error *err, const char *name, mode_t mode)
{
	return error_set(err, E_FORMAT, "cannot read %s: it is %s", name,
		file_kind(mode));
}

/* Words the failure of open. Links and sockets cannot be opened: stat them. */
static enum status
file_open_error(int dirfd, const char *name, int errnum, struct error *err)
{
	struct stat st;

	if (errnum == ENOENT &&
		fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return error_set(err, E_NOT_FOUND,
			"cannot read %s: a symbolic link to a missing file",
			name);
	if ((errnum == ELOOP || errnum == ENXIO) &&
		fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		!S_ISREG(st.st_mode))
		return file_refuse(err, name, st.st_mode);
	return error_set(err, errnum_status(errnum), "cannot read %s: %s", name,
		strerror(errnum));
}

/*
 * Reads up to *len bytes and sets *len to the bytes read. A file that shrinks
 * meanwhile gives fewer; growth is ignored.
 */
static enum status
file_read_fd(int fd, const char *name, uint8_t *data, size_t *len,
	struct error *err)
{
	size_t done = 0;

	while (done < *len) {
		ssize_t n = read(fd, data + done, *len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set(err, E_IO, "cannot read %s: %s", name,
				strerror(errno));
		if (n == 0)
			break;
		done += (size_t)n;
	}
	*len = done;
	return OK;
}

static enum status
file_read_open(int fd, const char *name, size_t max, uint8_t **data,
	size_t *len, struct error *err)
{
	enum status status;
	struct stat st;

	if (fstat(fd, &st) != 0)
		return error_set(err, E_IO, "cannot read %s: %s", name,
			strerror(errno));
	if (!S_ISREG(st.st_mode))
		return file_refuse(err, name, st.st_mode);
	if ((uint64_t)st.st_size > max)
		return error_set(err, E_RANGE,
			"cannot read %s: it has %" PRIu64
			" bytes, more than %zu",
			name, (uint64_t)st.st_size, max);
	*len = (size_t)st.st_size;
	*data = xmalloc(*len + 1);
	status = file_read_fd(fd, name, *data, len, err);
	if (status != OK) {
		free(*data);
		*data = NULL;
		*len = 0;
		return status;
	}
	(*data)[*len] = '\0';
	return OK;
}

static enum status
file_read_flags(int dirfd, const char *name, int flags, size_t max,
	uint8_t **data, size_t *len, struct error *err)
{
	enum status status;
	int fd;

	*data = NULL;
	*len = 0;
	fd = openat(dirfd, name,
		O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | flags);
	if (fd < 0)
		return file_open_error(dirfd, name, errno, err);
	status = file_read_open(fd, name, max, data, len, err);
	fd_close(&fd);
	return status;
}

enum status
file_read_at(int dirfd, const char *name, size_t max, uint8_t **data,
	size_t *len, struct error *err)
{
	return file_read_flags(dirfd, name, O_NOFOLLOW, max, data, len, err);
}

enum status
file_read(const char *path, size_t max, uint8_t **data, size_t *len,
	struct error *err)
{
	return file_read_flags(AT_FDCWD, path, 0, max, data, len, err);
}

bool
file_size_at(int dirfd, const char *name, uint64_t *len)
{
	struct stat st;

	if (fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
		!S_ISREG(st.st_mode))
		return false;
	*len = (uint64_t)st.st_size;
	return true;
}

/* ---- writing ------------------------------------------------------------ */

/* Checks the open file, whatever its name stands for by now. */
static enum status
file_check_own(int fd, const char *name, struct error *err)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return error_set(err, E_IO, "cannot write to %s: %s", name,
			strerror(errno));
	if (!S_ISREG(st.st_mode))
		return error_set(err, E_FORMAT, "cannot write to %s: it is %s",
			name, file_kind(st.st_mode));
	if (st.st_nlink > 1)
		return error_set(err, E_FORMAT,
			"cannot write to %s: it has another hard link, whose "
			"content would change, too",
			name);
	if ((st.st_mode & 07777) != 0600 && fchmod(fd, 0600) != 0)
		return error_set(err, errnum_status(errno),
			"cannot write to %s: %s", name, strerror(errno));
	return OK;
}

enum status
file_open_own_at(int dirfd, const char *name, int flags, int *fd,
	struct error *err)
{
	enum status status;
	int errnum;

	*fd = openat(dirfd, name,
		flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0600);
	errnum = errno;
	if (*fd < 0 && (errnum == ELOOP || errnum == EISDIR || errnum == ENXIO))
		return error_set(err, E_FORMAT,
			"cannot write to %s: it is not a regular file", name);
	if (*fd < 0)
		return error_set(err, errnum_status(errnum),
			"cannot write to %s: %s", name, strerror(errnum));
	status = file_check_own(*fd, name, err);
	if (status != OK)
		fd_close(fd);
	return status;
}

static enum status
file_write_error(struct error *err, const char *name, int errnum)
{
	enum status status = errnum_status(errnum);

	error_set(err, status, "cannot write %s: %s", name, strerror(errnum));
	return status;
}

/* `folder/.tmp-<random>` beside name; the caller frees it. */
static char *
file_tmp_name(const char *name)
{
	const char *slash = strrchr(name, '/');
	int folder_len = slash ? (int)(slash + 1 - name) : 0;
	uint64_t number;

	random_bytes(&number, sizeof(number));
	return xasprintf("%.*s" FILE_TMP_PREFIX "%0*" PRIx64, folder_len, name,
		FILE_TMP_DIGITS, number);
}

bool
file_is_left_over(const char *name)
{
	size_t len = strlen(FILE_TMP_PREFIX);

	return strncmp(name, FILE_TMP_PREFIX, len) == 0 &&
		strlen(name) == len + FILE_TMP_DIGITS &&
		strspn(name + len, "0123456789abcdef") == FILE_TMP_DIGITS;
}

/* Opens a new temporary file; *tmp is its name, which the caller frees. */
static enum status
file_create_tmp(int dirfd, const char *name, char **tmp, int *fd,
	struct error *err)
{
	int errnum = EEXIST;

	for (int i = 0; i < FILE_NAME_TRIES && errnum == EEXIST; i++) {
		*tmp = file_tmp_name(name);
		*fd = openat(dirfd, *tmp,
			O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
			0600);
		if (*fd >= 0)
			return OK;
		errnum = errno;
		free(*tmp);
		*tmp = NULL;
	}
	return file_write_error(err, name, errnum);
}

/* Fills the temporary file and closes it, checking each step. */
static enum status
file_fill(int fd, const char *name, const void *data, size_t len,
	unsigned flags, struct error *err)
{
	enum status status = OK;

	/* An unusual umask must not lock us out of the file. */
	if (fchmod(fd, 0600) != 0)
		status = file_write_error(err, name, errno);
	if (status == OK) {
		status = fd_write_all(fd, data, len, NULL);
		if (status != OK)
			file_write_error(err, name, errno);
	}
	if (status == OK && flags & FILE_FSYNC && fsync(fd) != 0)
		status = file_write_error(err, name, errno);
	if (close(fd) != 0 && status == OK)
		status = file_write_error(err, name, errno);
	return status;
}

static enum status
file_sync_folder(int dirfd, const char *name, struct error *err)
{
	const char *slash = strrchr(name, '/');
	enum status status;
	char *folder;
	int fd;

	if (!slash)
		folder = xstrdup(".");
	else
		folder = xstrndup(name, (size_t)(slash + 1 - name));
	status = dir_open_at(dirfd, folder, 0, &fd, err);
	if (status == OK) {
		status = dir_sync(fd, err);
		fd_close(&fd);
	}
	free(folder);
	return status;
}

enum status
file_write_atomic_at(int dirfd, const char *name, const void *data, size_t len,
	unsigned flags, struct error *err)
{
	enum status status;
	char *tmp;
	int fd;

	status = file_create_tmp(dirfd, name, &tmp, &fd, err);
	if (tmp == NULL)
		return status;
	status = file_fill(fd, name, data, len, flags, err);
	if (status == OK && renameat(dirfd, tmp, dirfd, name) != 0)
		status = file_write_error(err, name, errno);
	if (status != OK)
		unlinkat(dirfd, tmp, 0);
	else if (flags & FILE_FSYNC_DIR)
		status = file_sync_folder(dirfd, name, err);
	free(tmp);
	return status;
}

/* A regular file, or nothing at all: not even a link. */
static bool
file_is_replaceable(const char *path)
{
	struct stat st;

	if (stat(path, &st) == 0)
		return S_ISREG(st.st_mode);
	return lstat(path, &st) != 0;
}

static enum status
file_write_into(const char *path, const void *data, size_t len,
	struct error *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY,
		0600);
	enum status status = OK;

	if (fd < 0)
		return file_write_error(err, path, errno);
	if (fd_write_all(fd, data, len, NULL) != OK)
		status = file_write_error(err, path, errno);
	if (close(fd) != 0 && status == OK)
		status = file_write_error(err, path, errno);
	return status;
}

enum status
file_write(const char *path, const void *data, size_t len, unsigned flags,
	struct error *err)
{
	char *real = realpath(path, NULL);
	enum status status;

	if (file_is_replaceable(path))
		status = file_write_atomic_at(AT_FDCWD,
			real != NULL ? real : path, data, len, flags, err);
	else
		status = file_write_into(path, data, len, err);
	free(real);
	return status;
}
