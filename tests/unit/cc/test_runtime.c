/* test_runtime: finds libcfuzz.a and cfuzz.h beside the program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "cc/runtime.h"
#include "lib/help.h"
#include "lib/rows.h"

static const struct row {
	const char *name;
	const char *dir;
	const char *override;
	const char *archive; /* NULL: not found */
	const char *include_dir;
} rows[] = {
	{ "build folder", "build", NULL, "build/libcfuzz.a",
		"build/../include" },
	{ "build folder of a variant", "build/asan", NULL,
		"build/asan/libcfuzz.a", "build/asan/../../include" },
	{ "installed", "prefix/bin", NULL, "prefix/bin/../lib/libcfuzz.a",
		"prefix/bin/../include" },
	{ "named", "build", "other.a", "other.a", "build/../include" },
	{ "named by nothing", "build", "", "build/libcfuzz.a",
		"build/../include" },
	{ "named, but missing", "build", "missing.a", NULL,
		"build/../include" },
};

static const char *const folders[] = { "build", "build/asan", "include",
	"prefix", "prefix/bin", "prefix/lib", "prefix/include" };
static const char *const contents[] = { "build/libcfuzz.a",
	"build/asan/libcfuzz.a", "include/cfuzz.h", "prefix/lib/libcfuzz.a",
	"prefix/include/cfuzz.h", "other.a" };

#define N_FOLDERS (sizeof(folders) / sizeof(folders[0]))
#define N_CONTENTS (sizeof(contents) / sizeof(contents[0]))

static void
test_runtime(void **state)
{
	const struct row *row = *state;
	struct runtime runtime;
	struct error err;

	error_clear(&err);
	runtime_open(&runtime, row->dir, row->override);
	assert_string_equal(runtime.include_dir, row->include_dir);
	if (row->archive != NULL) {
		assert_int_equal(runtime_check(&runtime, &err), OK);
		assert_string_equal(runtime.archive, row->archive);
	} else {
		assert_int_equal(runtime_check(&runtime, &err), E_NOT_FOUND);
		assert_non_null(strstr(err.text, "CFUZZ_RUNTIME"));
	}
	runtime_close(&runtime);
}

static int
enter(void **state)
{
	help_enter_scratch();
	for (size_t i = 0; i < N_FOLDERS; i++)
		assert_int_equal(mkdir(folders[i], 0700), 0);
	for (size_t i = 0; i < N_CONTENTS; i++)
		help_write_text(contents[i], "");
	return 0;
}

static int
leave(void **state)
{
	for (size_t i = 0; i < N_CONTENTS; i++)
		assert_int_equal(unlink(contents[i]), 0);
	for (size_t i = N_FOLDERS; i-- > 0;)
		assert_int_equal(rmdir(folders[i]), 0);
	help_leave_scratch();
	return 0;
}

int
main(void)
{
	return rows_run_with("cc/runtime", ROWS_OF(rows, name, test_runtime),
		NULL, 0, enter, leave);
}
