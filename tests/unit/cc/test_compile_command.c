/*
 * test_compile_command: the mode and output of a command, and response files.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/xmalloc.h"
#include "cc/compile_command.h"
#include "lib/help.h"
#include "lib/rows.h"

#define QUERY COMPILE_COMMAND_QUERY
#define PREPROCESS COMPILE_COMMAND_PREPROCESS
#define SYNTAX COMPILE_COMMAND_SYNTAX
#define COMPILE COMPILE_COMMAND_COMPILE
#define LINK COMPILE_COMMAND_LINK

/* ---- mode ------------------------------------------------------------ */

static const struct mode_row {
	const char *words;
	enum compile_command_mode mode;
} mode_rows[] = {
	{ "", QUERY },
	{ "-v", QUERY },
	{ "-### -O2", QUERY },
	{ "--version", QUERY },
	{ "--help", QUERY },
	{ "-dumpmachine", QUERY },
	{ "-dumpversion", QUERY },
	{ "-print-search-dirs", QUERY },
	{ "-print-prog-name=ld", QUERY },
	{ "-Wl,--version", QUERY },
	{ "-O2 -o x", QUERY },
	{ "-include a.h", QUERY },
	{ "a.c --version", QUERY },
	{ "a.c", LINK },
	{ "-v a.c", LINK },
	{ "-### a.o", LINK },
	{ "-lm", LINK },
	{ "-l m", LINK },
	{ "a.o -o x", LINK },
	{ "-o a.c b.o", LINK },
	{ "-c a.c", COMPILE },
	{ "a.c -c", COMPILE },
	{ "-S a.c", COMPILE },
	{ "-c -MD -MF a.d a.c", COMPILE },
	{ "--compile a.c", COMPILE },
	{ "a.h", COMPILE },
	{ "-x c-header a", COMPILE },
	{ "-x c++ a.h", LINK },
	{ "a.h a.c", LINK },
	{ "-E a.c", PREPROCESS },
	{ "-M a.c", PREPROCESS },
	{ "-MM a.c", PREPROCESS },
	{ "-c -E a.c", PREPROCESS },
	{ "-E -c a.c", PREPROCESS },
	{ "-S -M a.c", PREPROCESS },
	{ "-fsyntax-only a.c", SYNTAX },
	{ "-c -fsyntax-only a.c", SYNTAX },
	{ "-E -fsyntax-only a.c", PREPROCESS },
	{ "-Xclang -E a.c", LINK },
	{ "-Xlinker -c a.o", LINK },
	{ "-MT -c a.c", LINK },
	{ "-x c -", LINK },
	{ "-xc - -c", COMPILE },
	{ "-E -", PREPROCESS },
};

static void
test_mode(void **state)
{
	const struct mode_row *row = *state;
	struct compile_command command;

	help_command(&command, row->words);
	assert_int_equal(command.mode, row->mode);
	compile_command_clear(&command);
}

/* ---- output ---------------------------------------------------------- */

static const struct output_row {
	const char *words;
	enum compile_command_output output;
} output_rows[] = {
	{ "a.o", OUTPUT_PROGRAM },
	{ "-static a.o", OUTPUT_PROGRAM },
	{ "-static-pie a.o", OUTPUT_PROGRAM },
	{ "-shared a.o", OUTPUT_SHARED },
	{ "-Wl,-shared a.o", OUTPUT_SHARED },
	{ "-Wl,-O1,-Bshareable a.o", OUTPUT_SHARED },
	{ "-Xlinker -shared a.o", OUTPUT_SHARED },
	{ "-shared-libgcc a.o", OUTPUT_PROGRAM },
	{ "-Wl,-soname,-sharedx a.o", OUTPUT_PROGRAM },
	{ "-o -shared a.o", OUTPUT_PROGRAM },
	{ "-r a.o", OUTPUT_RELOCATABLE },
	{ "-Wl,-r a.o", OUTPUT_RELOCATABLE },
	{ "-Wl,-i a.o", OUTPUT_RELOCATABLE },
	{ "-Wl,--relocatable a.o", OUTPUT_RELOCATABLE },
	{ "-Xlinker -r a.o", OUTPUT_RELOCATABLE },
	{ "-rdynamic a.o", OUTPUT_PROGRAM },
	{ "-Wl,-rpath,x a.o", OUTPUT_PROGRAM },
};

static void
test_output(void **state)
{
	const struct output_row *row = *state;
	struct compile_command command;

	help_command(&command, row->words);
	assert_int_equal(command.output, row->output);
	compile_command_clear(&command);
}

/* ---- sources --------------------------------------------------------- */

static const struct source_row {
	const char *words;
	enum source_kind kind;
	bool language_stays;
} source_rows[] = {
	{ "a.c", SOURCE_C, false },
	{ "a.b/a.cpp", SOURCE_C, false },
	{ "a.C", SOURCE_C, false },
	{ "a.mm", SOURCE_C, false },
	{ "a.i", SOURCE_C_PREPROCESSED, false },
	{ "a.ii", SOURCE_C_PREPROCESSED, false },
	{ "a.hpp", SOURCE_C_HEADER, false },
	{ "a.s", SOURCE_ASM_PLAIN, false },
	{ "a.S", SOURCE_ASM, false },
	{ "a.f90", SOURCE_OTHER, false },
	{ "a.ll", SOURCE_OTHER, false },
	{ "a.o", SOURCE_LINKER, false },
	{ "a.so.1", SOURCE_LINKER, false },
	{ "a", SOURCE_LINKER, false },
	{ "a.c/b", SOURCE_LINKER, false },
	{ "-x c -", SOURCE_C, true },
	{ "-xc++ a.o", SOURCE_C, true },
	{ "-x c -x none a.o", SOURCE_LINKER, false },
	{ "-x assembler a.c", SOURCE_ASM_PLAIN, true },
	{ "-x assembler-with-cpp a.c", SOURCE_ASM, true },
	{ "-x cpp-output a.c", SOURCE_C_PREPROCESSED, true },
	{ "-x f95 a.c", SOURCE_OTHER, true },
	{ "-x c a -x none", SOURCE_C, false },
	{ "--language=c++ a", SOURCE_C, true },
	{ "a.c -x", SOURCE_C, false },
};

static void
test_source(void **state)
{
	const struct source_row *row = *state;
	struct compile_command command;

	help_command(&command, row->words);
	for (unsigned int i = 0; i < SOURCE_KINDS; i++)
		assert_int_equal(command.sources[i],
			i == (unsigned int)row->kind);
	assert_int_equal(command.language_stays, row->language_stays);
	compile_command_clear(&command);
}

/* ---- response files -------------------------------------------------- */

/* Response files for the rows: name, contents. */
static const char *const files[][2] = {
	{ "empty", "" },
	{ "objects", "a.o b.o\nc.o" },
	{ "compile", "-c\n-o 'my file.o' \"my file.c\"" },
	{ "nested", "-O2 @objects -g" },
	{ "output", "-o" },
	{ "shared", "-shared -Wl,-z,defs @objects" },
	{ "itself", "a.o @itself" },
	{ "twice", "a.o @twice @twice" },
};

static const struct response_row {
	const char *name;
	const char *words;
	enum compile_command_mode mode;
	const char *opened; /* all words */
	const char *change; /* the item to replace by NEW, or NULL */
	const char *result;
} response_rows[] = {
	{ "unchanged", "@objects -o x", LINK, "a.o b.o c.o -o x", NULL,
		"@objects -o x" },
	{ "decides the mode", "@compile -g", COMPILE,
		"-c -o my file.o my file.c -g", NULL, "@compile -g" },
	{ "empty", "a.c @empty -c", COMPILE, "a.c -c", NULL, "a.c -c" },
	{ "not there", "@nowhere a.c", LINK, "@nowhere a.c", NULL,
		"@nowhere a.c" },
	{ "a folder", "@. a.c", LINK, "@. a.c", NULL, "@. a.c" },
	{ "nested", "@nested", LINK, "-O2 a.o b.o c.o -g", NULL, "@nested" },
	{ "changed inside", "@nested x.o", LINK, "-O2 a.o b.o c.o -g x.o",
		"b.o", "-O2 a.o NEW c.o -g x.o" },
	{ "changed outside", "@nested x.o @objects", LINK,
		"-O2 a.o b.o c.o -g x.o a.o b.o c.o", "x.o",
		"@nested NEW @objects" },
	{ "value comes after the file", "@output x a.o", LINK, "-o x a.o", NULL,
		"@output x a.o" },
	{ "value comes from the file", "-o @objects", LINK, "-o a.o b.o c.o",
		NULL, "-o @objects" },
	{ "cut in two", "@output x a.o", LINK, "-o x a.o", "-o", "NEW a.o" },
	{ "twice the same", "@objects @objects", LINK,
		"a.o b.o c.o a.o b.o c.o", NULL, "@objects @objects" },
};

static void
test_response(void **state)
{
	const struct response_row *row = *state;
	struct compile_command command;
	struct arguments out = { .n = 0 };
	char *text;

	help_command(&command, row->words);
	text = help_join(&command.words);
	assert_string_equal(text, row->opened);
	free(text);
	assert_int_equal(command.mode, row->mode);
	for (size_t i = 0; i < command.n_items; i++)
		if (row->change != NULL &&
			strcmp(command.items[i].name, row->change) == 0)
			command.items[i].replacement = xstrdup("NEW");
	compile_command_format(&command, &out);
	text = help_join(&out);
	assert_string_equal(text, row->result);
	free(text);
	arguments_clear(&out);
	compile_command_clear(&command);
}

/* A file that includes itself ends; the rest of it is passed on. */
static void
test_endless(void **state)
{
	static const char *const words[] = { "@itself", "@twice" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		struct compile_command command;
		struct arguments out = { .n = 0 };

		help_command(&command, words[i]);
		assert_in_range(command.words.n, 3, 10000);
		assert_string_equal(command.words.v[command.words.n - 1],
			words[i]);
		compile_command_format(&command, &out);
		assert_int_equal(out.n, 1);
		arguments_clear(&out);
		compile_command_clear(&command);
	}
}

static int
enter(void **state)
{
	help_enter_scratch();
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		help_write_text(files[i][0], files[i][1]);
	return 0;
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
		cmocka_unit_test(test_endless),
	};

	int failed;

	failed = rows_run_with("cc/command",
		ROWS_OF(mode_rows, words, test_mode), others, ROWS(others),
		enter, leave);
	failed += rows_run_with("output",
		ROWS_OF(output_rows, words, test_output), NULL, 0, enter,
		leave);
	failed += rows_run_with("source",
		ROWS_OF(source_rows, words, test_source), NULL, 0, enter,
		leave);
	return failed +
		rows_run_with("response files",
			ROWS_OF(response_rows, name, test_response), NULL, 0,
			enter, leave);
}
