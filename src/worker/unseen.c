/* unseen: see unseen.h. */

#include "worker/unseen.h"

#include <string.h>

const char *
unseen_leaks_warning(enum rpc_leaks leaks)
{
	static const char *const TEXTS[LEAKS_COUNT] = {
		[LEAKS_BROKEN] =
			"leak detection is off: LeakSanitizer does not work "
			"here, perhaps because ptrace is not allowed, or is "
			"too slow",
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
unseen_leaks(const struct rpc_reply *ping, bool no_leaks)
{
	/* The adapter answers, which has no LeakSanitizer itself. */
	if (strcmp(ping->target_kind, RPC_KIND_AFL) == 0)
		return no_leaks ||
			(strcmp(ping->sanitizer, "address") != 0 &&
				strcmp(ping->sanitizer, "leak") != 0);
	return ping->leaks != LEAKS_FOUND && ping->leaks != LEAKS_PROGRAM;
}

/* Only the sanitizer that a report names is sure to see the same again. UBSan may
 * be in a build beside any other one, whose name alone is told. */
static const char *
unseen_report(const char *text, const char *sanitizer)
{
	static const struct {
		const char *start, *sanitizer, *why;
	} rows[] = {
		{ "AddressSanitizer: ", "address",
			"AddressSanitizer saw the failure, and this build is "
			"without it" },
		{ "MemorySanitizer: ", "memory",
			"MemorySanitizer saw the failure, and this build is "
			"without it" },
		{ "ThreadSanitizer: ", "thread",
			"ThreadSanitizer saw the failure, and this build is "
			"without it" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strncmp(text, rows[i].start, strlen(rows[i].start)) == 0)
			return strcmp(sanitizer, rows[i].sanitizer) == 0
				? NULL
				: rows[i].why;
	return sanitizer[0] != '\0'
		? NULL
		: "a sanitizer saw the failure, and this build has none";
}

const char *
unseen_why(const struct failure *failure, const char *had,
	const char *sanitizer, bool leaks_unseen)
{
	if (failure->kind == FAILURE_LEAK && leaks_unseen)
		return "leaks are not looked for: that needs LeakSanitizer";
	/* A build without a sanitizer has started a program that has one, or has
	 * loaded a library: whatever saw the failure was not in the build. */
	if (failure->kind != FAILURE_SANITIZER || had[0] == '\0' ||
		strcmp(had, sanitizer) == 0)
		return NULL;
	return unseen_report(failure->text, sanitizer);
}
