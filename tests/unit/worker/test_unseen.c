/*
 * test_unseen: which failures would happen unseen in a target.
 */
#include "worker/unseen.h"

#include <stdio.h>

#include "lib/rows.h"

/* clang-format off */
static const struct leaks_row {
	const char *name, *target_kind, *sanitizer;
	enum rpc_leaks leaks;
	bool no_leaks, unseen;
} LEAKS[] = {
	{ "with it", "function", "address", LEAKS_FOUND, false, false },
	{ "without", "function", "", LEAKS_NONE, false, true },
	{ "a program without", "main()", "", LEAKS_NONE, false, true },
	{ "no ptrace", "function", "address", LEAKS_BROKEN, false, true },
	{ "early leak", "function", "address", LEAKS_EARLY, false, true },
	{ "threads", "function", "address", LEAKS_THREADS, false, true },
	{ "program", "main()", "address", LEAKS_PROGRAM, false, false },
	{ "AFL++", RPC_KIND_AFL, "address", LEAKS_NONE, false, false },
	{ "AFL++, LSan", RPC_KIND_AFL, "leak", LEAKS_NONE, false, false },
	{ "AFL++, not wanted", RPC_KIND_AFL, "address", LEAKS_NONE, true, true },
	{ "AFL++, plain", RPC_KIND_AFL, "", LEAKS_NONE, false, true },
	{ "AFL++, UBSan", RPC_KIND_AFL, "undefined", LEAKS_NONE, false, true },
};
/* clang-format on */

static void
test_leaks(void **state)
{
	const struct failure leak = { .kind = FAILURE_LEAK,
		.text = "LeakSanitizer: detected memory leaks" };

	for (size_t i = 0; i < ROWS(LEAKS); i++) {
		const struct leaks_row *row = &LEAKS[i];
		struct rpc_reply ping = { .leaks = row->leaks };
		bool unseen;

		snprintf(ping.target_kind, sizeof(ping.target_kind), "%s",
			row->target_kind);
		snprintf(ping.sanitizer, sizeof(ping.sanitizer), "%s",
			row->sanitizer);
		unseen = unseen_leaks(&ping, row->no_leaks);
		row_check(unseen == row->unseen, "%s", row->name);
		row_check((unseen_why(&leak, "address", "address", unseen) !=
				  NULL) == row->unseen,
			"%s: a leak", row->name);
	}
}

/* clang-format off */
static const struct why_row {
	enum failure_kind kind;
	const char *text, *had, *sanitizer;
	bool unseen;
} WHY[] = {
	{ FAILURE_SIGNAL, "signal: aborted", "address", "", false },
	{ FAILURE_SANITIZER, "AddressSanitizer: double-free", "address", "", true },
	{ FAILURE_SANITIZER, "AddressSanitizer: double-free", "address", "address", false },
	{ FAILURE_SANITIZER, "AddressSanitizer: double-free", "memory", "address", false },
	{ FAILURE_SANITIZER, "AddressSanitizer: double-free", "address", "undefined", true },
	{ FAILURE_SANITIZER, "AddressSanitizer: outside of the input", "address", "memory", true },
	{ FAILURE_SANITIZER, "MemorySanitizer: use-of-uninitialized-value", "thread", "memory", false },
	{ FAILURE_SANITIZER, "MemorySanitizer: use-of-uninitialized-value", "memory", "address", true },
	{ FAILURE_SANITIZER, "ThreadSanitizer: data-race", "address", "thread", false },
	{ FAILURE_SANITIZER, "ThreadSanitizer: data-race", "thread", "address", true },
	/* UBSan may be beside another one, and some have no name of their own. */
	{ FAILURE_SANITIZER, "t.c:1:2: runtime error: shift", "undefined", "", true },
	{ FAILURE_SANITIZER, "t.c:1:2: runtime error: shift", "address", "undefined", false },
	{ FAILURE_SANITIZER, "t.c:1:2: runtime error: shift", "undefined", "address", false },
	{ FAILURE_SANITIZER, "UndefinedBehaviorSanitizer: SEGV", "undefined", "memory", false },
	{ FAILURE_SANITIZER, "", "address", "", true },
	{ FAILURE_SANITIZER, "", "undefined", "address", false },
	/* It was another program's. */
	{ FAILURE_SANITIZER, "AddressSanitizer: double-free", "", "", false },
	{ FAILURE_SANITIZER, "AddressSanitizer: double-free", "", "undefined", false },
	{ FAILURE_SANITIZER, "AddressSanitizer: double-free", "undefined", "undefined", false },
	{ FAILURE_SANITIZER, "t.c:1:2: runtime error: shift", "", "", false },
};
/* clang-format on */

/* A sanitizer sees nothing of what another one has seen. */
static void
test_why(void **state)
{
	for (size_t i = 0; i < ROWS(WHY); i++) {
		const struct why_row *row = &WHY[i];
		struct failure failure = { .kind = row->kind };

		snprintf(failure.text, sizeof(failure.text), "%s", row->text);
		row_check((unseen_why(&failure, row->had, row->sanitizer,
				   true) != NULL) == row->unseen,
			"`%s` with `%s`", row->text, row->sanitizer);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_leaks),
		cmocka_unit_test(test_why),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
