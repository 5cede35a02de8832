/*
 * worker_private: the inside of a worker, for the files that make it: worker.c
 * (states), worker_call.c (jobs and replies), worker_result.c (what came of
 * them), worker_watch.c (time, memory, the stop ladder), worker_sample.c
 * (stacks of what is ended) and worker_view.c (what the screen sees).
 */
#ifndef CFUZZ_WORKER_WORKER_PRIVATE_H
#define CFUZZ_WORKER_WORKER_PRIVATE_H

#include "worker/proc.h"
#include "worker/worker.h"

enum worker_state {
	WORKER_DOWN,
	WORKER_STARTING,
	WORKER_IDLE,
	WORKER_BUSY,
	WORKER_STOPPING,
	WORKER_STATE_COUNT
};

enum worker_event {
	EVENT_SPAWN,
	EVENT_READY,  /* the ping was answered */
	EVENT_ASSIGN, /* a job */
	EVENT_REPLY,
	EVENT_STOP,
	EVENT_EXIT, /* the kernel says that the process is gone */
	EVENT_COUNT
};

struct worker {
	struct worker_config config;
	struct worker_limits limits;
	uint32_t slot;
	enum worker_state state;
	uint64_t state_since_ns;

	struct process process;
	pid_t inner_child, outer_child; /* of an isolated one, seen last */
	bool refused; /* there is none, the system had none left */
	struct sealed memory;
	struct sealed stderr_file, report_file;
	struct worker_layout layout;
	uint32_t max_len; /* from which that follows */
	struct event *read_event, *exit_event;
	char line[RPC_LINE_MAX];
	size_t line_len;
	char out_line[RPC_LINE_MAX]; /* while it is being sent */

	/* The call under way. */
	struct job job; /* owner of nothing; valid while has_job */
	bool has_job;
	bool telling; /* a handler reads what points into this worker */
	struct rpc_request request;
	struct rpc_reply reply;
	uint64_t seq;
	uint64_t call_start_ns;
	bool end_raised;
	uint64_t end_raised_ns;
	/* Why we killed the child; FAILURE_NONE: we did not. */
	enum failure_kind blame;
	bool stop_killed;
	uint64_t blame_ns;
	bool sampling; /* killed as soon as its stack is known */
	uint64_t sample_ns, sample_limit_ms;

	/* Watchdog. */
	bool condemned;  /* killed by us: nothing it says counts any more */
	uint64_t eof_ns; /* the link closed, 0: it did not */
	uint64_t seen_count, progress_ns, tick_ns;
	uint64_t memory_ns; /* next look at memory */
	struct proc_memory memory_used;
	uint64_t rss_kb; /* when it was looked at last */
	uint64_t usage_ns, usage_ticks;
	double cpu;

	struct worker_history history;
	enum worker_view_state shown_state; /* on the screen … */
	uint64_t shown_ns;                  /* … since then, … */
	uint64_t shown_at_ns;               /* … for that moment of history */

	bool stop_wanted; /* asked to stop, or retired */
	enum stop_step step;
	uint64_t step_ns; /* when the next step of the ladder comes */
	bool paused;
	uint64_t paused_ns; /* since when */
	bool child_stopped;

	/* Copies that results point into. */
	uint8_t *ring_copy, *candidate_copy, *best_copy;
	uint8_t *other_copy; /* NULL: not needed yet; so is this: */
	struct coverage_pair *keep_copy;
	uint64_t machine_copy[MINIMIZE_STATE_N];
	char *report_copy;
	uint64_t deaths, restarts;
	uint64_t fork_ns;
	int32_t threads;
	struct tuple_types types;
	bool no_fork;
	bool started_once;
	char why[FAILURE_TEXT_MAX]; /* of the last end */
};

/* worker.c */
void worker_handle(struct worker *worker, enum worker_event event);
void worker_log(struct worker *worker, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void worker_kill(struct worker *worker, const char *why);
struct worker_head *worker_head(const struct worker *worker);
/* The child that the header names, if it really is the keeper's; else 0. */
pid_t worker_child(struct worker *worker);
/* What the shared memory says, whoever wrote that. */
pid_t worker_claimed_child(struct worker *worker);
/* The process that runs inputs: the child, or a target that cannot be forked;
 * 0: none. */
pid_t worker_runner(struct worker *worker);

/* worker_call.c */
void worker_send_ping(struct worker *worker);
void worker_send_job(struct worker *worker);
void worker_read(struct worker *worker);

/* worker_result.c */
void worker_deliver_reply(struct worker *worker);
void worker_deliver_lost(struct worker *worker, int wait_status);
/* False: more than the call under way can have executed. */
bool worker_count_plausible(const struct worker *worker, uint64_t count);
/* The keeper drives it, and survives what its candidates do. */
bool worker_minimizes_failure(const struct worker *worker);

/* worker_view.c */
/* It is in another state, perhaps. */
void worker_note(struct worker *worker, const char *why);

/* worker_sample.c */
/* Asks for the stack of what is to be blamed; false: it cannot be had. */
bool worker_sample_begin(struct worker *worker, uint64_t now_ns);
/* It is there, or will not come. */
bool worker_sample_is_over(struct worker *worker, uint64_t now_ns);
void worker_sample_cancel(struct worker *worker);

/* worker_watch.c */
/* From then to now; a moment that lies ahead is no time ago. */
uint64_t worker_since(uint64_t now_ns, uint64_t then_ns);
/* Undoes a pause, and asks for nothing. */
void worker_resume(struct worker *worker);
void worker_ladder_begin(struct worker *worker, uint64_t now_ns);
void worker_ladder_next(struct worker *worker, uint64_t now_ns);

#endif
