/* unseen: see unseen.h. */

#include "worker/unseen.h"

#include <string.h>

const char *
unseen_leaks_warning(enum rpc_leaks leaks)
{
	static const char *const TEXTS[LEAKS_COUNT] = {
		[LEAKS_BROKEN] =
			"leak detection is off: LeakSanitizer does not work "
			"here, perhaps because ptrace is not allowed",
		[LEAKS_EARLY] =
			"leak detection is off: the target leaks memory before "
			"its first input",
		[LEAKS_THREADS] =
			"leak detection is off: the target has threads of its own",
		[LEAKS_PROGRAM] =
			"leak detection is off: each input runs in a process of "
			"its own; with cfuzz_loop() it is on, see cfuzz(3)",
	};

	return (unsigned)leaks < LEAKS_COUNT ? TEXTS[leaks] : NULL;
}

bool
unseen_leaks(const struct rpc_reply *ping)
{
	return ping->leaks != LEAKS_FOUND && ping->leaks != LEAKS_PROGRAM &&
		strcmp(ping->target_kind, RPC_KIND_AFL) != 0;
}

const char *
unseen_why(enum failure_kind kind, bool has_sanitizer, bool leaks_unseen)
{
	if (kind == FAILURE_SANITIZER && !has_sanitizer)
		return "a sanitizer saw the failure, and this build has none";
	if (kind == FAILURE_LEAK && leaks_unseen)
		return "leaks are not looked for: that needs LeakSanitizer";
	return NULL;
}
