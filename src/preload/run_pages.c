/* run_pages: see run_pages.h. */

#include "preload/run_pages.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target/abi.h"
#include "target/crash/crash.h"
#include "target/crash/exits.h"
#include "target/program/hot_pages.h"
#include "target/server/traced.h"

typedef pid_t run_pages_forker(void);
typedef pid_t run_pages_waiter(pid_t pid, int *status, int options);

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct {
	run_pages_forker *fork; /* the C library's own, as all of these */
	run_pages_waiter *wait;
	struct worker_head *head; /* of the worker */
	pid_t server, run;        /* 0: none */
	pid_t last;               /* run, in the fork server; 0: none */
	struct hot_pages *hot;
	bool forked, learning;
} run_pages;

static void
run_pages_find(void)
{
	void *next = dlsym(RTLD_NEXT, "fork");

	memcpy(&run_pages.fork, &next, sizeof(next));
	next = dlsym(RTLD_NEXT, "waitpid");
	memcpy(&run_pages.wait, &next, sizeof(next));
}

/* Finds both at once: a signal handler may call them, but not dlsym(). */
void
run_pages_open(struct worker_head *head)
{
	run_pages.server = getpid();
	run_pages.head = head;
	run_pages_find();
}

/* A fork server forks again when the last run is over. */
static void
run_pages_before_run(void)
{
	if (run_pages.forked) {
		/* Unless waitpid() has seen it. */
		(void)hot_pages_was_ended(run_pages.hot, 0);
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
		run_pages_find();
	if (run_pages.fork == NULL) {
		errno = ENOSYS;
		return -1;
	}
	if (serves)
		run_pages_before_run();
	pid = run_pages.fork();
	if (pid != 0) {
		if (serves)
			run_pages.last = pid;
		return pid;
	}
	/* The memory is still shared with the run. */
	crash_report_to(run_pages.run != 0 ? NULL : run_pages.head);
	run_pages.run = serves ? getpid() : 0;
	if (serves && run_pages.head->exits_fail != 0)
		exits_watch_failing(run_pages.head);
	return 0;
}

/* A signal has stopped a run that has asked its parent to trace it. Nobody but its
 * parent lets it go on. A loop stops itself to ask for the next input. */
static bool
run_pages_goes_on(pid_t pid, const int *status, int options)
{
	return pid > 0 && pid == run_pages.last && status != NULL &&
		run_pages.server == getpid() && WIFSTOPPED(*status) &&
		!((options & WUNTRACED) && WSTOPSIG(*status) == SIGSTOP) &&
		traced_go_on(pid, WSTOPSIG(*status));
}

ABI_EXPORT run_pages_waiter waitpid;

/*
 * A sandbox of the program has ended a run that did what we wanted of it. The
 * program had come to its end by itself, with a status that nobody knows.
 */
pid_t
waitpid(pid_t pid, int *stat_loc, int options)
{
	pid_t ended;

	if (run_pages.wait == NULL)
		run_pages_find();
	if (run_pages.wait == NULL) {
		errno = ENOSYS;
		return -1;
	}
	do
		ended = run_pages.wait(pid, stat_loc, options);
	while (run_pages_goes_on(ended, stat_loc, options));
	if (ended > 0 && ended == run_pages.last && stat_loc != NULL &&
		run_pages.server == getpid() && !WIFSTOPPED(*stat_loc) &&
		hot_pages_was_ended(run_pages.hot, *stat_loc)) {
		/* The requests of the engine in the block stay. */
		run_pages.head->failure.signo = 0;
		run_pages.head->failure.frames_n = 0;
		*stat_loc = 0;
	}
	return ended;
}

/* A run that ends in another way is not learned from. */
__attribute__((destructor)) static void
run_pages_on_exit(void)
{
	if (run_pages.run != 0 && run_pages.learning)
		hot_pages_on_end(run_pages.hot);
}
