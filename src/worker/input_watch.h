/*
 * input_watch: does a program use its input?
 *
 * inotify says when the input file, or the memory behind standard input, is
 * opened or read. A mapped standard input is not seen.
 */
#ifndef CFUZZ_WORKER_INPUT_WATCH_H
#define CFUZZ_WORKER_INPUT_WATCH_H

#include <stdbool.h>

struct worker;

struct input_watch {
	int fd; /* close-on-exec, owned; 0: closed */
};

/*
 * Watches the input of a worker that runs. False: nobody can say, because the
 * program gets its inputs in memory, or because the system refuses.
 */
bool input_watch_open(struct input_watch *watch, const struct worker *worker);

/* Has the input been used or removed since input_watch_open(), or since the
 * last call of this function? */
bool input_watch_has_seen(const struct input_watch *watch);

void input_watch_close(struct input_watch *watch);

#endif
