/*
 * test_compiler: the choice of a compiler, from a PATH of fake programs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/xmalloc.h"
#include "cc/capture.h"
#include "cc/compiler.h"
#include "lib/help.h"
#include "lib/rows.h"

/* clang-format off */
static const struct {
	const char *name;
	const char *script;
} programs[] = {
	{ "clang",	"echo clang version 99.1; echo more" },
	{ "clang++",	"exit 0" },
	{ "gcc",	"exit 0" },
	{ "g++-12",	"exit 0" },
	{ "ccache",	"exit 0" },
	{ "cc",		"echo '#define __GNUC__ 4'" },
	{ "mycc",	"echo '#define __GNUC__ 4'; echo '#define __clang__ 1'" },
	{ "tcc",	"echo '#define __TINYC__ 1'" },
	{ "broken",	"echo '#define __clang__ 1'; exit 1" },
	{ "ld-new",	"echo 'GNU ld (GNU Binutils) 2.40'" },
	{ "clang-args",	"echo GNU ld 0.0; echo \"$@\" >args" },
};

/* A folder with some of them, for default choices. */
static const struct row {
	const char *name;
	const char *named;	/* CFUZZ_CC */
	enum status status;
	enum compiler_kind kind;
	const char *program;
	const char *options;
} rows[] = {
	{ "default", NULL, OK, COMPILER_CLANG, "clang", "" },
	{ "blank is default", "  ", OK, COMPILER_CLANG, "clang", "" },
	{ "gcc", "gcc", OK, COMPILER_GCC, "gcc", "" },
	{ "with a version", "g++-12", OK, COMPILER_GCC, "g++-12", "" },
	{ "clang++ is no g++", "clang++", OK, COMPILER_CLANG, "clang++", "" },
	{ "with options", "clang -m64 '-DX=a b'", OK, COMPILER_CLANG, "clang",
		"-m64 -DX=a b" },
	{ "launcher", "ccache clang -O2", OK, COMPILER_CLANG, "ccache clang",
		"-O2" },
	{ "launcher with options", "ccache -x gcc", OK, COMPILER_GCC,
		"ccache -x gcc", "" },
	{ "asked: gcc", "cc -O2", OK, COMPILER_GCC, "cc", "-O2" },
	{ "asked: clang", "mycc", OK, COMPILER_CLANG, "mycc", "" },
	{ "asked: neither", "tcc", E_USAGE, COMPILER_GCC, "", "" },
	{ "asked: fails", "broken", E_USAGE, COMPILER_GCC, "", "" },
	{ "missing", "nosuchcc", E_NOT_FOUND, COMPILER_GCC, "", "" },
	{ "missing launcher", "nosuch clang", E_NOT_FOUND, COMPILER_GCC, "",
		"" },
	{ "missing compiler", "ccache clang-99", E_NOT_FOUND, COMPILER_GCC,
		"", "" },
	{ "a path", "./gcc", OK, COMPILER_GCC, "./gcc", "" },
	{ "a path, missing", "./gcc-9", E_NOT_FOUND, COMPILER_GCC, "", "" },
	{ "ourselves", "/proc/self/exe", E_USAGE, COMPILER_GCC, "", "" },
};

static const struct linker_row {
	const char *version;
	bool knows;
} linker_rows[] = {
	{ "GNU ld (GNU Binutils for Debian) 2.40", true },
	{ "GNU ld (GNU Binutils for Ubuntu) 2.34", false },
	{ "GNU ld (GNU Binutils; openSUSE Leap 15.4) 2.39.0.20220810", true },
	{ "GNU ld version 2.35.2-24.el9", true },
	{ "GNU ld version 2.30-113.el8", false },
	{ "GNU ld", false },
	{ "GNU gold (GNU Binutils for Debian 2.40) 1.16", false },
	{ "LLD 14.0.6 (compatible with GNU linkers)", true },
	{ "Debian LLD 14.0.6 (compatible with GNU linkers)", true },
	{ "LLD 9.0.1 (compatible with GNU linkers)", false },
	{ "mold 1.10.1 (compatible with GNU ld)", true },
	{ "", false },
	{ "something else", false },
};
/* clang-format on */

static void
test_open(void **state)
{
	const struct row *row = *state;
	struct compiler compiler;
	struct error err;
	char *text;

	error_clear(&err);
	assert_int_equal(compiler_open(&compiler, false, row->named, "CFUZZ_CC",
				 &err),
		row->status);
	if (row->status != OK) {
		assert_string_not_equal(err.text, "");
		return;
	}
	assert_int_equal(compiler.kind, row->kind);
	text = help_join(&compiler.program);
	assert_string_equal(text, row->program);
	free(text);
	text = help_join(&compiler.options);
	assert_string_equal(text, row->options);
	free(text);
	compiler_close(&compiler);
}

static void
test_default_cxx(void **state)
{
	struct compiler compiler;

	assert_int_equal(compiler_open(&compiler, true, NULL, "CFUZZ_CXX",
				 NULL),
		OK);
	assert_string_equal(compiler.program.v[0], "clang++");
	compiler_close(&compiler);
}

/* Chooses gcc without clang; fails without either. */
static void
test_default_gcc(void **state)
{
	struct compiler compiler;
	struct error err;

	assert_int_equal(unlink("clang"), 0);
	assert_int_equal(compiler_open(&compiler, false, NULL, "CFUZZ_CC",
				 NULL),
		OK);
	assert_string_equal(compiler.program.v[0], "gcc");
	assert_int_equal(compiler.kind, COMPILER_GCC);
	compiler_close(&compiler);
	assert_int_equal(unlink("gcc"), 0);
	error_clear(&err);
	assert_int_equal(compiler_open(&compiler, false, NULL, "CFUZZ_CC",
				 &err),
		E_NOT_FOUND);
	assert_non_null(strstr(err.text, "CFUZZ_CC"));
}

static void
test_linker(void **state)
{
	const struct linker_row *row = *state;

	assert_int_equal(compiler_knows_linker(row->version), row->knows);
}

/* Runs the linker through the compiler, with the options that select it. */
static void
test_asks_linker(void **state)
{
	struct compiler compiler;
	struct compile_command command;
	char args[256] = "";
	char *const show[] = { "/bin/cat", "args", NULL };

	assert_int_equal(compiler_open(&compiler, false, "clang-args", "X",
				 NULL),
		OK);
	help_command(&command,
		"-O2 -fuse-ld=lld -B dir -target arm64 a.o -m64 -lm");
	assert_false(compiler_exports_by_name(&compiler, &command));
	assert_int_equal(capture(show, args, sizeof(args), NULL), OK);
	assert_string_equal(args,
		"-fuse-ld=lld -B dir -target arm64 -m64 -Wl,--version\n");
	compile_command_clear(&command);
	compiler_close(&compiler);
}

static void
test_version(void **state)
{
	struct compiler compiler;
	char version[64];

	assert_int_equal(compiler_open(&compiler, false, NULL, "CFUZZ_CC",
				 NULL),
		OK);
	assert_int_equal(compiler_get_version(&compiler, version,
				 sizeof(version), NULL),
		OK);
	assert_string_equal(version, "clang version 99.1");
	compiler_close(&compiler);
}

/* Reads long output to the end and cuts it. */
static void
test_capture_cuts(void **state)
{
	char buf[16];
	char *const many[] = { "/bin/sh", "-c",
		"i=0; while [ $i -lt 9000 ]; do echo 0123456789; "
		"i=$((i+1)); done",
		NULL };

	assert_int_equal(capture(many, buf, sizeof(buf), NULL), OK);
	assert_string_equal(buf, "0123456789\n0123");
}

static int
enter(void **state)
{
	static const char line[] = "#!/bin/sh\n";

	help_enter_scratch();
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		char *text = xasprintf("%s%s\n", line, programs[i].script);

		help_write_text(programs[i].name, text);
		assert_int_equal(chmod(programs[i].name, 0755), 0);
		free(text);
	}
	help_write_text("clang-99", "not executable");
	return setenv("PATH", "/nowhere:.", 1);
}

static int
leave(void **state)
{
	help_leave_scratch();
	return 0;
}

int
main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_default_cxx),
		cmocka_unit_test(test_asks_linker),
		cmocka_unit_test(test_version),
		cmocka_unit_test(test_capture_cuts),
		cmocka_unit_test(test_default_gcc),
	};

	int failed;

	failed = rows_run_with("cc/compiler", ROWS_OF(rows, name, test_open),
		others, ROWS(others), enter, leave);
	return failed +
		rows_run_with("linkers",
			ROWS_OF(linker_rows, version, test_linker), NULL, 0,
			enter, leave);
}
