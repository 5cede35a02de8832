/*
 * record: the files and reports of a finding: crash.json, the report in words,
 * the journal's line, the block on the terminal.
 */
#include "engine/triage/record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hex_text.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/settings.h"
#include "control/snapshot.h"
#include "engine/engine_end.h"
#include "engine/log/engine_report.h"
#include "engine/log/messages.h"
#include "engine/notify/hooks.h"
#include "engine/parts.h"
#include "engine/program.h"
#include "engine/statistics/counts.h"
#include "engine/triage/finding_details.h"
#include "engine/triage/rerun.h"
#include "engine/triage/triage_needs.h"
#include "engine/triage/view_finding.h"
#include "findings/finding.h"
#include "findings/names.h"
#include "shared/values/tuple.h"
#include "store/journal.h"
#include "store/store.h"
#include "store/store_finding.h"
#include "worker/inputs/input_text.h"
#include "worker/target/environment.h"
#include "worker/worker.h"

#define UNSAVED_BYTES_MAX (64u << 10) /* of an input, that are told */

json_t *
record_mutations(const struct worker_result *r)
{
	json_t *steps = json_array();
	uint32_t i;

	for (i = 0; !r->candidate_raw && i < r->stack.n; i++)
		json_array_append_new(steps,
			json_pack("{s:s, s:I, s:I}", "op",
				mutate_name(r->stack.mutations[i].op), "offset",
				(json_int_t)r->stack.mutations[i].offset, "len",
				(json_int_t)r->stack.mutations[i].len));
	return steps;
}

/* The smallest input of a typed target as a call for a unit test. Of a sequence
 * it is the last one, which need not fail alone. */
static void
record_put_call(const struct engine *e, const struct finding *f, json_t *json)
{
	bool small = triage_is_minimized(e, f);
	const uint8_t *data = small ? f->minimized : f->input;
	char *call;

	if (data == NULL || program_types(e)->n == 0)
		return;
	call = input_call(program_types(e), program_function(e), data,
		small ? f->minimized_len : f->len);
	if (call[0] != '\0' && f->sequence_n > 1)
		json_object_set_new(json, "call",
			json_sprintf("%s /* the last of %" PRIu32
				     " calls, see sequence/ */",
				call, f->sequence_n));
	else if (call[0] != '\0')
		json_object_set_new(json, "call", json_string(call));
	free(call);
}

json_t *
record_json(const struct engine *e, const struct finding *f)
{
	char what[FAILURE_WHAT_MAX * 4], text[FAILURE_TEXT_MAX];
	char command[RERUN_MAX];
	json_t *json;

	text_clean_string(f->failure.what, what, sizeof(what));
	text_clean_string(f->failure.text, text, sizeof(text));
	rerun_command(e, f, false, command, sizeof(command));
	json = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:f, s:f, s:I, "
			 "s:I, s:i, s:i, s:o, s:s, s:s*}",
		"id", f->id, "kind", failure_kind_name(f->failure.kind), "what",
		what, "where", f->where, "text", text, "state",
		finding_verdict_name(f->verdict), "count", (json_int_t)f->count,
		"first_s", f->first_s, "last_s", f->last_s, "len",
		(json_int_t)f->file_len, "minimized_len",
		(json_int_t)f->minimized_file_len, "replays", (int)f->replays,
		"reproduced", (int)f->reproduced, "frames",
		names_frames(&f->failure, f->names), "command", command, "note",
		f->note[0] != '\0' ? f->note : NULL);
	if (json != NULL && f->minimized != NULL)
		json_object_set_new(json, "minimize_rule",
			json_string(minimize_rule_name(f->minimized_rule)));
	if (json != NULL && f->sequence_n > 1)
		json_object_set_new(json, "sequence",
			json_integer(f->sequence_n));
	if (json != NULL && triage_left(e, f) != NULL)
		json_object_set_new(json, "left",
			json_string(triage_left(e, f)));
	if (json != NULL)
		record_put_call(e, f, json);
	if (json != NULL && f->tried[0] != '\0')
		json_object_set_new(json, "tried", json_string(f->tried));
	return json;
}

void
record_save_json(struct engine *e, const struct finding *f)
{
	json_t *json = record_json(e, f);

	if (json == NULL)
		return;
	finding_details_put(e, f, json);
	store_put_json(engine_store(e), f->folder, "crash.json", json);
	json_decref(json);
}

static void
record_report(struct engine *e, enum report_kind kind, const struct finding *f)
{
	struct snapshot_finding view = { 0 };
	struct report report = { .kind = kind, .finding = &view };

	view_finding(e, f, &view);
	message_report(e, &report);
}

static void
record_run_hook(struct engine *e, const struct finding *f)
{
	struct snapshot_finding view = { 0 };

	view_finding(e, f, &view);
	hooks_on_finding(engine_hooks(e), &view);
	counts_note_news(e);
}

/* A known finding, seen for the first time in this run. */
void
record_report_again(struct engine *e, const struct finding *f)
{
	if (f->verdict != VERDICT_ACCEPTED)
		record_report(e, REPORT_FINDING, f);
}

/* Says nothing of an accepted finding. */
void
record_announce_back(struct engine *e, const struct finding *f)
{
	char text[256];

	text_clean_string(f->failure.what, text, sizeof(text));
	message_event(e, "regressed",
		json_pack("{s:s, s:s}", "finding", f->id, "folder", f->folder),
		"%s%s%s was fixed and fails again", text,
		f->where[0] != '\0' ? " in " : "", f->where);
	if (f->verdict == VERDICT_ACCEPTED)
		return;
	message_print(e, "fuzz: was fixed and fails again: %s%s%s", text,
		f->where[0] != '\0' ? " in " : "", f->where);
	record_run_hook(e, f);
}

static void
record_tell_change(struct engine *e, struct finding *f)
{
	if (f->change == CHANGE_MINIMIZED)
		record_report(e, REPORT_MINIMIZED, f);
	if (f->change == CHANGE_SEQUENCE)
		record_report(e, REPORT_SEQUENCE, f);
	f->change = CHANGE_NONE;
}

void
record_when_kept(struct engine *e, struct finding *f)
{
	if (f->pending_writes == 0 || engine_settings(e)->deterministic)
		record_tell_change(e, f);
}

void
record_on_kept(void *arg, enum status status)
{
	struct finding *f = arg;
	struct engine *e = f->owner;

	if (status == E_STATE)
		return; /* the engine ends */
	f->pending_writes--;
	if (status != OK) {
		engine_note_lost(e);
		f->change = CHANGE_NONE;
	}
	if (f->pending_writes == 0 && f->state != FINDING_MERGED)
		record_tell_change(e, f);
}

void
record_announce(struct engine *e, struct finding *f)
{
	char text[256];

	text_clean_string(f->failure.what, text, sizeof(text));
	message_event(e, failure_class(f->failure.kind)->name,
		json_pack("{s:s, s:s, s:s, s:s, s:I}", "finding", f->id,
			"folder", f->folder, "what", text, "where", f->where,
			"len", (json_int_t)f->file_len),
		"%s%s%s   new   %zu B", text, f->where[0] != '\0' ? " in " : "",
		f->where, f->file_len);
	record_report(e, REPORT_FINDING, f);
	record_run_hook(e, f);
}

/* Describes a failure that came without a report. */
static char *
record_plain_report(const struct failure *failure)
{
	char text[FAILURE_TEXT_MAX], module[FAILURE_MODULE_MAX];
	char *report, *longer;
	uint32_t i;

	text_clean_string(failure->text, text, sizeof(text));
	report = xasprintf("%s\n", text);
	for (i = 0; i < failure->frames_n; i++) {
		text_clean_string(failure->frames[i].module, module,
			sizeof(module));
		longer = xasprintf("%s    #%u %s+0x%llx\n", report, i, module,
			(unsigned long long)failure->frames[i].offset);
		free(report);
		report = longer;
	}
	return report;
}

/* Adds the names of the frames, if known. A terminal may show the file, so each
 * line of the target's text is cleaned. */
void
record_put_report(struct engine *e, const struct finding *f, const char *report,
	size_t len)
{
	char *stack = names_stack(&f->failure, f->names);
	char *lines = text_clean_lines(report, len);
	char options[4096], *all;

	environment_describe(program_envp(e), program_sanitizer(e), options,
		sizeof(options));
	all = xasprintf("%s%s%s%s%s%s", lines, stack != NULL ? stack : "",
		f->excerpt != NULL ? f->excerpt : "",
		options[0] != '\0' ? "\nrun with:\n    " : "", options,
		options[0] != '\0' ? "\n" : "");
	store_put(engine_store(e), f->folder, "report.txt", all, strlen(all),
		NULL, NULL);
	free(all);
	free(lines);
	free(stack);
}

void
record_take_report(struct finding *f, const struct worker_result *r)
{
	free(f->report);
	if (r->report != NULL && r->report_len > 0) {
		f->report = xmemdup(r->report, r->report_len);
		f->report_len = r->report_len;
	} else {
		f->report = record_plain_report(&r->failure);
		f->report_len = strlen(f->report);
	}
}

void
record_save_report(struct engine *e, struct finding *f,
	const struct worker_result *r)
{
	if (r->failure.kind == FAILURE_NONE && r->report_len == 0)
		return;
	record_take_report(f, r);
	record_put_report(e, f, f->report, f->report_len);
}

static void
record_report_unsaved(struct engine *e, const struct finding *f,
	const struct writer_file *file, const char *text, const char *bytes)
{
	json_t *event = journal_event("unsaved", engine_campaign_s(e));
	struct report report = { .kind = REPORT_EVENT, .event = event };

	journal_set_text(event, "text", text);
	if (f != NULL)
		journal_set_text(event, "finding", f->id);
	journal_set_text(event, "folder", file->folder);
	json_object_set_new(event, "len", json_integer((json_int_t)file->len));
	json_object_set_new(event, "bytes", json_string(bytes));
	message_report(e, &report);
	json_decref(event);
}

void
record_tell_unsaved(struct engine *e, const struct finding *f,
	const struct writer_file *file)
{
	size_t n =
		file->len < UNSAVED_BYTES_MAX ? file->len : UNSAVED_BYTES_MAX;
	char what[256] = "", text[FAILURE_TEXT_MAX] = "", *said, *line;
	char *bytes = xcalloc(2 * n + 1, 1);

	hex_encode(file->data, n, bytes);
	if (f != NULL) {
		text_clean_string(f->failure.what, what, sizeof(what));
		text_clean_string(f->failure.text, text, sizeof(text));
	}
	said = xasprintf("%s%s%s%s%s", what,
		f != NULL && f->where[0] != '\0' ? " in " : "",
		f != NULL ? f->where : "", text[0] != '\0' ? ": " : "", text);
	line = xasprintf("not saved: %s, %zu bytes: %s", file->folder,
		file->len, said);
	message_last_words(e, line);
	free(line);
	line = xasprintf("    %s%s", bytes, n < file->len ? " ..." : "");
	message_last_words(e, line);
	free(line);
	record_report_unsaved(e, f, file, said, bytes);
	free(said);
	free(bytes);
}
