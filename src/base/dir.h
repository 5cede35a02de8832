/*
 * dir: directories of our own, 0700, and the names in them.
 */
#ifndef CFUZZ_BASE_DIR_H
#define CFUZZ_BASE_DIR_H

#include <stddef.h>

#include "shared/status.h"

#define DIR_PARENTS 1u  /* create missing parents too */
#define DIR_NOFOLLOW 2u /* of dir_open_at: a link on the way is refused */

struct dir_names {
	char **items; /* owned, sorted by bytes */
	size_t n;
};

/* Mode 0700 whatever the umask. A directory that exists is fine. With
 * DIR_PARENTS, the names are on the disk when it returns. */
enum status dir_create_at(int dirfd, const char *path, unsigned flags,
	struct error *err) MUST_CHECK;

/*
 * The descriptor is the caller's. With DIR_NOFOLLOW no part of the path may be
 * a link, or lead upwards: what is opened lies below dirfd.
 */
enum status dir_open_at(int dirfd, const char *path, unsigned flags, int *fd,
	struct error *err) MUST_CHECK;

enum status dir_sync(int dirfd, struct error *err) MUST_CHECK;

/* All names but "." and "..". The offset of dirfd is not touched. */
enum status dir_list(int dirfd, struct dir_names *names, struct error *err)
	MUST_CHECK;
void dir_names_clear(struct dir_names *names);

#endif
