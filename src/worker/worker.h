/*
 * worker: one slot of the pool, from start to end.
 *
 * A worker owns a process (the fork server), its pipes and its memory. It is a
 * table of states and edges: one function changes state and logs each change.
 * It takes one job at a time and delivers one result for it. It also detects
 * faults by itself (hang, memory, death of the fork server). The coordinator
 * alone decides about the meaning of a result.
 *
 *  DOWN --spawn--> STARTING --ready--> IDLE --assign--> BUSY --reply--> IDLE
 *  any --stop--> STOPPING --exit--> DOWN          any --exit--> DOWN
 */
#ifndef CFUZZ_WORKER_WORKER_H
#define CFUZZ_WORKER_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <event2/event.h>

#include "control/snapshot.h"
#include "shared/wire/rpc.h"
#include "worker/inputs/input_sequence.h"
#include "worker/inputs/mutation_stack.h"
#include "worker/inputs/process_history.h"
#include "worker/job.h"
#include "worker/memory/campaign_memory.h"
#include "worker/process.h"
#include "worker/worker_history.h"

struct worker;

/* All pointers are borrowed, during delivery only. The job's bytes are gone. */
struct worker_result {
	struct job job;
	const struct worker *worker; /* the worker that delivers it */
	bool interrupted; /* a stop sent signals: says nothing of the input */
	bool lost;        /* the process is gone; the reply is reconstructed */
	char error[FAILURE_TEXT_MAX]; /* internal error, "" = none */
	uint64_t count;               /* executions */
	/* Durations of the call and, for WARMUP and REPLAY, of the execution,
	 * as the worker says; executions that the target rejected. */
	uint64_t total_ns, run_ns, rejected;
	uint64_t took_ns; /* duration of the call as measured by the engine */
	enum call_end end;
	bool odd_return, custom_bad;
	uint64_t mutations[MEMORY_OPS_MAX]; /* applied, by kind */
	const uint8_t *ring;                /* a private copy of the records */
	size_t ring_len;
	struct failure failure;   /* kind NONE: none */
	const uint8_t *candidate; /* the failing input: a copy */
	size_t candidate_len;
	struct mutation_stack stack; /* that made candidate */
	bool candidate_raw;          /* candidate was not made by `stack` */
	const uint8_t *best; /* MINIMIZE: best input, a copy; NULL: none */
	size_t best_len;
	uint64_t tries;
	/* MINIMIZE: its state; NULL: not reported */
	const struct minimizer_state *machine;
	const uint8_t *other; /* NULL: none */
	size_t other_len;
	const uint8_t *marks; /* enum candidate_result, one for each try */
	size_t marks_n;
	uint32_t missed; /* MINIMIZE: features to keep that the start lacks */
	const struct feature *kept; /* MINIMIZE: features of the start */
	uint32_t kept_n;
	const char *report; /* output of the sanitizer, or else of the target */
	size_t report_len;
	const char *paths; /* of a failure, see struct worker_head; or NULL */
	const struct pc_table_head *table; /* PC_TABLE: a copy; NULL: none */
	const uint64_t *pcs; /* as in the value area, see pc_table_head */
};

struct worker_handlers {
	void (*on_ready)(void *arg, struct worker *worker,
		const struct rpc_reply *ping);
	void (*on_idle)(void *arg, struct worker *worker); /* asks for a job */
	void (*on_result)(void *arg, struct worker *worker,
		const struct worker_result *result);
	/* The process is gone; `wanted`: it was asked to stop. */
	void (*on_down)(void *arg, struct worker *worker, bool wanted,
		const char *why);
	void (*on_modules)(void *arg, struct worker *worker,
		const struct counter_module *modules, uint32_t n);
	void (*on_line)(void *arg, const char *line); /* for the log */
	uint64_t (*elapsed_ns)(void *arg); /* campaign time; may be NULL */
};

/* Copied; the pointers are borrowed until the worker is destroyed. */
struct worker_config {
	struct event_base *base;
	struct campaign_memory *campaign;
	int target_fd;
	char **argv, **envp;
	const char *folder; /* where the target works; NULL: as we */
	const struct isolate_spec *isolate;  /* NULL: not isolated */
	const struct input_file_spec *input; /* of a program; NULL: none */
	uint64_t campaign_seed;
	bool leaks;           /* look for leaks */
	bool fail_on_exit;    /* a program's exit status is a failure */
	bool fixed_addresses; /* no address randomization */
	const struct worker_handlers *handlers;
	void *arg;
};

/* Limits that may change during the run; copied. */
struct worker_limits {
	/* stop_step_ms: between two steps of the stop ladder. rss_limit_kb:
	 * KiB; 0: none. */
	uint64_t start_timeout_ms, stop_step_ms, rss_limit_kb;
	/* 0: none; applies to processes started later. */
	uint64_t file_limit_mb;
	/* Number of workers that share the engine's time. */
	uint32_t workers;
};

/* NULL: the system has no memory or descriptor. */
struct worker *worker_create(const struct worker_config *config, uint32_t slot,
	struct error *err);
void worker_destroy(struct worker *worker); /* kills its processes */
void worker_set_limits(struct worker *worker,
	const struct worker_limits *limits);

/* If no process can be started, the loop calls on_down() later. */
void worker_start(struct worker *worker);
/* Not before its handler has finished with the last result, which points here. */
bool worker_is_idle(const struct worker *worker);
bool worker_is_down(const struct worker *worker);
/* The last start failed because the system had no process or memory. */
bool worker_was_refused(const struct worker *worker);
bool worker_was_spent(const struct worker *worker); /* see struct rpc_reply */
/* Must it be stopped first? It cannot be forked, and has run other inputs. */
bool worker_must_renew(const struct worker *worker, enum job_kind kind);
bool worker_is_starting(const struct worker *worker);
bool worker_is_foreign(const struct worker *worker); /* see RPC_KIND_AFL */
/* The maximum input length for which its memory has room. */
uint32_t worker_max_len(const struct worker *worker);
/* Copies the job and all of its bytes. The worker must be idle. */
void worker_assign(struct worker *worker, const struct job *job);
const struct job *worker_job(const struct worker *worker); /* NULL: none */
void worker_end_call(struct worker *worker); /* after the present execution */

/* The maximum size of a packed sequence, in bytes. */
size_t worker_sequence_max(uint32_t max_len);
/* Its target's types, known when it is ready: all inputs in results have them. */
const struct tuple_types *worker_types(const struct worker *worker);
/* Appends the target's own seeds, then its dictionary (NULL: not wanted), while
 * on_ready() runs. They are not trusted. False: there are fewer than announced;
 * those that are there were appended. */
bool worker_copy_seeds(struct worker *worker, struct input_sequence *seeds,
	struct input_sequence *words);
/* The inputs that ran before this failure in its process, while the result is
 * delivered; owned: process_history_destroy(). NULL: none. */
struct process_history *worker_take_history(const struct worker_result *result);

/* The first call starts the stop ladder; later calls take its next step. A
 * worker that is paused runs to its end, and is paused when it starts again. */
void worker_stop(struct worker *worker);
void worker_set_paused(struct worker *worker, bool paused);
bool worker_paused(const struct worker *worker);

/* Checks deadlines, watchdog and memory; call it about every 10 ms. */
void worker_tick(struct worker *worker, uint64_t now_ns);

/* The last states, with times of elapsed_ns(); borrowed. */
const struct worker_history *worker_get_history(const struct worker *worker);
/*
 * Copy at most size bytes of memory that the target can overwrite, as it is
 * now, and return their number. The output: its end; *written: bytes kept of it
 * in all, at most 256 KiB. The input under execution: its start, or of a typed
 * target its text; *len: bytes in all.
 */
size_t worker_copy_output(struct worker *worker, char *to, size_t size,
	uint64_t *written);
size_t worker_sample_input(const struct worker *worker, uint8_t *to,
	size_t size, uint64_t *len);

/* The end of the target's output, cleaned; "" = nothing. */
void worker_last_output(struct worker *worker, char *buf, size_t size);

uint32_t worker_slot(const struct worker *worker);
/* The fork server; 0: none, or an isolated one that is starting. */
pid_t worker_pid(const struct worker *worker);
/* The process that we started: the fork server, or its isolation helper. */
pid_t worker_process(const struct worker *worker);
/* Executions of the current call so far: sampled, for display. */
uint64_t worker_sample_count(const struct worker *worker);
/* Fills in the worker's part; the coordinator adds the rest. */
void worker_view(struct worker *worker, uint64_t now_ns,
	struct snapshot_worker *view);
/* Fills in the best input or its text. cut_offset and cut_len must be set. */
void worker_view_best(const struct tuple_types *types, const uint8_t *best,
	size_t len, struct snapshot_minimization *view);
/* Fills in the progress of the minimization that the worker runs. */
void worker_view_minimization(const struct worker *worker,
	struct snapshot_minimization *view);

#endif
