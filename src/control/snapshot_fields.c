/*
 * snapshot_fields: the members of a snapshot's JSON, see snapshot_fields.h.
 *
 * The rows have the order of stats.json. Scripts use the names: a published
 * name never changes.
 */

#include "control/snapshot_fields.h"

static const char *const RUN_STATE_NAMES[RUN_STATE_COUNT] = {
	[RUN_STARTING] = "starting",
	[RUN_WARMUP] = "warmup",
	[RUN_FUZZING] = "fuzzing",
	[RUN_MINIMIZING] = "minimizing",
	[RUN_PAUSED] = "paused",
	[RUN_STOPPING] = "stopping",
	[RUN_ENDED] = "ended",
};
const struct field_words RUN_STATE_WORDS = FIELD_ALL(RUN_STATE_NAMES);

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
const struct field_words WORKER_VIEW_STATE_WORDS =
	FIELD_ALL(WORKER_VIEW_STATE_NAMES);

static const char *const STOP_STEP_NAMES[STOP_STEP_COUNT] = {
	[STOP_NONE] = "none",
	[STOP_CLOSED] = "closed",
	[STOP_INTERRUPT] = "interrupt",
	[STOP_KILL] = "kill",
};
static const struct field_words STOP_STEP_WORDS = FIELD_ALL(STOP_STEP_NAMES);

#define FIELD_OF snapshot
static const struct field_row SNAPSHOT_ROWS[] = {
	FIELD_ROW(U64, seq),
	FIELD_ROW(TEXT, target),
	FIELD_ROW(TEXT, output),
	FIELD_ROW_WORD(state, RUN_STATE_WORDS),
	FIELD_ROW(TEXT, ended_why),
	FIELD_ROW(INT, exit_status),
	FIELD_ROW(TEXT, message),
	FIELD_ROW(REAL, elapsed_s),
	FIELD_ROW(REAL, paused_s),
	FIELD_ROW(U64, runs),
	FIELD_ROW(REAL, past_s),
	FIELD_ROW(U64, past_execs),
	FIELD_ROW(U64, past_bits),
	FIELD_ROW(REAL, fuzz_time_s),
	FIELD_ROW(REAL, triage_time_s),
	FIELD_ROW(SEED, seed),
	FIELD_ROW(U64, execs),
	FIELD_ROW(U64, execs_retired),
	FIELD_ROW(REAL, execs_per_sec),
	FIELD_ROW(REAL, execs_per_sec_avg),
	FIELD_ROW(U64, replays),
	FIELD_ROW(U64, counters_total),
	FIELD_ROW(U64, counters_hit),
	FIELD_ROW(U64, coverage_bits),
	FIELD_ROW(REAL, counters_stable),
	FIELD_ROW(U64, counters_masked),
	FIELD_ROW(BOOL, instrumented),
	FIELD_ROW(BOOL, isolated),
	FIELD_ROW(TEXT, sanitizer),
	FIELD_ROW(U64, warmup_done),
	FIELD_ROW(U64, warmup_total),
	FIELD_ROW(U64, corpus),
	FIELD_ROW(U64, interesting),
	FIELD_ROW(U64, favoured),
	FIELD_ROW(U64, progress_inputs),
	FIELD_ROW(U64, input_queue),
	FIELD_ROW(U64, minimize_queue),
	FIELD_ROW(REAL, last_find_s),
	FIELD_ROW(REAL, plateau_gap_s),
	FIELD_ROW(REAL, stability),
	FIELD_ROW(U64, rejected),
	FIELD_ROW(U64, words),
	FIELD_ROW(U64, words_learned),
	FIELD_ROW(U64, length_cap),
	FIELD_ROW(U64, crashes),
	FIELD_ROW(U64, hangs),
	FIELD_ROW(U64, ooms),
	FIELD_ROW(U64, leaks),
	FIELD_ROW(U64, crashes_seen),
	FIELD_ROW(U64, hangs_seen),
	FIELD_ROW(U64, ooms_seen),
	FIELD_ROW(U64, leaks_seen),
	FIELD_ROW(U64, findings_ignored),
	FIELD_ROW(U64, findings_not_seen),
	FIELD_ROW(TEXT, build),
	FIELD_ROW(U64, suspects),
	FIELD_ROW(U64, unsaved),
	FIELD_ROW(REAL, writer_behind_s),
	FIELD_ROW(BOOL, paused),
	FIELD_ROW_WORD(stop_step, STOP_STEP_WORDS),
	FIELD_ROW(REAL, next_step_s),
};
#undef FIELD_OF

#define FIELD_OF snapshot_worker
static const struct field_row WORKER_ROWS[] = {
	FIELD_ROW(U32, id),
	FIELD_ROW(I64, pid),
	FIELD_ROW(I64, child),
	FIELD_ROW_WORD(state, WORKER_VIEW_STATE_WORDS),
	FIELD_ROW(REAL, state_s),
	FIELD_ROW(BOOL, paused),
	FIELD_ROW(BOOL, retiring),
	FIELD_ROW_WORD(stop_step, STOP_STEP_WORDS),
	FIELD_ROW(REAL, next_step_s),
	FIELD_ROW(TEXT, entry),
	FIELD_ROW(U32, generation),
	FIELD_ROW(U64, entry_len),
	FIELD_ROW(U64, execs),
	FIELD_ROW(REAL, execs_per_sec),
	FIELD_ROW(U64, finds),
	FIELD_ROW(U64, restarts),
	FIELD_ROW(TEXT, restart_why),
	FIELD_ROW(BOOL, restart_asked),
	FIELD_ROW(U64, deaths),
	FIELD_ROW(U64, rss_kb),
	FIELD_ROW(REAL, cpu),
	FIELD_ROW(U64, fork_us),
	FIELD_ROW(I64, threads),
	FIELD_ROW(BOOL, no_fork),
	FIELD_ROW(U64, input_len),
	FIELD_ROW_BYTES(input),
};
#undef FIELD_OF
static const struct fields WORKER_FIELDS = FIELD_ALL(WORKER_ROWS);

#define FIELD_OF snapshot_finding
static const struct field_row FINDING_ROWS[] = {
	FIELD_ROW(TEXT, id),
	FIELD_ROW(TEXT, folder),
	FIELD_ROW(TEXT, kind),
	FIELD_ROW(TEXT, what),
	FIELD_ROW(TEXT, where),
	FIELD_ROW(TEXT, apart),
	FIELD_ROW(TEXT, text),
	FIELD_ROW(TEXT, state),
	FIELD_ROW(U64, count),
	FIELD_ROW(REAL, first_s),
	FIELD_ROW(REAL, last_s),
	FIELD_ROW(U64, len),
	FIELD_ROW(U64, minimized_len),
	FIELD_ROW(U32, replays),
	FIELD_ROW(U32, reproduced),
	FIELD_ROW(TEXT, standing),
	FIELD_ROW(TEXT, build),
	FIELD_ROW(TEXT, replays_build),
	FIELD_ROW(BOOL, minimizing),
	FIELD_ROW(BOOL, noted),
	FIELD_ROW(U32, sequence),
};
#undef FIELD_OF
static const struct fields FINDING_FIELDS = FIELD_ALL(FINDING_ROWS);

#define FIELD_OF snapshot_minimization
static const struct field_row MINIMIZATION_ROWS[] = {
	FIELD_ROW(BOOL, coverage),
	FIELD_ROW(U32, worker),
	FIELD_ROW(TEXT, entry),
	FIELD_ROW(TEXT, title),
	FIELD_ROW(U32, phase),
	FIELD_ROW(U64, position),
	FIELD_ROW(U64, tries),
	FIELD_ROW(U64, accepted),
	FIELD_ROW(U64, start_len),
	FIELD_ROW(U64, best_len),
	FIELD_ROW(U64, cut_offset),
	FIELD_ROW(U64, cut_len),
	FIELD_ROW(U64, text_len),
	FIELD_ROW(U64, text_cut),
	FIELD_ROW(U64, text_cut_len),
	FIELD_ROW(REAL, elapsed_s),
	FIELD_ROW(TEXT, verdict),
	FIELD_ROW_BYTES(best),
	FIELD_ROW(BOOL, by_steps),
	FIELD_ROW(BOOL, held),
	FIELD_ROW(BOOL, queued),
	FIELD_ROW(REAL, pace),
	FIELD_ROW(U64, at),
	FIELD_ROW(U64, others),
};
#undef FIELD_OF
static const struct fields MINIMIZATION_FIELDS = FIELD_ALL(MINIMIZATION_ROWS);

#define FIELD_OF snapshot_minimized
static const struct field_row MINIMIZED_ROWS[] = {
	FIELD_ROW(TEXT, entry),
	FIELD_ROW(TEXT, title),
	FIELD_ROW(U64, start_len),
	FIELD_ROW(U64, len),
	FIELD_ROW(U64, tries),
	FIELD_ROW(REAL, at_s),
};
#undef FIELD_OF
static const struct fields MINIMIZED_FIELDS = FIELD_ALL(MINIMIZED_ROWS);

#define FIELD_OF snapshot_event
static const struct field_row EVENT_ROWS[] = {
	FIELD_ROW(U64, seq),
	FIELD_ROW(REAL, at_s),
	FIELD_ROW(TEXT, kind),
	FIELD_ROW(TEXT, text),
	FIELD_ROW(TEXT, about),
	FIELD_ROW(REAL, wall_s),
};
#undef FIELD_OF
const struct fields SNAPSHOT_EVENT_FIELDS = FIELD_ALL(EVENT_ROWS);

#define FIELD_OF snapshot_limit
static const struct field_row LIMIT_ROWS[] = {
	FIELD_ROW(TEXT, value),
	FIELD_ROW(TEXT, origin),
	FIELD_ROW(BOOL, live),
};
#undef FIELD_OF
static const struct fields LIMIT_FIELDS = FIELD_ALL(LIMIT_ROWS);

#define FIELD_OF snapshot_mutator
static const struct field_row MUTATOR_ROWS[] = {
	FIELD_ROW(TEXT, name),
	FIELD_ROW(U64, steps),
	FIELD_ROW(U64, finds),
	FIELD_ROW(REAL, share),
};
#undef FIELD_OF
static const struct fields MUTATOR_FIELDS = FIELD_ALL(MUTATOR_ROWS);

#define FIELD_OF snapshot_past
static const struct field_row PAST_ROWS[] = {
	FIELD_ROW(REAL, at_s),
	FIELD_ROW(U64, bits),
	FIELD_ROW(U64, finds),
	FIELD_ROW(U64, findings),
};
#undef FIELD_OF
static const struct fields PAST_FIELDS = FIELD_ALL(PAST_ROWS);

_Static_assert(offsetof(struct snapshot_limit, name) == 0,
	"the key of an item stands at its start");

#define FIELD_OF snapshot
static const struct field_list SNAPSHOT_LISTS[] = {
	{ FIELD_LIST(workers, SNAPSHOT_WORKERS_MAX, WORKER_FIELDS) },
	{ FIELD_LIST(findings, SNAPSHOT_FINDINGS_MAX, FINDING_FIELDS) },
	{ FIELD_LIST(minimizations, SNAPSHOT_MINIMIZATIONS_MAX,
		MINIMIZATION_FIELDS) },
	{ FIELD_LIST(minimized, SNAPSHOT_MINIMIZED_MAX, MINIMIZED_FIELDS) },
	{ FIELD_LIST(events, SNAPSHOT_EVENTS_MAX, SNAPSHOT_EVENT_FIELDS) },
	{ FIELD_LIST(limits, SNAPSHOT_LIMITS_MAX, LIMIT_FIELDS),
		.key_size = sizeof(((struct snapshot_limit *)0)->name) },
	{ FIELD_LIST(mutators, SNAPSHOT_MUTATORS_MAX, MUTATOR_FIELDS) },
	{ FIELD_LIST(past, SNAPSHOT_PAST_MAX, PAST_FIELDS) },
};
#undef FIELD_OF

const struct record SNAPSHOT_RECORD = {
	.size = sizeof(struct snapshot),
	.fields = FIELD_ALL(SNAPSHOT_ROWS),
	.lists = SNAPSHOT_LISTS,
	.lists_n = FIELD_COUNT(SNAPSHOT_LISTS),
};
