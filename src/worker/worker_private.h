/*
 * worker_private: internals of a worker, shared by worker.c (states) and the
 * files named below; worker_copy.c and worker_result.c make results.
 */
#ifndef CFUZZ_WORKER_WORKER_PRIVATE_H
#define CFUZZ_WORKER_WORKER_PRIVATE_H

#include "worker/input_file.h"
#include "worker/proc.h"
#include "worker/proc_memory.h"
#include "worker/worker.h"

enum worker_state {
	WORKER_DOWN,
	WORKER_STARTING,
	WORKER_IDLE,
	WORKER_BUSY,
	WORKER_STOPPING,
};

enum worker_event {
	EVENT_SPAWN,
	EVENT_READY,  /* the ping was answered */
	EVENT_ASSIGN, /* a job */
	EVENT_REPLY,
	EVENT_STOP,
	EVENT_EXIT, /* the kernel reports the end of the process */
};

struct worker {
	struct worker_config config;
	struct worker_limits limits;
	uint32_t slot;
	enum worker_state state;
	uint64_t state_since_ns;

	struct process process;
	/* Isolated: last pid inside and outside. */
	pid_t inner_child, outer_child;
	bool refused; /* not started: the system had no resources */
	struct input_file input;
	struct sealed memory;
	struct sealed stderr_file, report_file;
	struct worker_layout layout;
	uint32_t max_len; /* determines layout */
	struct event *read_event, *exit_event;
	char line[RPC_LINE_MAX]; /* the reply so far */
	size_t line_len;
	char out_line[RPC_LINE_MAX]; /* while it is being sent */

	/* The call under way. */
	struct job job; /* without its bytes; valid while has_job */
	bool has_job;
	bool has_other; /* the job began with an `other` */
	bool telling;   /* a handler reads data of this worker */
	struct rpc_request request;
	struct rpc_reply reply;
	uint64_t seq;
	uint64_t call_start_ns; /* later, if the call was held up */
	uint64_t sent_ns;       /* as it was */
	bool end_raised;        /* see worker_end_call() */
	uint64_t end_raised_ns;
	/* The reason why we killed the child; FAILURE_NONE: we did not. */
	enum failure_kind kill_reason;
	bool stop_killed; /* the stop ladder has sent a signal */
	uint64_t kill_reason_ns;
	bool sampling;     /* waits for the child's stack before the kill */
	bool sample_taken; /* the child has answered: its frames may return */
	/* Start and length of the wait; processor time before, memory since. */
	uint64_t sample_ns, sample_limit_ms, sample_ticks, sample_rss_kb;

	/* Watchdog. */
	bool condemned;  /* killed by us: its further output is ignored */
	uint64_t eof_ns; /* time when the pipe closed, 0: open */
	/* Executions at the last check; times: of a new one, when a child was
	 * first missing since that (0: never), of a tick. */
	uint64_t seen_count, progress_ns, childless_ns, tick_ns;
	uint64_t memory_ns; /* time of the next memory check */
	struct proc_memory memory_used;
	uint32_t reviving_seen;         /* the word at the last memory check */
	uint64_t rss_kb;                /* at the last memory check */
	uint64_t usage_ns, usage_ticks; /* of processor time: last reading */
	double cpu; /* cores in use since the reading before */

	struct worker_history history;
	enum worker_view_state shown_state; /* state on the screen, … */
	uint64_t shown_ns;    /* … its start on the screen, … */
	uint64_t shown_at_ns; /* … and the start in history */

	bool stop_wanted; /* asked to stop, or retired */
	enum stop_step step;
	uint64_t step_ns; /* time of the next step */
	bool paused;
	uint64_t paused_ns;   /* start of the pause */
	bool child_stopped;   /* by SIGSTOP, for the pause */
	pid_t parent_stopped; /* the child's, if that is not the worker; or 0 */
	/* Copies that results point into. */
	uint8_t *ring_copy, *candidate_copy, *best_copy;
	uint8_t *other_copy; /* NULL until needed, as keep_copy */
	struct feature *keep_copy;
	struct minimizer_state machine_copy;
	char *report_copy;
	char paths_copy[MEMORY_PATHS_SIZE];
	uint64_t deaths, restarts; /* of children; of the process */
	uint64_t fork_ns;          /* duration of the last fork */
	int32_t threads;           /* of the target */
	struct tuple_types types;
	bool no_fork, ran; /* ran: the process has run inputs */
	bool loops;   /* without fork: a program that leaves its loop ends it */
	bool foreign; /* an adapter, which may start its program again */
	bool sanitized; /* by a sanitizer that it names */
	bool started_once, ready_once;
	unsigned late_starts;       /* in a row, after it was ready once */
	char why[FAILURE_TEXT_MAX]; /* reason of the last end */
};

/* worker.c */
void worker_handle(struct worker *worker, enum worker_event event);
void worker_log(struct worker *worker, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void worker_kill(struct worker *worker, const char *why);
/* The child in the header, if it really is the fork server's; else 0. */
pid_t worker_child(struct worker *worker);
/* The child in shared memory, which the target can overwrite. */
pid_t worker_claimed_child(struct worker *worker);
/* The process that runs inputs: the child, or the fork server of a target that
 * cannot be forked; 0: none. */
pid_t worker_runner(struct worker *worker);

/* worker_create.c */
struct worker_head *worker_head(const struct worker *worker);
/* Creates worker memory for the campaign's max_len, replacing the old one. On
 * failure nothing changes. */
enum status worker_fit(struct worker *worker, struct error *err);
/*
 * Clears the head: nothing of an earlier process is trusted, except the note
 * that its mutator ended it.
 */
void worker_clear_memory(struct worker *worker);
void worker_drop_events(struct worker *worker);

/* worker_call.c */
void worker_send_ping(struct worker *worker);
void worker_send_job(struct worker *worker);
void worker_read(struct worker *worker);

/* worker_copy.c */
/* The output of the sanitizer, or else of the target, to report_copy; returns its
 * length, and a '\0' follows. */
size_t worker_read_report(struct worker *worker);
/* The last line of the target's output, without our name before it. */
void worker_last_line(struct worker *worker, char *buf, size_t size);
/* The failing input with its mutation stack. */
void worker_copy_witnesses(struct worker *worker, struct worker_result *result);
/* The mutations applied, which result->count bounds. */
void worker_copy_mutations(struct worker *worker, struct worker_result *result);
/* The records of new inputs; ring_next() checks each one. */
void worker_copy_ring(struct worker *worker, uint64_t used,
	struct worker_result *result);
/* The features that the input of a minimization reaches. */
void worker_copy_kept(struct worker *worker, struct worker_result *result);
/* The state of a minimization, to continue it. */
void worker_copy_machine(struct worker *worker, struct worker_result *result);

/* worker_result.c */
void worker_deliver_reply(struct worker *worker);
void worker_deliver_lost(struct worker *worker, int wait_status);
/* False: the current call cannot have executed so many. */
bool worker_count_plausible(const struct worker *worker, uint64_t count);
/* Does the fork server minimize a failure, and survive its candidates? */
bool worker_minimizes_failure(const struct worker *worker);

/* worker_view.c: records the current state if it has changed. */
void worker_note(struct worker *worker, const char *why);

/* worker_sample.c: requests the stack of an execution; false: not possible. */
bool worker_sample_begin(struct worker *worker, uint64_t now_ns);
/* Is the wait over? Is it one for a processor, while memory does not grow? */
bool worker_sample_is_over(struct worker *worker, uint64_t now_ns);
bool worker_sample_waits(struct worker *worker, uint64_t rss_kb);
void worker_sample_cancel(struct worker *worker);

/* worker_hold.c: stops, by SIGSTOP, a call that a pause does not end. */
void worker_hold(struct worker *worker, uint64_t now_ns);

/* worker_watch.c. WORKER_LATE is a reason for worker_kill(). */
#define WORKER_LATE \
	"the target did not start in time; --start-timeout raises the limit"
/* A program of AFL++ is, or was, started again, and no input has run since. */
bool worker_revives(const struct worker *worker);
bool worker_starts_again(struct worker *worker); /* and none runs */
/* The time since then; 0 if then lies ahead. */
uint64_t worker_since(uint64_t now_ns, uint64_t then_ns);
void worker_resume(struct worker *worker); /* without requesting a job */
void worker_ladder_begin(struct worker *worker, uint64_t now_ns);
void worker_ladder_next(struct worker *worker, uint64_t now_ns);

#endif
