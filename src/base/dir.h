/*
 * dir: directories of our own, 0700, and the names in them.
 */
#ifndef CFUZZ_BASE_DIR_H
#define CFUZZ_BASE_DIR_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/status.h"

#define DIR_PARENTS 1u  /* create missing parents, too */
#define DIR_NOFOLLOW 2u /* for dir_open_at: refuse links in the path */
#define DIR_UNSYNCED 4u /* with DIR_PARENTS: the caller syncs the last name */

struct dir_names {
	char **items; /* owned, sorted by bytes */
	size_t n;
};

/* Is there a directory at the path? Links are followed. */
bool dir_exists(const char *path);

/*
 * Writes the path from the root, without links and "..", to buf. The last part,
 * and folders that are not there, stay as they are written. False: the path has
 * no folder or no last part, is relative to a folder that is not there, leads
 * through ".." of such a folder, is too long, or would not be plain text; buf is
 * the path as given then, cut at size.
 */
bool dir_resolve(const char *path, char *buf, size_t size);

/*
 * Creates the directory with mode 0700, whatever the umask. An existing
 * directory is fine and keeps its mode. With DIR_PARENTS, every new name is
 * synced to the disk, if the folder that holds it can be read; DIR_UNSYNCED
 * leaves the last name to dir_sync_name(). E_EXISTS: the path is no directory;
 * E_FULL, E_NOT_FOUND, E_IO: see errnum_status().
 */
enum status dir_create_at(int dirfd, const char *path, unsigned flags,
	struct error *err) MUST_CHECK;

/*
 * Opens a directory; the caller closes *fd, which is -1 on failure. With
 * DIR_NOFOLLOW no part of the path may be a link or "..", so a relative path
 * stays below dirfd. E_NOT_FOUND: there is none; E_IO otherwise.
 */
enum status dir_open_at(int dirfd, const char *path, unsigned flags, int *fd,
	struct error *err) MUST_CHECK;

/* Waits until the names in the directory are on the disk. OK also if the file
 * system cannot sync a directory. */
enum status dir_sync(int dirfd, struct error *err) MUST_CHECK;

/* Waits until the directory's own name is on the disk, if its parent can be
 * read. */
void dir_sync_name(int dirfd);

/*
 * Lists all names but "." and ".."; the caller clears the list, which is empty
 * on failure. The offset of dirfd does not change.
 */
enum status dir_list(int dirfd, struct dir_names *names, struct error *err)
	MUST_CHECK;
/* The same for the folder at that path; links in the path are followed. */
enum status dir_list_at(int dirfd, const char *path, struct dir_names *names,
	struct error *err) MUST_CHECK;
void dir_names_clear(struct dir_names *names);

#endif
