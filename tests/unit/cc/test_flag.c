/* test_flag: finds options by their longest name, and their value. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cc/flag.h"
#include "lib/rows.h"

static const struct row {
	const char *word;
	enum flag_id id;
	bool takes_next;
} rows[] = {
	{ "-c", FLAG_COMPILE, false },
	{ "-S", FLAG_ASSEMBLE, false },
	{ "-E", FLAG_PREPROCESS, false },
	{ "-M", FLAG_PREPROCESS, false },
	{ "-MM", FLAG_PREPROCESS, false },
	{ "-MD", FLAG_OTHER, false },
	{ "-MMD", FLAG_OTHER, false },
	{ "-MP", FLAG_OTHER, false },
	{ "-MF", FLAG_OTHER, true },
	{ "-MFx.d", FLAG_OTHER, false },
	{ "-MT", FLAG_OTHER, true },
	{ "-MQ", FLAG_OTHER, true },
	{ "-fsyntax-only", FLAG_SYNTAX, false },
	{ "-o", FLAG_OTHER, true },
	{ "-ofile", FLAG_OTHER, false },
	{ "-I", FLAG_OTHER, true },
	{ "-Idir", FLAG_OTHER, false },
	{ "-include", FLAG_OTHER, true },
	{ "-isystem", FLAG_OTHER, true },
	{ "-idirafter", FLAG_OTHER, true },
	{ "-D", FLAG_DEFINE, true },
	{ "-DX=1", FLAG_DEFINE, false },
	{ "-UX", FLAG_DEFINE, false },
	{ "-dumpbase", FLAG_OTHER, true },
	{ "-dumpbase-ext", FLAG_OTHER, true },
	{ "-dumpversion", FLAG_QUERY, false },
	{ "-dumpmachine", FLAG_QUERY, false },
	{ "-print-file-name=libc.a", FLAG_QUERY, false },
	{ "--print-search-dirs", FLAG_QUERY, false },
	{ "--version", FLAG_QUERY, false },
	{ "-v", FLAG_OTHER, false },
	{ "-###", FLAG_OTHER, false },
	{ "-x", FLAG_LANGUAGE, true },
	{ "-xc++", FLAG_LANGUAGE, false },
	{ "-lm", FLAG_LIBRARY, false },
	{ "-l", FLAG_LIBRARY, true },
	{ "-L", FLAG_FOLDER, true },
	{ "-shared", FLAG_SHARED, false },
	{ "-shared-libgcc", FLAG_OTHER, false },
	{ "-static", FLAG_OTHER, false },
	{ "-r", FLAG_RELOCATABLE, false },
	{ "-rdynamic", FLAG_OTHER, false },
	{ "-nostdlib", FLAG_NO_LIBRARIES, false },
	{ "-nostdlib++", FLAG_OTHER, false },
	{ "-nostdinc", FLAG_OTHER, false },
	{ "-Wl,-z,defs", FLAG_LINKER, false },
	{ "-Wall", FLAG_OTHER, false },
	{ "-Xlinker", FLAG_XLINKER, true },
	{ "-Xclang", FLAG_OTHER, true },
	{ "-Xpreprocessor", FLAG_OTHER, true },
	{ "-Xassembler", FLAG_OTHER, true },
	{ "-Xarch_x86_64", FLAG_OTHER, true },
	{ "-z", FLAG_KEYWORD, true },
	{ "-T", FLAG_OTHER, true },
	{ "-u", FLAG_OTHER, true },
	{ "-undef", FLAG_OTHER, false },
	{ "-e", FLAG_OTHER, true },
	{ "-arch", FLAG_OTHER, true },
	{ "-target", FLAG_TOOLS, true },
	{ "--target=x86_64-linux-gnu", FLAG_TOOLS, false },
	{ "-gcc-toolchain", FLAG_TOOLS, true },
	{ "-fuse-ld=lld", FLAG_TOOLS, false },
	{ "--param", FLAG_OTHER, true },
	{ "--param=x=1", FLAG_OTHER, false },
	{ "-aux-info", FLAG_OTHER, true },
	{ "-mllvm", FLAG_OTHER, true },
	{ "-m32", FLAG_TOOLS, false },
	{ "-march=native", FLAG_OTHER, false },
	{ "-flto=thin", FLAG_LTO, false },
	{ "-g", FLAG_OTHER, false },
	{ "-gdwarf-4", FLAG_OTHER, false },
	{ "-O2", FLAG_OPTIMIZE, false },
	{ "-O", FLAG_OPTIMIZE, false },
	{ "-ObjC", FLAG_OTHER, false },
	{ "-fsanitize=address", FLAG_SANITIZE, false },
	{ "-fno-sanitize=all", FLAG_NO_SANITIZE, false },
	{ "-fsanitize-coverage=trace-pc", FLAG_COVERAGE, false },
	{ "-fsanitize-recover=all", FLAG_OTHER, false },
	{ "-pthread", FLAG_OTHER, false },
	{ "--sysroot", FLAG_OTHER, true },
	{ "--sysroot=/x", FLAG_OTHER, false },
	{ "--nonsense", FLAG_OTHER, false },
};

static void
test_find(void **state)
{
	const struct row *row = *state;
	const struct flag *flag = flag_find(row->word);

	assert_int_equal(flag->id, row->id);
	assert_int_equal(flag_takes_next(flag, row->word), row->takes_next);
}

/* A second entry of the same name would never be found. */
static void
test_names_differ(void **state)
{
	size_t n;
	const struct flag *table = flag_table(&n);

	for (size_t i = 0; i < n; i++) {
		assert_int_equal(table[i].name[0], '-');
		for (size_t j = i + 1; j < n; j++)
			assert_string_not_equal(table[i].name, table[j].name);
	}
}

int
main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_names_differ),
	};

	return rows_run_with("cc/flag", ROWS_OF(rows, word, test_find), others,
		ROWS(others), NULL, NULL);
}
