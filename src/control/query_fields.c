/*
 * query_fields: the members of queries and replies, see query_fields.h.
 *
 * Scripts use the names: a published name never changes.
 */

#include "control/query_fields.h"

#include "control/snapshot_fields.h"

static const char *const QUERY_KIND_NAMES[QUERY_KIND_COUNT] = {
	[QUERY_COVERAGE] = "coverage",
	[QUERY_MODULES] = "modules",
	[QUERY_PCS] = "pcs",
	[QUERY_CORPUS] = "corpus",
	[QUERY_ENTRY] = "entry",
	[QUERY_TRAIL] = "trail",
	[QUERY_WORKER] = "worker",
	[QUERY_JOURNAL] = "journal",
	[QUERY_MINIMIZATION] = "minimization",
	[QUERY_FINDING] = "finding",
};
const struct field_words QUERY_KINDS = FIELD_ALL(QUERY_KIND_NAMES);

#define FIELD_OF query
static const struct field_row QUERY_ROWS[] = {
	FIELD_ROW_WORD(kind, QUERY_KINDS),
	FIELD_ROW(TEXT, name),
	FIELD_ROW(U32, worker),
	FIELD_ROW(U32, module),
	FIELD_ROW(U64, first),
	FIELD_ROW(U32, count),
	FIELD_ROW(U64, since),
	FIELD_ROW(TEXT, sort),
	FIELD_ROW(BOOL, falling),
	FIELD_ROW(TEXT, filter),
	FIELD_ROW(TEXT, kinds),
};
#undef FIELD_OF
const struct record QUERY_RECORD = {
	.size = sizeof(struct query),
	.fields = FIELD_ALL(QUERY_ROWS),
};

#define FIELD_OF reply
static const struct field_row REPLY_ROWS[] = {
	FIELD_ROW_WORD(kind, QUERY_KINDS),
	FIELD_ROW(TEXT, error),
};
#undef FIELD_OF
const struct record REPLY_RECORD = {
	.size = sizeof(struct reply),
	.fields = FIELD_ALL(REPLY_ROWS),
};

#define FIELD_OF reply_change
static const struct field_row CHANGE_ROWS[] = {
	FIELD_ROW(U32, counter),
	FIELD_ROW(U32, bits),
	FIELD_ROW(REAL, at_s),
};
#undef FIELD_OF
static const struct fields CHANGE_FIELDS = FIELD_ALL(CHANGE_ROWS);

#define FIELD_OF reply_reached
static const struct field_row REACHED_ROWS[] = {
	FIELD_ROW(TEXT, name),
	FIELD_ROW(TEXT, file),
	FIELD_ROW(U32, line),
	FIELD_ROW(TEXT, entry),
	FIELD_ROW(REAL, at_s),
	FIELD_ROW(U32, counter),
};
#undef FIELD_OF
static const struct fields REACHED_FIELDS = FIELD_ALL(REACHED_ROWS);

#define FIELD_OF reply_coverage
static const struct field_row COVERAGE_ROWS[] = {
	FIELD_ROW(U64, revision),
	FIELD_ROW(U64, counters),
	FIELD_ROW(BOOL, whole),
	FIELD_ROW(U64, first),
	FIELD_ROW_BLOB(mask, QUERY_COUNTERS_MAX),
};
static const struct field_list COVERAGE_LISTS[] = {
	{ FIELD_LIST(changes, QUERY_CHANGES_MAX, CHANGE_FIELDS) },
	{ FIELD_LIST(reached, QUERY_REACHED_MAX, REACHED_FIELDS) },
};
#undef FIELD_OF
static const struct record COVERAGE_RECORD = {
	.size = sizeof(struct reply_coverage),
	.fields = FIELD_ALL(COVERAGE_ROWS),
	.lists = COVERAGE_LISTS,
	.lists_n = FIELD_COUNT(COVERAGE_LISTS),
};

#define FIELD_OF reply_module
static const struct field_row MODULE_ROWS[] = {
	FIELD_ROW(TEXT, path),
	FIELD_ROW(TEXT, id),
	FIELD_ROW(U32, base),
	FIELD_ROW(U32, n),
};
#undef FIELD_OF
static const struct fields MODULE_FIELDS = FIELD_ALL(MODULE_ROWS);

#define FIELD_OF reply_modules
static const struct field_list MODULES_LISTS[] = {
	{ FIELD_LIST(modules, QUERY_MODULES_MAX, MODULE_FIELDS) },
};
#undef FIELD_OF
static const struct record MODULES_RECORD = {
	.size = sizeof(struct reply_modules),
	.lists = MODULES_LISTS,
	.lists_n = FIELD_COUNT(MODULES_LISTS),
};

#define FIELD_OF reply_pcs
static const struct field_row PCS_ROWS[] = {
	FIELD_ROW(U32, module),
	FIELD_ROW(U64, first),
	FIELD_ROW(U32, n),
	FIELD_ROW_BLOB(pcs, QUERY_COUNTERS_MAX * sizeof(uint64_t)),
};
#undef FIELD_OF
static const struct record PCS_RECORD = {
	.size = sizeof(struct reply_pcs),
	.fields = FIELD_ALL(PCS_ROWS),
};

#define FIELD_OF reply_row
static const struct field_row ROW_ROWS[] = {
	FIELD_ROW(U32, index),
	FIELD_ROW(TEXT, name),
	FIELD_ROW(TEXT, parent),
	FIELD_ROW(U32, generation),
	FIELD_ROW(U64, len),
	FIELD_ROW(U64, new_bits),
	FIELD_ROW(REAL, exec_us),
	FIELD_ROW(REAL, found_at_s),
	FIELD_ROW(REAL, energy),
	FIELD_ROW(U32, finds),
	FIELD_ROW(REAL, executions),
	FIELD_ROW(BOOL, seed),
	FIELD_ROW(BOOL, favoured),
	FIELD_ROW(BOOL, unstable),
	FIELD_ROW(BOOL, progress),
};
#undef FIELD_OF
static const struct fields ROW_FIELDS = FIELD_ALL(ROW_ROWS);

#define FIELD_OF reply_corpus
static const struct field_row CORPUS_ROWS[] = {
	FIELD_ROW(U64, total),
	FIELD_ROW(U64, matching),
	FIELD_ROW(U64, place),
	FIELD_ROW(U64, first),
};
static const struct field_list CORPUS_LISTS[] = {
	{ FIELD_LIST(rows, QUERY_ROWS_MAX, ROW_FIELDS) },
};
#undef FIELD_OF
static const struct record CORPUS_RECORD = {
	.size = sizeof(struct reply_corpus),
	.fields = FIELD_ALL(CORPUS_ROWS),
	.lists = CORPUS_LISTS,
	.lists_n = FIELD_COUNT(CORPUS_LISTS),
};

#define FIELD_OF reply_entry
static const struct field_row ENTRY_ROWS[] = {
	FIELD_ROW(TEXT, name),
	FIELD_ROW(BOOL, finding),
	FIELD_ROW(U64, len),
	FIELD_ROW(U64, first),
	FIELD_ROW_BLOB(bytes, QUERY_BYTES_MAX),
	FIELD_ROW(BOOL, cut),
};
static const struct field_list ENTRY_LISTS[] = {
	{ FIELD_LIST(lineage, QUERY_LINEAGE_MAX, ROW_FIELDS) },
};
#undef FIELD_OF
static const struct record ENTRY_RECORD = {
	.size = sizeof(struct reply_entry),
	.fields = FIELD_ALL(ENTRY_ROWS),
	.lists = ENTRY_LISTS,
	.lists_n = FIELD_COUNT(ENTRY_LISTS),
};

#define FIELD_OF reply_step
static const struct field_row STEP_ROWS[] = {
	FIELD_ROW(TEXT, entry),
	FIELD_ROW(TEXT, parent),
	FIELD_ROW(TEXT, partner),
	FIELD_ROW(U32, generation),
	FIELD_ROW(TEXT, op),
	FIELD_ROW(U64, offset),
	FIELD_ROW(U64, len_before),
	FIELD_ROW(U64, len_after),
	FIELD_ROW(U64, part_before),
	FIELD_ROW(U64, part_after),
	FIELD_ROW_BYTES(before),
	FIELD_ROW_BYTES(after),
	FIELD_ROW(BOOL, minimized),
};
#undef FIELD_OF
static const struct fields STEP_FIELDS = FIELD_ALL(STEP_ROWS);

#define FIELD_OF reply_trail
static const struct field_row TRAIL_ROWS[] = {
	FIELD_ROW(TEXT, name),
	FIELD_ROW(BOOL, complete),
	FIELD_ROW(TEXT, why),
	FIELD_ROW(BOOL, cut),
};
static const struct field_list TRAIL_LISTS[] = {
	{ FIELD_LIST(steps, QUERY_STEPS_MAX, STEP_FIELDS) },
};
#undef FIELD_OF
static const struct record TRAIL_RECORD = {
	.size = sizeof(struct reply_trail),
	.fields = FIELD_ALL(TRAIL_ROWS),
	.lists = TRAIL_LISTS,
	.lists_n = FIELD_COUNT(TRAIL_LISTS),
};

#define FIELD_OF reply_state
static const struct field_row STATE_ROWS[] = {
	FIELD_ROW_WORD(state, WORKER_VIEW_STATE_WORDS),
	FIELD_ROW(REAL, at_s),
	FIELD_ROW(TEXT, why),
};
#undef FIELD_OF
static const struct fields STATE_FIELDS = FIELD_ALL(STATE_ROWS);

#define FIELD_OF reply_worker
static const struct field_row WORKER_ROWS[] = {
	/* The name "id" belongs to the query. */
	{ .name = "worker",
		.type = FIELD_U32,
		.offset = offsetof(struct FIELD_OF, id),
		.size = FIELD_ROOM(id) },
	FIELD_ROW(TEXT, options),
	FIELD_ROW(U64, stderr_len),
	FIELD_ROW_BLOB(stderr_text, QUERY_STDERR_MAX),
	FIELD_ROW(U64, input_len),
	FIELD_ROW_BLOB(input, QUERY_BYTES_MAX),
};
static const struct field_list WORKER_LISTS[] = {
	{ FIELD_LIST(states, QUERY_STATES_MAX, STATE_FIELDS) },
};
#undef FIELD_OF
static const struct record WORKER_RECORD = {
	.size = sizeof(struct reply_worker),
	.fields = FIELD_ALL(WORKER_ROWS),
	.lists = WORKER_LISTS,
	.lists_n = FIELD_COUNT(WORKER_LISTS),
};

#define FIELD_OF reply_journal
static const struct field_row JOURNAL_ROWS[] = {
	FIELD_ROW(U64, total),
	FIELD_ROW(U64, matching),
	FIELD_ROW(U64, dropped),
	FIELD_ROW(U64, first),
};
static const struct field_list JOURNAL_LISTS[] = {
	{ FIELD_LIST(rows, QUERY_ROWS_MAX, SNAPSHOT_EVENT_FIELDS) },
};
#undef FIELD_OF
static const struct record JOURNAL_RECORD = {
	.size = sizeof(struct reply_journal),
	.fields = FIELD_ALL(JOURNAL_ROWS),
	.lists = JOURNAL_LISTS,
	.lists_n = FIELD_COUNT(JOURNAL_LISTS),
};

static const char *const TRY_VERDICT_NAMES[TRY_VERDICT_COUNT] = {
	[TRY_PENDING] = "pending",
	[TRY_SAME] = "same",
	[TRY_NOTHING] = "nothing",
	[TRY_OTHER] = "other",
	[TRY_FINDING] = "finding",
	[TRY_LOST] = "lost",
	[TRY_SKIPPED] = "skipped",
	[TRY_UNDONE] = "undone",
};
static const struct field_words TRY_VERDICTS = FIELD_ALL(TRY_VERDICT_NAMES);

#define FIELD_OF reply_try
static const struct field_row TRY_ROWS[] = {
	FIELD_ROW(U64, number),
	FIELD_ROW(U32, phase),
	FIELD_ROW(U64, offset),
	FIELD_ROW(U64, len),
	FIELD_ROW(BOOL, replaced),
	FIELD_ROW_WORD(verdict, TRY_VERDICTS),
	FIELD_ROW(TEXT, why),
	FIELD_ROW(U64, len_before),
	FIELD_ROW(U64, len_after),
};
#undef FIELD_OF
static const struct fields TRY_FIELDS = FIELD_ALL(TRY_ROWS);

#define FIELD_OF reply_size
static const struct field_row SIZE_ROWS[] = {
	FIELD_ROW(U64, number),
	FIELD_ROW(U64, len),
};
#undef FIELD_OF
static const struct fields SIZE_FIELDS = FIELD_ALL(SIZE_ROWS);

#define FIELD_OF reply_minimization
static const struct field_row MINIMIZATION_ROWS[] = {
	FIELD_ROW(TEXT, name),
	FIELD_ROW(BOOL, coverage),
	FIELD_ROW(BOOL, ended),
	FIELD_ROW(U64, at),
	FIELD_ROW(U64, last),
	FIELD_ROW(U64, oldest),
	FIELD_ROW(U64, accepted),
	FIELD_ROW(U64, others),
	FIELD_ROW(U32, phase),
	FIELD_ROW(U32, skipped),
	FIELD_ROW(U64, position),
	FIELD_ROW(U64, phase_len),
	FIELD_ROW(U64, start_len),
	FIELD_ROW(U64, best_len),
	FIELD_ROW(U64, cut_offset),
	FIELD_ROW(U64, cut_len),
	FIELD_ROW(BOOL, replaces),
	FIELD_ROW(U64, text_len),
	FIELD_ROW(U64, text_cut),
	FIELD_ROW(U64, text_cut_len),
	FIELD_ROW(U64, first),
	FIELD_ROW_BLOB(best, QUERY_BYTES_MAX),
};
static const struct field_list MINIMIZATION_LISTS[] = {
	{ FIELD_LIST(tries, QUERY_TRIES_MAX, TRY_FIELDS) },
	{ FIELD_LIST(sizes, QUERY_SIZES_MAX, SIZE_FIELDS) },
};
#undef FIELD_OF
static const struct record MINIMIZATION_RECORD = {
	.size = sizeof(struct reply_minimization),
	.fields = FIELD_ALL(MINIMIZATION_ROWS),
	.lists = MINIMIZATION_LISTS,
	.lists_n = FIELD_COUNT(MINIMIZATION_LISTS),
};

#define FIELD_OF reply_frame
static const struct field_row FRAME_ROWS[] = {
	FIELD_ROW(U32, depth),
	FIELD_ROW(TEXT, function),
	FIELD_ROW(TEXT, file),
	FIELD_ROW(U32, line),
	FIELD_ROW(TEXT, module),
	FIELD_ROW(U64, offset),
	FIELD_ROW(BOOL, library),
};
#undef FIELD_OF
static const struct fields FRAME_FIELDS = FIELD_ALL(FRAME_ROWS);

#define FIELD_OF reply_finding
static const struct field_row FINDING_ROWS[] = {
	FIELD_ROW(TEXT, name),
	FIELD_ROW(TEXT, note),
	FIELD_ROW(TEXT, command),
	FIELD_ROW(TEXT, path),
	FIELD_ROW(TEXT, parent),
	FIELD_ROW(U32, inputs),
	FIELD_ROW(U32, sequence),
	FIELD_ROW(BOOL, typed),
	FIELD_ROW(U64, signature_n),
	FIELD_ROW(U64, report_len),
	FIELD_ROW(U64, first),
	FIELD_ROW_BLOB(report, QUERY_BYTES_MAX),
};
static const struct field_list FINDING_LISTS[] = {
	{ FIELD_LIST(frames, QUERY_FRAMES_MAX, FRAME_FIELDS) },
};
#undef FIELD_OF
static const struct record FINDING_RECORD = {
	.size = sizeof(struct reply_finding),
	.fields = FIELD_ALL(FINDING_ROWS),
	.lists = FINDING_LISTS,
	.lists_n = FIELD_COUNT(FINDING_LISTS),
};

const struct record *const REPLY_RECORDS[QUERY_KIND_COUNT] = {
	[QUERY_COVERAGE] = &COVERAGE_RECORD,
	[QUERY_MODULES] = &MODULES_RECORD,
	[QUERY_PCS] = &PCS_RECORD,
	[QUERY_CORPUS] = &CORPUS_RECORD,
	[QUERY_ENTRY] = &ENTRY_RECORD,
	[QUERY_TRAIL] = &TRAIL_RECORD,
	[QUERY_WORKER] = &WORKER_RECORD,
	[QUERY_JOURNAL] = &JOURNAL_RECORD,
	[QUERY_MINIMIZATION] = &MINIMIZATION_RECORD,
	[QUERY_FINDING] = &FINDING_RECORD,
};
