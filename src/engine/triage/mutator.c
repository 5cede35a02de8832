/*
 * mutator: faults of the target's own mutator. They are reported apart from
 * findings: no input is to blame, and the campaign goes on with fewer calls of
 * the mutator.
 */
#include "engine/triage/mutator.h"

#include "base/text.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/triage/mutator_private.h"
#include "shared/wire/failure.h"

/* Prints a line for the first fault, and events less and less often. */
void
mutator_on_failure(struct engine *e, const struct failure *failure)
{
	uint64_t n = ++engine_mutator(e)->failures;
	char text[FAILURE_TEXT_MAX];

	if ((n & (n - 1)) != 0)
		return;
	text_clean_string(failure->text, text, sizeof(text));
	if (n == 1)
		message_print(e,
			"warning: %s; no crash will be recorded, and it is "
			"called less often while it fails",
			text);
	message_event(e, "mutator",
		json_pack("{s:I, s:s}", "failures", (json_int_t)n, "what",
			failure->what),
		"%s", text);
}

void
mutator_on_length(struct engine *e)
{
	if (engine_mutator(e)->length_said)
		return;
	engine_mutator(e)->length_said = true;
	message_warn(e, "mutator",
		"the custom mutator returned more bytes than the "
		"maximum; its output is cut");
}
