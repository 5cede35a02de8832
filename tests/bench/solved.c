/*
 * solved: a puzzle is solved when it aborts. Linked with --wrap=abort, this
 * notes the moment in the file that BENCH_STAMP names, and the moment when
 * the target was initialised in BENCH_BEGIN; so all tools are timed by the
 * same hand. Times are nanoseconds of the monotonic clock.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

void __real_abort(void) __attribute__((noreturn));
void __wrap_abort(void) __attribute__((noreturn));
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* The first to come is right: a tool may start or solve it again. */
static void
note_time(const char *name)
{
	const char *path = getenv(name);
	struct timespec now;
	int fd;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (path == NULL)
		return;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	dprintf(fd, "%lld\n", now.tv_sec * 1000000000LL + now.tv_nsec);
	close(fd);
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	note_time("BENCH_BEGIN");
	return 0;
}

void
__wrap_abort(void)
{
	note_time("BENCH_STAMP");
	__real_abort();
}
