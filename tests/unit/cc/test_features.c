/* test_features: the gaps of gcc are listed, and the note names the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cc/features.h"

static char *
printed(enum compiler_kind compiler, bool note)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	if (note)
		features_print_note(out);
	else
		features_print(out, compiler, "the version");
	assert_int_equal(fclose(out), 0);
	return text;
}

static void
test_clang_has_all(void **state)
{
	char *text = printed(COMPILER_CLANG, false);

	assert_non_null(strstr(text, "compiler: the version\n"));
	assert_null(strstr(text, " no "));
	assert_null(strstr(text, " no\n"));
	assert_null(strstr(text, "Install clang"));
	free(text);
}

static void
test_gcc_lacks_some(void **state)
{
	char *text = printed(COMPILER_GCC, false);

	assert_non_null(strstr(text, "MemorySanitizer   no "));
	assert_non_null(strstr(text, "AddressSanitizer  yes"));
	assert_non_null(strstr(text, "Install clang"));
	free(text);
}

static void
test_note(void **state)
{
	char *text = printed(COMPILER_GCC, true);

	assert_string_equal(text,
		"cfuzz-cc: note: built by gcc, with no inline counters, "
		"no table of edges, no MemorySanitizer; clang gives them "
		"(see cfuzz-cc --features)\n");
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clang_has_all),
		cmocka_unit_test(test_gcc_lacks_some),
		cmocka_unit_test(test_note),
	};

	return cmocka_run_group_tests_name("cc/features", tests, NULL, NULL);
}
