/*
 * worker_result: makes the result of a call, or of the end of a worker.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/xmalloc.h"
#include "worker/inputs/input_text.h"
#include "worker/worker_private.h"

/* A number of executions that is impossible means a damaged header. */
bool
worker_count_plausible(const struct worker *w, uint64_t count)
{
	/* The target has run on while the engine was stopped. */
	uint64_t elapsed_ns = worker_since(clock_now_ns(), w->sent_ns);

	if (w->job.limit > 0)
		return count <= w->job.limit + 64;
	return count <= elapsed_ns + 1;
}

bool
worker_minimizes_failure(const struct worker *w)
{
	return w->has_job && w->job.kind == JOB_MINIMIZE_FAILURE;
}

static uint64_t
worker_at_most(uint64_t n, uint64_t max)
{
	return n < max ? n : max;
}

/*
 * The target can overwrite the count. A call that was completed or crashed has
 * executed at least one input.
 */
static uint64_t
worker_count(const struct rpc_reply *r)
{
	bool crashed =
		r->died && r->total_ns > 0 && r->failure.kind != FAILURE_KILLED;

	if (r->kind == RPC_FUZZ && r->count == 0 &&
		(crashed || r->end == CALL_DONE || r->end == CALL_FAILED))
		return 1;
	return r->count;
}

/* An impossible count: the damage proves at least one execution. */
static uint64_t
worker_repair_count(const struct worker *w, uint64_t count)
{
	if (worker_count_plausible(w, count))
		return count;
	return w->seen_count > 0 ? w->seen_count : 1;
}

static void
worker_say_damaged(struct failure *f)
{
	*f = (struct failure){ .kind = FAILURE_PROTOCOL };
	snprintf(f->what, sizeof(f->what), "%s",
		failure_kind_name(FAILURE_PROTOCOL));
	snprintf(f->text, sizeof(f->text),
		"the target overwrote worker memory: the execution "
		"count is impossible");
}

static void
worker_fill_result(struct worker *w, struct worker_result *result)
{
	const struct rpc_reply *r = &w->reply;
	uint64_t elapsed_ns = worker_since(clock_now_ns(), w->call_start_ns);

	*result = (struct worker_result){
		.job = w->job,
		.worker = w,
		.count = worker_count(r),
		.total_ns = worker_at_most(r->total_ns, elapsed_ns),
		.run_ns = worker_at_most(r->run_ns, elapsed_ns),
		.took_ns = elapsed_ns,
		.rejected = worker_at_most(r->rejected, r->count),
		.end = r->end,
		.odd_return = r->odd_return,
		.custom_bad = r->custom_bad,
		.failure = r->failure,
		.tries = r->tries,
	};
	snprintf(result->error, sizeof(result->error), "%s", r->internal_err);
	worker_copy_mutations(w, result);
	worker_copy_ring(w, r->ring_used, result);
	worker_copy_kept(w, result);
	if (r->wrote_to_mem && r->best_len <= w->job.len) {
		memory_take(w->best_copy, w->memory.map + w->layout.best_offset,
			r->best_len);
		worker_copy_machine(w, result);
		if (input_is_sound(&w->types, w->best_copy, r->best_len))
			result->best = w->best_copy;
		result->best_len = result->best != NULL ? r->best_len : 0;
	} else if (r->kind == RPC_MINIMIZE) {
		result->missed = r->lost;
	}
	if (!worker_count_plausible(w, r->count)) {
		result->count = worker_repair_count(w, r->count);
		result->rejected = 0;
		if (result->failure.kind == FAILURE_NONE)
			worker_say_damaged(&result->failure);
	}
}

/* Describes a kill by us; if a mutator was running: "custom mutator: …". */
static void
worker_describe_limit(struct worker *w, struct failure *f)
{
	int place = f->kind == FAILURE_MUTATOR ? (int)strcspn(f->text, ":") : 0;
	char prefix[64];

	snprintf(prefix, sizeof(prefix), "%.*s%s", place, f->text,
		place > 0 ? ": " : "");
	if (w->kill_reason == FAILURE_HANG)
		snprintf(f->text, sizeof(f->text),
			"%sexecution exceeded %llu ms", prefix,
			(unsigned long long)w->job.hang_ms);
	else
		snprintf(f->text, sizeof(f->text), "%smemory exceeded %llu MB",
			prefix,
			(unsigned long long)(w->limits.rss_limit_kb >> 10));
}

/* The program of AFL++ may have ended with the run that we killed. */
static bool
worker_ended_program(const struct worker *w, const struct failure *f)
{
	return f->kind == FAILURE_PROTOCOL && worker_revives(w);
}

/* A kill by us is not the target's failure. What an input does after the signal
 * of a stop, be it an exit() by its handler, says nothing of it either. */
static void
worker_apply_kill_reason(struct worker *w, struct worker_result *result)
{
	struct failure *f = &result->failure;

	if (w->stop_killed) {
		result->interrupted = true;
		f->kind = FAILURE_NONE;
		return;
	}
	if (w->kill_reason == FAILURE_NONE || f->kind == FAILURE_NONE)
		return;
	if (!worker_ended_program(w, f) &&
		((f->kind != FAILURE_KILLED && f->kind != FAILURE_MUTATOR) ||
			f->signo != SIGKILL))
		return;
	worker_describe_limit(w, f);
	/* Frames of an execution that we killed come from a sample only. */
	if (f->kind != FAILURE_MUTATOR)
		f->kind = w->kill_reason;
	else
		f->frames_n = 0;
	f->signo = 0;
	snprintf(f->what, sizeof(f->what), "%s",
		failure_kind_name(w->kill_reason));
}

static void
worker_log_result(struct worker *w, const struct worker_result *r)
{
	char best[48] = "";

	if (r->best != NULL)
		snprintf(best, sizeof(best), ", the best has %zu bytes",
			r->best_len);
	worker_log(w, "result: %" PRIu64 " executions, %s%s%s", r->count,
		r->interrupted ? "interrupted, " : "",
		r->error[0] != '\0'                       ? r->error
			: r->failure.kind == FAILURE_NONE ? "no failure"
							  : r->failure.what,
		best);
}

static void
worker_finish_result(struct worker *w, struct worker_result *result)
{
	worker_apply_kill_reason(w, result);
	if (result->failure.kind != FAILURE_NONE || result->error[0] != '\0') {
		worker_copy_witnesses(w, result);
		result->report_len = worker_read_report(w);
		result->report = w->report_copy;
		memory_take(w->paths_copy, worker_head(w)->paths,
			sizeof(w->paths_copy) - 1);
		result->paths = w->paths_copy;
	}
	worker_log_result(w, result);
	w->has_job = false;
	w->config.handlers->on_result(w->config.arg, w, result);
}

/*
 * Delivers a part of the PC table. The head is copied once, and the number of
 * entries is bounded by the room.
 */
static void
worker_deliver_table(struct worker *w)
{
	struct worker_result result = { .job = w->job,
		.worker = w,
		.end = CALL_DONE };
	const uint8_t *area = w->memory.map + w->layout.value_offset;
	size_t room = (w->layout.value_size - sizeof(struct pc_table_head)) /
		sizeof(uint64_t);
	struct pc_table_head *copy = NULL;
	uint64_t n = worker_at_most(w->reply.count, room);

	if (n > 0) {
		size_t len = sizeof(*copy) + n * sizeof(uint64_t);

		copy = xmalloc(len);
		memory_take(copy, area, len);
		copy->n = (uint32_t)n;
		copy->path[sizeof(copy->path) - 1] = '\0';
		if (copy->id_len > sizeof(copy->id))
			copy->id_len = 0;
		result.table = copy;
		result.pcs = (const uint64_t *)(copy + 1);
	}
	w->has_job = false;
	w->config.handlers->on_result(w->config.arg, w, &result);
	free(copy);
}

void
worker_deliver_reply(struct worker *w)
{
	struct worker_result result;

	if (w->job.kind == JOB_PC_TABLE) {
		worker_deliver_table(w);
		return;
	}
	if (w->reply.died)
		w->deaths++;
	if (w->reply.fork_ns > 0)
		w->fork_ns = w->reply.fork_ns;
	worker_fill_result(w, &result);
	if (w->reply.end == CALL_MODULES)
		w->config.handlers->on_modules(w->config.arg, w, w->reply.late,
			w->reply.late_n);
	worker_finish_result(w, &result);
}

/* Did the crash handler note this end? A fork server does not note its own. */
static bool
worker_end_was_noted(const struct worker *w, int status)
{
	if (!WIFSIGNALED(status))
		return w->no_fork;
	return failure_is_crash_signal(WTERMSIG(status)) ||
		(w->no_fork && w->kill_reason != FAILURE_NONE);
}

/* A report gives more detail than a signal or an exit status. */
static void
worker_explain_crash(struct worker *w, const struct failure_module *modules,
	uint32_t n, struct failure *f)
{
	struct failure report = *f;
	size_t len;

	if (f->kind != FAILURE_SIGNAL && f->kind != FAILURE_EXIT)
		return;
	len = worker_read_report(w);
	if ((w->sanitized ? failure_parse_report
			  : failure_parse_output)(&report, w->report_copy, len))
		failure_take_report(f, &report, modules, n);
	else if (f->signo == SIGABRT && len < w->stderr_file.size)
		failure_quote(f, w->report_copy, len);
}

/* A target that cannot be forked dies with its fork server. Its crash handler
 * has left the stack in memory. */
static void
worker_describe_crash(struct worker *w, int status, struct failure *f)
{
	const struct worker_head *head = worker_head(w);
	struct failure_module modules[FAILURE_MODULES_MAX];
	struct failure_block block;
	uint32_t n = __atomic_load_n(&head->map_n, __ATOMIC_RELAXED);

	if (n > FAILURE_MODULES_MAX)
		n = FAILURE_MODULES_MAX;
	memory_take(&block, &head->failure, sizeof(block));
	/* Earlier notes do not explain this end. */
	if (block.kind != FAILURE_EXIT)
		block.kind = FAILURE_NONE;
	memory_take(modules, head->map, n * sizeof(modules[0]));
	failure_describe(f, status, &block, modules, n);
	worker_explain_crash(w, modules, n, f);
}

static void
worker_name_end(const struct worker *w, int status, struct failure *f)
{
	f->kind = WIFSIGNALED(status) ? FAILURE_KILLED : FAILURE_EXIT;
	if (WIFSIGNALED(status)) {
		f->signo = WTERMSIG(status);
		snprintf(f->what, sizeof(f->what), "%s",
			failure_signal_name(f->signo));
	} else {
		f->exit_status = WEXITSTATUS(status);
		snprintf(f->what, sizeof(f->what), "exit %d", f->exit_status);
	}
	snprintf(f->text, sizeof(f->text), "%s", w->why);
}

static void
worker_describe_lost(struct worker *w, int status, struct failure *f)
{
	struct failure_block block;

	memory_take(&block, &worker_head(w)->failure, sizeof(block));
	/* A fork server executes nothing, whatever its exit status is. If it
	 * ends, or its program was late to start, no input is to blame. */
	if ((WIFEXITED(status) && !w->no_fork) ||
		strcmp(w->why, WORKER_LATE) == 0 ||
		(w->process.pid == 0 &&
			strncmp(w->why, "communicating", 13) == 0)) {
		worker_name_end(w, status, f);
		f->kind = FAILURE_PROTOCOL;
	} else if (worker_end_was_noted(w, status)) {
		worker_describe_crash(w, status, f);
	} else {
		worker_name_end(w, status, f);
	}
	failure_set_mutator(f, &block);
}

/* _exit() in a program's loop ends the execution, as exit() does. */
static bool
worker_was_left(const struct worker *w, int status, const struct failure *f)
{
	return w->loops && f->kind == FAILURE_EXIT &&
		(status == 0 || !w->config.fail_on_exit);
}

/*
 * The count in memory, repaired. Without fork, a worker does next to nothing but
 * execute: if it crashes at 0, the input has overwritten the count. A kill or an
 * exit may come from elsewhere.
 */
static uint64_t
worker_lost_count(const struct worker *w, int status)
{
	uint64_t count =
		__atomic_load_n(&worker_head(w)->count, __ATOMIC_RELAXED);
	bool crashed = w->no_fork && WIFSIGNALED(status) &&
		failure_is_crash_signal(WTERMSIG(status));

	if (w->job.kind == JOB_PC_TABLE)
		return 0; /* nothing was executed */
	return count == 0 && crashed ? 1 : worker_repair_count(w, count);
}

/* The fork server itself has died: reconstructs the reply from memory. */
void
worker_deliver_lost(struct worker *w, int status)
{
	struct worker_result result = { .job = w->job,
		.worker = w,
		.took_ns = worker_since(clock_now_ns(), w->call_start_ns),
		.lost = true };
	const struct worker_head *head = worker_head(w);
	uint64_t used =
		__atomic_load_n(&head->outcome.ring_used, __ATOMIC_RELAXED);

	w->deaths++;
	if (w->job.kind == JOB_PC_TABLE)
		used = 0;
	result.count = worker_lost_count(w, status);
	result.end = CALL_RUNNING;
	worker_copy_mutations(w, &result);
	worker_copy_ring(w, used, &result);
	worker_describe_lost(w, status, &result.failure);
	if (worker_was_left(w, status, &result.failure)) {
		result.failure = (struct failure){ .kind = FAILURE_NONE };
		result.end = CALL_LIMIT;
		w->reply.spent = true;
	}
	worker_finish_result(w, &result);
}
