/*
 * worker_call: writes a job as a request to worker memory and to the pipe, and
 * reads the lines that come back as replies. worker_result.c evaluates them.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "worker/worker_private.h"

static void
worker_send(struct worker *w)
{
	struct error err = { 0 };
	size_t len;
	ssize_t n;

	w->request.seq = ++w->seq;
	random_bytes(&w->request.nonce, sizeof(w->request.nonce));
	/* JSON integers are signed here. */
	w->request.nonce &= INT64_MAX;
	if (rpc_encode_request(&w->request, w->out_line, sizeof(w->out_line),
		    &len, &err) != OK) {
		worker_kill(w, err.text);
		return;
	}
	/* On a shared processor the call may end before write() returns. */
	w->sent_ns = w->call_start_ns = w->progress_ns = clock_now_ns();
	/* There is one request at a time, and it fits into an empty pipe. */
	do
		n = write(w->process.in_fd, w->out_line, len);
	while (n < 0 && errno == EINTR);
	/* The process is ending; its exit event gives the reason. */
	if (n != (ssize_t)len)
		w->eof_ns = clock_now_ns();
	w->seen_count = w->childless_ns = 0;
	w->end_raised = false;
	w->kill_reason = FAILURE_NONE;
	w->sampling = false;
	w->stop_killed = false;
}

void
worker_send_ping(struct worker *w)
{
	w->request = (struct rpc_request){ .kind = RPC_PING,
		.leaks = w->config.leaks,
		.fail_on_exit = w->config.fail_on_exit };
	worker_send(w);
}

/* Writes the start of a call. Between calls the memory belongs to us. */
static void
worker_fill_memory(struct worker *w)
{
	struct worker_head *head = worker_head(w);
	const struct job *job = &w->job;
	struct prng rand;
	uint8_t *map = w->memory.map;

	prng_mix(&rand, w->config.campaign_seed, w->slot, job->seed_call);
	head->count = 0;
	head->rand_state = rand.state;
	head->rand_inc = rand.inc;
	head->kill_reason = FAILURE_NONE;
	head->stack_n = 0;
	head->literals_n = 0;
	memset(head->mutations, 0, sizeof(head->mutations));
	head->parent = job->arena;
	head->partner = MEMORY_NO_ENTRY;
	head->value_len = job->kind == JOB_SEQUENCE ? 0 : job->len;
	/* Hide the progress of the last minimization. */
	head->live = (struct minimize_live){ .best_len = job->len };
	memset(&head->outcome, 0, sizeof(head->outcome));
	memset(&head->failure, 0, sizeof(head->failure));
	if (job->kind == JOB_SEQUENCE)
		memcpy(map + w->layout.ring_offset, job->data,
			job->len < w->layout.ring_size ? job->len
						       : w->layout.ring_size);
	else if (job->arena == MEMORY_NO_ENTRY && job->len > 0)
		memcpy(map + w->layout.value_offset, job->data, job->len);
	if (job->keep_n > 0)
		memcpy(map + w->layout.keep_offset, job->keep,
			job->keep_n * sizeof(*job->keep));
	if (job->known_n > 0)
		memcpy(map + w->layout.keep_offset, job->known,
			job->known_n * sizeof(*job->known));
	if (job->machine != NULL)
		head->machine = *job->machine;
	if (job->other != NULL)
		memcpy(map + w->layout.best_offset, job->other, job->other_len);
}

static void
worker_fill_request(struct worker *w)
{
	const struct job *job = &w->job;
	struct rpc_request *r = &w->request;

	*r = (struct rpc_request){
		.kind = RPC_FUZZ,
		.timeout_ns = job->budget_ms * 1000000u,
		.limit = job->limit,
		.parent = job->arena,
		.cap = job->cap,
		.stack_max = job->stack_max,
		.draw = job->draw,
		.value_profile = job->profile,
		.confirm = job->confirm,
		.fresh = job_is_fresh(job->kind),
	};
	switch (job->kind) {
	case JOB_FUZZ:
		break;
	case JOB_REPLAY:
	case JOB_WARMUP:
	case JOB_MEASURE:
		r->warmup = true;
		break;
	case JOB_MINIMIZE_COVERAGE:
		r->kind = RPC_MINIMIZE;
		r->want_coverage = true;
		r->keep_n = job->keep_n;
		r->machine = job->machine != NULL;
		r->tries = job->tries;
		break;
	case JOB_MINIMIZE_FAILURE:
		r->kind = RPC_MINIMIZE;
		r->stack_hash = job->stack_hash;
		r->rule = job->rule;
		r->failure_kind = job->failure_kind;
		r->machine = job->machine != NULL;
		r->tries = job->tries;
		r->known_n = job->known_n;
		r->ask = job->ask;
		snprintf(r->what, sizeof(r->what), "%s", job->what);
		break;
	case JOB_SEQUENCE:
		r->limit = r->sequence_n = job->sequence_n;
		break;
	case JOB_PC_TABLE:
		r->kind = RPC_PC_TABLE;
		r->module = job->module;
		r->first = job->first;
		break;
	}
}

void
worker_send_job(struct worker *w)
{
	/* The program's new process is exempt from the memory limit, as the
	 * first one was. */
	if (worker_starts_again(w))
		proc_memory_open(&w->memory_used, w->process.fork_server);
	worker_fill_memory(w);
	worker_fill_request(w);
	w->ran |= w->job.kind != JOB_PC_TABLE;
	lseek(w->report_file.fd, 0, SEEK_SET);
	worker_send(w);
}

/* A complete line is the reply to the current request, or an error. */
static void
worker_on_line(struct worker *w, const char *line, size_t len)
{
	struct error err = { 0 };

	if (rpc_decode_reply(line, len, w->request.kind, &w->reply, &err) !=
		OK) {
		error_wrap(&err, "communicating with fuzzing process");
		worker_kill(w, err.text);
		return;
	}
	if (w->reply.seq != w->request.seq ||
		w->reply.nonce != w->request.nonce) {
		worker_kill(w,
			"communicating with fuzzing process: a reply "
			"to no request");
		return;
	}
	if (w->request.kind != RPC_PING) {
		worker_handle(w, EVENT_REPLY);
		return;
	}
	if (w->reply.version != WIRE_VERSION)
		worker_kill(w,
			"the target was built for another version of "
			"cfuzz: build it again with cfuzz-cc");
	else
		worker_handle(w, EVENT_READY);
}

static void
worker_split_lines(struct worker *w)
{
	size_t start = 0;
	char *newline;

	while (w->process.pid != 0 && !w->condemned && start < w->line_len) {
		newline = memchr(w->line + start, '\n', w->line_len - start);
		if (newline == NULL)
			break;
		worker_on_line(w, w->line + start,
			(size_t)(newline - w->line) - start);
		start = (size_t)(newline - w->line) + 1;
	}
	w->line_len -= start;
	memmove(w->line, w->line + start, w->line_len);
}

void
worker_read(struct worker *w)
{
	ssize_t n;

	while (w->process.out_fd >= 0) {
		n = read(w->process.out_fd, w->line + w->line_len,
			sizeof(w->line) - w->line_len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return; /* no data now */
		if (n == 0) {
			/* Wait for the kernel to report the end. Until then a
			 * readable descriptor must not spin the loop. */
			event_del(w->read_event);
			w->eof_ns = clock_now_ns();
			return;
		}
		w->line_len += (size_t)n;
		worker_split_lines(w);
		if (w->line_len == sizeof(w->line)) {
			w->line_len = 0;
			worker_kill(w,
				"communicating with fuzzing process: "
				"a line without end");
			return;
		}
	}
}
