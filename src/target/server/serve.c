/* serve: see serve.h. Reads requests, calls the child, writes replies. */

#include "target/server/serve.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shared/control_group.h"
#include "shared/pages.h"
#include "shared/process_limit.h"
#include "shared/wire/rpc.h"
#include "target/child/leaks.h"
#include "target/child/seeds.h"
#include "target/child/typed.h"
#include "target/crash/crash.h"
#include "target/crash/exits.h"
#include "target/crash/sanitizers.h"
#include "target/hooks/counters.h"
#include "target/hooks/modules.h"
#include "target/hooks/pc_table.h"
#include "target/hooks/trace_pc.h"
#include "target/hooks/value_profile.h"
#include "target/server/examine.h"
#include "target/server/fork_server.h"
#include "target/server/guardian.h"
#include "target/server/scratch.h"
#include "target/server/server_minimize.h"

struct serve {
	struct worker *worker;
	struct child child;
	struct fork_server fork_server;
	struct rpc_request request;
	struct rpc_reply reply;
	char in[RPC_LINE_MAX];
	size_t in_len;
	char out[RPC_LINE_MAX];
};

void
serve_give_up(const char *text)
{
	static const char NAME[] = "cfuzz: ";

	/* Plain system calls: a sanitizer may not be initialised yet. */
	(void)syscall(SYS_write, STDERR_FILENO, NAME, sizeof(NAME) - 1);
	(void)syscall(SYS_write, STDERR_FILENO, text, strlen(text));
	(void)syscall(SYS_write, STDERR_FILENO, "\n", 1);
	_exit(WORKER_EXIT_INTERNAL);
}

static void
serve_fail(struct serve *s, const char *text)
{
	fork_server_close(&s->fork_server);
	serve_give_up(text);
}

/* The next line, without its newline; NULL: the engine is gone. */
static const char *
serve_read_line(struct serve *s, size_t *len)
{
	const char *end;
	ssize_t n;

	while ((end = memchr(s->in, '\n', s->in_len)) == NULL) {
		if (s->in_len == sizeof(s->in))
			serve_fail(s, "a request without end");
		if (!fork_server_wait_for_engine(&s->fork_server))
			return NULL;
		n = read(s->worker->in_fd, s->in + s->in_len,
			sizeof(s->in) - s->in_len);
		if (n == 0)
			return NULL;
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			serve_fail(s, "requests cannot be read");
		if (n > 0)
			s->in_len += (size_t)n;
	}
	*len = (size_t)(end - s->in);
	return s->in;
}

static void
serve_drop_line(struct serve *s, size_t len)
{
	s->in_len -= len + 1;
	memmove(s->in, s->in + len + 1, s->in_len);
}

static void
serve_write_reply(struct serve *s)
{
	struct error err = { .code = OK };
	size_t len, done = 0;
	sigset_t pipe, old;
	ssize_t n;

	s->reply.kind = s->request.kind;
	s->reply.seq = s->request.seq;
	s->reply.nonce = s->request.nonce;
	if (rpc_encode_reply(&s->reply, s->out, sizeof(s->out), &len, &err) !=
		OK)
		serve_fail(s, err.text);
	/* Without an engine, this write must not raise SIGPIPE. */
	(void)sigemptyset(&pipe);
	(void)sigaddset(&pipe, SIGPIPE);
	(void)sigprocmask(SIG_BLOCK, &pipe, &old);
	while (done < len) {
		n = write(s->worker->out_fd, s->out + done, len - done);
		if (n < 0 && errno != EINTR)
			fork_server_exit(&s->fork_server, 0);
		if (n > 0)
			done += (size_t)n;
	}
	(void)sigprocmask(SIG_SETMASK, &old, NULL);
}

static void
serve_ping(struct serve *s)
{
	struct rpc_reply *p = &s->reply;

	p->version = WIRE_VERSION;
	p->threads = s->worker->threads;
	p->no_fork = s->worker->no_fork;
	s->worker->fail_on_exit = s->request.fail_on_exit;
	(void)snprintf(p->target_kind, sizeof(p->target_kind), "%s",
		s->worker->kind);
	if (s->request.leaks)
		s->fork_server.leaks = leaks_prepare(s->worker);
	p->leaks = s->fork_server.leaks;
	(void)snprintf(p->sanitizer, sizeof(p->sanitizer), "%s",
		s->worker->foreign != NULL ? s->worker->foreign->sanitizer
					   : sanitizers_name());
	(void)snprintf(p->instrumentation, sizeof(p->instrumentation), "%s",
		counters_instrumentation());
	p->modules_n = counters_list(p->modules, MEMORY_MODULES_MAX);
	p->types = s->worker->types;
	if (typed_is_open() && strlen(typed_name()) < sizeof(p->function))
		(void)snprintf(p->function, sizeof(p->function), "%s",
			typed_name());
	p->custom_unused = custom_is_unused();
	p->seeds_n =
		seeds_write(s->worker->memory + s->worker->layout.ring_offset,
			s->worker->layout.ring_size, &p->seeds_lost);
	if (s->worker->foreign != NULL && p->seeds_n == 0)
		p->words_n = s->worker->foreign->words(s->worker->memory +
				s->worker->layout.ring_offset,
			s->worker->layout.ring_size);
}

/*
 * Reports the death of an idle child in place of the next call. One that needs
 * a new child asks about another input, which this death says nothing of.
 */
static bool
serve_idle_death(struct serve *s)
{
	bool died = s->fork_server.idle_death;

	s->fork_server.idle_death = false;
	if (!died || s->request.kind != RPC_FUZZ || s->request.fresh)
		return false;
	s->reply.died = true;
	s->reply.failure = s->fork_server.idle_failure;
	return true;
}

static void
serve_copy_late(struct serve *s)
{
	const struct worker_head *head = s->worker->head;
	uint32_t max = sizeof(head->late) / sizeof(head->late[0]);
	uint32_t n = head->outcome.late_n;

	if (s->reply.end != CALL_MODULES)
		return;
	s->reply.late_n = n < max ? n : max;
	memcpy(s->reply.late, head->late,
		s->reply.late_n * sizeof(s->reply.late[0]));
	for (uint32_t i = 0; i < s->reply.late_n; i++) {
		if (s->reply.late[i].n > MEMORY_COUNTERS_MAX)
			s->reply.late_n = i;
	}
}

/* Limits a number that a wild write of the target may have changed. */
static uint64_t
serve_bound(uint64_t n, uint64_t max)
{
	return n < max ? n : max;
}

static void
serve_fill_reply(struct serve *s, const struct fork_server_result *result)
{
	const struct outcome *o = &result->outcome;
	struct rpc_reply *p = &s->reply;

	p->count = serve_bound(__atomic_load_n(&s->worker->head->count,
				       __ATOMIC_RELAXED),
		INT64_MAX);
	p->total_ns = result->total_ns;
	p->run_ns = serve_bound(o->run_ns, INT64_MAX);
	p->end = result->died ? CALL_RUNNING : (enum call_end)o->end;
	p->ring_used = serve_bound(o->ring_used, s->worker->layout.ring_size);
	p->finds = o->finds;
	p->rejected = serve_bound(o->rejected, p->count);
	p->odd_return = o->odd_return != 0;
	p->custom_bad = o->custom_bad != 0;
	p->died = result->died;
	p->failure = result->failure;
	p->fork_ns = s->fork_server.fork_ns;
	serve_copy_late(s);
}

/* The limit that has caused this errno. False: none has. */
static bool
serve_find_limit(int errnum, char *text, size_t size)
{
	struct rlimit limit;

	if (errnum == EAGAIN)
		return process_limit_text(control_group_own(
						  CONTROL_GROUP_PROCESSES),
			text, size);
	if (errnum != EMFILE || getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
		limit.rlim_cur == RLIM_INFINITY)
		return false;
	(void)snprintf(text, size, "`ulimit -n` is %llu",
		(unsigned long long)limit.rlim_cur);
	return true;
}

/*
 * Says why nothing ran in the call. If there is a child, it has refused the call
 * as invalid. The call stands in memory that the target can write, so this is
 * not the engine's fault.
 */
static void
serve_say_refused(struct serve *s)
{
	size_t size = sizeof(s->reply.internal_err);
	char *text = s->reply.internal_err;
	char limit[80];

	if (s->fork_server.refused == 0) {
		examine_suspect(FAILURE_PROTOCOL,
			"the target wrote over the memory of its worker: the "
			"call in it makes no sense",
			&s->reply.failure);
		fork_server_discard_child(&s->fork_server);
		return;
	}
	(void)snprintf(text, size, "%s", s->fork_server.refusal);
	if (serve_find_limit(s->fork_server.refused, limit, sizeof(limit)))
		(void)snprintf(text, size,
			"%s; %s: raise it, or run fewer workers",
			s->fork_server.refusal, limit);
}

static void
serve_fuzz(struct serve *s)
{
	const struct rpc_request *q = &s->request;
	struct call call = {
		.seq = q->seq,
		.limit = q->limit,
		.kind = q->warmup ? CALL_RUN : CALL_FUZZ,
		.parent = q->parent,
		.cap = q->cap,
		.stack_max = q->stack_max,
		.confirm = q->confirm,
		.draw = q->draw,
		.value_profile = q->value_profile,
		.leaks = fork_server_leaks(&s->fork_server, q->fresh),
		.sequence_n = q->sequence_n,
	};
	struct fork_server_result result;

	if (q->sequence_n > 0)
		call.kind = CALL_SEQUENCE;
	if (q->fresh)
		fork_server_discard_child(&s->fork_server);
	fork_server_call(&s->fork_server, &call, &result);
	serve_fill_reply(s, &result);
	/* The child was made for this input sequence alone. */
	if (q->sequence_n > 0)
		fork_server_discard_child(&s->fork_server);
	if (s->reply.end == CALL_REFUSED)
		serve_say_refused(s);
}

/* For coverage, the child trims the input itself, at full speed. */
static void
serve_minimize_coverage(struct serve *s)
{
	const struct rpc_request *q = &s->request;
	struct call call = {
		.seq = q->seq,
		.limit = q->limit,
		.kind = CALL_MINIMIZE,
		.parent = MEMORY_NO_ENTRY,
		.keep_n = q->keep_n,
		.value_profile = q->value_profile,
		.machine = q->machine,
		.tries_max = q->tries,
	};
	struct fork_server_result result;
	struct outcome o;

	fork_server_call(&s->fork_server, &call, &result);
	/* If the child died, take what it had reached by then. */
	o = s->worker->head->outcome;
	serve_fill_reply(s, &result);
	s->reply.wrote_to_mem = o.verified == 1;
	s->reply.best_len =
		serve_bound(o.best_len, s->worker->layout.best_size);
	s->reply.tries = serve_bound(s->worker->head->live.tries, INT64_MAX);
	s->reply.accepted =
		serve_bound(s->worker->head->live.accepted, INT64_MAX);
	s->reply.results_n = (uint32_t)serve_bound(o.ring_used, q->tries);
	s->reply.lost = (uint32_t)serve_bound(o.lost, MEMORY_KEEP_MAX);
	s->reply.kept = (uint32_t)serve_bound(o.kept, MEMORY_KEEP_MAX);
	if (s->reply.end == CALL_REFUSED)
		serve_say_refused(s);
}

static void
serve_minimize_failure(struct serve *s)
{
	const struct rpc_request *q = &s->request;
	struct server_minimize minimize = {
		.fork_server = &s->fork_server,
		.request = q,
		.reply = &s->reply,
		.leaks = q->failure_kind == FAILURE_LEAK ||
				q->rule == MINIMIZE_ANY_FAILURE
			? fork_server_leaks(&s->fork_server, true)
			: CALL_LEAKS_NOT,
	};

	server_minimize_run(&minimize);
	s->reply.fork_ns = s->fork_server.fork_ns;
	if (minimize.no_memory)
		examine_suspect(FAILURE_PROTOCOL,
			"the worker has no memory to minimize in: raise "
			"`ulimit -v`, or lower --max-len",
			&s->reply.failure);
	else if (s->reply.end == CALL_REFUSED)
		serve_say_refused(s);
}

static void
serve_call(struct serve *s)
{
	struct worker_head *head = s->worker->head;

	s->fork_server.fork_ns = 0;
	__atomic_store_n(&head->count, 0, __ATOMIC_RELAXED);
	if (serve_idle_death(s))
		return;
	if (s->request.kind == RPC_FUZZ)
		serve_fuzz(s);
	else if (s->request.want_coverage)
		serve_minimize_coverage(s);
	else
		serve_minimize_failure(s);
	/* Only without fork: this process is the child. */
	s->reply.spent = s->worker->no_fork && s->worker->spent;
}

/*
 * The fork server has the PC tables of modules loaded at start. Tables of
 * modules loaded later are known to the living child only. No new child is
 * forked for them, and a dead child is reported by the next call.
 */
static void
serve_tables(struct serve *s)
{
	const struct rpc_request *q = &s->request;
	struct worker *w = s->worker;
	uint8_t *area = w->memory + w->layout.value_offset;
	struct call call = {
		.seq = q->seq,
		.kind = CALL_PC_TABLE,
		.module = q->module,
		.first = q->first,
	};
	struct fork_server_result result;

	s->fork_server.fork_ns = 0;
	s->reply.end = CALL_DONE;
	s->reply.count = pc_table_write(&q->module, q->first, area,
		w->layout.value_size);
	if (s->reply.count > 0 || s->fork_server.idle_death ||
		s->fork_server.pid == 0)
		return;
	fork_server_call(&s->fork_server, &call, &result);
	if (!result.died && result.outcome.end == CALL_DONE)
		s->reply.count = ((const struct pc_table_head *)area)->n;
}

static void
serve_answer(struct serve *s, const char *line, size_t len)
{
	struct error err = { .code = OK };

	scratch_reset();
	if (rpc_decode_request(line, len, &s->request, &err) != OK)
		serve_fail(s, err.text);
	serve_drop_line(s, len);
	memset(&s->reply, 0, sizeof(s->reply));
	if (s->request.kind == RPC_PING)
		serve_ping(s);
	else if (s->request.kind == RPC_PC_TABLE)
		serve_tables(s);
	else
		serve_call(s);
	serve_write_reply(s);
}

void
serve_run(struct worker *w)
{
	struct serve *s = pages_map(sizeof(*s));
	const char *line;
	size_t len;

	sanitizers_hide();
	worker_close_memory(w);
	if (s == NULL || !child_init(&s->child, w))
		serve_give_up("no memory to start with");
	s->worker = w;
	scratch_init();
	trace_pc_init();
	value_profile_init();
	crash_prepare();
	exits_prepare();
	modules_begin_pinning(w->head);
	worker_count_threads(w);
	if (!w->no_fork)
		guardian_end(w);
	if (!fork_server_open(&s->fork_server, w, &s->child))
		serve_give_up("the worker cannot watch its child");
	if (w->no_fork) {
		crash_install(w->head);
		exits_watch(w->head);
		child_claim(&s->child);
	}
	while ((line = serve_read_line(s, &len)) != NULL)
		serve_answer(s, line, len);
	fork_server_exit(&s->fork_server, 0);
}
