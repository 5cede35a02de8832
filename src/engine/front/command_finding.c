/*
 * command_finding: commands to mark, annotate and export a finding.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "control/command.h"
#include "engine/front/commands.h"
#include "engine/front/server.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/triage/export.h"
#include "engine/triage/record.h"
#include "engine/triage/triage.h"
#include "findings/finding.h"

struct finding *
command_find_finding(struct engine *e, const char *id, struct error *err)
{
	struct finding *f = triage_find(e, id);
	char shown[64];

	text_clean_string(id, shown, sizeof(shown));
	if (f == NULL)
		error_set(err, E_NOT_FOUND, "there is no finding %s", shown);
	return f;
}

json_t *
command_about(const struct finding *f)
{
	return json_pack("{s:s}", "finding", f->id);
}

enum status
command_mark(struct engine *e, const struct command *c, char *answer,
	size_t size, struct error *err)
{
	struct finding *f = command_find_finding(e, c->argv[0], err);
	const char *name = c->argv[1];
	enum finding_verdict verdict = finding_verdict_parse(name);

	if (f == NULL)
		return err->code;
	/* An unknown name is parsed as "new". */
	if (strcmp(finding_verdict_name(verdict), name) != 0 ||
		verdict == VERDICT_CONFIRMED || verdict == VERDICT_FLAKY)
		return error_set(err, E_USAGE,
			"a finding can be marked new, known or accepted; "
			"replays set the other states");
	triage_mark(e, f, verdict);
	name = finding_verdict_name(f->verdict);
	message_event(e, "operator", command_about(f), "%s: %s", f->folder,
		name);
	snprintf(answer, size, "%s: %s", f->folder, name);
	return OK;
}

enum status
command_note(struct engine *e, const struct command *c, char *answer,
	size_t size, struct error *err)
{
	struct finding *f = command_find_finding(e, c->argv[0], err);
	const char *text = c->argc > 1 ? c->argv[1] : "";

	if (f == NULL)
		return err->code;
	if (strlen(text) >= sizeof(f->note))
		return error_set(err, E_RANGE, "a note has at most %zu bytes",
			sizeof(f->note) - 1);
	text_clean_string(text, f->note, sizeof(f->note));
	record_save_json(e, f);
	message_event(e, "operator", command_about(f), "%s: %s%s", f->folder,
		f->note[0] != '\0' ? "note: " : "the note is deleted", f->note);
	snprintf(answer, size, "%s: %s", f->folder,
		f->note[0] != '\0' ? "the note is saved"
				   : "the note is deleted");
	return OK;
}

static void
command_exported(struct engine *e, json_int_t id, bool ok, const char *text)
{
	server_answer_late(engine_server(e), id, ok, text);
}

enum status
command_export(struct engine *e, const struct command *c, char *answer,
	size_t size, struct error *err)
{
	struct finding *f = command_find_finding(e, c->argv[0], err);
	bool held;
	json_int_t id = 0;

	if (f == NULL)
		return err->code;
	/* An error is answered at once all the same. */
	held = server_hold(engine_server(e), &id);
	if (export_begin(e, f, c->argc > 1 ? c->argv[1] : NULL,
		    held ? command_exported : NULL, id, err) != OK)
		return err->code;
	snprintf(answer, size, "%s is being exported", f->folder);
	return OK;
}
