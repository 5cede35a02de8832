/* callee: see callee.h. */
#include "symbols/callee.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define CALLEE_REPORT_ENDS (FLOW_REPORTS | FLOW_ENDS)

/*
 * The first match counts. With `end`, a function matches that begins with
 * `name` and ends with `end`; NULL: only the whole name matches. Who calls
 * setjmp() may wait for a longjmp() of another module.
 */
static const struct {
	const char *name, *end;
	unsigned way;
} callee_names[] = {
	{ "abort", NULL, FLOW_ENDS },
	{ "__assert_fail", NULL, FLOW_ENDS },
	{ "exit", NULL, CALLEE_EXITS },
	{ "_exit", NULL, CALLEE_EXITS },
	{ "_Exit", NULL, CALLEE_EXITS },
	{ "quick_exit", NULL, CALLEE_EXITS },
	{ "__stack_chk_fail", NULL, CALLEE_REPORT_ENDS },
	{ "__asan_report_", "_noabort", FLOW_REPORTS },
	{ "__asan_report_", "", CALLEE_REPORT_ENDS },
	{ "__msan_warning", "_noreturn", CALLEE_REPORT_ENDS },
	{ "__msan_warning", "", FLOW_REPORTS },
	{ "__ubsan_handle_", "_abort", CALLEE_REPORT_ENDS },
	{ "__ubsan_handle_builtin_unreachable", "", CALLEE_REPORT_ENDS },
	{ "__ubsan_handle_missing_return", "", CALLEE_REPORT_ENDS },
	{ "__ubsan_handle_", "", FLOW_REPORTS },
	{ "__asan_", "", FLOW_HOOK },
	{ "__msan_", "", FLOW_HOOK },
	{ "__tsan_", "", FLOW_HOOK },
	{ "__sanitizer_", "", FLOW_HOOK },
	{ "longjmp", NULL, CALLEE_LEAPS },
	{ "_longjmp", NULL, CALLEE_LEAPS },
	{ "siglongjmp", NULL, CALLEE_LEAPS },
	{ "__longjmp_chk", NULL, CALLEE_LEAPS },
	{ "setjmp", NULL, CALLEE_LEAPS },
	{ "_setjmp", NULL, CALLEE_LEAPS },
	{ "sigsetjmp", NULL, CALLEE_LEAPS },
	{ "__sigsetjmp", NULL, CALLEE_LEAPS },
	{ "pthread_exit", NULL, CALLEE_LEAPS },
	{ "setcontext", NULL, CALLEE_LEAPS },
	{ "swapcontext", NULL, CALLEE_LEAPS },
	{ "__cxa_throw", NULL, CALLEE_THROWS },
	{ "__cxa_begin_catch", NULL, CALLEE_THROWS },
	{ "_Unwind_Resume", NULL, CALLEE_THROWS },
	{ "_Unwind_RaiseException", NULL, CALLEE_THROWS },
};

/* Some linkers add a version: "longjmp@GLIBC_2.2.5". */
static bool
callee_is_named(const char *symbol, const char *name, const char *end)
{
	size_t whole = strcspn(symbol, "@"), len = strlen(name);
	size_t end_len = end != NULL ? strlen(end) : 0;

	return strncmp(symbol, name, len) == 0 &&
		(end != NULL ? whole >= len + end_len : whole == len) &&
		(end_len == 0 ||
			strncmp(symbol + whole - end_len, end, end_len) == 0);
}

unsigned
callee_way(const char *name)
{
	for (size_t i = 0; i < sizeof(callee_names) / sizeof(callee_names[0]);
		i++)
		if (callee_is_named(name, callee_names[i].name,
			    callee_names[i].end))
			return callee_names[i].way;
	return 0;
}
