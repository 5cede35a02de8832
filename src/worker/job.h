/*
 * job: what a worker is asked to execute, and the thing that it is done for.
 */
#ifndef CFUZZ_WORKER_JOB_H
#define CFUZZ_WORKER_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/wire/rpc.h"

enum job_kind {
	JOB_WARMUP,  /* run one input unchanged */
	JOB_MEASURE, /* the same, to measure its time once more */
	JOB_FUZZ,
	JOB_MINIMIZE_COVERAGE,
	JOB_MINIMIZE_FAILURE,
	/* Run once in a fresh child; does not count for the limits. */
	JOB_REPLAY,
	JOB_PC_TABLE, /* get a part of the PC table; executes nothing */
	JOB_SEQUENCE, /* many inputs in one fresh child; outside the limits */
};

struct check_item;
struct cmin_input;
struct corpus_entry;
struct finding;
struct pc_table_module;
struct trim_job;

enum job_owner_kind {
	JOB_OWNER_NONE,
	JOB_OWNER_ENTRY,
	JOB_OWNER_FINDING,
	JOB_OWNER_TRIM,
	JOB_OWNER_MODULE,
	JOB_OWNER_CMIN_INPUT,
	JOB_OWNER_CHECK_ITEM,
};

/* Set by job_set_…() and read by job_owner_…(), which check the kind. Workers
 * do not look at it. */
struct job_owner {
	enum job_owner_kind kind;
	union {
		struct corpus_entry *entry;
		struct finding *finding;
		struct trim_job *trim;
		struct pc_table_module *module;
		struct cmin_input *cmin_input;
		struct check_item *check_item;
	};
};

/* All pointers but the owner's are borrowed while worker_assign() runs, which
 * copies the bytes. */
struct job {
	enum job_kind kind;
	const uint8_t *data;
	size_t len;
	uint32_t arena;     /* entry of data in the arena, or MEMORY_NO_ENTRY */
	uint64_t limit;     /* executions, 0 = none */
	uint64_t budget_ms; /* the call ends after this time, 0 = none */
	/* Once the call has new inputs, it ends after this time; 0 = as
	 * budget_ms. */
	uint64_t found_ms;
	uint64_t hang_ms;        /* time limit of an execution */
	bool confirm;            /* run new inputs twice */
	uint32_t cap, stack_max; /* for mutators: maximum length, mutations */
	bool draw; /* select parents from the table; data if it is empty */
	bool user_queue;    /* from the user queue: use this parent only */
	bool profile;       /* use the value profile */
	uint64_t seed_call; /* PRNG: number of the call in the campaign */
	const struct feature *keep;
	uint32_t keep_n;
	uint64_t stack_hash; /* stack hash of the failure to keep */
	enum minimize_rule rule;
	enum failure_kind failure_kind;
	const char *what; /* of that failure; NULL: none */
	/* MINIMIZE: the state to continue from, then data is the best
	 * input so far. NULL: start with data, which runs first. */
	const struct minimizer_state *machine;
	const uint8_t *other; /* of the state; NULL: none */
	size_t other_len;
	const struct known_failure *known;
	uint32_t known_n;
	bool ask;       /* a new failure ends the call */
	uint32_t tries; /* report the results of at most this many tries */
	struct counter_module module; /* PC_TABLE: counters of this module, … */
	uint32_t first;               /* … from this one on */
	uint32_t sequence_n; /* SEQUENCE: number of inputs packed in data */
	uint64_t reserved;   /* executions taken from the campaign's limit */
	struct job_owner owner;
};

/* Does it need a process that has run no input before? */
bool job_is_fresh(enum job_kind kind);
/* The time limit of an input that may have been stopped too early, in ms: five
 * times as much, but no more than a minute, and never less than limit_ms. */
uint64_t job_long_ms(uint64_t limit_ms);
/* Sets the longer limit if the input may fail by too much memory: growing to
 * the memory limit may take about as long as the time limit. */
void job_let_grow(struct job *job, enum failure_kind kind);

/* Sets the pointers to bytes to NULL; the lengths stay. */
void job_drop_bytes(struct job *job);

/* The owner is borrowed: it must exist until the result is delivered. */
void job_set_entry(struct job *job, struct corpus_entry *owner);
void job_set_finding(struct job *job, struct finding *owner);
void job_set_trim(struct job *job, struct trim_job *owner);
void job_set_module(struct job *job, struct pc_table_module *owner);
void job_set_cmin_input(struct job *job, struct cmin_input *owner);
void job_set_check_item(struct job *job, struct check_item *owner);

/* Turns a zeroed job into one that asks for the rest of a module's PC table.
 * The module is the owner of the job. */
void job_ask_table(struct job *job, struct pc_table_module *module);

/* The owner; NULL: it is of another kind. */
struct corpus_entry *job_owner_entry(const struct job *job);
struct finding *job_owner_finding(const struct job *job);
struct trim_job *job_owner_trim(const struct job *job);
struct pc_table_module *job_owner_module(const struct job *job);
struct cmin_input *job_owner_cmin_input(const struct job *job);
struct check_item *job_owner_check_item(const struct job *job);

#endif
