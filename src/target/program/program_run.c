/* program_run: see program_run.h. */

#include "target/program/program_run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/pages.h"
#include "target/child/fail.h"
#include "target/child/refusal.h"
#include "target/crash/crash.h"
#include "target/crash/crash_sample.h"
#include "target/crash/exits.h"
#include "target/crash/sanitizers.h"
#include "target/crash/unwind.h"
#include "target/hooks/cmp_patch.h"
#include "target/hooks/compare.h"
#include "target/hooks/counters.h"
#include "target/hooks/modules.h"
#include "target/hooks/scan.h"
#include "target/hooks/value_profile.h"
#include "target/program/fork_pages.h"
#include "target/program/hot_pages.h"
#include "target/program/jump.h"
#include "target/program/late_counters.h"
#include "target/program/program_input.h"
#include "target/program/shared_pages.h"
#include "target/server/process_tree.h"
#include "target/server/serve.h"
#include "target/server/traced.h"

/* The kernel maps so many bytes around a page that is read. */
#define PROGRAM_AROUND ((uintptr_t)65536)

/* In a page of its own, which is empty in each process that is forked. */
struct program_role {
	bool is_child, is_run;
};

struct program {
	struct worker *worker;
	struct program_input input;
	struct shared_pages pages;
	struct shared_range ranges[SHARED_RANGES_MAX];
	struct hot_pages *hot; /* may be NULL */
	bool learning;         /* which pages are hot */
	pid_t *pid;            /* the run's, in shared memory; 0: none */
	struct program_role *role;
	struct sigaction on_child; /* the program's own, for runs */
	int unshared; /* why pages cannot be shared, an errno; 0: they are */
	void *run[JUMP_WORDS]; /* where a run returns to the program */
};

/* Global, because a target's function takes no context. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct program *program;

/* ---- a new child ------------------------------------------------------ */

static uint32_t
program_add_range(struct shared_range *ranges, uint32_t n, void *start,
	size_t len)
{
	if (start != NULL && len > 0)
		ranges[n++] =
			(struct shared_range){ .start = start, .len = len };
	return n;
}

/* The profile's memory holds more than its counters. Those of libraries that
 * runs load are shared already. */
static bool
program_shares(const struct counter_region *region)
{
	return region->kind != COUNTERS_COMPARE &&
		region->kind != COUNTERS_BREAKPOINT && region->module == NULL;
}

/* Shares all counters known by now, and the records of comparisons. */
static bool
program_share(struct program *p)
{
	const struct counters *counters = counters_get();
	struct shared_range *ranges = p->ranges;
	uint32_t n = 0;
	size_t len;
	void *start;

	for (uint32_t i = 0; i < counters->n; i++) {
		const struct counter_region *region = &counters->regions[i];

		if (!program_shares(region))
			continue;
		n = program_add_range(ranges, n, region->start, region->n);
		fork_pages_add(region->start, region->start, region->n);
	}
	start = value_profile_memory(&len);
	n = program_add_range(ranges, n, start, len);
	start = compare_memory(&len);
	n = program_add_range(ranges, n, start, len);
	start = cmp_patch_memory(&len);
	n = program_add_range(ranges, n, start, len);
	return shared_pages_open(&p->pages, ranges, n);
}

/*
 * Runs do not read the compiler's tables of addresses. These have 16 bytes for
 * each edge, and most programs relocate them, which makes a copy of each page.
 * Pages of zeros take their place: a collector of garbage reads all data of a
 * program, and must find no hole. The fork server has the tables.
 */
static void
program_drop_tables(void)
{
	const struct counters *counters = counters_get();
	uintptr_t mask = (uintptr_t)sysconf(_SC_PAGESIZE) - 1;

	for (uint32_t i = 0; i < counters->n; i++) {
		const struct counter_region *region = &counters->regions[i];
		uintptr_t start = (uintptr_t)region->table + mask;
		uintptr_t end = (uintptr_t)(region->table + 2 * region->n);

		start &= ~mask;
		end &= ~mask;
		if (region->table != NULL && region->module == NULL &&
			start < end)
			(void)mmap((void *)start, end - start,
				PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED |
					MAP_NORESERVE,
				-1, 0);
	}
}

static void
program_set_pid(struct program *p, pid_t pid)
{
	__atomic_store_n(p->pid, pid, __ATOMIC_RELEASE);
}

/* If the program ignores SIGCHLD or waits in a handler, the end of a run is
 * lost. */
static void
program_watch_runs(struct program *p)
{
	struct sigaction action = { .sa_handler = SIG_DFL };

	sigemptyset(&action.sa_mask);
	(void)sigaction(SIGCHLD, &action, &p->on_child);
}

/*
 * In the child, because the pages are shared with runs alone: fork server and
 * earlier children have their own.
 */
static void
program_on_child(void)
{
	program_watch_runs(program);
	program_input_forget(&program->input);
	late_counters_take();
	late_counters_watch();
	program->unshared = program_share(program) ? 0 : errno;
	program_drop_tables();
	program->role->is_child = true;
	process_tree_adopt();
	program_set_pid(program, 0);
	crash_sample_pass_to(program->pid);
	program->learning = hot_pages_on_child(program->hot);
}

/* ---- a run ------------------------------------------------------------- */

/*
 * A run inherits no page of a shared mapping. The first read of one maps those
 * around it as well, but the first write only the page itself.
 */
static void
program_map_counters(void)
{
	const struct counters *counters = counters_get();

	for (uint32_t i = 0; i < counters->n; i++) {
		const struct counter_region *region = &counters->regions[i];
		uintptr_t at = (uintptr_t)region->start;

		for (; program_shares(region) &&
			at < (uintptr_t)region->start + region->n;
			at = (at | (PROGRAM_AROUND - 1)) + 1)
			(void)*(const volatile uint8_t *)at;
	}
}

static void __attribute__((noreturn)) program_begin_run(struct program *p)
{
	p->role->is_run = true;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	(void)sigaction(SIGCHLD, &p->on_child, NULL);
	program_map_counters();
	/* A sanitizer uses the descriptor in the process that has set it. */
	(void)sanitizers_set_report_fd(p->worker->report_fd);
	crash_report_to(p->worker->head);
	exits_watch(NULL);
	if (p->worker->fail_on_exit)
		exits_watch_failing(p->worker->head);
	jump_to(p->run);
}

/* The limit of processes may be reached for a moment. -1: it stays so. */
static pid_t
program_fork(const struct program *p)
{
	unsigned tries = 0;
	pid_t pid;

	do
		pid = fork();
	while (pid < 0 && refusal_wait(p->worker, errno, &tries));
	return pid;
}

/*
 * Waits for the end of the run. If the run stops, the child stops as well, and
 * the fork server sees it. A pause of the engine stops both. A run whose end is
 * missed is an orphan.
 */
static int
program_wait(const struct program *p, pid_t pid)
{
	int status = 0;
	pid_t n;

	for (;;) {
		n = waitpid(pid, &status, WUNTRACED);
		if (n < 0 && errno != EINTR) {
			refusal_fail(p->worker, "the end of a run was missed",
				errno);
			return 0;
		}
		if (n != pid)
			continue;
		if (!WIFSTOPPED(status))
			return status;
		if (traced_go_on(pid, WSTOPSIG(status)))
			continue;
		if (!worker_is_paused(p->worker))
			(void)kill(getpid(), SIGSTOP);
	}
}

/* Kills what the run has left behind; nearly always that is nothing. */
static void
program_end_orphans(void)
{
	if (waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD)
		return;
	process_tree_kill(NULL);
}

/*
 * The run has only the copy in worker memory. An impossible length shows that it
 * has overwritten that.
 */
static void
program_restore_input(const struct worker *w, const uint8_t *data, size_t len)
{
	if (w->head->value_len <= w->layout.value_size)
		return;
	memcpy(w->memory + w->layout.value_offset, data, len);
	w->head->value_len = len;
}

/*
 * An exit status is a failure if the user says so. A sanitizer's report is one,
 * whatever the status.
 */
static void
program_judge(const struct program *p, int status)
{
	const struct worker *w = p->worker;
	bool fails = WEXITSTATUS(status) != 0 && w->fail_on_exit;

	if (fail_find())
		return;
	if (WIFSIGNALED(status))
		worker_die(WTERMSIG(status));
	if (fails || sanitizers_have_reported(w->report_fd))
		_exit(WEXITSTATUS(status));
}

/* False: the input cannot run. */
static bool
program_prepare(struct program *p, const uint8_t *data, size_t len)
{
	bool put = program_input_offer(&p->input, p->worker, data, len);

	if (put && p->unshared != 0)
		refusal_fail(p->worker, "pages cannot be shared", p->unshared);
	return put && p->unshared == 0;
}

/* Runs the program to its end. False: the input cannot run. */
static bool
program_execute(struct program *p, const uint8_t *data, size_t len, int *status)
{
	pid_t pid;

	if (!program_prepare(p, data, len))
		return false;
	/* Only the output of the last run says why it failed. */
	worker_rewind_output(p->worker);
	fork_pages_begin();
	shared_pages_save(&p->pages);
	pid = program_fork(p);
	if (pid == 0)
		program_begin_run(p);
	if (pid < 0) {
		refusal_fail(p->worker, "no process for an input", errno);
		return false;
	}
	program_set_pid(p, pid);
	*status = program_wait(p, pid);
	program_end_orphans();
	shared_pages_restore(&p->pages);
	program_set_pid(p, 0);
	return true;
}

/* As if there had been no run: it was not the program that ended it. */
static void
program_forget_run(struct program *p)
{
	struct failure_block *block = &p->worker->head->failure;

	p->learning = false;
	scan_clear();
	/* The requests of the engine in the block stay. */
	block->kind = FAILURE_NONE;
	block->signo = 0;
	block->frames_n = 0;
}

static int
program_run(const uint8_t *data, size_t len)
{
	struct program *p = program;
	int status;

	if (!program_execute(p, data, len, &status))
		return 0;
	if (hot_pages_was_ended(p->hot, status)) {
		program_forget_run(p);
		if (!program_execute(p, data, len, &status))
			return 0;
	}
	if (p->learning != hot_pages_on_run(p->hot))
		p->learning = !p->learning;
	late_counters_take();
	fork_pages_collect();
	program_restore_input(p->worker, data, len);
	program_judge(p, status);
	return 0;
}

static ssize_t
program_on_flush(void *cookie, const char *bytes, size_t len)
{
	if (program->role->is_run)
		hot_pages_on_end(program->hot);
	return (ssize_t)len;
}

/*
 * The destructors of libraries follow, and use pages as well. After them exit()
 * writes what streams still hold. The end of a process that a run has forked says
 * nothing of the run.
 */
void
program_on_end(void)
{
	const cookie_io_functions_t functions = { .write = program_on_flush };
	FILE *last;

	if (program == NULL || !program->learning || !program->role->is_run)
		return;
	hot_pages_set_ending(program->hot, true);
	last = fopencookie(NULL, "w", functions);
	if (last == NULL || fputc('.', last) == EOF)
		hot_pages_on_end(program->hot);
	hot_pages_set_ending(program->hot, false);
}

/* ---- the start --------------------------------------------------------- */

void
program_note_main(program_main *main)
{
	struct crash_main range = { .start = (uintptr_t)main,
		.bottom = (uintptr_t)__builtin_frame_address(0) };

	unwind_prepare();
	range.end = unwind_function_end(range.start);
	crash_set_main(&range);
	modules_set_main(range.start, range.end);
}

static void
program_open(struct worker *w, program_main *main, const char *path)
{
	struct error err = { .code = OK };
	struct program_role *role;
	pid_t *pid;

	program = pages_map(sizeof(*program));
	pid = pages_map_shared(sizeof(*pid));
	role = pages_map((size_t)sysconf(_SC_PAGESIZE));
	if (program == NULL || pid == NULL || role == NULL)
		serve_give_up("no memory to start with");
	/* A sandbox may allow no call that tells who we are. */
	(void)madvise(role, 1, MADV_WIPEONFORK);
	program->worker = w;
	program->role = role;
	program->pid = pid;
	if (program_input_open(&program->input, path, &err) != OK)
		serve_give_up(err.text);
	program_note_main(main);
	program->hot = hot_pages_open();
	late_counters_open();
	fork_pages_open(&role->is_child);
	w->target = program_run;
	w->on_child = program_on_child;
}

/* The frame of this function stays until each run returns from it. */
JUMP_SETS void
program_serve(struct worker *w, program_main *main, const char *path)
{
	program_open(w, main, path);
	if (jump_set(program->run) == 0)
		serve_run(w);
}
