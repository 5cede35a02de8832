/*
 * record: what is written down and told of a finding: crash.json, the report
 * in words, the journal's line, the block on the terminal.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "engine/engine_private.h"

json_t *
record_trail(const struct worker_result *r)
{
	json_t *steps = json_array();
	uint32_t i;

	for (i = 0; !r->candidate_raw && i < r->chain.n; i++)
		json_array_append_new(steps,
			json_pack("{s:s, s:I, s:I}", "op",
				mutate_name(r->chain.trail[i].op), "offset",
				(json_int_t)r->chain.trail[i].offset, "len",
				(json_int_t)r->chain.trail[i].len));
	return steps;
}

static json_t *
rerun_json(const struct engine *e, const struct finding *f)
{
	char path[2 * PATH_MAX], quoted[2][2 * PATH_MAX];

	text_clean_string(e->target_path, path, sizeof(path));
	text_quote(path, quoted[0], sizeof(quoted[0]));
	text_clean_string(e->output_path, path, sizeof(path) / 2);
	snprintf(path + strlen(path), sizeof(path) - strlen(path), "/%s/input",
		f->folder);
	text_quote(path, quoted[1], sizeof(quoted[1]));
	return json_sprintf("cfuzz repro %s %s", quoted[0], quoted[1]);
}

static json_t *
finding_json(const struct engine *e, const struct finding *f)
{
	char what[FAILURE_WHAT_MAX * 4], text[FAILURE_TEXT_MAX];

	text_clean_string(f->failure.what, what, sizeof(what));
	text_clean_string(f->failure.text, text, sizeof(text));
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:f, s:f, s:I, "
			 "s:I, s:i, s:i, s:o, s:o*}",
		"id", f->id, "kind", failure_kind_name(f->failure.kind), "what",
		what, "where", f->where, "text", text, "state",
		finding_state_name(f->state), "count", (json_int_t)f->count,
		"first_s", f->first_s, "last_s", f->last_s, "len",
		(json_int_t)f->len, "minimized_len",
		(json_int_t)f->minimized_len, "replays", (int)f->replays,
		"reproduced", (int)f->reproduced, "frames",
		names_frames(&f->failure, f->names), "command",
		rerun_json(e, f));
}

void
record_save_json(struct engine *e, const struct finding *f)
{
	json_t *json = finding_json(e, f);

	if (json == NULL)
		return;
	store_put_json(e->store, f->folder, "crash.json", json, NULL, NULL);
	json_decref(json);
}

void
record_report(struct engine *e, enum report_kind kind, const struct finding *f)
{
	struct snapshot_finding view = { 0 };
	struct report report = { .kind = kind, .finding = &view };

	view_finding(e, f, &view);
	e->report(e->report_arg, &report);
}

static const char *
finding_event(enum failure_kind kind)
{
	switch (kind) {
	case FAILURE_HANG:
	case FAILURE_STOPPED:
		return "hang";
	case FAILURE_OOM:
		return "oom";
	case FAILURE_LEAK:
		return "leak";
	default:
		return "crash";
	}
}

void
record_announce(struct engine *e, struct finding *f)
{
	char text[256];

	text_clean_string(f->failure.what, text, sizeof(text));
	lines_event(e, finding_event(f->failure.kind),
		json_pack("{s:s, s:s, s:s, s:s, s:I}", "finding", f->id,
			"folder", f->folder, "what", text, "where", f->where,
			"len", (json_int_t)f->len),
		"%s%s%s   new   %zu B", text, f->where[0] != '\0' ? " in " : "",
		f->where, f->len);
	record_report(e, REPORT_FINDING, f);
	f->announced = true;
}

/* A failure that nobody reported in words: what we know of it. */
static char *
plain_report(const struct failure *failure)
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

/* With the names of the frames, if they are known. */
void
record_put_report(struct engine *e, const struct finding *f, const char *report,
	size_t len)
{
	char *stack = names_stack(&f->failure, f->names), *all;
	size_t stack_len = stack != NULL ? strlen(stack) : 0;

	all = xmalloc(len + stack_len + 1);
	memcpy(all, report, len);
	if (stack != NULL)
		memcpy(all + len, stack, stack_len);
	store_put(e->store, f->folder, "report.txt", all, len + stack_len, NULL,
		NULL);
	free(all);
	free(stack);
}

void
record_save_report(struct engine *e, struct finding *f,
	const struct worker_result *r)
{
	char *report;
	size_t len = r->report_len;

	if (r->report != NULL && len > 0) {
		report = xmemdup(r->report, len);
	} else {
		if (r->failure.kind == FAILURE_NONE)
			return;
		report = plain_report(&r->failure);
		len = strlen(report);
	}
	record_put_report(e, f, report, len);
	free(f->report);
	f->report = NULL;
	if (f->naming) {
		/* Written again when the names are there. */
		f->report = report;
		f->report_len = len;
		return;
	}
	free(report);
}
