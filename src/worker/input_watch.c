/* input_watch: see input_watch.h. */
#include "worker/input_watch.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "worker/worker.h"
#include "worker/worker_private.h"

/* The runtime's name of the memory behind standard input. */
#define INPUT_WATCH_MEMORY "/memfd:cfuzz-input"

/* The input as the worker's process sees it; false: it is in memory. */
static bool
input_watch_path(const struct worker *worker, char *path, size_t size)
{
	const char *file = worker->input.path;
	char target[sizeof(INPUT_WATCH_MEMORY)] = "";
	int pid = worker_pid(worker);

	if (pid <= 0)
		return false;
	if (file != NULL)
		return snprintf(path, size, "/proc/%d/%s/%s", pid,
			       file[0] == '/' ? "root" : "cwd",
			       file) < (int)size;
	(void)snprintf(path, size, "/proc/%d/fd/0", pid);
	return readlink(path, target, sizeof(target) - 1) ==
		sizeof(target) - 1 &&
		strcmp(target, INPUT_WATCH_MEMORY) == 0;
}

bool
input_watch_open(struct input_watch *watch, const struct worker *worker)
{
	char path[PATH_MAX];

	if (!input_watch_path(worker, path, sizeof(path)))
		return false;
	watch->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (watch->fd > 0 &&
		inotify_add_watch(watch->fd, path,
			IN_ACCESS | IN_OPEN | IN_MOVE_SELF | IN_DELETE_SELF) >=
			0)
		return true;
	input_watch_close(watch);
	return false;
}

bool
input_watch_has_seen(const struct input_watch *watch)
{
	char events[4096];

	return read(watch->fd, events, sizeof(events)) > 0;
}

void
input_watch_close(struct input_watch *watch)
{
	if (watch->fd > 0)
		close(watch->fd);
	watch->fd = 0;
}
