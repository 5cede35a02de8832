/* run_pages: see run_pages.h. */

#include "preload/run_pages.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "target/abi.h"
#include "target/crash/crash.h"
#include "target/program/hot_pages.h"

typedef pid_t run_pages_forker(void);

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct {
	run_pages_forker *fork; /* the C library's own */
	pid_t server, run;      /* 0: none */
	struct hot_pages *hot;
	bool forked, learning;
} run_pages;

static void
run_pages_find_fork(void)
{
	void *next = dlsym(RTLD_NEXT, "fork");

	memcpy(&run_pages.fork, &next, sizeof(next));
}

/* Finds fork() at once: a signal handler may call it, but not dlsym(). */
void
run_pages_open(void)
{
	run_pages.server = getpid();
	run_pages_find_fork();
}

/* A fork server forks again when the last run is over. */
static void
run_pages_before_run(void)
{
	if (run_pages.forked) {
		run_pages.learning = hot_pages_on_run(run_pages.hot);
		return;
	}
	run_pages.forked = true;
	run_pages.hot = hot_pages_open();
	run_pages.learning = hot_pages_on_child(run_pages.hot);
}

ABI_EXPORT run_pages_forker fork;

pid_t
fork(void)
{
	bool serves = run_pages.server != 0 && run_pages.server == getpid();
	pid_t pid;

	/* Without a worker, or in a constructor, nothing is open. */
	if (run_pages.fork == NULL)
		run_pages_find_fork();
	if (run_pages.fork == NULL) {
		errno = ENOSYS;
		return -1;
	}
	if (serves)
		run_pages_before_run();
	pid = run_pages.fork();
	if (pid != 0)
		return pid;
	/* The memory is still shared with the run. */
	if (run_pages.run != 0)
		crash_report_to(NULL);
	run_pages.run = serves ? getpid() : 0;
	return 0;
}

/* A run that ends in another way is not learned from. */
__attribute__((destructor)) static void
run_pages_on_exit(void)
{
	if (run_pages.run != 0 && run_pages.learning)
		hot_pages_on_end(run_pages.hot);
}
