/*
 * recorder_file: writes lines to a file.
 *
 * A thread writes, so that a slow disk does not slow down the console. The
 * buffer is limited: a line without room is refused.
 */
#ifndef CFUZZ_UI_CONSOLE_RECORDING_RECORDER_FILE_H
#define CFUZZ_UI_CONSOLE_RECORDING_RECORDER_FILE_H

#include <stdbool.h>
#include <stddef.h>

#define RECORDER_WAITING_MAX (16u << 20) /* bytes */

struct recorder_file;

/* Takes fd. */
struct recorder_file *recorder_file_create(int take_fd);

/* False: no room, or writing has failed. */
bool recorder_file_add(struct recorder_file *file, const char *line,
	size_t len);

/* Not 0: writing has failed with that errno. */
int recorder_file_errno(struct recorder_file *file);

/*
 * Waits at most two seconds for pending writes, and frees the file. Not 0: the
 * end is missing, with that errno; ETIMEDOUT: the disk is too slow, and the
 * thread is abandoned, as the process ends. NULL is fine.
 */
int recorder_file_close(struct recorder_file *file);

#endif
