/*
 * hints: what somebody who starts a target for the first time may have forgotten
 * when it was built. Each is told once in the life of a campaign, and begins with
 * what to do, for on a screen the end may be cut.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "engine/engine_private.h"
#include "findings/own_code.h"

/* So little code of its own is none, and each counter stands for that much of
 * it at most, whatever a sanitizer adds. */
#define HINTS_CODE_MIN 16384u
#define HINTS_CODE_EACH 1024u
/* Who has so many counters has not forgotten a library. */
#define HINTS_COUNTERS 32u

static void
hints_tell(struct engine *e, const char *text)
{
	message_print(e, "hint: %s", text);
	message_event(e, "hint", NULL, "%s", text);
}

/* What is linked with the program, and what is loaded with it. */
static void
hints_on_coverage(struct engine *e, uint64_t counters, uint32_t modules)
{
	struct own_code code;
	char text[512];

	if (counters >= UINT64_MAX / HINTS_CODE_EACH)
		return;
	own_code_read(e->target.fd, &code);
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

	if (e->runs > 1)
		return;
	for (i = 0; i < ping->modules_n; i++) {
		if (ping->modules[i].key == MEMORY_PROFILE_KEY)
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
