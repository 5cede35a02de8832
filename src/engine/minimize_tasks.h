/*
 * minimize_tasks: minimizations under way, and how they are driven.
 *
 * One goes on in calls of a worker at full speed, a fifth of a second each, or
 * in calls of one try each when an operator goes through it by steps. It
 * belongs to a finding, or to an input of the corpus whose coverage is kept.
 * The original is on disk before the first try, and what is best so far is
 * kept whatever ends it.
 */
#ifndef CFUZZ_ENGINE_MINIMIZE_TASKS_H
#define CFUZZ_ENGINE_MINIMIZE_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control/snapshot.h"
#include "findings/minimization.h"
#include "worker/worker.h"

#define MINIMIZE_TASKS_SLICE_MS 200 /* a call at full speed, … */
#define MINIMIZE_TASKS_SHOWN_MS 100 /* … while somebody looks on */
#define MINIMIZE_TASKS_TRIES 16384  /* … and it tells of so many tries */
#define MINIMIZE_TASKS_LOSSES 2     /* workers that died of it: then by steps */
#define MINIMIZE_TASKS_ENDED 4      /* ended ones that can still be looked at */
#define MINIMIZE_TASKS_PACE_MAX 1024.0 /* tries a second; then all it can */

struct engine;
struct finding;
struct corpus_entry;
struct slot;

/* What the operator wants of one that is held. */
enum minimize_tasks_wish {
	WISH_NOTHING,
	WISH_TRY,      /* one more */
	WISH_ACCEPTED, /* until one is accepted */
};

struct minimize_task {
	char name[24]; /* the finding's id, or the entry's name */
	struct minimization *shrinking;
	struct finding *finding; /* NULL: of an entry */
	/* An entry's: the job's owner, with what is to be kept. */
	struct trim_job *trim;
	bool verified; /* the start does what it shall */
	bool busy;     /* a worker has it */
	bool single;   /* … for one try */
	bool asked;    /* by the operator: it has precedence */
	bool by_steps, held;
	bool accepted;                 /* the operator is content */
	bool undo_wanted, skip_wanted; /* when the call is over */
	bool ended;
	enum minimize_tasks_wish wish;
	double pace;      /* tries a second by steps; 0: all it can */
	uint64_t next_ns; /* of the next one */
	uint64_t at;      /* the operator looks back at this try; 0: at now */
	uint64_t looked_ns;
	uint64_t used_ns, count; /* time in workers, executions */
	uint64_t start_ns;
	unsigned losses;
	uint32_t worker; /* the last one that had it */
	/* A try that failed otherwise waits for being judged. */
	bool asking;
	uint64_t unknown;
	char unknown_words[96];
	struct known_failure *known;
	uint32_t known_n;
};

/* Makes one, or gives the one that there is. */
struct minimize_task *minimize_tasks_of_finding(struct engine *e,
	struct finding *finding);
struct minimize_task *minimize_tasks_of_entry(struct engine *e,
	struct corpus_entry *entry);
/* By the name of its finding or entry, or the beginning of one; also one that
 * has ended. NULL: none. */
struct minimize_task *minimize_tasks_find(struct engine *e, const char *name);

/* Fills the job for its next call; false: none for now. */
bool minimize_tasks_job(struct engine *e, struct minimize_task *m,
	struct job *job);
/* One that the operator asked for, of any kind. */
bool minimize_tasks_next_asked(struct engine *e, struct job *job);
/* The job is on its way to a worker. */
void minimize_tasks_taken(struct engine *e, struct minimize_task *m,
	const struct slot *slot);

/* Whether there is a finding's to go on with. */
bool minimize_tasks_is_due(struct engine *e, const struct finding *finding);

/* By the settings. */
enum minimize_rule minimize_tasks_rule(const struct engine *e);

/* What came of a call. */
void minimize_tasks_on_result(struct engine *e, struct slot *slot,
	struct minimize_task *m, const struct worker_result *r);

/* What the operator wanted while a worker had it. */
void minimize_tasks_act(struct engine *e, struct minimize_task *m);
/* On with it, if no worker has it, or its end. */
void minimize_tasks_advance(struct engine *e, struct minimize_task *m);

/* Time passes: whose next try is due? What ended long ago is freed here, and
 * nowhere else before the end: until then all that end may be read. */
void minimize_tasks_tick(struct engine *e, uint64_t now_ns);

/* No more tries: what is best is kept. release: those that are held go on by
 * themselves instead. */
void minimize_tasks_drain(struct engine *e, bool release);
bool minimize_tasks_any(
	const struct engine *e); /* one that goes on by itself */
void minimize_tasks_clear(struct engine *e);

/* The names of a failure have come, or are not waited for any more: tries
 * that wait for these are judged. */
void minimize_tasks_on_named(struct engine *e);
/* The finding was another one: nothing is to come of it. No worker has it. */
void minimize_tasks_drop(struct finding *finding);

/* Ends with what is best so far. */
void minimize_tasks_finish(struct engine *e, struct minimize_task *m,
	const char *why_not);

/* Those that no worker has at the moment, and what the engine knows of one
 * that a worker has. */
void minimize_tasks_view(const struct engine *e, const struct minimize_task *m,
	struct snapshot_minimization *view);

#endif
