/*
 * test_main: the compiler wrapper as a program, with fake compilers that print
 * their arguments.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/files.h"
#include "lib/help.h"
#include "lib/rows.h"

/* clang-format off */
static const struct row {
	const char *name;
	const char *command;	/* $CC, $CXX: the wrapper */
	int status;
	const char *out, *err;	/* words there */
	const char *not;	/* words in neither, or NULL */
} rows[] = {
	{ "help", "$CC --help", 0, "usage: cfuzz-cc", "", "cfuzz-cc:" },
	{ "help of C++", "$CXX --help", 0, "usage: cfuzz-cc", "", NULL },
	{ "runtime", "$CC --print-runtime", 0, "/libcfuzz.a\n", "", NULL },
	{ "own runtime", "CFUZZ_RUNTIME=$PWD/x.c $CC --print-runtime", 0,
		"/x.c\n", "", NULL },
	{ "no runtime", "CFUZZ_RUNTIME=/nobody $CC --print-runtime", 2, "",
		"cfuzz-cc: the runtime /nobody", NULL },
	{ "features", "CFUZZ_CC=gcc $CC --features", 0,
		"fake gcc 12.0", "", NULL },
	{ "features of no compiler", "CFUZZ_CC=broken $CC --features", 2,
		"", "cfuzz-cc: ", NULL },
	{ "features of C++", "CFUZZ_CXX=g++ $CXX --features", 0,
		"cfuzz-c++ ", "", NULL },
	{ "version", "CFUZZ_CC=gcc $CC --version", 0, "fake gcc 12.0",
		"cfuzz-cc ", NULL },
	{ "version of C++", "CFUZZ_CXX=g++ $CXX --version", 0, "fake g++",
		"cfuzz-c++ ", NULL },
	{ "compile", "CFUZZ_CC=gcc $CC -c x.c", 0,
		"-fsanitize-coverage=", "", "libcfuzz.a" },
	{ "compile without", "CFUZZ_NO_INSTRUMENT=1 CFUZZ_CC=gcc $CC -c x.c",
		0, "-c x.c", "", "-fsanitize-coverage=" },
	{ "0 is no", "CFUZZ_NO_INSTRUMENT=0 CFUZZ_CC=gcc $CC -c x.c",
		0, "-fsanitize-coverage=", "", NULL },
	{ "AddressSanitizer of AFL++", "AFL_USE_ASAN=1 CFUZZ_CC=gcc $CC -c x.c",
		0, "-fsanitize=address ", "", NULL },
	{ "UBSan of AFL++", "AFL_USE_UBSAN=1 CFUZZ_CC=gcc $CC -c x.c",
		0, "-fsanitize=undefined ", "", NULL },
	{ "MemorySanitizer of AFL++",
		"AFL_USE_MSAN=1 CFUZZ_CC=gcc $CC -c x.c",
		0, "-fsanitize=memory ", "", NULL },
	{ "LeakSanitizer of AFL++", "AFL_USE_LSAN=1 CFUZZ_CC=gcc $CC -c x.c",
		0, "-fsanitize=leak ", "", NULL },
	{ "ThreadSanitizer of AFL++", "AFL_USE_TSAN=1 CFUZZ_CC=gcc $CC -c x.c",
		0, "-fsanitize=thread ", "", NULL },
	{ "the command wins",
		"AFL_USE_ASAN=1 CFUZZ_CC=gcc $CC -fno-sanitize=address -c x.c",
		0, "-fsanitize=address -fno-sanitize=address -c", "", NULL },
	{ "0 is no for AFL++, too", "AFL_USE_ASAN=0 CFUZZ_CC=gcc $CC -c x.c",
		0, "-c x.c", "", "-fsanitize=address" },
	{ "options", "CFUZZ_CC='gcc -O7' $CC -c x.c", 0, "-O7", "", NULL },
	{ "link", "CFUZZ_CC=gcc $CC x.c", 0, "/libcfuzz.a", "gcc", NULL },
	{ "link quietly", "CFUZZ_QUIET=1 CFUZZ_CC=gcc $CC x.c", 0,
		"/libcfuzz.a", "", "cfuzz-cc:" },
	{ "link nothing", "CFUZZ_CC=gcc $CC y.c", 0, "/libcfuzz.a", "",
		"nothing" },
	{ "link C++", "CFUZZ_CXX=g++ $CXX x.c", 0, "fake g++", "", NULL },
	{ "link without runtime", "CFUZZ_RUNTIME=/nobody CFUZZ_CC=gcc $CC x.c",
		2, "", "cfuzz-cc: the runtime /nobody", "-o" },
	{ "other machine", "CFUZZ_CC=gcc $CC -m32 x.c", 2, "",
		"-m32 makes a program for another machine", NULL },
	{ "its runtime", "CFUZZ_RUNTIME=$PWD/x.c CFUZZ_CC=gcc $CC -m32 x.c", 0,
		"-m32", "", "another machine" },
	{ "no compiler", "CFUZZ_CC=/nobody/gcc $CC -c x.c", 2, "",
		"cfuzz-cc: ", NULL },
	{ "unknown compiler", "CFUZZ_CC=tcc $CC -c x.c", 2, "", "cfuzz-cc: ",
		NULL },
	{ "we are gcc",
		"mkdir -p w && ln -sf $CC w/gcc && ln -sf $CC w/clang && "
		"PATH=:$PWD/w:$PWD:/nobody $CC -c x.c; s=$?; rm -r w; exit $s",
		0, "fake gcc", "", NULL },
	{ "we are gcc beside clang",
		"mkdir -p w && ln -sf $CC w/gcc && ln -f gcc w/clang && "
		"PATH=$PWD/w:$PWD:/nobody $CC -c x.c; s=$?; rm -r w; exit $s",
		0, "fake clang", "", NULL },
	{ "children are reaped",
		"CFUZZ_CC=cc env --ignore-signal=CHLD $CC -c x.c -o x.o", 0, "", "",
		"neither" },
	{ "status", "CFUZZ_CC=gcc $CC -c x.c -status=3", 3, "", "", NULL },
	/* "bad" has no interpreter. */
	{ "cannot run", "CFUZZ_CC=bad/gcc $CC x.c", 2, "",
		"cfuzz-cc: cannot run bad/gcc", NULL },
	{ "cannot run to compile", "CFUZZ_CC=bad/gcc $CC -c x.c", 2, "",
		"cfuzz-cc: cannot run bad/gcc", NULL },
	{ "version of none", "CFUZZ_CC=bad/gcc $CC --version", 2, "",
		"cannot run bad/gcc", NULL },
	{ "a command too long", "{ echo -fsanitize=fuzzer; printf -- -DA=; "
		"head -c 200000 /dev/zero | tr '\\0' a; } >long; "
		"CFUZZ_CC=gcc $CC @long x.c", 2, "",
		"the command is too long", NULL },
	/* script(1) gives it a terminal. */
	{ "note, then no compiler",
		"CFUZZ_CC=bad/gcc script -qec \"$CC y.c\" /dev/null", 2,
		"runs the whole program", "", NULL },
	{ "note on a terminal",
		"CFUZZ_CC=gcc script -qec \"$CC y.c\" /dev/null", 0,
		"runs the whole program", "", NULL },
};
/* clang-format on */

/* Prints its version or its arguments; "-status=3" is its exit status. */
static const char COMPILER[] =
	"#!/bin/sh\n"
	"case \"$*\" in *--version*) echo \"fake ${0##*/} 12.0\"; exit;; esac\n"
	"echo \"fake ${0##*/} $*\"\n"
	"case \"$*\" in *-status=3*) exit 3;; esac\n";

static void
add_program(const char *name, const char *script)
{
	help_write_text(name, script);
	assert_int_equal(chmod(name, 0700), 0);
}

static int
open_folder(void **state)
{
	help_enter_scratch();
	add_program("gcc", COMPILER);
	add_program("g++", COMPILER);
	add_program("tcc", "#!/bin/sh\necho '#define __TINYC__ 1'\n");
	add_program("broken", "#!/bin/sh\nexit 1\n");
	assert_int_equal(mkdir("bad", 0700), 0);
	add_program("bad/gcc", "#!/nobody/sh\n");
	help_write_text("x.c",
		"int LLVMFuzzerTestOneInput(const char *d, long n);\n");
	help_write_text("y.c", "int main(void) { return 0; }\n");
	return 0;
}

static int
close_folder(void **state)
{
	assert_int_equal(unlink("bad/gcc"), 0);
	assert_int_equal(rmdir("bad"), 0);
	help_leave_scratch();
	return 0;
}

static void
test_row(void **state)
{
	const struct row *row = *state;
	const char *build = getenv("CFUZZ_BUILD");
	char command[4096], *out, *err;
	int status;

	if (build == NULL ||
		(strstr(row->command, "script ") != NULL &&
			system("command -v script >/dev/null") != 0))
		skip();
	snprintf(command, sizeof(command),
		"CC='%s/cfuzz-cc' CXX='%s/cfuzz-c++' PATH=\"$PWD:$PATH\"; "
		"unset CFUZZ_QUIET CFUZZ_RUNTIME CFUZZ_CC CFUZZ_CXX "
		"AFL_USE_ASAN AFL_USE_LSAN AFL_USE_MSAN AFL_USE_TSAN "
		"AFL_USE_UBSAN; "
		"export PATH; { %s; } >out 2>err",
		build, build, row->command);
	status = system(command);
	out = files_read("out", NULL);
	err = files_read("err", NULL);
	assert_true(out != NULL && err != NULL);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != row->status ||
		strstr(out, row->out) == NULL || strstr(err, row->err) == NULL)
		print_error("status %x\n%s\n%s\n", (unsigned)status, out, err);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), row->status);
	assert_non_null(strstr(out, row->out));
	assert_non_null(strstr(err, row->err));
	if (row->not != NULL) {
		assert_null(strstr(out, row->not ));
		assert_null(strstr(err, row->not ));
	}
	free(out);
	free(err);
}

int
main(void)
{
	return rows_run_with("cc main", ROWS_OF(rows, name, test_row), NULL, 0,
		open_folder, close_folder);
}
