/*
 * test_export_program: an input as a program in C and C++. The program is
 * compiled with a target that writes its arguments to a file.
 */
#include "findings/export_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/tree.h"
#include "shared/values/value.h"

/* clang-format off */
static const char PLAIN[] =
	"#include <stdint.h>\n"
	"#include <stdio.h>\n"
	"#ifdef __cplusplus\n"
	"extern \"C\" int LLVMFuzzerTestOneInput(const uint8_t *, size_t);\n"
	"extern \"C\" int LLVMFuzzerInitialize(int *, char ***);\n"
	"extern \"C\" void cfuzz_fail(const char *, ...);\n"
	"#else\n"
	"void cfuzz_fail(const char *, ...);\n"
	"#endif\n"
	"static int ready;\n"
	"int LLVMFuzzerInitialize(int *argc, char ***argv)\n"
	"{\n"
	"\tready = *argc == 1 && **argv != NULL;\n"
	"\treturn 0;\n"
	"}\n"
	"int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)\n"
	"{\n"
	"\tFILE *file = fopen(OUT, \"a\");\n"
	"\tif (!ready)\n"
	"\t\tcfuzz_fail(\"not initialized\");\n"
	"\tfwrite(data, 1, size, file);\n"
	"\tfclose(file);\n"
	"\treturn 0;\n"
	"}\n";

static const char TYPED[] =
	"#include <cfuzz.h>\n"
	"#include <inttypes.h>\n"
	"#include <stdio.h>\n"
	"static void f(struct cfuzz_bytes a, struct cfuzz_string b, int8_t c,\n"
	"\tbool d, double e)\n"
	"{\n"
	"\tFILE *file = fopen(OUT, \"a\");\n"
	"\tif (b.size > 1000)\n"
	"\t\tcfuzz_fail(\"too long\");\n"
	"\tfwrite(a.data, 1, a.size, file);\n"
	"\tfprintf(file, \"|%s|%zu|%d|%d|%g\", b.text, b.size, c, d, e);\n"
	"\tfclose(file);\n"
	"}\n"
	"CFUZZ_TARGET(f, bytes, string, int8, bool, float64)\n";
/* clang-format on */

static const struct tuple_types NONE = { .n = 0 };
static const struct tuple_types FIVE = { .n = 5,
	.types = { VALUE_BYTES, VALUE_STRING, VALUE_INT8, VALUE_BOOL,
		VALUE_FLOAT64 } };

static char *
make_program(const struct tuple_types *types, const char *title, bool small,
	const void *data, size_t len)
{
	struct export_input input = { (uint8_t *)(uintptr_t)data, len };
	const struct export_program program = { .types = types,
		.function = "f",
		.title = title,
		.small = small,
		.inputs = &input,
		.n = 1 };

	return export_program(&program);
}

static const struct compiler {
	const char *name, *language;
} COMPILERS[] = {
	{ "gcc", "c11" },
	{ "g++", "c++11" },
	{ "clang", "c11" },
	{ "clang++", "c++11 -x c++" },
};

/* Compiles the program with the target, runs it, and checks what the target
 * got. False: there is no such compiler. */
static bool
check_compiled(const struct tree *tree, const struct compiler *compiler,
	const char *program, const void *want, size_t want_len)
{
	const char *source = getenv("CFUZZ_SRC");
	char command[1024], *got;
	size_t len = 0;

	snprintf(command, sizeof(command), "command -v %s >/dev/null",
		compiler->name);
	if (system(command) != 0)
		return false;
	snprintf(command, sizeof(command),
		"I=$(cd '%s/include' && pwd) && cd '%s' && "
		"%s -std=%s -Wall -Wextra -pedantic -Werror -DOUT='\"out\"' "
		"-I\"$I\" -o input input.c target.c && rm -f out && ./input",
		source != NULL ? source : ".", tree->path, compiler->name,
		compiler->language);
	row_check(system(command) == 0, "%s: %s", compiler->name, program);
	got = tree_read(tree, "out", &len);
	assert_int_equal(len, want_len);
	assert_memory_equal(got, want, want_len);
	free(got);
	return true;
}

static void
check_program(const struct tree *tree, const char *target, const char *program,
	const void *want, size_t want_len)
{
	size_t i, n = 0;

	tree_text(tree, "target.c", target);
	tree_text(tree, "input.c", program);
	for (i = 0; i < sizeof(COMPILERS) / sizeof(COMPILERS[0]); i++)
		n += check_compiled(tree, &COMPILERS[i], program, want,
			want_len);
	assert_true(n > 0);
}

/* A target without types gets the bytes, whatever their number. */
static void
test_plain(void **state)
{
	static const size_t lens[] = { 0, 12, 13 };
	const struct tree *tree = *state;
	uint8_t data[13];
	char *program;
	size_t i;

	for (i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)(i * 11);
	for (i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		program = make_program(&NONE, "abort in f", i % 2 != 0, data,
			lens[i]);
		row_check((strstr(program, "minimized input") != NULL) ==
				(i % 2 != 0),
			"%s", program);
		check_program(tree, PLAIN, program, data, lens[i]);
		free(program);
	}
}

/* The failure's text cannot end the comment, or seem to begin one. */
static void
test_title(void **state)
{
	const struct tree *tree = *state;
	char *program = make_program(&NONE,
		"*/ int main(void) { return 1; } /*/ a/b", false, "a", 1);

	assert_non_null(strstr(program,
		" * *\\057 int main(void) { return 1; } \\057*\\057 a/b\n"));
	check_program(tree, PLAIN, program, "a", 1);
	free(program);
}

static size_t
pack(uint8_t *data, const char *bytes, const char *string)
{
	const struct value values[] = {
		{ .type = VALUE_BYTES,
			.data = (uint8_t *)(uintptr_t)bytes,
			.len = strlen(bytes) },
		{ .type = VALUE_STRING,
			.data = (uint8_t *)(uintptr_t)string,
			.len = strlen(string) },
		{ .type = VALUE_INT8, .i = -5 },
		{ .type = VALUE_BOOL, .b = true },
		{ .type = VALUE_FLOAT64, .f64 = 1.5 },
	};

	tuple_pack(values, 5, data);
	return tuple_size(values, 5);
}

/* A typed target gets its arguments, and the comment has the call. */
static void
test_typed(void **state)
{
	static const char want[] = "*/??|/*xt/|5|-5|1|1.5";
	const struct tree *tree = *state;
	uint8_t data[256];
	size_t len = pack(data, "*/??", "/*xt/");
	char *program = make_program(&FIVE, "abort in f", true, data, len);

	assert_non_null(strstr(program,
		"As a call it is:\n"
		" * f(cfuzz_bytes_of(\"*\\057?\\?\", 4), "
		"cfuzz_string_of(\"\\057*xt/\", 5), INT8_C(-5), true, "
		"1.5);\n"));
	assert_non_null(strstr(program, "(in C++, with c++)"));
	assert_non_null(strstr(program, "minimized input"));
	check_program(tree, TYPED, program, want, sizeof(want) - 1);
	free(program);
	len = pack(data, "", "");
	program = make_program(&FIVE, "abort in f", false, data, len);
	check_program(tree, TYPED, program, "||0|-5|1|1.5", 12);
	free(program);
}

/* Bytes that are no tuple are exported as they are. */
static void
test_no_tuple(void **state)
{
	const struct tree *tree = *state;
	char *program = make_program(&FIVE, "abort in f", false, "x", 1);

	check_program(tree, PLAIN, program, "x", 1);
	free(program);
}

/* All inputs of a sequence run, in order, in one process. */
static void
test_sequence(void **state)
{
	const struct tree *tree = *state;
	uint8_t data[2][256];
	struct export_input inputs[] = { { (uint8_t *)(uintptr_t) "one", 3 },
		{ (uint8_t *)(uintptr_t) "", 0 },
		{ (uint8_t *)(uintptr_t) "two", 3 } };
	struct export_program program = { .types = &NONE,
		.function = "f",
		.title = "abort in f",
		.inputs = inputs,
		.n = 3 };
	char *text = export_program(&program);

	assert_non_null(strstr(text, "The 3 inputs that have to run"));
	check_program(tree, PLAIN, text, "onetwo", 6);
	free(text);
	program.types = &FIVE;
	program.n = 2;
	inputs[0].len = pack(data[0], "a", "b");
	inputs[1].len = pack(data[1], "", "cd");
	inputs[0].data = data[0];
	inputs[1].data = data[1];
	text = export_program(&program);
	assert_non_null(strstr(text, "As calls they are:\n * f("));
	check_program(tree, TYPED, text, "a|b|1|-5|1|1.5|cd|2|-5|1|1.5", 28);
	free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_open, tree_close)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_plain),
		TEST(test_title),
		TEST(test_typed),
		TEST(test_no_tuple),
		TEST(test_sequence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
