/* first_answer: see first_answer.h. */
#include "engine/pool/first_answer.h"

#include <stdio.h>

#include "engine/functions/pc_table_calls.h"
#include "engine/hints.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/program.h"
#include "worker/inputs/type_names.h"
#include "worker/memory/campaign_memory.h"
#include "worker/unseen.h"
#include "worker/worker.h"

bool
first_answer_fits(struct engine *e, const struct worker *w)
{
	char takes[TYPE_NAMES_SIZE], others[TYPE_NAMES_SIZE];
	char text[ERROR_TEXT_MAX];

	if (type_names_same(worker_types(w), program_types(e)))
		return true;
	type_names_text(worker_types(w), takes, sizeof(takes));
	type_names_text(program_types(e), others, sizeof(others));
	snprintf(text, sizeof(text),
		"worker %u has the parameter types (%s), the first one "
		"has (%s): this worker is not used",
		worker_slot(w), takes, others);
	message_warn(e, "worker", text);
	return false;
}

void
first_answer_on_modules(void *arg, struct worker *w,
	const struct counter_module *modules, uint32_t n)
{
	struct engine *e = arg;
	uint32_t i;

	for (i = 0; i < n; i++)
		if (!campaign_memory_add_module(engine_memory(e),
			    modules[i].key, modules[i].n))
			message_no_module_room(e);
	pc_table_calls_add_modules(e, modules, n);
}

void
first_answer_note_leaks(struct engine *e, const struct rpc_reply *ping)
{
	if (unseen_leaks(ping, engine_settings(e)->no_leaks))
		program_set_leaks_unseen(e);
}

void
first_answer_note_build(struct engine *e, const struct rpc_reply *ping)
{
	const struct campaign_memory *memory = engine_memory(e);
	char text[256];

	program_set_kind(e, ping->target_kind);
	program_set_build(e, ping->sanitizer,
		memory->head->counters > memory->profile_n);
	if (!program_is_instrumented(e))
		message_warn(e, "target",
			"the target was not built with coverage "
			"instrumentation, so fuzzing will run without coverage "
			"guidance and may be inefficient");
	if (ping->no_fork) {
		snprintf(text, sizeof(text),
			"the target runs %d threads after its "
			"initialisation and cannot be forked; each death and each "
			"replay costs a new start",
			ping->threads);
		message_warn(e, "target", text);
	}
	if (unseen_leaks_warning(ping->leaks) != NULL)
		message_warn(e, "target", unseen_leaks_warning(ping->leaks));
	hints_say(e, ping);
}
