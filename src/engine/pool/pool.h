/*
 * pool: the workers of the campaign, one in each slot.
 */
#ifndef CFUZZ_ENGINE_POOL_POOL_H
#define CFUZZ_ENGINE_POOL_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "engine/statistics/rate.h"

struct engine;
struct finding;
struct worker;

#define POOL_STARTS_MAX 5u /* per worker and second */
#define POOL_ENDS 16u      /* reasons that are counted; the last: all others */

/* The engine's knowledge of a slot beyond the worker itself. */
struct slot {
	struct worker *worker; /* NULL: never used */
	uint64_t execs, finds; /* executions; new inputs */
	uint64_t restarts; /* as the screen shows them: none after the end */
	uint64_t fuzz_ns; /* duration of all calls, as the target measures it */
	struct rate rate;
	double exec_rate; /* executions per millisecond of the last call */
	bool wanted; /* false: retiring or retired; true: also if given up */
	bool ready_once;      /* the ping was answered at least once */
	uint32_t vain_starts; /* starts in a row without an execution */
	uint64_t starts_ns[POOL_STARTS_MAX]; /* times of the latest, a ring */
	uint32_t starts_n;                   /* all starts so far */
	bool wait_said;                      /* POOL_STARTS_MAX was reported */
	struct {
		uint64_t text; /* its hash */
		uint32_t n;    /* 0: free */
	} ends[POOL_ENDS]; /* what there was to say of its ends, how often */
	/* Time in ns (executions in a deterministic run) that fuzzing must get
	 * before the next finding; negative: saved, see finding_budget.c. */
	int64_t owed;
	uint64_t finding_ns;   /* time spent on findings */
	uint64_t result_ns;    /* of the last result, until a start; or 0 */
	bool was_finding;      /* the last result was for a finding */
	bool has_fuzzed;       /* it was given an input to mutate */
	uint64_t calls;        /* jobs so far: seeds the PRNG of the next */
	uint64_t restart_ns;   /* when to start it again; 0: not waiting */
	char restart_why[256]; /* clean text */
	bool restart_asked;    /* by the user, not after a failure */
	bool needs_memory;     /* restart it: its memory is too small */
	bool needs_limit;      /* restart it: its sanitizer has another limit */
	bool needs_process;    /* restart it: for a replay that must be fresh */
	/* That replay's finding, until the next start, if one comes: see
	 * pool_jobs_of(). Compared only. */
	const struct finding *renewed_for;
	bool renewed;        /* its process is fresh: the replay comes first */
	char entry[17];      /* input or finding of the current job */
	uint32_t generation; /* of that input */
	size_t entry_len;    /* its bytes */
};

/* Workers that are to run, at least 1. */
uint32_t pool_wanted(const struct engine *e);
/* Whether a worker runs or waits for its start: neither retired nor given up. */
bool pool_is_there(const struct slot *slot);
uint32_t pool_starts(const struct engine *e); /* workers that wait for theirs */
/* Whether no worker runs or waits for its restart. stopping: those that wait
 * count as down. */
bool pool_all_down(const struct engine *e, bool stopping);
/* Pauses a worker that is wanted, or lets it go on; whether it was otherwise. */
bool pool_set_paused(struct engine *e, uint32_t i, bool paused);
/* Pauses the campaign if all workers that are there are paused. */
void pool_note_pause(struct engine *e);
void pool_wake(struct engine *e); /* gives work to idle workers */
/* Slots that were ever used. */
uint32_t pool_count(const struct engine *e);
/* i: below pool_count(). pool_worker(): NULL if the slot was never used. */
struct slot *pool_at(const struct engine *e, uint32_t i);
struct worker *pool_worker(const struct engine *e, uint32_t i);
struct slot *pool_slot(struct engine *e, const struct worker *w);
bool pool_any_ready(const struct engine *e); /* one has answered its ping */
/* Whether the output directory belongs to a target of other types. */
bool pool_refused(const struct engine *e);
/* Workers with a job for the finding or suspect, or that start for one. */
uint32_t pool_jobs_of(const struct engine *e, const struct finding *f);
/* The fork server of a worker, which has the modules of the target mapped; 0:
 * none runs. */
pid_t pool_process(const struct engine *e);
/* An event about an unexpected end of the worker. The same text is said the
 * first, second, fourth, eighth time, and so on; after the first 15 texts, any
 * other counts as one. */
void pool_say_end(struct engine *e, struct slot *slot, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Gives all workers the limits of the settings, which have changed. */
void pool_set_limits(struct engine *e);
/* Does a memory limit hold only for a process that starts with it? A sanitizer
 * reads it at its start. */
bool pool_must_renew_limit(const struct engine *e);
/* Gives all workers such a limit: each restarts after the execution under way, a
 * paused one when it goes on. */
void pool_renew_limit(struct engine *e);

#endif
