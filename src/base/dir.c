/*
 * dir: directories of our own, see dir.h.
 */

#include "base/dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/errnum.h"
#include "base/fd.h"
#include "base/text.h"
#include "base/xmalloc.h"

bool
dir_exists(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* A name that another folder may have; ".." may follow a link. */
static bool
dir_is_name(const char *name)
{
	return name[0] != '\0' && strcmp(name, ".") != 0 &&
		strcmp(name, "..") != 0;
}

/* The real path of the nearest folder above *rest that is there, to be freed;
 * *rest then is what follows. NULL: there is none. */
static char *
dir_real_folder(const char *path, const char **rest)
{
	char *folder = xstrdup(path), *slash, *real = NULL;

	while (real == NULL && (slash = strrchr(folder, '/')) != NULL) {
		*slash = '\0';
		*rest = path + (slash - folder);
		real = realpath(slash > folder ? folder : "/", NULL);
		if (slash == folder)
			break;
	}
	free(folder);
	return real;
}

bool
dir_resolve(const char *path, char *buf, size_t size)
{
	const char *slash = strrchr(path, '/'), *rest = "";
	char *real = slash != NULL && dir_is_name(slash + 1)
		? dir_real_folder(path, &rest)
		: NULL;
	char *whole = xasprintf("%s%s",
		real != NULL && strcmp(real, "/") != 0 ? real : "", rest);
	bool found;

	text_clean_string(whole, buf, size);
	found = real != NULL && strstr(rest, "/../") == NULL &&
		strlen(whole) < size && strcmp(whole, buf) == 0;
	if (!found)
		snprintf(buf, size, "%s", path);
	free(whole);
	free(real);
	return found;
}

static enum status
dir_error(struct error *err, const char *path)
{
	int errnum = errno;

	return error_set(err, errnum_status(errnum),
		"cannot create the folder %s: %s", path, strerror(errnum));
}

/* Creates one directory; *made is set if it did not exist. */
static enum status
dir_create_one(int dirfd, const char *path, bool *made, struct error *err)
{
	struct stat st;

	if (mkdirat(dirfd, path, 0700) == 0) {
		/* An unusual umask must not lock us out of it. The path may be
		 * a link to somewhere else by now. */
		if (fstatat(dirfd, path, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
			((st.st_mode & 07777) != 0700 &&
				fchmodat(dirfd, path, 0700,
					AT_SYMLINK_NOFOLLOW) != 0))
			return dir_error(err, path);
		*made = true;
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

/* Syncs the parent: after a power failure the folder keeps its name. */
static void
dir_keep_name(int dirfd, const char *path)
{
	size_t len = strlen(path) + sizeof("/..");
	char *parent = xmalloc(len);
	int fd;

	snprintf(parent, len, "%s/..", path);
	fd = openat(dirfd, parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(parent);
	if (fd < 0)
		return; /* the parent may be unreadable */
	(void)fsync(fd);
	close(fd);
}

static enum status
dir_create_parents(int dirfd, const char *path, struct error *err)
{
	char *part = xstrdup(path);
	enum status status = OK;
	bool made;

	for (char *slash = part + strspn(part, "/"); status == OK;) {
		slash = strchr(slash, '/');
		if (!slash)
			break;
		*slash = '\0';
		made = false;
		status = dir_create_one(dirfd, part, &made, err);
		if (made)
			dir_keep_name(dirfd, part);
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
	bool made = false;

	if (flags & DIR_PARENTS) {
		status = dir_create_parents(dirfd, path, err);
		if (status != OK)
			return status;
	}
	status = dir_create_one(dirfd, path, &made, err);
	if (made && (flags & DIR_PARENTS) && !(flags & DIR_UNSYNCED))
		dir_keep_name(dirfd, path);
	return status;
}

#define DIR_OPEN (O_RDONLY | O_DIRECTORY | O_CLOEXEC)

/* Opens part by part: O_NOFOLLOW covers only the last part. -1: see errno. */
static int
dir_open_parts(int dirfd, const char *path)
{
	char *parts = xstrdup(path), *rest = parts, *part;
	int fd = openat(dirfd, *path == '/' ? "/" : ".", DIR_OPEN), next;

	while (fd >= 0 && (part = strsep(&rest, "/")) != NULL) {
		if (*part == '\0')
			continue;
		errno = ELOOP;
		next = strcmp(part, "..") != 0
			? openat(fd, part, DIR_OPEN | O_NOFOLLOW)
			: -1;
		fd_close(&fd);
		fd = next;
	}
	free(parts);
	return fd;
}

enum status
dir_open_at(int dirfd, const char *path, unsigned flags, int *fd,
	struct error *err)
{
	int errnum;

	*fd = flags & DIR_NOFOLLOW ? dir_open_parts(dirfd, path)
				   : openat(dirfd, path, DIR_OPEN);
	if (*fd >= 0)
		return OK;
	errnum = errno;
	return error_set(err, errnum_status(errnum),
		"cannot open the folder %s: %s", path, strerror(errnum));
}

enum status
dir_sync(int dirfd, struct error *err)
{
	/* Some file systems cannot sync a directory. */
	if (fsync(dirfd) == 0 || errno == EINVAL || errno == ENOTSUP)
		return OK;
	return error_set(err, errnum_status(errno), "cannot sync a folder: %s",
		strerror(errno));
}

void
dir_sync_name(int dirfd)
{
	dir_keep_name(dirfd, ".");
}

static int
dir_compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static enum status
dir_read(DIR *dir, struct dir_names *names, struct error *err)
{
	struct dirent *entry;

	for (;;) {
		errno = 0;
		entry = readdir(dir);
		if (!entry)
			break;
		if (strcmp(entry->d_name, ".") == 0 ||
			strcmp(entry->d_name, "..") == 0)
			continue;
		names->items = xgrow(names->items, names->n, 1, sizeof(char *));
		names->items[names->n++] = xstrdup(entry->d_name);
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

enum status
dir_list_at(int dirfd, const char *path, struct dir_names *names,
	struct error *err)
{
	enum status status;
	int fd;

	*names = (struct dir_names){ 0 };
	status = dir_open_at(dirfd, path, 0, &fd, err);
	if (status != OK)
		return status;
	status = dir_list(fd, names, err);
	close(fd);
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
