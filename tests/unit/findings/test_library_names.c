/*
 * test_library_names: which functions are a library's, and which are the user's
 * with a similar name.
 */
#include "findings/library_names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define N(a) (sizeof(a) / sizeof((a)[0]))

static void
test_sanitizer_files(void **state)
{
	static const struct {
		const char *function, *path;
		bool library;
	} rows[] = {
		{ "ReportGenericError",
			"/b/llvm/compiler-rt/lib/asan/asan_report.cpp", true },
		{ "Report", "../../../src/libsanitizer/asan/asan_report.cpp",
			true },
		{ "Die",
			"/b/compiler-rt/lib/sanitizer_common/"
			"sanitizer_termination.cpp",
			true },
		{ "OverrideFunction",
			"/b/compiler-rt/lib/interception/interception_linux.cpp",
			true },
		{ "hwasan_init", "compiler-rt/lib/hwasan/hwasan.cpp", true },
		{ "__asan_memcpy", "/x/asan_interceptors.cpp", true },
		{ "apply", "/x/sanitizer_rules.c", false },
		{ "handle", "/x/interception.c", false },
		{ "run", "/x/asan_test.c", false },
		{ "run", "/x/compiler-rt/examples/parse.c", false },
		{ "Report", "/x/my-compiler-rt/asan_report.cpp", false },
	};
	struct symbol s;

	for (size_t i = 0; i < N(rows); i++) {
		s = (struct symbol){ .line = 1 };
		snprintf(s.function, sizeof(s.function), "%s",
			rows[i].function);
		snprintf(s.path, sizeof(s.path), "%s", rows[i].path);
		snprintf(s.file, sizeof(s.file), "%s", basename(s.path));
		if (library_is_function(&s, false) != rows[i].library)
			fail_msg("%s in %s", rows[i].function, rows[i].path);
	}
	/* A folder whose name is too long is not known. */
	s = (struct symbol){ .file = "asan_report.cpp", .line = 1 };
	assert_true(library_is_function(&s, false));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sanitizer_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
