/*
 * minimize_tasks: minimizations under way, and how they are driven.
 *
 * A minimization runs in calls of a worker at full speed, a fifth of a second
 * each, or in calls of one try each while the user steps through it. It belongs
 * to a finding, or to a corpus entry and then keeps its coverage. The original
 * is on disk before the first try, and the best input so far is kept however
 * the minimization ends.
 */
#ifndef CFUZZ_ENGINE_TRIAGE_MINIMIZE_TASKS_H
#define CFUZZ_ENGINE_TRIAGE_MINIMIZE_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control/snapshot.h"
#include "findings/minimization_driver.h"

#define MINIMIZE_TASKS_SLICE_MS 200    /* a call at full speed */
#define MINIMIZE_TASKS_SHOWN_MS 100    /* the same while a user watches */
#define MINIMIZE_TASKS_ENDED 4         /* ended ones still shown */
#define MINIMIZE_TASKS_PACE_MAX 1024.0 /* tries a second; above: no limit */

struct engine;
struct finding;
struct corpus_entry;
struct slot;
struct worker_result;

/* The user's command for a held minimization. */
enum minimize_tasks_step {
	MINIMIZE_STEP_NONE,
	MINIMIZE_STEP_TRY,      /* one more try */
	MINIMIZE_STEP_ACCEPTED, /* tries until one is accepted */
};

struct minimize_task {
	char name[24]; /* finding's id or entry's name */
	struct minimization_driver driver;
	struct finding *finding;       /* NULL: for an entry */
	struct trim_job *trim;         /* of an entry: the job's owner */
	bool former;                   /* it began with the minimized input */
	bool busy;                     /* a worker has it */
	bool asked;                    /* by the user: it has precedence */
	bool held;                     /* it waits for the user's steps */
	bool accepted;                 /* the user accepts it as it is */
	bool undo_wanted, skip_wanted; /* after the call */
	bool ended;
	enum minimize_tasks_step step;
	double pace;        /* tries a second by steps; 0: no limit */
	uint64_t next_ns;   /* when the next try is due */
	uint64_t at;        /* try shown to the user; 0: the newest */
	uint64_t looked_ns; /* when a user last asked for it; 0: never */
	uint64_t used_ns;   /* time in workers, and of starts after losses */
	uint64_t start_ns;  /* by run_clock_elapsed_ns() */
	uint32_t worker;    /* number of the last worker */
	/* The worker that died of the last try, until it has started again. */
	const struct slot *lost;
	uint64_t lost_ns;
};

struct minimize_tasks_handlers {
	/* A candidate failed in a way that is not known yet. */
	void (*on_failure)(struct engine *e, struct slot *slot,
		const struct worker_result *r, struct corpus_entry *parent);
	/* A finding's task is over. best: the smallest input that fails,
	 * borrowed; NULL: none was seen to fail. why_not: the reason for that,
	 * or NULL. */
	void (*on_minimized)(struct engine *e, struct finding *f,
		const uint8_t *best, size_t len, uint64_t tries,
		const char *why_not);
};

/* Call before the first task. handlers: borrowed for good. */
void minimize_tasks_open(struct engine *e,
	const struct minimize_tasks_handlers *handlers);
/* Make a task, or return the existing one that has not ended. The list owns it.
 * NULL: the entry's bytes cannot be read. A finding's task begins with its input or
 * its minimized input, see triage_begins_with_former(). */
struct minimize_task *minimize_tasks_of_finding(struct engine *e,
	struct finding *finding);
struct minimize_task *minimize_tasks_of_entry(struct engine *e,
	struct corpus_entry *entry);
/* Finds a task, also an ended one, by the name of its finding or entry or a
 * prefix, or by the finding's folder. NULL: none. */
struct minimize_task *minimize_tasks_find(struct engine *e, const char *name);

/* The minimized input of before does not fail as the finding: begins with the
 * finding's input. */
void minimize_tasks_begin_with_input(struct engine *e, struct minimize_task *m);

/* Fills the job for the next call; false: no call now. */
bool minimize_tasks_job(struct engine *e, struct minimize_task *m,
	struct job *job);
/* Fills a job for any minimization that the user asked for. */
bool minimize_tasks_next_asked(struct engine *e, struct job *job);
/* Notes that the slot's worker gets the task's job. */
void minimize_tasks_taken(struct minimize_task *m, const struct slot *slot);

/* Whether the finding's minimization can go on now. */
bool minimize_tasks_is_due(const struct finding *finding);

/* Handles the result of a call. */
void minimize_tasks_on_result(struct engine *e, struct slot *slot,
	struct minimize_task *m, const struct worker_result *r);

/* The slot's worker has started: the task that it died of pays for that, unless
 * the start had another reason (not due). */
void minimize_tasks_on_start(struct engine *e, const struct slot *slot,
	bool due);

/* Continues a task that no worker has, or ends it. */
void minimize_tasks_advance(struct engine *e, struct minimize_task *m);

/* Starts tries that are due and frees tasks that ended long ago. Only this
 * function and the end free tasks, so other code may read an ended one. */
void minimize_tasks_tick(struct engine *e, uint64_t now_ns);

/* Ends all tasks that no worker has, and keeps their best inputs. release:
 * instead lets held ones go on by themselves. */
void minimize_tasks_drain(struct engine *e, bool release);
bool minimize_tasks_any(const struct engine *e); /* one that has not ended */
/* All tasks, oldest first. */
size_t minimize_tasks_count(const struct engine *e);
struct minimize_task *minimize_tasks_at(const struct engine *e, size_t i);
void minimize_tasks_clear(struct engine *e);

/* A verdict waits for the names of a failure that is no finding. */
bool minimize_tasks_ask(const struct engine *e);
/* The names of a failure are known or no longer awaited: judges the tries that
 * wait for them. */
void minimize_tasks_on_named(struct engine *e);
/* The finding was merged: drops its task, which no worker has. */
void minimize_tasks_drop(struct finding *finding);

/* Ends the task with the best input so far. why_not: as for on_minimized(). */
void minimize_tasks_finish(struct engine *e, struct minimize_task *m,
	const char *why_not);

/* Describes a task for the snapshot, and adds the engine's part to one that a
 * worker has. */
void minimize_tasks_view(const struct engine *e, const struct minimize_task *m,
	struct snapshot_minimization *view);

#endif
