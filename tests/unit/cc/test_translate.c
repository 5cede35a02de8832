/* test_translate: the user's commands and the resulting compiler commands. */
#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cc/translate.h"
#include "lib/help.h"
#include "lib/rows.h"

#define DEF "-DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION=1"
#define FP "-fno-omit-frame-pointer -fno-optimize-sibling-calls"
#define NORT "-fno-sanitize-link-runtime"
#define SEEN \
	"-fno-builtin-bcmp -fno-builtin-memcmp -fno-builtin-memmem " \
	"-fno-builtin-strcasecmp -fno-builtin-strcasestr " \
	"-fno-builtin-strcmp -fno-builtin-strncasecmp " \
	"-fno-builtin-strncmp -fno-builtin-strstr"
#define KEEP "-Xclang -fsanitize=fuzzer-no-link "
#define THREAD_COV \
	KEEP "-fsanitize-coverage=trace-pc-guard,pc-table,trace-cmp " SEEN
#define COV \
	KEEP "-fsanitize-coverage=inline-8bit-counters,pc-table,trace-cmp " SEEN
#define FLOW_COV \
	KEEP "-Xclang -fsanitize-coverage-type=3 " \
	     "-Xclang -fsanitize-coverage-inline-8bit-counters " \
	     "-Xclang -fsanitize-coverage-pc-table " \
	     "-Xclang -fsanitize-coverage-trace-cmp " SEEN
#define TRACE "-fsanitize-coverage=trace-pc,trace-cmp"
#define GCOV TRACE " " SEEN
#define INC \
	"-idirafter /inc -idirafter /inc/cfuzz -idirafter /inc/cfuzz/libhfuzz"
#define EXPORTS \
	"-Wl,--export-dynamic-symbol=__sanitizer_cov_* " \
	"-Wl,--export-dynamic-symbol=__sanitizer_weak_hook_* " \
	"-Wl,--export-dynamic-symbol=__sancov_lowest_stack " \
	"-Wl,--export-dynamic-symbol=LLVMFuzzerMutate " \
	"-Wl,--export-dynamic-symbol=LLVMFuzzerRunDriver " \
	"-Wl,--export-dynamic-symbol=HF_ITER " \
	"-Wl,--export-dynamic-symbol=__afl_manual_init " \
	"-Wl,--export-dynamic-symbol=__afl_persistent_loop " \
	"-Wl,--export-dynamic-symbol=__cfuzz_* " \
	"-Wl,--export-dynamic-symbol=cfuzz_* " \
	"-Wl,--export-dynamic-symbol=bcmp " \
	"-Wl,--export-dynamic-symbol=memcmp " \
	"-Wl,--export-dynamic-symbol=memmem " \
	"-Wl,--export-dynamic-symbol=strcasecmp " \
	"-Wl,--export-dynamic-symbol=strcasestr " \
	"-Wl,--export-dynamic-symbol=strcmp " \
	"-Wl,--export-dynamic-symbol=strncasecmp " \
	"-Wl,--export-dynamic-symbol=strncmp " \
	"-Wl,--export-dynamic-symbol=strstr"
#define PULL "-Wl,-u,__cfuzz_runtime"
#define LIBS \
	"/lib/libcfuzz.a -Wl,--push-state,--as-needed -lpthread -ldl -lm " \
	"-Wl,--pop-state"
#define RT PULL " " EXPORTS " " LIBS

/* Differences between a row's tools and clang with GNU ld. */
#define GCC 1
#define OFF 2     /* CFUZZ_NO_INSTRUMENT */
#define OLD 4     /* the linker cannot export by name */
#define HARNESS 8 /* an archive holds the entry point */
#define BARE 16   /* cfuzz.h was not found */

static const struct row {
	const char *name;
	unsigned int tools;
	const char *given;
	const char *result;
} rows[] = {
	/* compiling */
	{ "compile", 0, "-c a.c", DEF " -O1 -g " FP " " COV " -c a.c " INC },
	{ "files behind --", 0, "-c -- a.c -g.c",
		DEF " -O1 -g " FP " " COV " -c a.c ./-g.c " INC },
	{ "compile, gcc", GCC, "-c a.c",
		DEF " -O1 -g " FP " " GCOV " -c a.c " INC },
	{ "assembly", 0, "-S a.c", DEF " -O1 -g " FP " " COV " -S a.c " INC },
	{ "compile C++", 0, "-c -x c++ a",
		DEF " -O1 -g " FP " " COV " -c -x c++ a " INC },
	{ "compile from stdin", 0, "-c -o a.o -xc -",
		DEF " -O1 -g " FP " " COV " -c -o a.o -xc - " INC },
	{ "no cfuzz.h", BARE, "-c a.c", DEF " -O1 -g " FP " " COV " -c a.c" },
	{ "own -O", 0, "-c -O0 a.c", DEF " -g " FP " " COV " -c -O0 a.c " INC },
	{ "own -g", 0, "-c -g1 a.c",
		DEF " -O1 -g " FP " " COV " -c -g1 a.c " INC },
	{ "a -g that asks for none", 0, "-c -gsplit-dwarf a.c",
		DEF " -O1 -g " FP " " COV " -c -gsplit-dwarf a.c " INC },
	{ "own frame pointer stands later", 0,
		"-c -O2 -g -fomit-frame-pointer a.c",
		DEF " -g " FP " " COV
		    " -c -O2 -g -fomit-frame-pointer a.c " INC },
	{ "own build mode", 0,
		"-c -O2 -g -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION a.c",
		"-g " FP " " COV
		" -c -O2 -g -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION "
		"a.c " INC },
	{ "own build mode, undefined", 0,
		"-c -O2 -g -U FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION a.c",
		"-g " FP " " COV
		" -c -O2 -g -U FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION "
		"a.c " INC },
	{ "a longer name is another", 0,
		"-c -O2 -g -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTIONS a.c",
		DEF " -g " FP " " COV " -c -O2 -g "
		    "-DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTIONS a.c " INC },
	{ "own coverage", 0, "-c -O2 -g -fsanitize-coverage=trace-pc a.c",
		DEF " -g " FP
		    " -c -O2 -g -fsanitize-coverage=trace-pc a.c " INC },
	{ "own coverage of several parts", 0,
		"-c -O2 -g -fsanitize-coverage=edge,trace-pc-guard a.c",
		DEF
		" -g " FP
		" -c -O2 -g -fsanitize-coverage=edge,trace-pc-guard a.c " INC },
	{ "own coverage turned off", 0, "-c -O2 -g -fsanitize-coverage=0 a.c",
		DEF " -g " FP " -c -O2 -g -fsanitize-coverage=0 a.c " INC },
	{ "own coverage that counts nothing", 0,
		"-c -O2 -g -fsanitize-coverage=trace-cmp,trace-div a.c",
		DEF
		" -g " FP " " COV
		" -c -O2 -g -fsanitize-coverage=trace-cmp,trace-div a.c " INC },
	{ "own coverage in two options", 0,
		"-c -O2 -g -fsanitize-coverage=trace-cmp "
		"-fsanitize-coverage=inline-bool-flag a.c",
		DEF " -g " FP " -c -O2 -g -fsanitize-coverage=trace-cmp "
		    "-fsanitize-coverage=inline-bool-flag a.c " INC },
	{ "gcc, own coverage that counts nothing", GCC,
		"-c -O2 -g -fsanitize-coverage=trace-cmp a.c",
		DEF " -g " FP " " GCOV
		    " -c -O2 -g -fsanitize-coverage=trace-cmp a.c " INC },
	{ "control flow integrity", 0, "-c -O2 -g -flto -fsanitize=cfi a.c",
		DEF " -g " FP " " FLOW_COV
		    " -c -O2 -g -flto -fsanitize=cfi a.c " INC },
	{ "a part of it", 0, "-c -O2 -g -flto -fsanitize=cfi-icall a.c",
		DEF " -g " FP " " FLOW_COV
		    " -c -O2 -g -flto -fsanitize=cfi-icall a.c " INC },
	{ "all but a part of it", 0,
		"-c -O2 -g -fsanitize=cfi -fno-sanitize=cfi-icall a.c",
		DEF
		" -g " FP " " FLOW_COV
		" -c -O2 -g -fsanitize=cfi -fno-sanitize=cfi-icall a.c " INC },
	{ "none of it", 0, "-c -O2 -g -fsanitize=cfi -fno-sanitize=cfi a.c",
		DEF " -g " FP " " COV
		    " -c -O2 -g -fsanitize=cfi -fno-sanitize=cfi a.c " INC },
	{ "instrumentation off", OFF, "-c -O2 -g a.c",
		DEF " -g " FP " -c -O2 -g a.c " INC },
	{ "header", 0, "a.h", DEF " -O1 -g " FP " " COV " a.h " INC },
	{ "preprocessed", 0, "-c a.i", "-O1 -g " FP " " COV " -c a.i" },
	{ "assembler", 0, "-c a.s", "-c a.s" },
	{ "assembler, preprocessed", 0, "-c a.S", DEF " -c a.S " INC },
	{ "intermediate code", 0, "-c a.ll", "-c a.ll" },
	{ "another language", GCC, "-c a.f90", "-c a.f90" },

	/* neither compiling nor linking */
	{ "preprocess", 0, "-E a.c", DEF " -O1 -E a.c " INC },
	{ "preprocess standard input", 0, "-E -", DEF " -O1 -E - " INC },
	{ "the same, of a language", 0, "-E -xf95 -", "-E -xf95 -" },
	{ "preprocess an object", 0, "-E a.o", "-E a.o" },
	{ "dependencies", 0, "-MM a.c", DEF " -O1 -MM a.c " INC },
	{ "dependencies beside", 0, "-c -O2 -g -MD -MF a.d a.c",
		DEF " -g " FP " " COV " -c -O2 -g -MD -MF a.d a.c " INC },
	{ "syntax", 0, "-fsyntax-only a.c", DEF " -O1 -fsyntax-only a.c " INC },
	{ "nothing", 0, "", "" },
	{ "version", 0, "--version", "--version" },
	{ "verbose", 0, "-v", "-v" },
	{ "dry run", 0, "-### -fsanitize=fuzzer", "-### -fsanitize=fuzzer" },
	{ "machine", GCC, "-O2 -dumpmachine", "-O2 -dumpmachine" },
	{ "linker's version", 0, "-Wl,--version", "-Wl,--version" },
	{ "multi-os-directory", GCC, "-m64 -print-multi-os-directory",
		"-m64 -print-multi-os-directory" },

	/* sanitizers */
	{ "fuzzer", 0, "-c -O2 -g -fsanitize=fuzzer a.c",
		DEF " -g " FP " " COV " -c -O2 -g a.c " INC },
	{ "fuzzer first", 0, "-c -O2 -g -fsanitize=fuzzer,undefined a.c",
		DEF " -g " FP " " COV
		    " -c -O2 -g -fsanitize=undefined a.c " INC },
	{ "fuzzer in the middle", GCC,
		"-c -O2 -g -fsanitize=undefined,fuzzer-no-link,leak a.c",
		DEF " -g " FP " " GCOV
		    " -c -O2 -g -fsanitize=undefined,leak a.c " INC },
	{ "a longer name is no fuzzer", 0, "a.o -fsanitize=fuzzers",
		"a.o -fsanitize=fuzzers " RT },
	{ "fuzzer off", 0, "-c -O2 -g -fno-sanitize=fuzzer a.c",
		DEF " -g " FP " -c -O2 -g a.c " INC },
	{ "fuzzer off and on", 0,
		"-c -O2 -g -fno-sanitize=fuzzer -fsanitize=fuzzer-no-link a.c",
		DEF " -g " FP " " COV " -c -O2 -g a.c " INC },
	{ "address", 0, "-c -O2 -g -fsanitize=address a.c",
		DEF " -g " FP " " COV
		    " -c -O2 -g -fsanitize=address a.c " INC },
	{ "thread", 0, "-c -O2 -g -fsanitize=thread a.c",
		DEF " -g " FP " " THREAD_COV
		    " -c -O2 -g -fsanitize=thread a.c " INC },
	{ "thread on and off", 0,
		"-c -O2 -g -fsanitize=thread -fno-sanitize=thread a.c",
		DEF " -g " FP " " COV " -c -O2 -g -fsanitize=thread "
		    "-fno-sanitize=thread a.c " INC },
	{ "fuzzer,address", GCC, "-c -O2 -g -fsanitize=fuzzer,address a.c",
		DEF " -g " FP " " GCOV
		    " -c -O2 -g -fsanitize=address a.c " INC },
	{ "undefined", GCC, "-c -O2 -g -fsanitize=undefined a.c",
		DEF " -g " FP " " GCOV
		    " -c -O2 -g -fsanitize=undefined a.c " INC },
	{ "memory", 0, "-c -O2 -g -fsanitize=memory a.c",
		DEF " -g " FP " " COV " -c -O2 -g -fsanitize=memory a.c " INC },
	{ "address off again", 0, "-c -O2 -g -fno-sanitize=address a.c",
		DEF " -g " FP " " COV
		    " -c -O2 -g -fno-sanitize=address a.c " INC },

	/* linking */
	{ "link", 0, "a.o b.o -o x", "a.o b.o -o x " RT },
	{ "link, gcc", GCC, "a.o -o x", "a.o -o x " RT },
	{ "compile and link", 0, "a.c -o x",
		DEF " -O1 -g " FP " " COV " " NORT " a.c -o x " INC " " RT },
	{ "compile and link, gcc", GCC, "a.c -o x",
		DEF " -O1 -g " FP " " GCOV " a.c -o x " INC " " RT },
	{ "compile and link with a sanitizer", 0,
		"-O2 -g -fsanitize=undefined a.c",
		DEF " -g " FP " " COV " -O2 -g -fsanitize=undefined a.c " INC
		    " " RT },
	{ "link with own coverage", 0, "-fsanitize-coverage=trace-pc a.o",
		NORT " -fsanitize-coverage=trace-pc a.o " RT },
	{ "link with fuzzer", 0, "-fsanitize=fuzzer a.o", "a.o " RT },
	{ "link with fuzzer,address", 0, "-fsanitize=fuzzer,address a.o",
		"-fsanitize=address a.o " RT },
	{ "link, verbose", 0, "-v a.o", "-v a.o " RT },
	{ "link, dry run", 0, "-### a.o", "-### a.o " RT },
	{ "link statically", 0, "-static a.o", "-static a.o " RT },
	{ "link with an old linker", OLD, "a.o",
		"a.o " PULL " -rdynamic " LIBS },
	{ "link with the harness in an archive", HARNESS, "liba.a",
		"liba.a " PULL " -Wl,-u,LLVMFuzzerTestOneInput " EXPORTS
		" " LIBS },
	{ "link from stdin", OFF, "-O2 -g -x c -",
		DEF " -g " FP " -O2 -g -x c - " INC " -x none " RT },
	{ "link after -x none", OFF, "-O2 -g -xc a -x none b.o",
		DEF " -g " FP " -O2 -g -xc a -x none b.o " INC " " RT },
	{ "link assembler", 0, "a.s", "a.s " RT },
	{ "link with -flto, gcc", GCC, "-flto -O2 -g a.o",
		TRACE " -flto -O2 -g a.o " RT },
	{ "link with -flto, clang", 0, "-flto -O2 -g a.o",
		"-flto -O2 -g a.o " RT },
	{ "link with -flto, gcc, off", GCC | OFF, "-flto -O2 -g a.o",
		"-flto -O2 -g a.o " RT },
	{ "without libraries", 0, "-nostdlib a.o",
		"-nostdlib a.o /lib/libcfuzz.a" },
	{ "without libraries, C given", OFF, "-O2 -g -nodefaultlibs -xc a -lc",
		DEF " -g " FP " -O2 -g -nodefaultlibs -xc a -lc " INC
		    " -x none /lib/libcfuzz.a" },
	{ "relocatable", 0, "-r a.o b.o -o c.o", "-r a.o b.o -o c.o" },
	{ "relocatable, by -Wl", 0, "-nostdlib -Wl,-r a.o",
		"-nostdlib -Wl,-r a.o" },
	{ "shared", 0, "-shared a.o -Wl,-soname,liba.so -o liba.so",
		"-shared a.o -Wl,-soname,liba.so -o liba.so" },
	{ "shared from source", 0, "-shared -fPIC a.c -o liba.so",
		DEF " -O1 -g " FP " " COV " " NORT
		    " -shared -fPIC a.c -o liba.so " INC },
	{ "shared, no undefined", 0, "-shared -Wl,--no-undefined a.o",
		"-shared a.o" },
	{ "program, no undefined", 0, "-Wl,--no-undefined a.o",
		"-Wl,--no-undefined a.o " RT },
	{ "program, exclude libraries", 0, "-Wl,--exclude-libs,ALL a.o",
		"a.o " RT },
	{ "compiling leaves words to the linker", 0,
		"-c -O2 -g -shared -Wl,-z,defs a.c",
		DEF " -g " FP " " COV
		    " -c -O2 -g -shared -Wl,-z,defs a.c " INC },
};

/* Takes out the macros of AFL++, which have a test of their own. */
static size_t
drop_macros(struct arguments *out)
{
	size_t n = 0, dropped = 0;

	for (size_t i = 0; i < out->n; i++) {
		if (strncmp(out->v[i], "-D__AFL_", 8) == 0) {
			free(out->v[i]);
			dropped++;
		} else {
			out->v[n++] = out->v[i];
		}
	}
	out->n = n;
	if (dropped > 0)
		out->v[n] = NULL;
	return dropped;
}

static void
test_translate(void **state)
{
	const struct row *row = *state;
	struct toolchain tools = {
		.compiler = row->tools & GCC ? COMPILER_GCC : COMPILER_CLANG,
		.instrument = !(row->tools & OFF),
		.exports_by_name = !(row->tools & OLD),
		.archive_entry =
			(row->tools & HARNESS) != 0 ? TARGET_ENTRY : NULL,
		.runtime = "/lib/libcfuzz.a",
		.include_dir = row->tools & BARE ? NULL : "/inc",
	};
	struct compile_command command;
	struct arguments out = { .n = 0 };
	char *text;

	help_command(&command, row->given);
	translate(&command, &tools, &out);
	(void)drop_macros(&out);
	text = help_join(&out);
	assert_string_equal(text, row->result);
	free(text);
	arguments_clear(&out);
	compile_command_clear(&command);
}

/* Wherever the preprocessor runs; __AFL_COMPILER not beside a fuzz target,
 * nor in a precompiled header. */
static void
test_macros(void **state)
{
	static const struct {
		const char *given;
		bool names_target;
		size_t macros;
	} files[] = {
		{ "-c a.c", false, 16 },
		{ "-c a.c", true, 15 },
		{ "-c a.h", false, 15 },
		{ "-x c++-header -include a.h a.h.cc -o a.h.gch", false, 15 },
		{ "-E a.c", false, 16 },
		{ "-c a.S", false, 16 },
		{ "-c a.i", false, 0 },
		{ "a.o", false, 0 },
		{ "--version", false, 0 },
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct toolchain tools = { .compiler = COMPILER_CLANG,
			.names_target = files[i].names_target,
			.runtime = "/lib/libcfuzz.a" };
		struct compile_command command;
		struct arguments out = { .n = 0 };

		help_command(&command, files[i].given);
		translate(&command, &tools, &out);
		assert_int_equal(drop_macros(&out), files[i].macros);
		arguments_clear(&out);
		compile_command_clear(&command);
	}
}

#if defined(__x86_64__)
#define OURS "x86_64-linux-gnu"
#define THEIRS "aarch64-linux-gnu"
#else
#define OURS "aarch64-linux-gnu"
#define THEIRS "x86_64-linux-gnu"
#endif

static void
test_other_machine(void **state)
{
	static const struct machine {
		const char *given;
		bool other;
	} machines[] = {
		{ "a.c", false },
		{ "-m64 a.c", false },
		{ "-m32 a.c", true },
		{ "-mx32 a.c", true },
		{ "-m32 -m64 a.c", false },
		{ "-B /m32 -fuse-ld=m32 a.c", false },
		{ "--target=" OURS " a.c", false },
		{ "--target=" THEIRS " a.c", true },
		{ "-target " THEIRS " a.c", true },
		{ "--target=i686-linux-gnu a.c", true },
	};

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		struct compile_command command;

		help_command(&command, machines[i].given);
		if ((translate_other_machine(&command) != NULL) !=
			machines[i].other)
			fail_msg("%s", machines[i].given);
		compile_command_clear(&command);
	}
}

/* All symbols that the runtime exports are visible to modules, too. */
static void
test_exports(void **state)
{
	FILE *file = fopen(TEST_DATA "/../../src/target/exports.txt", "re");
	char line[256];

	if (file == NULL)
		skip();
	while (fgets(line, sizeof(line), file) != NULL) {
		bool found = false;

		line[strcspn(line, " \t\n#")] = '\0';
		if (*line == '\0' || strcmp(line, "main") == 0)
			continue;
		for (size_t i = 0; translate_exports[i] != NULL; i++)
			if (fnmatch(translate_exports[i], line, 0) == 0)
				found = true;
		if (!found)
			fail_msg("%s is not exported", line);
	}
	fclose(file);
}

int
main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_exports),
		cmocka_unit_test(test_other_machine),
		cmocka_unit_test(test_macros),
	};

	return rows_run_with("cc/translate",
		ROWS_OF(rows, name, test_translate), others, ROWS(others), NULL,
		NULL);
}
