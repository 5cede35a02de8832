/* target_file: see target_file.h. */

#include "worker/target/target_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static enum status
target_file_refuse(const char *shown, int errnum, struct error *err)
{
	switch (errnum) {
	case ENOENT:
	case ENOTDIR:
		return error_set(err, E_TARGET,
			"%s does not exist: build it with cfuzz-cc first",
			shown);
	case EACCES:
		return error_set(err, E_TARGET,
			"%s cannot be read: change its permissions", shown);
	default:
		return error_set(err, E_TARGET, "%s cannot be opened: %s",
			shown, strerror(errnum));
	}
}

/* A target with other rights than the user's must not run inputs. */
static bool
target_file_has_other_rights(int fd, mode_t mode)
{
	const mode_t group = S_ISGID | S_IXGRP;

	return (mode & S_ISUID) != 0 || (mode & group) == group ||
		fgetxattr(fd, "security.capability", NULL, 0) > 0;
}

static enum status
target_file_check(int fd, const char *path, const char *shown, uint64_t *size,
	struct error *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return target_file_refuse(shown, errno, err);
	if (S_ISDIR(st.st_mode))
		return error_set(err, E_TARGET,
			"%s is a directory: name the target program", shown);
	if (!S_ISREG(st.st_mode))
		return error_set(err, E_TARGET,
			"%s is not a regular file: name the target program",
			shown);
	if (!(st.st_mode & 0111))
		return error_set(err, E_TARGET,
			"%s is not executable: is it the target? (chmod +x "
			"makes it so)",
			shown);
	if (target_file_has_other_rights(fd, st.st_mode))
		return error_set(err, E_TARGET,
			"%s is setuid, setgid or has capabilities: cfuzz does "
			"not run such programs; fuzz a copy (`cp` removes "
			"these rights)",
			shown);
	if (faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) < 0)
		return error_set(err, E_TARGET,
			"%s may not be executed by this user or from this file "
			"system: change its permissions or move it",
			shown);
	*size = (uint64_t)st.st_size;
	return OK;
}

enum status
target_file_open(const char *path, const char *shown, int *fd, uint64_t *size,
	struct error *err)
{
	/* The open must not block on a FIFO or a terminal. */
	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (*fd < 0)
		return target_file_refuse(shown, errno, err);
	return target_file_check(*fd, path, shown, size, err);
}
