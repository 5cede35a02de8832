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
	[QUERY_MUTATION_LOG] = "trail",
	[QUERY_WORKER] = "worker",
	[QUERY_JOURNAL] = "journal",
	[QUERY_MINIMIZATION] = "minimization",
	[QUERY_FINDING] = "finding",
};
const struct field_words QUERY_KINDS = FIELD_WORDS(QUERY_KIND_NAMES);

/* clang-format off */
const struct fields QUERY_FIELDS = FIELDS(query,
	FIELD_ROW_WORD(query, kind, QUERY_KINDS),
	FIELD_ROW(query, TEXT, name),
	FIELD_ROW(query, U32, worker),
	FIELD_ROW(query, U32, module),
	FIELD_ROW(query, U64, first),
	FIELD_ROW(query, U32, count),
	FIELD_ROW(query, U64, since),
	FIELD_ROW(query, TEXT, sort),
	FIELD_ROW(query, BOOL, falling),
	FIELD_ROW(query, TEXT, filter),
	FIELD_ROW(query, TEXT, kinds));

const struct fields REPLY_FIELDS = FIELDS(reply,
	FIELD_ROW_WORD(reply, kind, QUERY_KINDS),
	FIELD_ROW(reply, TEXT, error));

static const struct fields CHANGE_FIELDS = FIELDS(reply_change,
	FIELD_ROW(reply_change, U32, counter),
	FIELD_ROW(reply_change, U32, bits),
	FIELD_ROW(reply_change, REAL, at_s));

static const struct fields NEW_FUNCTION_FIELDS = FIELDS(reply_new_function,
	FIELD_ROW(reply_new_function, TEXT, name),
	FIELD_ROW(reply_new_function, TEXT, file),
	FIELD_ROW(reply_new_function, U32, line),
	FIELD_ROW(reply_new_function, TEXT, entry),
	FIELD_ROW(reply_new_function, REAL, at_s),
	FIELD_ROW(reply_new_function, U32, counter));

static const struct fields COVERAGE_FIELDS = FIELDS(reply_coverage,
	FIELD_ROW(reply_coverage, U64, revision),
	FIELD_ROW(reply_coverage, U64, counters),
	FIELD_ROW(reply_coverage, BOOL, whole),
	FIELD_ROW(reply_coverage, U64, first),
	FIELD_ROW_BLOB(reply_coverage, mask, QUERY_COUNTERS_MAX),
	FIELD_LIST(reply_coverage, changes, QUERY_CHANGES_MAX, CHANGE_FIELDS),
	FIELD_LIST(reply_coverage, reached, QUERY_NEW_FUNCTIONS_MAX,
		NEW_FUNCTION_FIELDS));

static const struct fields MODULE_FIELDS = FIELDS(reply_module,
	FIELD_ROW(reply_module, TEXT, path),
	FIELD_ROW(reply_module, TEXT, id),
	FIELD_ROW(reply_module, U32, base),
	FIELD_ROW(reply_module, U32, n));

static const struct fields MODULES_FIELDS = FIELDS(reply_modules,
	FIELD_LIST(reply_modules, modules, QUERY_MODULES_MAX, MODULE_FIELDS));

static const struct fields PCS_FIELDS = FIELDS(reply_pcs,
	FIELD_ROW(reply_pcs, U32, module),
	FIELD_ROW(reply_pcs, U64, first),
	FIELD_ROW(reply_pcs, U32, n),
	FIELD_ROW_BLOB(reply_pcs, pcs, QUERY_COUNTERS_MAX * sizeof(uint64_t)));

static const struct fields ROW_FIELDS = FIELDS(reply_row,
	FIELD_ROW(reply_row, U32, index),
	FIELD_ROW(reply_row, TEXT, name),
	FIELD_ROW(reply_row, TEXT, parent),
	FIELD_ROW(reply_row, U32, generation),
	FIELD_ROW(reply_row, U64, len),
	FIELD_ROW(reply_row, U64, new_bits),
	FIELD_ROW(reply_row, REAL, exec_us),
	FIELD_ROW(reply_row, REAL, found_at_s),
	FIELD_ROW(reply_row, REAL, energy),
	FIELD_ROW(reply_row, U32, finds),
	FIELD_ROW(reply_row, REAL, executions),
	FIELD_ROW(reply_row, BOOL, seed),
	FIELD_ROW(reply_row, BOOL, favoured),
	FIELD_ROW(reply_row, BOOL, unstable),
	FIELD_ROW(reply_row, BOOL, progress));

static const struct fields CORPUS_FIELDS = FIELDS(reply_corpus,
	FIELD_ROW(reply_corpus, U64, total),
	FIELD_ROW(reply_corpus, U64, matching),
	FIELD_ROW(reply_corpus, U64, place),
	FIELD_ROW(reply_corpus, U64, first),
	FIELD_LIST(reply_corpus, rows, QUERY_ROWS_MAX, ROW_FIELDS));

static const struct fields ENTRY_FIELDS = FIELDS(reply_entry,
	FIELD_ROW(reply_entry, TEXT, name),
	FIELD_ROW(reply_entry, BOOL, finding),
	FIELD_ROW(reply_entry, U64, len),
	FIELD_ROW(reply_entry, U64, first),
	FIELD_ROW_BLOB(reply_entry, bytes, QUERY_BYTES_MAX),
	FIELD_ROW(reply_entry, BOOL, cut),
	FIELD_LIST(reply_entry, lineage, QUERY_LINEAGE_MAX, ROW_FIELDS));

static const struct fields MUTATION_FIELDS = FIELDS(reply_mutation,
	FIELD_ROW(reply_mutation, TEXT, entry),
	FIELD_ROW(reply_mutation, TEXT, parent),
	FIELD_ROW(reply_mutation, TEXT, partner),
	FIELD_ROW(reply_mutation, U32, generation),
	FIELD_ROW(reply_mutation, TEXT, op),
	FIELD_ROW(reply_mutation, U64, offset),
	FIELD_ROW(reply_mutation, U64, len_before),
	FIELD_ROW(reply_mutation, U64, len_after),
	FIELD_ROW(reply_mutation, U64, part_before),
	FIELD_ROW(reply_mutation, U64, part_after),
	FIELD_ROW_BYTES(reply_mutation, before),
	FIELD_ROW_BYTES(reply_mutation, after),
	FIELD_ROW(reply_mutation, BOOL, minimized));

static const struct fields MUTATION_LOG_FIELDS = FIELDS(reply_mutation_log,
	FIELD_ROW(reply_mutation_log, TEXT, name),
	FIELD_ROW(reply_mutation_log, BOOL, complete),
	FIELD_ROW(reply_mutation_log, TEXT, why),
	FIELD_ROW(reply_mutation_log, BOOL, cut),
	FIELD_LIST(reply_mutation_log, steps, QUERY_MUTATIONS_MAX, MUTATION_FIELDS));

static const struct fields STATE_FIELDS = FIELDS(reply_state,
	FIELD_ROW_WORD(reply_state, state, WORKER_VIEW_STATE_WORDS),
	FIELD_ROW(reply_state, REAL, at_s),
	FIELD_ROW(reply_state, TEXT, why));

static const struct fields WORKER_FIELDS = FIELDS(reply_worker,
	/* The name "id" belongs to the query. */
	{ .name = "worker", FIELD_AT(reply_worker, U32, id) },
	FIELD_ROW(reply_worker, TEXT, options),
	FIELD_ROW(reply_worker, U64, stderr_len),
	FIELD_ROW_BLOB(reply_worker, stderr_text, QUERY_STDERR_MAX),
	FIELD_ROW(reply_worker, U64, input_len),
	FIELD_ROW_BLOB(reply_worker, input, QUERY_BYTES_MAX),
	FIELD_LIST(reply_worker, states, QUERY_STATES_MAX, STATE_FIELDS));

static const struct fields JOURNAL_FIELDS = FIELDS(reply_journal,
	FIELD_ROW(reply_journal, U64, total),
	FIELD_ROW(reply_journal, U64, matching),
	FIELD_ROW(reply_journal, U64, dropped),
	FIELD_ROW(reply_journal, U64, first),
	FIELD_LIST(reply_journal, rows, QUERY_ROWS_MAX, SNAPSHOT_EVENT_FIELDS));

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
static const struct field_words TRY_VERDICTS = FIELD_WORDS(TRY_VERDICT_NAMES);

static const struct fields TRY_FIELDS = FIELDS(reply_try,
	FIELD_ROW(reply_try, U64, number),
	FIELD_ROW(reply_try, U32, phase),
	FIELD_ROW(reply_try, U64, offset),
	FIELD_ROW(reply_try, U64, len),
	FIELD_ROW(reply_try, BOOL, replaced),
	FIELD_ROW_WORD(reply_try, verdict, TRY_VERDICTS),
	FIELD_ROW(reply_try, TEXT, why),
	FIELD_ROW(reply_try, U64, len_before),
	FIELD_ROW(reply_try, U64, len_after));

static const struct fields SIZE_FIELDS = FIELDS(reply_size,
	FIELD_ROW(reply_size, U64, number),
	FIELD_ROW(reply_size, U64, len));

static const struct fields MINIMIZATION_FIELDS = FIELDS(reply_minimization,
	FIELD_ROW(reply_minimization, TEXT, name),
	FIELD_ROW(reply_minimization, BOOL, coverage),
	FIELD_ROW(reply_minimization, BOOL, ended),
	FIELD_ROW(reply_minimization, U64, at),
	FIELD_ROW(reply_minimization, U64, last),
	FIELD_ROW(reply_minimization, U64, oldest),
	FIELD_ROW(reply_minimization, U64, accepted),
	FIELD_ROW(reply_minimization, U64, others),
	FIELD_ROW(reply_minimization, U32, phase),
	FIELD_ROW(reply_minimization, U32, skipped),
	FIELD_ROW(reply_minimization, U64, position),
	FIELD_ROW(reply_minimization, U64, phase_len),
	FIELD_ROW(reply_minimization, U64, start_len),
	FIELD_ROW(reply_minimization, U64, best_len),
	FIELD_ROW(reply_minimization, U64, cut_offset),
	FIELD_ROW(reply_minimization, U64, cut_len),
	FIELD_ROW(reply_minimization, BOOL, replaces),
	FIELD_ROW(reply_minimization, U64, text_len),
	FIELD_ROW(reply_minimization, U64, text_cut),
	FIELD_ROW(reply_minimization, U64, text_cut_len),
	FIELD_ROW(reply_minimization, U64, first),
	FIELD_ROW_BLOB(reply_minimization, best, QUERY_BYTES_MAX),
	FIELD_LIST(reply_minimization, tries, QUERY_TRIES_MAX, TRY_FIELDS),
	FIELD_LIST(reply_minimization, sizes, QUERY_SIZES_MAX, SIZE_FIELDS));

static const struct fields FRAME_FIELDS = FIELDS(reply_frame,
	FIELD_ROW(reply_frame, U32, depth),
	FIELD_ROW(reply_frame, TEXT, function),
	FIELD_ROW(reply_frame, TEXT, file),
	FIELD_ROW(reply_frame, U32, line),
	FIELD_ROW(reply_frame, TEXT, module),
	FIELD_ROW(reply_frame, U64, offset),
	FIELD_ROW(reply_frame, BOOL, library));

static const struct fields FINDING_FIELDS = FIELDS(reply_finding,
	FIELD_ROW(reply_finding, TEXT, name),
	FIELD_ROW(reply_finding, TEXT, note),
	FIELD_ROW(reply_finding, TEXT, command),
	FIELD_ROW(reply_finding, TEXT, path),
	FIELD_ROW(reply_finding, TEXT, parent),
	FIELD_ROW(reply_finding, U32, inputs),
	FIELD_ROW(reply_finding, U32, sequence),
	FIELD_ROW(reply_finding, BOOL, typed),
	FIELD_ROW(reply_finding, U64, report_len),
	FIELD_ROW(reply_finding, U64, first),
	FIELD_ROW_BLOB(reply_finding, report, QUERY_BYTES_MAX),
	FIELD_LIST(reply_finding, frames, QUERY_FRAMES_MAX, FRAME_FIELDS));

/* clang-format on */
const struct fields *const REPLY_BODIES[QUERY_KIND_COUNT] = {
	[QUERY_COVERAGE] = &COVERAGE_FIELDS,
	[QUERY_MODULES] = &MODULES_FIELDS,
	[QUERY_PCS] = &PCS_FIELDS,
	[QUERY_CORPUS] = &CORPUS_FIELDS,
	[QUERY_ENTRY] = &ENTRY_FIELDS,
	[QUERY_MUTATION_LOG] = &MUTATION_LOG_FIELDS,
	[QUERY_WORKER] = &WORKER_FIELDS,
	[QUERY_JOURNAL] = &JOURNAL_FIELDS,
	[QUERY_MINIMIZATION] = &MINIMIZATION_FIELDS,
	[QUERY_FINDING] = &FINDING_FIELDS,
};
