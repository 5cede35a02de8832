/*
 * A worker against a fake process that speaks well and badly: for each way
 * to behave, what the engine is told, in order, and that nothing is left.
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
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "engine/fake_worker.h"
#include "engine/worker.h"

#define MAX_LEN 4096

struct stage {
	struct event_base *base;
	struct campaign_memory memory;
	struct worker *worker;
	int target_fd;
	char *argv[3], *envp[2];
	char told[512]; /* what happened, word by word */
	unsigned results, want_calls;
	bool stop_when_idle;
};

struct row {
	const char *mode;
	const char *told;
	unsigned calls;
	bool stop; /* asked to stop after the calls */
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
	{ "exit-in-call", "ready result:exit:50 down:exit status 3", 1, false },
	{ "hang", "ready result:hang:50 down:hang", 1, false },
	{ "junk-in-call", "ready result:protocol:50 down:communicating", 1, false },
	{ "forged-nonce", "ready result:protocol:50 down:communicating", 1, false },
	{ "forged-seq", "ready result:protocol:50 down:communicating", 1, false },
	{ "too-many", "ready result:protocol:0 down:wanted", 1, true },
	{ "ring-too-long", "ready result:none:50 down:wanted", 1, true },
	{ "closes-link", "ready result:protocol:50 down:communicating", 1, false },
	{ "half-a-line", "ready result:hang:50 down:hang", 1, false },
	{ "fails", "ready result:signal:50 down:wanted", 1, true },
	{ "stays", "ready result:none:50 down:wanted", 1, true },
};
/* clang-format on */

static void
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
	(void)w;
	assert_int_equal(ping->modules_n, 1);
	tell(arg, "ready");
}

static void
on_idle(void *arg, struct worker *w)
{
	static const uint8_t value[] = "value";
	struct stage *s = arg;
	const struct job job = {
		.kind = JOB_FUZZ,
		.data = value,
		.len = 5,
		.arena = MEMORY_NO_ENTRY,
		.limit = 50,
		.hang_ms = 100,
		.cap = MAX_LEN,
		.chain = 5,
	};

	if (s->results < s->want_calls)
		worker_assign(w, &job);
	else if (s->stop_when_idle)
		worker_stop(w);
}

static void
on_result(void *arg, struct worker *w, const struct worker_result *r)
{
	struct stage *s = arg;

	(void)w;
	s->results++;
	assert_true(r->candidate_len <= MAX_LEN);
	assert_true(r->ring_len <= s->memory.head->ring_size);
	tell(s, "result:%s:%llu", failure_kind_name(r->failure.kind),
		(unsigned long long)r->count);
}

static void
on_down(void *arg, struct worker *w, bool wanted, const char *why)
{
	struct stage *s = arg;

	(void)w;
	tell(s, "down:%s", wanted ? "wanted" : why);
	event_base_loopbreak(s->base);
}

static void
on_modules(void *arg, struct worker *w, const struct counter_module *m,
	uint32_t n)
{
	(void)arg;
	(void)w;
	(void)m;
	(void)n;
}

static void
on_line(void *arg, const char *line)
{
	tell(arg, "%s", line);
}

static void
on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct stage *s = arg;

	(void)fd;
	(void)what;
	worker_tick(s->worker, clock_now_ns());
}

static void
open_stage(struct stage *s, const char *mode)
{
	static const struct worker_handlers handlers = { on_ready, on_idle,
		on_result, on_down, on_modules, on_line };
	static char environment[] = WORKER_ENVIRONMENT "=3";
	static char name[] = "fake";
	const struct worker_limits limits = {
		.start_timeout_ms = 200,
		.stop_step_ms = 50,
	};
	struct worker_config config = { .handlers = &handlers, .arg = s };
	struct error err = { 0 };

	memset(s, 0, sizeof(*s));
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
	if (s.told[0] == '\0')
		event_base_dispatch(s.base);
	assert_true(worker_is_down(s.worker));
	/* What was told begins as the table says. */
	if (strncmp(s.told, row->told, strlen(row->told)) != 0)
		assert_string_equal(s.told, row->told);
	event_free(ticks);
	close_stage(&s);
	/* Nobody is left behind. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

/* A worker that is destroyed in the middle of things takes all with it. */
static void
test_destroy_running(void **state)
{
	struct stage s;

	(void)state;
	open_stage(&s, "silent");
	worker_start(s.worker);
	assert_true(worker_pid(s.worker) > 0);
	close_stage(&s);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

int
main(int argc, char **argv)
{
	struct CMUnitTest tests[sizeof(rows) / sizeof(rows[0]) + 1];
	size_t i, n = sizeof(rows) / sizeof(rows[0]);

	(void)argc;
	fake_worker_main(argv);
	for (i = 0; i < n; i++)
		tests[i] = (struct CMUnitTest){
			.name = rows[i].mode,
			.test_func = test_row,
			.initial_state = (void *)(uintptr_t)&rows[i],
		};
	tests[n] = (struct CMUnitTest)cmocka_unit_test(test_destroy_running);
	return _cmocka_run_group_tests("worker", tests, n + 1, NULL, NULL);
}
