/*
 * recorder_file: lines on their way into a file.
 *
 * A thread writes them, so a slow disk does not slow who gives them. What is
 * waiting is bounded: a line for which there is no room is refused.
 */
#ifndef CFUZZ_UI_CONSOLE_RECORDER_FILE_H
#define CFUZZ_UI_CONSOLE_RECORDER_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/status.h"

#define RECORDER_WAITING_MAX (16u << 20) /* bytes */

struct recorder_file;

/* Takes fd. */
struct recorder_file *recorder_file_create(int take_fd);

/* False: no room, or the file cannot be written any more. */
bool recorder_file_add(struct recorder_file *file, const char *line,
	size_t len);

/* Not 0: writing failed, with that errno. */
int recorder_file_errno(struct recorder_file *file);

/*
 * Waits a moment for what is still to be written. False: the disk does not
 * take it; the thread is left alone, as the process ends.
 */
bool recorder_file_close(struct recorder_file *file);

#endif
