/*
 * snapshot_fields: the members of a snapshot's JSON, see snapshot_fields.h.
 *
 * The order of the rows is the order in stats.json. Names are for scripts:
 * one that was published stays.
 */

#include "control/snapshot_fields.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define WORDS(array) \
	{ \
		.items = (array), .n = COUNT(array) \
	}

/* Rows of the struct that S stands for. */
#define ROOM(member) sizeof(((struct S *)0)->member)
#define ROW(TYPE, member) \
	{ \
		.name = #member, .type = FIELD_##TYPE, \
		.offset = offsetof(struct S, member), .size = ROOM(member) \
	}
#define WORD(member, list) \
	{ \
		.name = #member, .type = FIELD_WORD, \
		.offset = offsetof(struct S, member), .size = ROOM(member), \
		.words = &(list) \
	}
#define BYTES(member) \
	{ \
		.name = #member, .type = FIELD_BYTES, \
		.offset = offsetof(struct S, member), .size = ROOM(member), \
		.n_offset = offsetof(struct S, member##_n) \
	}

static const char *const RUN_STATE_NAMES[RUN_STATE_COUNT] = {
	[RUN_STARTING] = "starting",
	[RUN_WARMUP] = "warmup",
	[RUN_FUZZING] = "fuzzing",
	[RUN_MINIMIZING] = "minimizing",
	[RUN_PAUSED] = "paused",
	[RUN_STOPPING] = "stopping",
	[RUN_ENDED] = "ended",
};
const struct words RUN_STATE_WORDS = WORDS(RUN_STATE_NAMES);

static const char *const WORKER_VIEW_STATE_NAMES[WORKER_VIEW_STATE_COUNT] = {
	[WORKER_VIEW_DOWN] = "down",
	[WORKER_VIEW_STARTING] = "starting",
	[WORKER_VIEW_IDLE] = "idle",
	[WORKER_VIEW_FUZZING] = "fuzzing",
	[WORKER_VIEW_MINIMIZING] = "minimizing",
	[WORKER_VIEW_REPLAYING] = "replaying",
	[WORKER_VIEW_PAUSED] = "paused",
	[WORKER_VIEW_STOPPING] = "stopping",
};
const struct words WORKER_VIEW_STATE_WORDS = WORDS(WORKER_VIEW_STATE_NAMES);

static const char *const STOP_STEP_NAMES[STOP_STEP_COUNT] = {
	[STOP_NONE] = "none",
	[STOP_CLOSED] = "closed",
	[STOP_INTERRUPT] = "interrupt",
	[STOP_KILL] = "kill",
};
const struct words STOP_STEP_WORDS = WORDS(STOP_STEP_NAMES);

#define S snapshot
static const struct field SNAPSHOT_ROWS[] = {
	ROW(U64, seq),
	ROW(TEXT, target),
	ROW(TEXT, output),
	WORD(state, RUN_STATE_WORDS),
	ROW(TEXT, ended_why),
	ROW(INT, exit_status),
	ROW(TEXT, message),
	ROW(REAL, elapsed_s),
	ROW(REAL, paused_s),
	ROW(REAL, fuzz_time_s),
	ROW(SEED, seed),
	ROW(U64, execs),
	ROW(REAL, execs_per_sec),
	ROW(REAL, execs_per_sec_avg),
	ROW(U64, replays),
	ROW(U64, counters_total),
	ROW(U64, counters_hit),
	ROW(U64, coverage_bits),
	ROW(REAL, counters_stable),
	ROW(U64, counters_masked),
	ROW(BOOL, instrumented),
	ROW(TEXT, sanitizer),
	ROW(U64, warmup_done),
	ROW(U64, warmup_total),
	ROW(U64, corpus),
	ROW(U64, interesting),
	ROW(U64, favoured),
	ROW(U64, progress_inputs),
	ROW(U64, input_queue),
	ROW(U64, minimize_queue),
	ROW(REAL, last_find_s),
	ROW(REAL, plateau_gap_s),
	ROW(REAL, stability),
	ROW(U64, rejected),
	ROW(U64, words),
	ROW(U64, words_learned),
	ROW(U64, length_cap),
	ROW(U64, crashes),
	ROW(U64, hangs),
	ROW(U64, ooms),
	ROW(U64, leaks),
	ROW(U64, crashes_seen),
	ROW(U64, hangs_seen),
	ROW(U64, ooms_seen),
	ROW(U64, leaks_seen),
	ROW(U64, suspects),
	ROW(U64, unsaved),
	ROW(REAL, writer_behind_s),
	ROW(BOOL, paused),
	WORD(stop_step, STOP_STEP_WORDS),
	ROW(REAL, next_step_s),
};
#undef S
const struct fields SNAPSHOT_FIELDS = WORDS(SNAPSHOT_ROWS);

#define S snapshot_worker
static const struct field WORKER_ROWS[] = {
	ROW(U32, id),
	ROW(I64, pid),
	ROW(I64, child),
	WORD(state, WORKER_VIEW_STATE_WORDS),
	ROW(REAL, state_s),
	ROW(BOOL, paused),
	ROW(BOOL, retiring),
	WORD(stop_step, STOP_STEP_WORDS),
	ROW(REAL, next_step_s),
	ROW(TEXT, entry),
	ROW(U32, generation),
	ROW(U64, entry_len),
	ROW(U64, execs),
	ROW(REAL, execs_per_sec),
	ROW(U64, finds),
	ROW(U64, restarts),
	ROW(TEXT, restart_why),
	ROW(U64, deaths),
	ROW(U64, rss_kb),
	ROW(REAL, cpu),
	ROW(U64, fork_us),
	ROW(I64, threads),
	ROW(BOOL, no_fork),
	ROW(U64, input_len),
	BYTES(input),
};
#undef S
static const struct fields WORKER_FIELDS = WORDS(WORKER_ROWS);

#define S snapshot_finding
static const struct field FINDING_ROWS[] = {
	ROW(TEXT, id),
	ROW(TEXT, folder),
	ROW(TEXT, kind),
	ROW(TEXT, what),
	ROW(TEXT, where),
	ROW(TEXT, text),
	ROW(TEXT, state),
	ROW(U64, count),
	ROW(REAL, first_s),
	ROW(REAL, last_s),
	ROW(U64, len),
	ROW(U64, minimized_len),
	ROW(U32, replays),
	ROW(U32, reproduced),
	ROW(BOOL, minimizing),
};
#undef S
static const struct fields FINDING_FIELDS = WORDS(FINDING_ROWS);

#define S snapshot_minimization
static const struct field MINIMIZATION_ROWS[] = {
	ROW(BOOL, coverage),
	ROW(U32, worker),
	ROW(TEXT, entry),
	ROW(TEXT, title),
	ROW(U32, phase),
	ROW(U64, position),
	ROW(U64, tries),
	ROW(U64, accepted),
	ROW(U64, start_len),
	ROW(U64, best_len),
	ROW(U64, cut_offset),
	ROW(U64, cut_len),
	ROW(REAL, elapsed_s),
	ROW(TEXT, verdict),
	BYTES(best),
};
#undef S
static const struct fields MINIMIZATION_FIELDS = WORDS(MINIMIZATION_ROWS);

#define S snapshot_event
static const struct field EVENT_ROWS[] = {
	ROW(U64, seq),
	ROW(REAL, at_s),
	ROW(TEXT, kind),
	ROW(TEXT, text),
};
#undef S
static const struct fields EVENT_FIELDS = WORDS(EVENT_ROWS);

#define S snapshot_limit
static const struct field LIMIT_ROWS[] = {
	ROW(TEXT, value),
	ROW(TEXT, origin),
	ROW(BOOL, live),
};
#undef S
static const struct fields LIMIT_FIELDS = WORDS(LIMIT_ROWS);

#define S snapshot_mutator
static const struct field MUTATOR_ROWS[] = {
	ROW(TEXT, name),
	ROW(U64, steps),
	ROW(U64, finds),
	ROW(REAL, share),
};
#undef S
static const struct fields MUTATOR_FIELDS = WORDS(MUTATOR_ROWS);

_Static_assert(offsetof(struct snapshot_limit, name) == 0,
	"the key of an item stands at its start");

#define LIST(member, most, rows) \
	.name = #member, .offset = offsetof(struct snapshot, member), \
	.n_offset = offsetof(struct snapshot, member##_n), .max = (most), \
	.item_size = sizeof(*((struct snapshot *)0)->member), \
	.fields = &(rows)

const struct list SNAPSHOT_LISTS[SNAPSHOT_LISTS_N] = {
	{ LIST(workers, SNAPSHOT_WORKERS_MAX, WORKER_FIELDS) },
	{ LIST(findings, SNAPSHOT_FINDINGS_MAX, FINDING_FIELDS) },
	{ LIST(minimizations, SNAPSHOT_MINIMIZATIONS_MAX,
		MINIMIZATION_FIELDS) },
	{ LIST(events, SNAPSHOT_EVENTS_MAX, EVENT_FIELDS) },
	{ LIST(limits, SNAPSHOT_LIMITS_MAX, LIMIT_FIELDS),
		.key_size = sizeof(((struct snapshot_limit *)0)->name) },
	{ LIST(mutators, SNAPSHOT_MUTATORS_MAX, MUTATOR_FIELDS) },
};
