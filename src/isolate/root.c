/*
 * root: the file system that an isolated target sees.
 *
 * The root is empty but for read-only mounts of what a program needs: the
 * system's folders, the target's folder, and the paths that the user names.
 * Everything else is absent by default: sockets of other programs, homes,
 * temporary files of others.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/mount.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fd.h"
#include "isolate/isolate_private.h"
#include "shared/deleted.h"

#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif

#define ROOT_DETACH 2 /* MNT_DETACH: its header conflicts with the kernel's */
#define ROOT_OLD "/.old"
#define ROOT_PATH_MAX (PATH_MAX + sizeof(ROOT_OLD))
/* Holds a copy of the target if its own path is no longer visible. */
#define ROOT_COPY "/.cfuzz/"

#define ROOT_OPTIONS "mode=755,size=4g"
#define ROOT_HOME_OPTIONS "mode=1777,size=256m,nr_inodes=16k"
#define ROOT_SHM_OPTIONS "mode=1777,size=64m,nr_inodes=1k"
#define ROOT_HIDDEN_OPTIONS "mode=555,size=4k"

struct root_attributes { /* the kernel's struct mount_attr */
	uint64_t set, clear, propagation, users_fd;
};

static enum status
root_fail(struct error *err, const char *what, const char *path)
{
	return error_set(err, E_USAGE, "--isolate: cannot %s %s: %s%s", what,
		path, strerror(errno),
		errno == ENOSYS ? "; Linux 5.12 or newer is needed" : "");
}

/* ---- places ------------------------------------------------------------- */

/* Makes all parent folders of an absolute path. */
static enum status
root_make_parents(const char *path, struct error *err)
{
	char part[ROOT_PATH_MAX];
	const char *slash;

	for (slash = strchr(path + 1, '/'); slash != NULL;
		slash = strchr(slash + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(slash - path), path);
		if (mkdir(part, 0755) != 0 && errno != EEXIST)
			return root_fail(err, "make", part);
	}
	return OK;
}

/* Makes a folder or an empty file as a mount point. */
static enum status
root_make_place(const char *path, bool folder, struct error *err)
{
	int fd;

	if (root_make_parents(path, err) != OK)
		return err->code;
	if (folder && mkdir(path, 0755) != 0 && errno != EEXIST)
		return root_fail(err, "make", path);
	if (!folder) {
		fd = open(path, O_CREAT | O_RDONLY | O_CLOEXEC, 0444);
		if (fd < 0)
			return root_fail(err, "make", path);
		close(fd);
	}
	return OK;
}

static bool
root_same(const char *a, const char *b)
{
	struct stat left, right;

	return stat(a, &left) == 0 && stat(b, &right) == 0 &&
		left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

/* ---- mounts ------------------------------------------------------------- */

static enum status
root_lock(int fd, const char *path, uint64_t attributes, struct error *err)
{
	const struct root_attributes attr = { .set = attributes };

	if (syscall(SYS_mount_setattr, fd, "", AT_EMPTY_PATH | AT_RECURSIVE,
		    &attr, sizeof(attr)) != 0)
		return root_fail(err, "protect", path);
	return OK;
}

static int
root_mount_call(const char *type, const char *path, unsigned long flags,
	const char *options)
{
	return (int)syscall(SYS_mount, "cfuzz", path, type, flags, options);
}

/* Binds old, with all mounts below it, to path. */
static enum status
root_bind_at(const char *old, const char *path, uint64_t attributes,
	struct error *err)
{
	enum status status;
	struct stat st;
	int fd;

	if (stat(old, &st) != 0)
		return root_fail(err, "show", path);
	if (root_make_place(path, S_ISDIR(st.st_mode), err) != OK)
		return err->code;
	fd = (int)syscall(SYS_open_tree, AT_FDCWD, old,
		OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
	if (fd < 0)
		return root_fail(err, "show", path);
	status = root_lock(fd, path, attributes, err);
	if (status == OK &&
		syscall(SYS_move_mount, fd, "", AT_FDCWD, path,
			MOVE_MOUNT_F_EMPTY_PATH) != 0)
		status = root_fail(err, "show", path);
	close(fd);
	return status;
}

static enum status
root_bind(const char *path, struct error *err)
{
	char old[ROOT_PATH_MAX];

	snprintf(old, sizeof(old), ROOT_OLD "%s", path);
	if (root_same(old, path))
		return OK; /* a parent is bound already */
	return root_bind_at(old, path,
		MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, err);
}

static enum status
root_mount(const char *type, const char *path, unsigned long flags,
	const char *options, struct error *err)
{
	if (mkdir(path, 0755) != 0 && errno != EEXIST)
		return root_fail(err, "make", path);
	if (root_mount_call(type, path, MS_NOSUID | MS_NODEV | flags,
		    options) != 0)
		return root_fail(err, "mount", path);
	return OK;
}

/* ---- parts of the root -------------------------------------------------- */

/* Shows a system folder, or makes the same link if it is one. */
static enum status
root_add_system(const char *path, struct error *err)
{
	char old[ROOT_PATH_MAX], to[PATH_MAX];
	struct stat st;
	ssize_t len;

	snprintf(old, sizeof(old), ROOT_OLD "%s", path);
	if (lstat(old, &st) != 0)
		return OK;
	if (!S_ISLNK(st.st_mode))
		return root_bind(path, err);
	len = readlink(old, to, sizeof(to) - 1);
	to[len > 0 ? len : 0] = '\0';
	return symlink(to, path) == 0 ? OK : root_fail(err, "show", path);
}

static enum status
root_add_devices(struct error *err)
{
	static const char *const names[] = { "/dev/null", "/dev/zero",
		"/dev/full", "/dev/random", "/dev/urandom" };
	static const char *const links[][2] = {
		{ "/proc/self/fd", "/dev/fd" },
		{ "/proc/self/fd/0", "/dev/stdin" },
		{ "/proc/self/fd/1", "/dev/stdout" },
		{ "/proc/self/fd/2", "/dev/stderr" },
	};
	char old[ROOT_PATH_MAX];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(old, sizeof(old), ROOT_OLD "%s", names[i]);
		if (root_bind_at(old, names[i], MOUNT_ATTR_NOSUID, err) != OK)
			return err->code;
	}
	for (i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		if (symlink(links[i][0], links[i][1]) != 0)
			return root_fail(err, "show", links[i][1]);
	return root_mount("tmpfs", ISOLATE_SHM, 0, ROOT_SHM_OPTIONS, err);
}

/* Shows the processes of the init's PID namespace only. */
static enum status
root_add_processes(struct error *err)
{
	if (root_mount("proc", "/proc", MS_NOEXEC, NULL, err) == OK)
		return OK;
	error_clear(err);
	return error_set(err, E_USAGE,
		"--isolate: cannot mount /proc for the target: %s; a "
		"container that hides parts of /proc has to show them "
		"(docker: --security-opt systempaths=unconfined)",
		strerror(errno));
}

static enum status
root_add_system_all(struct error *err)
{
	static const char *const folders[] = { "/usr", "/bin", "/sbin", "/lib",
		"/lib32", "/lib64", "/libx32", "/etc", "/nix/store",
		"/gnu/store" };
	size_t i;

	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (root_add_system(folders[i], err) != OK)
			return err->code;
	if (root_mount("tmpfs", ISOLATE_HOME, 0, ROOT_HOME_OPTIONS, err) !=
			OK ||
		root_add_devices(err) != OK)
		return err->code;
	return root_add_processes(err);
}

/* ---- the target --------------------------------------------------------- */

/* alone: without its folder. */
static enum status
root_add_target(const char *path, bool alone, struct error *err)
{
	char folder[PATH_MAX];

	snprintf(folder, sizeof(folder), "%.*s",
		(int)(strrchr(path, '/') - path), path);
	return root_bind(alone ? path : folder, err);
}

/* Copies the executable that was checked; its name may mean another now. */
static enum status
root_copy_target(int target_fd, const char *name, int *fd, struct error *err)
{
	char path[ROOT_PATH_MAX];
	off_t at = 0;
	struct stat st;
	int to;

	snprintf(path, sizeof(path), ROOT_COPY "%s", name);
	if (root_make_parents(path, err) != OK)
		return err->code;
	if (fstat(target_fd, &st) != 0)
		return root_fail(err, "copy the target to", path);
	to = open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0755);
	if (to < 0)
		return root_fail(err, "make", path);
	errno = EIO; /* for sendfile() at the end of a file that was cut */
	while (at < st.st_size &&
		sendfile(to, target_fd, &at, (size_t)(st.st_size - at)) > 0)
		continue;
	close(to);
	if (at < st.st_size)
		return root_fail(err, "copy the target to", path);
	*fd = open(path, O_RDONLY | O_CLOEXEC);
	return *fd >= 0 ? OK : root_fail(err, "open", path);
}

static bool
root_is_target(int fd, int target_fd)
{
	struct stat a, b;

	return fstat(fd, &a) == 0 && fstat(target_fd, &b) == 0 &&
		a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static enum status
root_open_target(int target_fd, const char *path, int *fd, struct error *err)
{
	const char *name = strrchr(path, '/') + 1;
	char copy[NAME_MAX + 1];

	*fd = open(path, O_RDONLY | O_CLOEXEC);
	if (*fd >= 0 && root_is_target(*fd, target_fd))
		return OK;
	fd_close(fd);
	snprintf(copy, sizeof(copy), "%.*s",
		(int)deleted_len(name, strlen(name)), name);
	return root_copy_target(target_fd, copy, fd, err);
}

/* ---- the whole ---------------------------------------------------------- */

static enum status
root_hide(const char *path, struct error *err)
{
	if (access(path, F_OK) != 0)
		return OK;
	return root_mount("tmpfs", path, MS_RDONLY, ROOT_HIDDEN_OPTIONS, err);
}

/* Makes an empty root; the old root is at ROOT_OLD. */
static enum status
root_change(struct error *err)
{
	/* Any folder that certainly exists will do. */
	static const char base[] = "/proc";

	if (root_mount_call(NULL, "/", MS_REC | MS_PRIVATE, NULL) != 0) {
		if (errno == EACCES || errno == EPERM)
			return rights_refused(errno, err);
		if (errno != EINVAL)
			return root_fail(err, "take over", "/");
		return error_set(err, E_USAGE,
			"--isolate: / is no mount point, as in a chroot: run "
			"cfuzz outside of it, or in a container");
	}
	if (root_mount_call("tmpfs", base, MS_NOSUID | MS_NODEV,
		    ROOT_OPTIONS) != 0 ||
		chdir(base) != 0 || mkdir(&ROOT_OLD[1], 0700) != 0 ||
		syscall(SYS_pivot_root, ".", &ROOT_OLD[1]) != 0 ||
		chdir("/") != 0)
		return root_fail(err, "change", "/");
	return OK;
}

static enum status
root_finish(struct error *err)
{
	const struct root_attributes attr = { .set = MOUNT_ATTR_RDONLY };

	if (syscall(SYS_umount2, ROOT_OLD, ROOT_DETACH) != 0 ||
		rmdir(ROOT_OLD) != 0)
		return root_fail(err, "leave", ROOT_OLD);
	if (syscall(SYS_mount_setattr, AT_FDCWD, "/", 0, &attr, sizeof(attr)) !=
		0)
		return root_fail(err, "protect", "/");
	return OK;
}

static enum status
root_build(const struct isolate_spec *spec, int target_fd, int *fd,
	struct error *err)
{
	char link[64], path[PATH_MAX];
	ssize_t len;
	bool alone;
	size_t i;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", target_fd);
	len = readlink(link, path, sizeof(path) - 1);
	path[len > 0 ? len : 0] = '\0';
	if (path[0] != '/')
		return error_set(err, E_USAGE,
			"--isolate: the target has no path: %s", path);
	/* The new root lacks the links that lead to the home. */
	alone = isolate_folder_too_wide(path, spec->home);
	if (root_change(err) != OK || root_add_system_all(err) != OK)
		return err->code;
	for (i = 0; i < spec->readable_n; i++)
		if (root_bind(spec->readable[i], err) != OK)
			return err->code;
	/* If the target is gone or cannot be bound, it is copied below. */
	if (access(path, F_OK) == 0 || root_add_target(path, alone, err) != OK)
		error_clear(err);
	if (root_open_target(target_fd, path, fd, err) != OK)
		return err->code;
	for (i = 0; i < spec->hidden_n; i++)
		if (root_hide(spec->hidden[i], err) != OK)
			return err->code;
	return root_finish(err);
}

enum status
root_make(const struct isolate_spec *spec, int target_fd, int *fd,
	struct error *err)
{
	/* The user nobody must read the files and folders that root makes here. */
	mode_t old = umask(022);
	enum status status = root_build(spec, target_fd, fd, err);

	(void)umask(old);
	return status;
}
