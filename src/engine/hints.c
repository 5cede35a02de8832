/*
 * hints: build hints for users who start a target for the first time. Each hint
 * is given once in a campaign. The advice comes first, because a screen may cut
 * the end.
 */
#include <inttypes.h>
#include <stdio.h>

#include "engine/log/messages.h"
#include "engine/program.h"
#include "engine/statistics/earlier_runs.h"
#include "findings/own_code.h"
#include "shared/wire/rpc.h"
#include "worker/elf.h"

/* Less own code than HINTS_CODE_MIN counts as none. An edge stands for at most
 * HINTS_CODE_EACH bytes, whatever a sanitizer adds. */
#define HINTS_CODE_MIN 16384u
#define HINTS_CODE_EACH 1024u
/* With that many edges, no library was forgotten. */
#define HINTS_COUNTERS 32u

static void
hints_tell(struct engine *e, const char *text)
{
	message_print(e, "hint: %s", text);
	message_event(e, "hint", NULL, "%s", text);
}

/* Compares edges and code of the program and of its libraries. */
static void
hints_on_coverage(struct engine *e, uint64_t counters, uint32_t modules)
{
	struct own_code code;
	char text[512];

	if (counters >= UINT64_MAX / HINTS_CODE_EACH)
		return;
	own_code_read(program_info(e)->fd, &code);
	if (code.bytes >= HINTS_CODE_MIN &&
		code.bytes > counters * HINTS_CODE_EACH)
		snprintf(text, sizeof(text),
			"compile the tested library with cfuzz-cc, too: only "
			"%" PRIu64 " places in %" PRIu64 " kB of code are "
			"counted, and nothing leads into the rest",
			counters, code.bytes / 1000);
	else if (modules < 2 && counters < HINTS_COUNTERS &&
		code.library[0] != '\0')
		snprintf(text, sizeof(text),
			"compile %s with cfuzz-cc, too, if it is what you test: "
			"nothing in it is counted, so nothing leads into it",
			code.library);
	else
		return;
	hints_tell(e, text);
}

void
hints_say(struct engine *e, const struct rpc_reply *ping)
{
	uint64_t counters = 0;
	uint32_t i, modules = 0;

	if (earlier_runs_count(e) > 1)
		return;
	for (i = 0; i < ping->modules_n; i++) {
		if (ping->modules[i].key == MEMORY_VALUE_PROFILE_KEY)
			continue;
		counters += ping->modules[i].n;
		modules++;
	}
	if (ping->sanitizer[0] == '\0')
		hints_tell(e,
			"no sanitizer: build with -fsanitize=address to see "
			"memory errors that do not crash");
	hints_on_coverage(e, counters, modules);
}
