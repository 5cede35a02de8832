/*
 * command_minimize: makes a finding or an input smaller at the user's command.
 */
#include <stdio.h>
#include <string.h>

#include "control/command.h"
#include "corpus/corpus.h"
#include "engine/corpus/load.h"
#include "engine/engine_end.h"
#include "engine/front/commands.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/pool/pool.h"
#include "engine/program.h"
#include "engine/schedule/schedule.h"
#include "engine/triage/minimize_tasks.h"
#include "engine/triage/triage.h"
#include "engine/triage/triage_needs.h"
#include "findings/finding.h"

/* Why triage_can_minimize() is false. */
static const char *
command_why_never(const struct engine *e, const struct finding *f)
{
	if (f->sequence_n > 1)
		return "the failure needs several inputs in a row, and these are "
		       "not minimized";
	if (!triage_can_run(e, f))
		return "the input of the finding is longer than max-len, "
		       "cannot be read, or is not of the target's types";
	if (f->len > 1)
		return "a process that may have been ended from outside says "
		       "nothing about a smaller input";
	return "the input of the finding cannot be smaller";
}

static enum status
command_minimize_finding(struct engine *e, struct finding *f,
	struct minimize_task **m, struct error *err)
{
	triage_drop_left(e, f);
	if (engine_over(e) && f->state == FINDING_QUEUED)
		*m = minimize_tasks_of_finding(e, f);
	if (*m != NULL)
		return OK;
	if (!finding_state_info(f->state)->is_idle)
		return error_set(err, E_BUSY,
			triage_outlook(e, f) == FINDING_VERIFYING
				? "the finding is being replayed; minimize it afterwards"
				: "the finding is already being minimized");
	if (!triage_can_minimize(e, f))
		return error_set(err, E_STATE, "%s", command_why_never(e, f));
	finding_move(f, FINDING_QUEUED);
	*m = minimize_tasks_of_finding(e, f);
	return OK;
}

static enum status
command_minimize_entry(struct engine *e, struct corpus_entry *entry,
	struct minimize_task **m, struct error *err)
{
	if (entry->len < 2)
		return error_set(err, E_STATE, "the input cannot be smaller");
	if (!program_is_instrumented(e))
		return error_set(err, E_STATE,
			"the target has no coverage that a smaller input could "
			"keep");
	*m = minimize_tasks_of_entry(e, entry);
	return *m != NULL
		? OK
		: error_set(err, E_IO, "the bytes of the input cannot be read");
}

static bool
command_is_too_late(const struct engine *e)
{
	return !engine_over(e) && (engine_stopping(e) || engine_draining(e));
}

enum status
command_minimize(struct engine *e, const struct command *c, char *answer,
	size_t size, struct error *err)
{
	struct finding *f = triage_find(e, c->argv[0]);
	struct corpus_entry *entry =
		corpus_find_name(engine_corpus(e), c->argv[0]);
	bool held = c->argc > 1;
	struct minimize_task *m = NULL;
	enum status status;

	if (held && strcmp(c->argv[1], "held") != 0)
		return error_set(err, E_USAGE,
			"write: minimize INPUT held, not %s", c->argv[1]);
	if (f == NULL && entry == NULL)
		return error_set(err, E_NOT_FOUND,
			"no finding or input has the name %s", c->argv[0]);
	if (command_is_too_late(e))
		return error_set(err, E_STATE, "the campaign is stopping");
	if (f == NULL && engine_over(e))
		return error_set(err, E_STATE,
			"the campaign is over: only findings can be minimized");
	if (f == NULL && load_is_reading(e))
		return error_set(err, E_STATE,
			"wait until all inputs are read");
	if (!schedule_may_minimize(e))
		return error_set(err, E_STATE,
			"minimization is off; set minimizetime first");
	status = f != NULL ? command_minimize_finding(e, f, &m, err)
			   : command_minimize_entry(e, entry, &m, err);
	if (m == NULL)
		return held && status == E_BUSY &&
				command_hold(e, c->argv[0], answer, size)
			? OK
			: status;
	if (f != NULL)
		f->asked = true;
	m->asked = true;
	m->held = m->driver.by_steps = held;
	message_event(e, "operator",
		f != NULL ? command_about(f)
			  : json_pack("{s:s}", "input", entry->name),
		"minimize %s", f != NULL ? f->folder : entry->name);
	snprintf(answer, size, "%.160s will be minimized%s",
		f != NULL ? f->folder : entry->name, held ? " by steps" : "");
	pool_wake(e);
	return OK;
}
