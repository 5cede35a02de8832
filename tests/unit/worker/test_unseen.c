/*
 * test_unseen: which failures would happen unseen in a target.
 */
#include "worker/unseen.h"

#include <stdio.h>

#include "lib/rows.h"

static void
test_what_is_unseen(void **state)
{
	static const struct {
		const char *name, *target_kind;
		enum rpc_leaks leaks;
		bool has_sanitizer;
		bool report, leak; /* unseen? */
	} rows[] = {
		{ "with both", "function", LEAKS_FOUND, true, false, false },
		{ "plain", "function", LEAKS_NONE, false, true, true },
		{ "plain program", "main()", LEAKS_NONE, false, true, true },
		{ "UBSan", "function", LEAKS_NONE, true, false, true },
		{ "no ptrace", "function", LEAKS_BROKEN, true, false, true },
		{ "early leak", "function", LEAKS_EARLY, true, false, true },
		{ "threads", "function", LEAKS_THREADS, true, false, true },
		{ "program", "main()", LEAKS_PROGRAM, true, false, false },
		{ "AFL++", RPC_KIND_AFL, LEAKS_NONE, true, false, false },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct rpc_reply ping = { .leaks = rows[i].leaks };
		bool leaks;

		snprintf(ping.target_kind, sizeof(ping.target_kind), "%s",
			rows[i].target_kind);
		leaks = unseen_leaks(&ping);
		row_check(leaks == rows[i].leak, "%s: leaks", rows[i].name);
		row_check((unseen_why(FAILURE_LEAK, rows[i].has_sanitizer,
				   leaks) != NULL) == rows[i].leak,
			"%s: a leak", rows[i].name);
		row_check((unseen_why(FAILURE_SANITIZER, rows[i].has_sanitizer,
				   leaks) != NULL) == rows[i].report,
			"%s: a report", rows[i].name);
		row_check(unseen_why(FAILURE_SIGNAL, rows[i].has_sanitizer,
				  leaks) == NULL,
			"%s: a signal", rows[i].name);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_unseen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
