/*
 * worker: one slot of the pool, from start to end.
 *
 * A worker owns a process (the keeper), its pipes and its memory, and is a
 * table of states and edges: one function moves it and logs the move. It
 * takes one job at a time and delivers one result for it; it also notices,
 * by itself, what goes wrong meanwhile (hang, memory, a dead keeper). What a
 * result means is decided by the coordinator alone.
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
#include "worker/campaign_memory.h"
#include "worker/input_sequence.h"
#include "worker/mutation_stack.h"
#include "worker/process.h"
#include "worker/process_history.h"
#include "worker/worker_history.h"

struct worker;

enum job_kind {
	JOB_WARMUP, /* run once, unchanged */
	JOB_FUZZ,
	JOB_MINIMIZE_COVERAGE,
	JOB_MINIMIZE_FAILURE,
	JOB_REPLAY,   /* run once in a fresh child; outside the limits */
	JOB_TABLES,   /* where counters stand; executes nothing */
	JOB_SEQUENCE, /* many values in one fresh child; outside the limits */
};

struct job {
	enum job_kind kind;
	const uint8_t *data; /* borrowed until the result is delivered */
	size_t len;
	uint32_t arena;      /* where data stands in the arena, or NO_ENTRY */
	uint64_t limit;      /* executions, 0 = none */
	uint64_t budget_ms;  /* the call shall end after this, 0 = none */
	uint64_t found_ms;   /* after this if it found something, 0 = as long */
	uint64_t hang_ms;    /* an execution may last so long */
	bool confirm;        /* run finds twice */
	uint32_t cap, chain; /* of the mutators */
	bool draw;           /* parents are drawn; data is for want of any */
	bool wish;           /* of a user: this parent, and no other */
	bool profile;        /* progress in comparisons counts */
	uint64_t seed_call;  /* PRNG: number of the call in the campaign */
	const struct coverage_pair *keep;
	uint32_t keep_n;
	uint64_t signature; /* the failure to keep */
	enum minimize_rule rule;
	enum failure_kind failure_kind;
	const char *what;
	/* MINIMIZE: where it goes on, see minimizer_save(); data is the best so
	 * far. NULL: from the start, which is tried first. All borrowed. */
	const uint64_t *machine;
	const uint8_t *other; /* of the machine; NULL: none */
	size_t other_len;
	const struct known_failure *known;
	uint32_t known_n;
	bool ask;       /* a failure that is not known ends the call */
	uint32_t tries; /* what comes of so many is to be told, at most */
	struct counter_module module; /* TABLES: of these counters, … */
	uint32_t first;               /* … from this one on */
	uint32_t sequence_n;          /* SEQUENCE: values packed in data */
	uint64_t reserved; /* executions taken from the campaign's limit */
	void *owner;       /* the coordinator's */
};

/* Everything points into the worker and is good during delivery only. */
struct worker_result {
	const struct job *job;
	const struct worker *worker; /* whose result it is */
	bool interrupted; /* ended by our own stop: no failure of the input */
	bool lost;        /* the process is gone: the reply is made up */
	char error[FAILURE_TEXT_MAX]; /* an internal fault, "" = none */
	uint64_t count;               /* executions */
	uint64_t total_ns, run_ns, rejected;
	uint64_t took_ns; /* of the call as the engine saw it */
	enum call_end end;
	bool odd_return, custom_bad;
	uint64_t steps[MEMORY_OPS_MAX]; /* taken, of each kind */
	const uint8_t *ring;            /* a private copy of the records */
	size_t ring_len;
	struct failure failure;   /* kind NONE: none */
	const uint8_t *candidate; /* first witness: a copy */
	size_t candidate_len;
	struct mutation_stack chain; /* second witness: how it was made */
	bool candidate_raw;          /* the minimizer's: no chain leads to it */
	const uint8_t *best;         /* of a minimization: a copy, NULL: none */
	size_t best_len;
	uint64_t tries, accepted;
	/* of a minimization: where it stands; NULL: it does not tell */
	const uint64_t *machine;
	const uint8_t *other; /* NULL: none */
	size_t other_len;
	const uint8_t *marks; /* enum minimize_mark, of each try */
	size_t marks_n;
	uint32_t missed; /* pairs that the start did not reach */
	const struct coverage_pair *kept; /* that it found to keep */
	uint32_t kept_n;
	const char *report; /* the sanitizer's, or the target's last output */
	size_t report_len;
	/* TABLES: a copy, of what the target says; n is what there is. */
	const struct table_head *table; /* NULL: it does not tell */
	const uint64_t *places;
};

struct worker_handlers {
	void (*on_ready)(void *arg, struct worker *worker,
		const struct rpc_reply *ping);
	void (*on_idle)(void *arg, struct worker *worker); /* wants a job */
	void (*on_result)(void *arg, struct worker *worker,
		const struct worker_result *result);
	/* The process is gone; `wanted`: it was asked to stop. */
	void (*on_down)(void *arg, struct worker *worker, bool wanted,
		const char *why);
	void (*on_modules)(void *arg, struct worker *worker,
		const struct counter_module *modules, uint32_t n);
	void (*on_line)(void *arg, const char *line); /* for the log */
	uint64_t (*elapsed_ns)(void *arg); /* of the campaign; may be NULL */
};

struct worker_config {
	struct event_base *base;
	struct campaign_memory *campaign;
	int target_fd;
	char **argv, **envp;
	const struct isolate_spec *isolate; /* NULL: targets are not isolated */
	uint64_t campaign_seed;
	bool leaks; /* are to be looked for */
	const struct worker_handlers *handlers;
	void *arg;
};

/* What a user is told who expects leaks to be found; NULL: nothing. */
const char *worker_leaks_trouble(enum rpc_leaks leaks);

/* Limits that may change while it runs; copied. */
struct worker_limits {
	uint64_t start_timeout_ms, stop_step_ms, rss_limit_kb;
	uint64_t file_limit_mb; /* 0: none; of those that start from now on */
	uint32_t workers;       /* that share the engine's time with this one */
};

struct worker *worker_create(const struct worker_config *config, uint32_t slot,
	struct error *err);
void worker_destroy(struct worker *worker); /* kills what lives */
void worker_set_limits(struct worker *worker,
	const struct worker_limits *limits);

void worker_start(struct worker *worker);
/* It may be given a job: not before its handler is through with the last
 * result, which points into it. */
bool worker_is_idle(const struct worker *worker);
bool worker_is_down(const struct worker *worker);
/* The system had no process or memory for it, the last time. */
bool worker_was_refused(const struct worker *worker);
bool worker_is_starting(const struct worker *worker);
/* Its memory has room for inputs of that length. */
uint32_t worker_max_len(const struct worker *worker);
void worker_assign(struct worker *worker, const struct job *job);
const struct job *worker_job(const struct worker *worker); /* NULL: none */
/* Ends the call under way as soon as the execution under way ends. */
void worker_end_call(struct worker *worker);

/* Bytes that the values of a sequence may take, packed. */
size_t worker_sequence_max(uint32_t max_len);
/* What its target takes; known when it is ready. Results hold inputs of these
 * types alone. */
const struct tuple_types *worker_types(const struct worker *worker);
/* The inputs that its target brings, while on_ready() runs: copies, which may be
 * anything. False: there are less than it says. */
bool worker_copy_seeds(struct worker *worker, struct input_sequence *seeds);
/* What ran before the failure of this result in its process; NULL: nothing. */
struct process_history *worker_take_prelude(const struct worker_result *result);

/* First call: the ladder begins; later calls: its next step, now. */
void worker_stop(struct worker *worker);
void worker_set_paused(struct worker *worker, bool paused);
bool worker_paused(const struct worker *worker);

/* Time passes: deadlines, watchdog, memory. About every 10 ms. */
void worker_tick(struct worker *worker, uint64_t now_ns);

/* What it did, in time as elapsed_ns() has it; borrowed. */
const struct worker_history *worker_get_history(const struct worker *worker);
/*
 * Copies of what the target can write to, as it is now: the end of its output
 * and how much it wrote in all; the value under execution and its length.
 */
size_t worker_copy_output(struct worker *worker, char *to, size_t size,
	uint64_t *written);
size_t worker_sample_input(const struct worker *worker, uint8_t *to,
	size_t size, uint64_t *len);

/* The tail of what the target wrote, cleaned; "" = nothing. */
void worker_last_output(struct worker *worker, char *buf, size_t size);

uint32_t worker_slot(const struct worker *worker);
/* The keeper; 0: there is none, or an isolated one is only starting. */
pid_t worker_pid(const struct worker *worker);
/* What was started for it, and whose end is its end: the keeper, or its helper. */
pid_t worker_process(const struct worker *worker);
/* Executions of the call under way so far: sampled, for the screen. */
uint64_t worker_sample_count(const struct worker *worker);
/* Fills in what the worker knows; the coordinator adds the rest. */
void worker_view(struct worker *worker, uint64_t now_ns,
	struct snapshot_worker *view);
/* The best input, or its text; what is cut is known before. */
void view_best(const struct tuple_types *types, const uint8_t *best, size_t len,
	struct snapshot_minimization *view);
void worker_view_minimization(const struct worker *worker,
	struct snapshot_minimization *view);

#endif
