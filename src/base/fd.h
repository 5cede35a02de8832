/*
 * fd: descriptors that no child inherits by accident.
 */
#ifndef CFUZZ_BASE_FD_H
#define CFUZZ_BASE_FD_H

#include <stddef.h>
#include <sys/stat.h>

#include "shared/status.h"

/* A closed descriptor 0, 1 or 2 becomes /dev/null. Otherwise a file of ours
 * would get its number, and lines for people would be written into that
 * file. */
void fd_fill_standard(void);

/* Marks all other descriptors that are open as close-on-exec: whoever has started
 * this program may have left them open, and they are not for a target. */
void fd_mark_inherited(void);

/* Both ends are close-on-exec and blocking; the caller closes them. E_IO: they
 * cannot be made. */
enum status fd_pipe(int fds[2], struct error *err) MUST_CHECK;
enum status fd_socketpair(int fds[2], struct error *err) MUST_CHECK;

/* Writes all bytes to a blocking descriptor; retries interrupted calls. On
 * failure a part may be written. Errors: see errnum_status(). */
enum status fd_write_all(int fd, const void *data, size_t len,
	struct error *err) MUST_CHECK;

/* After the last line on standard output. E_IO: some lines are lost. A reader
 * that has gone wants no more of them. */
enum status fd_check_output(struct error *err) MUST_CHECK;

/*
 * Opens a regular file for reading and sets *st to its attributes; links are
 * followed, and a pipe or a device does not block. The caller closes the
 * descriptor. -1: the file cannot be opened, or is not a regular file.
 */
int fd_open_regular(const char *path, struct stat *st);

/* Closes *fd unless it is negative, and sets it to -1. Keeps errno. */
void fd_close(int *fd);

#endif
