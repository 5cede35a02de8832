/*
 * test_worker: a worker with a fake process that behaves well or badly: the
 * callbacks come in the right order, and no process is left.
 *
 * FLAGS: -Wl,--wrap=proc_times
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/xmalloc.h"
#include "lib/fake_worker.h"
#include "worker/worker_private.h"

#define MAX_LEN 4096

struct stage {
	struct event_base *base;
	struct campaign_memory memory;
	struct worker *worker;
	int target_fd;
	char *argv[3], *envp[2];
	char told[512]; /* the callbacks, as words */
	unsigned results, want_calls;
	bool stop_when_idle;
	enum job_kind kind;
	uint64_t hang_ms, found_ms, total_ns, rejected;
	enum call_end end;
	uint32_t finds;
	uint64_t flips; /* bit-flip mutations */
	uint32_t table_n;
	size_t path_len;
	uint64_t last_place;
	bool replays; /* the second call, which is not checked */
	/* The next job is assigned while the result is delivered. */
	bool assigns_early;
	double state_s[3];
};

struct row {
	const char *mode;
	const char *told;
	unsigned calls;
	bool stop; /* stop after the calls */
};

/* clang-format off */
static const struct row rows[] = {
	{ "good", "ready result:none:50 result:none:50 down:wanted", 2, true },
	{ "silent", "down:the target did not start in time", 0, false },
	{ "exit-at-start", "down:exit status 99", 0, false },
	{ "garbage", "down:communicating with fuzzing process", 0, false },
	{ "garbage-hang", "down:communicating with fuzzing process", 0, false },
	{ "old-version", "down:the target was built for another version", 0, false },
	{ "endless-line", "down:communicating with fuzzing process", 0, false },
	{ "exit-idle", "ready down:exit status 0", 0, false },
	{ "uninvited", "ready down:communicating with fuzzing process", 0, false },
	{ "die", "ready result:signal:50 down:signal: segmentation fault", 1, false },
	{ "killed", "ready result:killed:50 down:signal: killed", 1, false },
	{ "killed-with-damage", "ready result:killed:50 down:signal: killed", 1, false },
	{ "exit-in-call", "ready result:protocol:50 down:exit status 3", 1, false },
	{ "hang", "ready result:hang:50 down:hang", 1, false },
	{ "junk-in-call", "ready result:protocol:50 down:communicating", 1, false },
	{ "forged-nonce", "ready result:protocol:50 down:communicating", 1, false },
	{ "forged-seq", "ready result:protocol:50 down:communicating", 1, false },
	{ "too-many", "ready result:protocol:1 down:wanted", 1, true },
	{ "ring-too-long", "ready result:none:50 down:wanted", 1, true },
	{ "closes-link", "ready result:protocol:50 down:communicating", 1, false },
	{ "half-a-line", "ready result:hang:50 down:hang", 1, false },
	{ "fails", "ready result:signal:50 down:wanted", 1, true },
	{ "no-count", "ready result:signal:1 down:wanted", 1, true },
	{ "died-idle", "ready result:killed:0 down:wanted", 1, true },
	{ "great-numbers", "ready result:none:50 down:wanted", 1, true },
	{ "grows", "ready result:oom:", 1, true },
	{ "stays", "ready result:none:50 down:wanted", 1, true },
};
/* clang-format on */

__attribute__((format(printf, 2, 3))) static void
tell(struct stage *s, const char *fmt, ...)
{
	size_t n = strlen(s->told);
	va_list ap;

	if (n > 0 && n + 1 < sizeof(s->told))
		s->told[n++] = ' ';
	va_start(ap, fmt);
	vsnprintf(s->told + n, sizeof(s->told) - n, fmt, ap);
	va_end(ap);
}

static void
on_ready(void *arg, struct worker *w, const struct rpc_reply *ping)
{
	assert_false(worker_is_idle(w)); /* not idle during a callback */
	assert_int_equal(ping->modules_n, 1);
	tell(arg, "ready");
}

/* Displays the worker, at a time set by the test. */
static void
look(struct stage *s, struct worker *w)
{
	struct snapshot_worker view = { 0 };

	worker_view(w, (1 + 4 * s->results) * CLOCK_NS_PER_S, &view);
	assert_int_equal(view.state, WORKER_VIEW_FUZZING);
	s->state_s[s->results] = view.state_s;
}

/* Frees the bytes of the job as soon as it is assigned. */
static void
assign(struct stage *s, struct worker *w, enum job_kind kind)
{
	uint8_t *value = xmemdup("value", 5);
	char *what = xstrdup("");
	const struct job job = {
		.kind = kind,
		.what = what,
		.data = value,
		.len = 5,
		.arena = MEMORY_NO_ENTRY,
		.limit = 50,
		.hang_ms = s->hang_ms,
		.found_ms = s->found_ms,
		.cap = MAX_LEN,
		.stack_max = 5,
	};

	worker_assign(w, &job);
	free(value);
	free(what);
}

static void
on_idle(void *arg, struct worker *w)
{
	struct stage *s = arg;
	bool replay = s->replays && s->results == 1;

	if (s->results < s->want_calls) {
		assign(s, w, replay ? JOB_REPLAY : s->kind);
		if (s->replays && !replay)
			look(s, w);
	} else if (s->stop_when_idle) {
		worker_stop(w);
	}
}

static uint32_t
count_finds(const struct worker_result *r)
{
	size_t offset = 0;
	uint32_t n = 0;
	struct ring_input find;
	bool damaged;

	while (ring_next(r->ring, r->ring_len, &offset, MAX_LEN, &find,
		&damaged))
		n++;
	assert_false(damaged);
	return n;
}

/* Another job does not change the job of a result. */
static void
assign_early(struct stage *s, struct worker *w, const struct worker_result *r)
{
	assert_null(worker_job(w));
	assign(s, w, JOB_REPLAY);
	assert_int_equal(worker_job(w)->kind, JOB_REPLAY);
	assert_int_equal(r->job.kind, JOB_FUZZ);
}

static void
on_result(void *arg, struct worker *w, const struct worker_result *r)
{
	struct stage *s = arg;

	assert_false(worker_is_idle(w));
	s->results++;
	s->end = r->end;
	s->finds += count_finds(r);
	if (r->table != NULL) {
		s->table_n = r->table->n;
		s->path_len = strlen(r->table->path);
		s->last_place = r->pcs[r->table->n - 1];
		assert_in_range(r->table->id_len, 0, sizeof(r->table->id));
	}
	s->flips += r->mutations[MUTATE_BIT_FLIP];
	assert_true(r->total_ns < UINT64_C(60000000000));
	assert_true(r->rejected <= r->count);
	assert_true(r->candidate_len <= MAX_LEN);
	assert_true(r->ring_len <= w->layout.ring_size);
	assert_int_equal(r->job.len, 5);
	assert_null(r->job.data);
	if (s->assigns_early && s->results < s->want_calls)
		assign_early(s, w, r);
	tell(s, "result:%s:%llu%s", failure_kind_name(r->failure.kind),
		(unsigned long long)r->count,
		r->interrupted ? ":interrupted" : "");
}

static void
on_down(void *arg, struct worker *w, bool wanted, const char *why)
{
	struct stage *s = arg;

	tell(s, "down:%s", wanted ? "wanted" : why);
	event_base_loopbreak(s->base);
}

static void
on_modules(void *arg, struct worker *w, const struct counter_module *m,
	uint32_t n)
{
}

/* On a busy machine a process may need more than one SIGKILL's patience. */
static void
on_line(void *arg, const char *line)
{
	if (strcmp(line, "waiting for fuzzing process to terminate...") != 0)
		tell(arg, "%s", line);
}

static bool
is_patient(const char *mode)
{
	return strcmp(mode, "hang") != 0 && strcmp(mode, "half-a-line") != 0 &&
		strcmp(mode, "minimizes") != 0;
}

/* On a busy machine a process may wait for a processor longer than a short limit
 * allows. The clock stands still until a call has begun, after the kill of one
 * candidate of many, and while a process ends, unless its limit is what is
 * tested. */
static bool
clock_stands(const struct stage *s)
{
	const struct worker *w = s->worker;
	const char *mode = s->argv[1];

	if (w->eof_ns != 0)
		return strcmp(mode, "closes-link") != 0;
	if (strcmp(mode, "minimizes") == 0 && w->kill_reason != FAILURE_NONE &&
		worker_job(w) != NULL && worker_head(w)->count == w->seen_count)
		return true;
	return !is_patient(mode) && worker_job(w) != NULL &&
		worker_head(w)->count == 0;
}

static void
on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct stage *s = arg;

	if (!clock_stands(s))
		worker_tick(s->worker, clock_now_ns());
}

static void
open_stage(struct stage *s, const char *mode)
{
	static const struct worker_handlers handlers = {
		.on_ready = on_ready,
		.on_idle = on_idle,
		.on_result = on_result,
		.on_down = on_down,
		.on_modules = on_modules,
		.on_line = on_line,
	};
	static char environment[] = WORKER_ENVIRONMENT "=3";
	static char name[] = "fake";
	const struct worker_limits limits = {
		.start_timeout_ms = strcmp(mode, "silent") == 0 ? 200 : 60000,
		.stop_step_ms = 50,
		.rss_limit_kb = strcmp(mode, "grows") == 0 ? 32 << 10 : 0,
	};
	struct worker_config config = { .handlers = &handlers, .arg = s };
	struct error err = { 0 };

	memset(s, 0, sizeof(*s));
	s->kind = JOB_FUZZ;
	/* A slow machine must not cause hangs. */
	s->hang_ms = is_patient(mode) ? 60000 : 100;
	s->base = event_base_new();
	assert_int_equal(campaign_memory_open(&s->memory, MAX_LEN, 1 << 20,
				 &err),
		OK);
	s->target_fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	s->argv[0] = name;
	s->argv[1] = (char *)(uintptr_t)mode;
	s->envp[0] = environment;
	config.base = s->base;
	config.campaign = &s->memory;
	config.target_fd = s->target_fd;
	config.argv = s->argv;
	config.envp = s->envp;
	s->worker = worker_create(&config, 3, &err);
	assert_non_null(s->worker);
	worker_set_limits(s->worker, &limits);
}

static void
close_stage(struct stage *s)
{
	worker_destroy(s->worker);
	campaign_memory_close(&s->memory);
	close(s->target_fd);
	event_base_free(s->base);
}

static void
test_row(void **state)
{
	const struct row *row = *state;
	const struct timeval tick = { 0, 5000 };
	struct stage s;
	struct event *ticks;

	open_stage(&s, row->mode);
	s.want_calls = row->calls;
	s.stop_when_idle = row->stop;
	ticks = event_new(s.base, -1, EV_PERSIST, on_tick, &s);
	event_add(ticks, &tick);
	worker_start(s.worker);
	event_base_dispatch(s.base);
	assert_true(worker_is_down(s.worker));
	/* The callbacks start with those in the table. */
	if (strncmp(s.told, row->told, strlen(row->told)) != 0)
		assert_string_equal(s.told, row->told);
	event_free(ticks);
	close_stage(&s);
	/* No child is left. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

/* Starts the worker and runs the loop until it is down. */
static void
run_stage(struct stage *s)
{
	const struct timeval tick = { 0, 5000 };
	struct event *ticks = event_new(s->base, -1, EV_PERSIST, on_tick, s);

	event_add(ticks, &tick);
	worker_start(s->worker);
	event_base_dispatch(s->base);
	event_free(ticks);
}

/* New inputs found before the process ended are delivered. */
static void
test_lost_with_find(void **state)
{
	struct stage s;

	open_stage(&s, "killed-with-find");
	s.want_calls = 1;
	run_stage(&s);
	assert_string_equal(s.told,
		"ready result:killed:50 down:signal: killed");
	assert_int_equal(s.finds, 1);
	assert_int_equal(s.flips, 7);
	close_stage(&s);
}

/* The worker as it is while it runs an input that is 5 bytes long. */
static struct worker *
give_replay(struct stage *s)
{
	struct worker *w = s->worker;

	s->told[0] = '\0';
	w->has_job = w->ready_once = true;
	w->job = (struct job){ .kind = JOB_REPLAY,
		.what = "",
		.len = 5,
		.limit = 10 };
	return w;
}

/* What ended the worker may have overwritten its count. That an input was running
 * is known all the same. */
static void
test_lost_count(void **state)
{
	static const struct {
		const char *name;
		bool no_fork;
		uint64_t count, seen;
		int status;
		const char *told;
	} ends[] = {
		{ "nothing ran", false, 0, 0, SIGSEGV, "result:signal:0" },
		{ "one ran", true, 1, 0, SIGSEGV, "result:signal:1" },
		{ "damage", true, UINT64_MAX, 0, SIGSEGV, "result:signal:1" },
		{ "damage after a look", true, UINT64_MAX, 7, SIGSEGV,
			"result:signal:7" },
		{ "damage, a fork server", false, UINT64_MAX, 0, SIGKILL,
			"result:killed:1" },
		{ "zeros", true, 0, 0, SIGSEGV, "result:signal:1" },
		{ "killed by another", true, 0, 0, SIGKILL, "result:killed:0" },
		{ "an exit before an input", true, 0, 0, 3 << 8,
			"result:exit:0" },
		{ "an exit, without fork", true, 1, 0, 1 << 8,
			"result:exit:1" },
		/* No input runs in it: a handler of the target's does. */
		{ "an exit, a fork server", false, 1, 0, 1 << 8,
			"result:protocol:1" },
	};
	struct stage s;

	open_stage(&s, "silent");
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct worker *w = give_replay(&s);

		w->no_fork = ends[i].no_fork;
		w->seen_count = ends[i].seen;
		worker_head(w)->count = ends[i].count;
		worker_deliver_lost(w, ends[i].status);
		if (strcmp(s.told, ends[i].told) != 0)
			fail_msg("%s: %s", ends[i].name, s.told);
	}
	close_stage(&s);
}

/* A program that ends by exit() when it is interrupted has ended because of the
 * stop, which is no result of its input. */
static void
test_cut_by_stop(void **state)
{
	static const struct {
		const char *name;
		bool lost, killed;
		enum failure_kind kind;
		const char *told;
	} ends[] = {
		{ "a reply", false, false, FAILURE_NONE, "result:none:3" },
		{ "a cut reply", false, true, FAILURE_NONE,
			"result:none:3:interrupted" },
		{ "a failure", false, false, FAILURE_EXIT, "result:exit:3" },
		{ "a cut failure", false, true, FAILURE_KILLED,
			"result:none:3:interrupted" },
		{ "it left", true, false, FAILURE_NONE, "result:none:3" },
		{ "it left for the stop", true, true, FAILURE_NONE,
			"result:none:3:interrupted" },
	};
	struct stage s;

	open_stage(&s, "silent");
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct worker *w = give_replay(&s);

		w->no_fork = w->loops = ends[i].lost;
		w->stop_killed = ends[i].killed;
		w->reply = (struct rpc_reply){ .kind = RPC_FUZZ,
			.count = 3,
			.failure.kind = ends[i].kind,
			.end = CALL_LIMIT };
		worker_head(w)->count = 3;
		if (ends[i].lost)
			worker_deliver_lost(w, 0);
		else
			worker_deliver_reply(w);
		if (strcmp(s.told, ends[i].told) != 0)
			fail_msg("%s: %s", ends[i].name, s.told);
	}
	close_stage(&s);
}

/* A new input ends the call early. */
static void
test_find_ends_call(void **state)
{
	struct stage s;

	open_stage(&s, "finds-and-goes-on");
	s.want_calls = 1;
	s.stop_when_idle = true;
	s.hang_ms = 30000;
	s.found_ms = 1;
	run_stage(&s);
	assert_string_equal(s.told, "ready result:none:50 down:wanted");
	assert_int_equal(s.end, CALL_TIME);
	assert_int_equal(s.finds, 1);
	close_stage(&s);
}

/*
 * A hanging candidate of a minimization is killed; the fork server goes on with
 * the next one, however often that happens.
 */
static void
test_hanging_candidates(void **state)
{
	struct stage s;

	open_stage(&s, "minimizes");
	s.kind = JOB_MINIMIZE_FAILURE;
	s.want_calls = 1;
	s.stop_when_idle = true;
	run_stage(&s);
	assert_string_equal(s.told, "ready result:none:12 down:wanted");
	assert_int_equal(s.end, CALL_DONE);
	close_stage(&s);
}

static void
on_pause(evutil_socket_t fd, short what, void *arg)
{
	struct stage *s = arg;

	worker_set_paused(s->worker, !worker_paused(s->worker));
}

/* A pause delays a minimization, but does not end it. */
static void
test_pause_minimization(void **state)
{
	const struct timeval begin = { 0, 100000 }, end = { 0, 500000 };
	struct snapshot_minimization view = { 0 };
	struct event *pause, *resume;
	struct stage s;

	open_stage(&s, "minimizes");
	s.kind = JOB_MINIMIZE_FAILURE;
	s.want_calls = 1;
	s.stop_when_idle = true;
	s.hang_ms = 30;
	pause = event_new(s.base, -1, 0, on_pause, &s);
	resume = event_new(s.base, -1, 0, on_pause, &s);
	event_add(pause, &begin);
	event_add(resume, &end);
	run_stage(&s);
	assert_string_equal(s.told, "ready result:none:12 down:wanted");
	assert_int_equal(s.end, CALL_DONE);
	worker_view_minimization(s.worker, &view);
	assert_true(view.elapsed_s < 60);
	event_free(pause);
	event_free(resume);
	close_stage(&s);
}

/* Until a call begins, its memory does not show the call before it. */
static void
test_minimization_anew(void **state)
{
	const struct job job = { .kind = JOB_MINIMIZE_FAILURE,
		.what = "",
		.data = (const uint8_t *)"value",
		.len = 5,
		.arena = MEMORY_NO_ENTRY };
	struct snapshot_minimization view = { 0 };
	struct stage s;

	open_stage(&s, "silent");
	worker_head(s.worker)->live = (struct minimize_live){ .tries = 99,
		.accepted = 7,
		.best_len = 3 };
	s.worker->job = job;
	worker_send_job(s.worker);
	worker_view_minimization(s.worker, &view);
	assert_int_equal(view.tries, 0);
	assert_int_equal(view.accepted, 0);
	assert_int_equal(view.best_len, 5);
	assert_int_equal(view.best_n, 0);
	close_stage(&s);
}

/* A state that came and went between two displays restarts the time. */
static void
test_state_begins_anew(void **state)
{
	struct stage s;

	open_stage(&s, "good");
	s.replays = true;
	s.want_calls = 3;
	s.stop_when_idle = true;
	run_stage(&s);
	assert_int_equal(s.results, 3);
	assert_true(s.state_s[2] < 1);
	close_stage(&s);
}

static void
test_assign_early(void **state)
{
	struct stage s;

	open_stage(&s, "good");
	s.assigns_early = true;
	s.want_calls = 2;
	s.stop_when_idle = true;
	run_stage(&s);
	assert_int_equal(s.results, 2);
	assert_string_equal(s.told,
		"ready result:none:50 result:none:50 down:wanted");
	close_stage(&s);
}

/* clang-format off */
static const struct table_row {
	const char *mode;
	uint32_t n; /* entries; 0: no answer */
	size_t path_len;
	uint64_t last;
} TABLE_ROWS[] = {
	{ "good", 0, 0, 0 },
	{ "tables", 3, 9, 77 },
	/* As many entries as there is room for. */
	{ "tables-too-many", (2 * MAX_LEN + 4096 - sizeof(struct pc_table_head)) / 8,
		TABLE_PATH_MAX - 1, UINT64_MAX },
	{ "die", 0, 0, 0 },
};
/* clang-format on */

/* A PC table is bounded, and its job counts no executions. */
static void
test_tables(void **state)
{
	for (size_t i = 0; i < sizeof(TABLE_ROWS) / sizeof(*TABLE_ROWS); i++) {
		const struct table_row *row = &TABLE_ROWS[i];
		struct stage s;

		open_stage(&s, row->mode);
		s.kind = JOB_PC_TABLE;
		s.want_calls = 1;
		s.stop_when_idle = true;
		run_stage(&s);
		assert_non_null(strstr(s.told,
			strcmp(row->mode, "die") == 0
				? "ready result:killed:0 down:signal: killed"
				: "ready result:none:0 down:wanted"));
		assert_int_equal(s.table_n, row->n);
		assert_int_equal(s.path_len, row->path_len);
		assert_true(s.last_place == row->last);
		close_stage(&s);
	}
}

/* A process that cannot be started is reported by the loop, not by the call. */
static void
test_start_fails(void **state)
{
	static const struct {
		bool stop;
		const char *told;
	} ends[] = {
		{ false, "down:start fake: Permission denied" },
		{ true, "down:wanted" },
	};
	struct stage s;
	int good, bad = open("/dev/null", O_RDONLY | O_CLOEXEC);

	open_stage(&s, "exit-at-start");
	good = s.worker->config.target_fd;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		s.told[0] = '\0';
		s.worker->config.target_fd = bad;
		worker_start(s.worker);
		worker_tick(s.worker, clock_now_ns());
		if (ends[i].stop)
			worker_stop(s.worker);
		assert_string_equal(s.told, "");
		assert_false(worker_is_down(s.worker));
		event_base_dispatch(s.base);
		assert_string_equal(s.told, ends[i].told);
		assert_true(worker_is_down(s.worker));
	}
	/* It starts when it can. */
	s.told[0] = '\0';
	s.worker->config.target_fd = good;
	run_stage(&s);
	assert_string_equal(s.told, "down:exit status 99");
	/* A destroyed worker does not call back. */
	s.worker->config.target_fd = bad;
	worker_start(s.worker);
	close_stage(&s);
	close(bad);
}

/* Destroying a worker in any state ends all its processes, and leaves no name of
 * their memory. */
static void
test_destroy_running(void **state)
{
	char name[64];
	struct stage s;

	open_stage(&s, "silent");
	worker_start(s.worker);
	assert_true(worker_pid(s.worker) > 0);
	snprintf(name, sizeof(name), "/" WORKER_SHM_NAME "map",
		(int)worker_pid(s.worker));
	close(shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600));
	close_stage(&s);
	assert_int_equal(shm_unlink(name), -1);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

/* The time in ms at which a stack taken at a given time is final. */
static void
test_sample_has_an_end(void **state)
{
	static const struct {
		uint64_t taken, over;
	} moments[] = {
		{ 0, 101 },
		{ 20, 121 },
		{ 50, 251 },
		{ 200, 1001 },
		{ 202, 201 },
	};
	static struct worker_head head;

	for (size_t i = 0; i < sizeof(moments) / sizeof(moments[0]); i++) {
		struct worker w = { .memory.map = (void *)&head,
			.kill_reason = FAILURE_HANG,
			.sample_ns = 1,
			.sample_limit_ms = 200 };
		uint64_t ms = 0;

		head.failure.sampled = SAMPLE_NONE;
		for (;; ms++) {
			if (ms == moments[i].taken)
				head.failure.sampled = SAMPLE_TAKEN;
			if (worker_sample_is_over(&w, 1 + ms * 1000000))
				break;
		}
		assert_int_equal(ms, moments[i].over);
	}
}

/* A process that only a kill ends. */
static pid_t
stand_in(void)
{
	sigset_t all;
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
	for (;;)
		pause();
}

/* A stop does not keep a child waiting whose stack has been taken. */
static void
test_stop_during_sample(void **state)
{
	static struct worker_head head;
	pid_t child = stand_in();
	struct worker w = { .memory.map = (void *)&head,
		.state = WORKER_STOPPING,
		.process = { .pid = child, .fork_server = getpid() },
		.has_job = true,
		.job.hang_ms = 60000,
		.kill_reason = FAILURE_OOM,
		.sampling = true,
		.sample_ns = 1,
		.sample_limit_ms = 200,
		.memory_ns = UINT64_MAX };
	int status = 0;

	head.child_pid = child;
	worker_tick(&w, 2);
	assert_true(w.sampling);
	head.failure.sampled = SAMPLE_FINAL;
	worker_tick(&w, 3);
	assert_false(w.sampling); /* it was killed */
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/* What the system tells of a process; NULL: what is true. */
static const struct proc_times *told_times;
bool __real_proc_times(pid_t pid, struct proc_times *times);
bool __wrap_proc_times(pid_t pid, struct proc_times *times);

bool
__wrap_proc_times(pid_t pid, struct proc_times *times)
{
	if (told_times == NULL)
		return __real_proc_times(pid, times);
	*times = *told_times;
	return true;
}

/* A child that has not got the processor has more time for its answer; one that
 * sleeps, or that had time enough, has not. */
static void
test_sample_without_processor(void **state)
{
	static const struct {
		const char *name;
		char child_state;
		uint64_t ticks; /* processor time since the request */
		uint64_t taken_ms, over_ms;
	} children[] = {
		{ "it answers in time", 'R', 0, 20, 121 },
		{ "it answers late", 'R', 0, 600, 2601 },
		{ "it never answers", 'R', 0, UINT64_MAX, 2001 },
		{ "a tick began before", 'R', 1, UINT64_MAX, 2001 },
		{ "it runs", 'R', 2, UINT64_MAX, 201 },
		{ "it sleeps", 'S', 0, UINT64_MAX, 201 },
		{ "it is stopped", 'T', 0, UINT64_MAX, 201 },
	};
	static struct worker_head head;

	for (size_t i = 0; i < sizeof(children) / sizeof(children[0]); i++) {
		struct proc_times times = { .state = 'R', .cpu_ticks = 70 };
		pid_t child = stand_in();
		struct worker w = { .memory.map = (void *)&head,
			.no_fork = true,
			.process.fork_server = child,
			.kill_reason = FAILURE_HANG };
		uint64_t ms = 0;

		told_times = &times;
		assert_true(worker_sample_begin(&w, 1));
		times.state = children[i].child_state;
		times.cpu_ticks += children[i].ticks;
		for (;; ms++) {
			if (ms == children[i].taken_ms)
				head.failure.sampled = SAMPLE_TAKEN;
			if (worker_sample_is_over(&w, 1 + ms * 1000000))
				break;
		}
		told_times = NULL;
		(void)kill(child, SIGKILL);
		assert_int_equal(waitpid(child, NULL, 0), child);
		if (ms != children[i].over_ms)
			fail_msg("%s: %llu ms", children[i].name,
				(unsigned long long)ms);
	}
}

/* With more than twice of the memory that it may have, a process is killed at once,
 * unless it waits for a processor, and has not answered yet. One that takes more
 * although it waits has other processes. */
static void
test_memory_during_sample(void **state)
{
	static const struct {
		const char *name;
		char child_state;
		uint64_t ticks;     /* processor time since the request */
		uint64_t before_kb; /* memory at the last look; 0: the first */
		bool stays;
	} children[] = {
		{ "it waits for a processor", 'R', 0, 0, true },
		{ "a tick began before", 'R', 1, 0, true },
		{ "it takes no more", 'R', 0, UINT64_MAX, true },
		{ "it runs", 'R', 2, 0, false },
		{ "it sleeps", 'S', 0, 0, false },
		{ "another process runs", 'R', 0, 1, false },
	};
	static struct worker_head head;

	for (size_t i = 0; i < sizeof(children) / sizeof(children[0]); i++) {
		struct proc_times times = { .state = 'R', .cpu_ticks = 70 };
		struct worker w = { .memory.map = (void *)&head,
			.process.fork_server = getpid(),
			.limits.rss_limit_kb = 1,
			.kill_reason = FAILURE_OOM };
		pid_t child;

		proc_memory_init(&w.memory_used);
		proc_memory_open(&w.memory_used, getpid());
		child = w.process.pid = head.child_pid = stand_in();
		w.state = WORKER_BUSY;
		w.has_job = true;
		w.job.hang_ms = 60000;
		told_times = &times;
		assert_true(worker_sample_begin(&w, 1));
		times.state = children[i].child_state;
		times.cpu_ticks += children[i].ticks;
		w.sample_rss_kb = children[i].before_kb;
		worker_tick(&w, 2);
		told_times = NULL;
		(void)kill(child, SIGKILL);
		assert_int_equal(waitpid(child, NULL, 0), child);
		proc_memory_close(&w.memory_used);
		if (w.sampling != children[i].stays ||
			(w.sampling && w.sample_rss_kb != w.rss_kb))
			fail_msg("%s", children[i].name);
	}
}

/* After a stop of the engine the deadlines are later, but the target has run. */
static void
test_count_after_a_stop(void **state)
{
	const uint64_t second = 1000000000;
	uint64_t now = clock_now_ns();
	struct worker w = { .state = WORKER_DOWN };

	w.sent_ns = w.call_start_ns = now - second;
	w.tick_ns = now - second;
	worker_tick(&w, now);
	/* A tick counts for 200 ms at most. */
	assert_int_equal(w.call_start_ns, now - second / 5);
	assert_true(worker_count_plausible(&w, second / 2));
	assert_false(worker_count_plausible(&w, 1000000 * second));
}

/* Once it has started, each late start doubles the time of the next one. */
static void
test_late_starts(void **state)
{
	static const struct {
		const char *name;
		bool ready_once;
		unsigned late_starts;
		uint64_t limit_ms;
		unsigned late_then;
	} limits[] = {
		{ "the first start", false, 0, 200, 0 },
		{ "a late one", true, 0, 200, 1 },
		{ "the next one", true, 1, 400, 2 },
		{ "the last limit", true, 4, 3200, 4 },
	};
	const uint64_t since = 1000000000;
	struct stage s;

	open_stage(&s, "silent");
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		struct worker *w = s.worker;
		uint64_t end = since + limits[i].limit_ms * 1000000;

		w->state = WORKER_STARTING;
		w->state_since_ns = since;
		w->ready_once = limits[i].ready_once;
		w->late_starts = limits[i].late_starts;
		w->condemned = false;
		w->tick_ns = 0;
		worker_tick(w, end);
		assert_false(w->condemned);
		worker_tick(w, end + 1);
		assert_true(w->condemned);
		assert_int_equal(w->late_starts, limits[i].late_then);
	}
	s.worker->state = WORKER_DOWN;
	close_stage(&s);
}

/* A program that is started again has the time of a start. If that is not
 * enough, no execution has hung, unless there is one. A run that records
 * comparisons has more time, too; the words of other targets mean nothing. */
static void
test_reviving(void **state)
{
	static const struct {
		const char *name;
		bool reviving, comparing, foreign, has_child;
		uint64_t limit_ms;
		enum failure_kind kill_reason;
		unsigned late_then;
	} limits[] = {
		{ "an execution", false, false, true, true, 100, FAILURE_HANG,
			0 },
		{ "between two", false, false, true, false, 2100, FAILURE_HANG,
			0 },
		{ "a new start", true, false, true, false, 300, FAILURE_NONE,
			1 },
		{ "after it", true, false, true, true, 300, FAILURE_HANG, 0 },
		{ "comparisons", false, true, true, true, 3100, FAILURE_HANG,
			0 },
		{ "a word of another target", true, false, false, false, 2100,
			FAILURE_HANG, 0 },
		{ "its other word", false, true, false, true, 100, FAILURE_HANG,
			0 },
	};
	const uint64_t since = 1000000000;
	struct stage s;
	struct worker *w;

	open_stage(&s, "silent");
	w = s.worker;
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		uint64_t end = since + limits[i].limit_ms * 1000000;

		w->state = WORKER_BUSY;
		w->has_job = w->ready_once = true;
		w->job = (struct job){ .hang_ms = 100 };
		w->process.pid = stand_in();
		w->process.fork_server = getpid();
		worker_head(w)->child_pid =
			limits[i].has_child ? w->process.pid : 0;
		worker_head(w)->reviving = limits[i].reviving;
		worker_head(w)->comparing = limits[i].comparing;
		w->foreign = limits[i].foreign;
		w->progress_ns = w->call_start_ns = since;
		w->memory_ns = UINT64_MAX;
		w->tick_ns = w->childless_ns = 0;
		w->late_starts = 0;
		w->condemned = w->sampling = false;
		w->kill_reason = FAILURE_NONE;
		w->why[0] = '\0';
		worker_tick(w, since);
		w->tick_ns = 0; /* none is late */
		worker_tick(w, end - 100000000);
		w->tick_ns = 0;
		worker_tick(w, end);
		assert_int_equal(w->kill_reason, FAILURE_NONE);
		assert_false(w->condemned);
		worker_tick(w, end + 1);
		assert_int_equal(w->kill_reason, limits[i].kill_reason);
		assert_int_equal(w->condemned, !limits[i].has_child);
		assert_int_equal(w->late_starts, limits[i].late_then);
		assert_int_equal(strcmp(w->why, WORKER_LATE) == 0,
			limits[i].late_then == 1);
		(void)kill(w->process.pid, SIGKILL);
		assert_int_equal(waitpid(w->process.pid, NULL, 0),
			w->process.pid);
	}
	w->process.pid = w->process.fork_server = 0;
	w->has_job = false;
	w->state = WORKER_DOWN;
	close_stage(&s);
}

/* The time without a child is the fork server's, not the input's; but there is an
 * end to it, whatever the target writes. */
static void
test_late_child(void **state)
{
	static const struct {
		const char *name;
		bool no_fork, end_raised;
		uint64_t from_ms, to_ms; /* there is a child */
		uint64_t hang_ms;        /* first of the ticks with a hang */
	} children[] = {
		{ "at once", false, false, 0, 9000, 110 },
		{ "late", false, false, 500, 9000, 600 },
		{ "too late", false, false, 5000, 9000, 2110 },
		{ "it ends", false, false, 0, 50, 2160 },
		{ "without fork", true, false, 5000, 9000, 110 },
		{ "late, and the call is over", false, true, 900, 9000, 1000 },
	};
	static struct worker_head head;
	const uint64_t ms = 1000000, since = 1000 * ms;

	for (size_t i = 0; i < sizeof(children) / sizeof(children[0]); i++) {
		pid_t child = stand_in();
		struct worker w = { .state = WORKER_BUSY,
			.memory.map = (void *)&head,
			.process.fork_server = getpid(),
			.has_job = true,
			.no_fork = children[i].no_fork,
			.end_raised = children[i].end_raised,
			.end_raised_ns = since,
			.job.hang_ms = 100,
			.progress_ns = since,
			.tick_ns = since,
			.memory_ns = UINT64_MAX };
		uint64_t at = 0;

		w.process.pid = child;
		if (w.no_fork)
			w.process.fork_server = child;
		for (; w.kill_reason == FAILURE_NONE && at < 9000; at += 10) {
			head.child_pid = at >= children[i].from_ms &&
					at < children[i].to_ms
				? child
				: 0;
			worker_tick(&w, since + at * ms);
		}
		(void)kill(child, SIGKILL);
		assert_int_equal(waitpid(child, NULL, 0), child);
		if (at - 10 != children[i].hang_ms)
			fail_msg("%s: %llu ms", children[i].name,
				(unsigned long long)at - 10);
	}
}

/* What is there after another start of an adapter's program is exempt from the
 * memory limit, once: later processes count. */
static void
test_exempt_again(void **state)
{
	static const struct {
		const char *name;
		uint32_t reviving;
		bool foreign, counts;
	} rows_of[] = {
		{ "no new start", 0, true, true },
		{ "a new start", 2, true, false },
		{ "none since", 2, true, true },
		{ "another one", 4, true, false },
		{ "two at once", 8, true, false },
		{ "a word of another target", 2, false, true },
	};
	struct stage s;
	struct worker *w;

	open_stage(&s, "silent");
	w = s.worker;
	w->process.fork_server = getpid();
	w->limits.rss_limit_kb = 1;
	proc_memory_open(&w->memory_used, w->process.fork_server);
	for (size_t i = 0; i < sizeof(rows_of) / sizeof(rows_of[0]); i++) {
		w->state = WORKER_BUSY;
		w->has_job = w->ready_once = true;
		w->job = (struct job){ .hang_ms = 1000000 };
		w->process.pid = stand_in();
		w->foreign = rows_of[i].foreign;
		worker_head(w)->reviving = rows_of[i].reviving;
		w->progress_ns = w->call_start_ns = clock_now_ns();
		w->memory_ns = w->tick_ns = 0;
		w->condemned = w->sampling = false;
		w->kill_reason = FAILURE_NONE;
		worker_tick(w, clock_now_ns());
		(void)kill(w->process.pid, SIGKILL);
		assert_int_equal(waitpid(w->process.pid, NULL, 0),
			w->process.pid);
		if ((w->kill_reason == FAILURE_OOM) != rows_of[i].counts)
			fail_msg("%s: %d", rows_of[i].name, w->kill_reason);
	}
	w->process.pid = w->process.fork_server = 0;
	w->has_job = false;
	w->state = WORKER_DOWN;
	close_stage(&s);
}

/* clang-format off */
static const struct gap_row {
	const char *name;
	uint64_t limit_ms;
	uint64_t gaps_ms[5]; /* between ticks; 0: no more */
	bool hangs;          /* at the last tick, and not before */
} GAPS[] = {
	{ "ticks in time", 50, { 20, 20, 20 }, true },
	{ "a late tick", 100, { 10, 150 }, false },
	{ "a very short limit", 20, { 120 }, false },
	{ "after a late tick, time counts", 100, { 10, 150, 30, 20 }, true },
	{ "each tick is late", 100, { 110, 110, 110 }, true },
	{ "no tick is as short as the limit", 10, { 10, 10, 10 }, true },
	{ "late ticks of a long limit", 400, { 190, 190, 30 }, true },
	{ "a suspended machine", 400, { 5000, 390 }, false },
	{ "each tick is very late", 400, { 210, 210, 210 }, true },
};
/* clang-format on */

/* A machine that stood still makes no hang, and one that is always slow hides
 * none. */
static void
test_late_ticks(void **state)
{
	static struct worker_head head;
	const struct gap_row *row;

	for (row = GAPS; row < GAPS + sizeof(GAPS) / sizeof(GAPS[0]); row++) {
		uint64_t now = 1000000000;
		pid_t child = stand_in();
		bool early = false;
		struct worker w = { .state = WORKER_BUSY,
			.memory.map = (void *)&head,
			.process = { .pid = child, .fork_server = getpid() },
			.has_job = true,
			.job.hang_ms = row->limit_ms,
			.progress_ns = now,
			.tick_ns = now,
			.memory_ns = UINT64_MAX };

		head.child_pid = child;
		for (size_t i = 0; row->gaps_ms[i] > 0; i++) {
			early |= w.kill_reason != FAILURE_NONE;
			now += row->gaps_ms[i] * 1000000 + 1;
			worker_tick(&w, now);
		}
		(void)kill(child, SIGKILL);
		assert_int_equal(waitpid(child, NULL, 0), child);
		if (early || (w.kill_reason == FAILURE_HANG) != row->hangs)
			fail_msg("%s", row->name);
	}
}

/* For the other limits, too: a suspension ends nothing, and ticks that are very
 * late end all in time. */
static void
test_very_late_ticks(void **state)
{
	static const char *const LIMITS[] = { "start", "call", "pipe", "stop" };
	struct stage s;
	struct worker *w;

	open_stage(&s, "silent");
	w = s.worker;
	w->limits.start_timeout_ms = w->limits.stop_step_ms = 500;
	for (size_t i = 0; i < sizeof(LIMITS) / sizeof(LIMITS[0]); i++) {
		const char *limit = LIMITS[i];
		uint64_t now = 1000000000;
		bool over = false;
		int ticks = 0;

		w->tick_ns = w->state_since_ns = w->call_start_ns = now;
		w->process.pid = stand_in();
		w->condemned = false;
		w->job = (struct job){ .budget_ms = 500 };
		w->has_job = strcmp(limit, "call") == 0;
		w->memory_ns = UINT64_MAX;
		w->eof_ns = strcmp(limit, "pipe") == 0 ? now : 0;
		w->state = WORKER_IDLE;
		if (strcmp(limit, "start") == 0)
			w->state = WORKER_STARTING;
		if (strcmp(limit, "stop") == 0) {
			w->state = WORKER_STOPPING;
			worker_ladder_begin(w, now);
		}
		for (; ticks < 10 && !over; ticks++) {
			now += (ticks == 0 ? 10000 : 250) * UINT64_C(1000000);
			worker_tick(w, now);
			over = w->condemned || w->end_raised ||
				w->step == STOP_INTERRUPT;
		}
		(void)kill(w->process.pid, SIGKILL);
		assert_int_equal(waitpid(w->process.pid, NULL, 0),
			w->process.pid);
		if (!over || ticks == 1)
			fail_msg("%s: %d ticks", limit, ticks);
		w->end_raised = false;
	}
	w->process.pid = 0;
	w->step = STOP_NONE;
	w->state = WORKER_DOWN;
	close_stage(&s);
}

int
main(int argc, char **argv)
{
	static const struct CMUnitTest others[] = {
		cmocka_unit_test(test_lost_with_find),
		cmocka_unit_test(test_lost_count),
		cmocka_unit_test(test_cut_by_stop),
		cmocka_unit_test(test_sample_has_an_end),
		cmocka_unit_test(test_sample_without_processor),
		cmocka_unit_test(test_memory_during_sample),
		cmocka_unit_test(test_stop_during_sample),
		cmocka_unit_test(test_find_ends_call),
		cmocka_unit_test(test_hanging_candidates),
		cmocka_unit_test(test_pause_minimization),
		cmocka_unit_test(test_minimization_anew),
		cmocka_unit_test(test_state_begins_anew),
		cmocka_unit_test(test_assign_early),
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_start_fails),
		cmocka_unit_test(test_count_after_a_stop),
		cmocka_unit_test(test_late_starts),
		cmocka_unit_test(test_reviving),
		cmocka_unit_test(test_late_child),
		cmocka_unit_test(test_exempt_again),
		cmocka_unit_test(test_late_ticks),
		cmocka_unit_test(test_very_late_ticks),
		cmocka_unit_test(test_destroy_running),
	};
	struct CMUnitTest tests[sizeof(rows) / sizeof(rows[0]) +
		sizeof(others) / sizeof(others[0])];
	size_t i, n = sizeof(rows) / sizeof(rows[0]);

	fake_worker_main(argv);
	for (i = 0; i < n; i++)
		tests[i] = (struct CMUnitTest){
			.name = rows[i].mode,
			.test_func = test_row,
			.initial_state = (void *)(uintptr_t)&rows[i],
		};
	memcpy(tests + n, others, sizeof(others));
	return _cmocka_run_group_tests("worker", tests,
		sizeof(tests) / sizeof(tests[0]), NULL, NULL);
}
