/*
 * dir: directories of our own, see dir.h.
 */

#include "base/dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/xmalloc.h"

static enum status
dir_error(struct error *err, const char *path)
{
	int errnum = errno;

	return error_set(err, file_status(errnum),
		"cannot create the folder %s: %s", path, strerror(errnum));
}

/* Creates one directory. */
static enum status
dir_create_one(int dirfd, const char *path, struct error *err)
{
	struct stat st;

	if (mkdirat(dirfd, path, 0700) == 0) {
		/* a strange umask must not lock us out of it */
		if (fchmodat(dirfd, path, 0700, 0) != 0)
			return dir_error(err, path);
		return OK;
	}
	if (errno != EEXIST)
		return dir_error(err, path);
	if (fstatat(dirfd, path, &st, 0) != 0)
		return dir_error(err, path);
	if (!S_ISDIR(st.st_mode))
		return error_set(err, E_EXISTS, "%s exists and is not a folder",
			path);
	return OK;
}

static enum status
dir_create_parents(int dirfd, const char *path, struct error *err)
{
	char *part = xstrdup(path);
	enum status status = OK;

	for (char *slash = part + strspn(part, "/"); status == OK;) {
		slash = strchr(slash, '/');
		if (!slash)
			break;
		*slash = '\0';
		status = dir_create_one(dirfd, part, err);
		*slash = '/';
		slash += strspn(slash, "/");
	}
	free(part);
	return status;
}

enum status
dir_create_at(int dirfd, const char *path, unsigned flags, struct error *err)
{
	enum status status;

	if (flags & DIR_PARENTS) {
		status = dir_create_parents(dirfd, path, err);
		if (status != OK)
			return status;
	}
	return dir_create_one(dirfd, path, err);
}

enum status
dir_open_at(int dirfd, const char *path, unsigned flags, int *fd,
	struct error *err)
{
	int nofollow = flags & DIR_NOFOLLOW ? O_NOFOLLOW : 0;
	int errnum;

	*fd = openat(dirfd, path,
		O_RDONLY | O_DIRECTORY | O_CLOEXEC | nofollow);
	if (*fd >= 0)
		return OK;
	errnum = errno;
	return error_set(err, file_status(errnum),
		"cannot open the folder %s: %s", path, strerror(errnum));
}

enum status
dir_sync(int dirfd, struct error *err)
{
	/* some file systems know no fsync of a directory: nothing to do */
	if (fsync(dirfd) == 0 || errno == EINVAL || errno == ENOTSUP)
		return OK;
	return error_set(err, file_status(errno), "cannot sync a folder: %s",
		strerror(errno));
}

static int
dir_compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void
dir_names_add(struct dir_names *names, size_t *room, const char *name)
{
	if (names->n == *room) {
		*room = *room ? 2 * *room : 64;
		names->items =
			xreallocarray(names->items, *room, sizeof(char *));
	}
	names->items[names->n++] = xstrdup(name);
}

static enum status
dir_read(DIR *dir, struct dir_names *names, struct error *err)
{
	struct dirent *entry;
	size_t room = 0;

	for (;;) {
		errno = 0;
		entry = readdir(dir);
		if (!entry)
			break;
		if (strcmp(entry->d_name, ".") != 0 &&
			strcmp(entry->d_name, "..") != 0)
			dir_names_add(names, &room, entry->d_name);
	}
	if (errno)
		return error_set(err, E_IO, "cannot read a folder: %s",
			strerror(errno));
	return OK;
}

enum status
dir_list(int dirfd, struct dir_names *names, struct error *err)
{
	int fd = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	enum status status;

	*names = (struct dir_names){ 0 };
	if (!dir) {
		status = error_set(err, E_IO, "cannot read a folder: %s",
			strerror(errno));
		if (fd >= 0)
			close(fd);
		return status;
	}
	status = dir_read(dir, names, err);
	closedir(dir);
	if (status != OK)
		dir_names_clear(names);
	else if (names->n)
		qsort(names->items, names->n, sizeof(char *), dir_compare);
	return status;
}

void
dir_names_clear(struct dir_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->items[i]);
	free(names->items);
	*names = (struct dir_names){ 0 };
}
