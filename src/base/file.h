/*
 * file: whole files, read with distrust and written all or not at all.
 *
 * Files are named relative to a directory descriptor (AT_FDCWD for the
 * current one). Reading never follows a link, never blocks and never takes
 * more than the caller allows. Writing makes a temporary file beside the
 * final name and renames it, so a reader sees the old content or the new.
 */
#ifndef CFUZZ_BASE_FILE_H
#define CFUZZ_BASE_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "shared/status.h"

/* Temporary files start so; one that is left over may be removed. */
#define FILE_TMP_PREFIX ".tmp-"

#define FILE_FSYNC 1u     /* the content, before the rename */
#define FILE_FSYNC_DIR 2u /* the directory, after it */

/*
 * Reads a regular file of at most max bytes. *data is the caller's, has one
 * more byte, 0, behind the content, and is never NULL on success.
 * E_NOT_FOUND: not there; E_RANGE: larger than max; E_FORMAT: not a regular
 * file (the message says what it is); E_IO otherwise.
 */
enum status file_read_at(int dirfd, const char *name, size_t max,
	uint8_t **data, size_t *len, struct error *err) MUST_CHECK;

/* The same for a path that a user named: a link is followed. */
enum status file_read(const char *path, size_t max, uint8_t **data, size_t *len,
	struct error *err) MUST_CHECK;

/*
 * Opens a file of our own to be written in its place; flags are those of
 * open(2). It gets mode 0600. E_FORMAT: it is no regular file, or has a second
 * name, so that somebody else's file would change with it.
 */
enum status file_open_own_at(int dirfd, const char *name, int flags, int *fd,
	struct error *err) MUST_CHECK;

/*
 * Replaces or creates the file, mode 0600. E_FULL: no room on the disk or in
 * the quota. On failure the old file is untouched and nothing is left over.
 */
enum status file_write_atomic_at(int dirfd, const char *name, const void *data,
	size_t len, unsigned flags, struct error *err) MUST_CHECK;

/* E_FULL for ENOSPC and EDQUOT, E_NOT_FOUND, E_EXISTS, else E_IO. */
enum status file_status(int errnum);

#endif
