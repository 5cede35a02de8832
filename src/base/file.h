/*
 * file: reads whole files with distrust and writes them atomically.
 *
 * Files are named relative to a directory descriptor (AT_FDCWD for the current
 * one). Reading never blocks and never takes more than the caller allows; only
 * file_read() and file_write() follow a link in the last part of a name.
 * Writing makes a temporary file beside the final name and renames it, so a
 * reader sees either the old or the new content.
 */
#ifndef CFUZZ_BASE_FILE_H
#define CFUZZ_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "shared/status.h"

/* Prefix of temporary files; a leftover one may be removed. */
#define FILE_TMP_PREFIX ".tmp-"

#define FILE_FSYNC 1u     /* the content, before the rename */
#define FILE_FSYNC_DIR 2u /* the directory, after it */

/*
 * Reads a regular file of at most max bytes. The caller frees *data, which has
 * a zero byte after the content and is never NULL on success. E_NOT_FOUND: not
 * there; E_RANGE: larger than max; E_FORMAT: not a regular file (the message
 * names its type); E_IO otherwise. On failure there is no content: NULL and 0.
 */
enum status file_read_at(int dirfd, const char *name, size_t max,
	uint8_t **data, size_t *len, struct error *err) MUST_CHECK;

/* The same for a path that a user named: links are followed. */
enum status file_read(const char *path, size_t max, uint8_t **data, size_t *len,
	struct error *err) MUST_CHECK;

/* The kind of a file with this mode, for messages: "a device". Static text. */
const char *file_kind(mode_t mode);

/* Is it a regular file that may be executed? Links are followed. */
bool file_is_program(const char *path);

/* Is the path itself a symbolic link? */
bool file_is_link(const char *path);

/* The size of a regular file, in bytes. False: there is none, or the name is
 * that of a link or another kind of file. */
bool file_size_at(int dirfd, const char *name, uint64_t *len);

/* Is this the whole name of a temporary file, for a folder where users have
 * files of their own? */
bool file_is_left_over(const char *name);

/*
 * Opens a file of ours to be written in place; flags are those of open(2). The
 * file gets mode 0600. The caller closes *fd, which is -1 on failure. E_FORMAT:
 * it is a link or not a regular file, or it has a second hard link, whose
 * content would change, too. Other errors: see errnum_status().
 */
enum status file_open_own_at(int dirfd, const char *name, int flags, int *fd,
	struct error *err) MUST_CHECK;

/*
 * Replaces or creates the file, mode 0600; flags: FILE_FSYNC, FILE_FSYNC_DIR.
 * E_FULL: no room on the disk or in the quota. On failure the old file is
 * untouched and no temporary file is left. Only if the directory cannot be
 * synced, the file is already the new one.
 */
enum status file_write_atomic_at(int dirfd, const char *name, const void *data,
	size_t len, unsigned flags, struct error *err) MUST_CHECK;

/*
 * The same for a path that a user named: links are followed, and what is not a
 * regular file is written into, because a rename would remove a device or FIFO.
 */
enum status file_write(const char *path, const void *data, size_t len,
	unsigned flags, struct error *err) MUST_CHECK;

#endif
