/*
 * test_debug_file: build-id, names, lines and paths of a small program, with
 * its debug information inside, beside it, split, or missing.
 */
#include "symbols/debug_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/late_library.h"
#include "lib/tree.h"

/* clang-format off */
static const char CXX[] =
	"namespace outer {\n"
	"struct inner { int method(int v); };\n"
	"int inner::method(int v) { return v * 3; }\n"
	"namespace { __attribute__((noinline)) int hidden(int v) { return v; } }\n"
	"int seen(int v) { return hidden(v) + inner().method(v); }\n"
	"}\n"
	"int main(int argc, char **) { return outer::seen(argc); }\n";

static const char C[] =
	"\n"
	"static int helped(int v) { return v + 1; }\n"
	"int main(int argc, char **argv) { (void)argv; return helped(argc); }\n";
/* clang-format on */

#define ID "00112233445566778899aabbccddeeff"

struct program {
	struct debug_file file;
	const struct libdw *dw;
};

static void
open_program(struct program *program, const struct tree *tree, const char *name)
{
	int fd = open(tree_path(tree, name), O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	program->dw = libdw_get();
	if (program->dw == NULL) {
		close(fd);
		skip();
	}
	debug_file_open(&program->file, program->dw, tree_path(tree, name), fd);
}

/* A function with code, by its name in the debug information. */
struct search {
	const struct libdw *dw;
	const char *name;
	Dwarf_Die unit, function;
	bool found;
};

static int
search_one(Dwarf_Die *die, void *arg)
{
	struct search *search = arg;
	const char *name = search->dw->dwarf_diename(die);
	Dwarf_Addr base, start, end;

	if (name == NULL || strcmp(name, search->name) != 0 ||
		search->dw->dwarf_ranges(die, 0, &base, &start, &end) <= 0)
		return DWARF_CB_OK;
	search->function = *die;
	search->found = true;
	return DWARF_CB_ABORT;
}

static bool
find_function(const struct program *program, const char *name,
	struct search *search)
{
	Dwarf_Die *unit = NULL, code;
	Dwarf_Addr bias;

	*search = (struct search){ .dw = program->dw, .name = name };
	while (!search->found &&
		(unit = program->dw->dwfl_module_nextcu(program->file.module,
			 unit, &bias)) != NULL) {
		search->unit = *unit;
		debug_file_find_code(program->dw, unit, &code);
		program->dw->dwarf_getfuncs(&code, search_one, search, 0);
	}
	return search->found;
}

static void
check_function(const struct program *program, const char *name,
	const char *full_name, uint32_t line)
{
	struct search search;
	char text[64];

	row_check(find_function(program, name, &search), "%s", name);
	debug_file_name(program->dw, &search.unit, &search.function, text,
		sizeof(text));
	assert_string_equal(text, full_name);
	row_check(debug_file_line(program->dw, &search.function) == line, "%s",
		name);
	/* A name that is too long is cut. */
	debug_file_name(program->dw, &search.unit, &search.function, text, 3);
	assert_int_equal(strlen(text), 2);
	assert_int_equal(strncmp(text, full_name, 2), 0);
}

static void
test_build_id(void **state)
{
	static const struct {
		const char *id;
		bool is;
	} rows[] = {
		{ "", true },
		{ ID, true },
		{ "00112233445566778899aabbccddeefe", false },
		{ "0011", false },
		{ ID "00", false },
	};
	const struct tree *tree = *state;
	struct program program;
	size_t i;

	tree_text(tree, "c.c", C);
	tree_shell(tree,
		"gcc -g -Wl,--build-id=0x" ID " -o with c.c && "
		"gcc -g -Wl,--build-id=none -o without c.c");
	open_program(&program, tree, "with");
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		row_check(debug_file_has_id(&program.file, rows[i].id) ==
				rows[i].is,
			"%s", rows[i].id);
	debug_file_close(&program.file);
	open_program(&program, tree, "without");
	assert_true(debug_file_has_id(&program.file, ""));
	assert_false(debug_file_has_id(&program.file, ID));
	debug_file_close(&program.file);
	assert_null(program.file.dwfl);
	debug_file_close(&program.file);
}

static void
test_c_names(void **state)
{
	const struct tree *tree = *state;
	struct program program;

	tree_text(tree, "c.c", C);
	tree_shell(tree, "gcc -g -o program c.c");
	open_program(&program, tree, "program");
	check_function(&program, "helped", "helped", 2);
	check_function(&program, "main", "main", 3);
	debug_file_close(&program.file);
}

/* Names have their namespaces and classes, inlined or not. */
static void
test_cxx_names(void **state)
{
	static const char *const flags[] = { "-O0", "-O2", "-O0 -gsplit-dwarf",
		"-O0 -gdwarf-4" };
	const struct tree *tree = *state;
	struct program program;
	char command[128];
	size_t i;

	tree_text(tree, "c.cc", CXX);
	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		snprintf(command, sizeof(command), "g++ -g %s -o program c.cc",
			flags[i]);
		tree_shell(tree, command);
		open_program(&program, tree, "program");
		check_function(&program, "method", "outer::inner::method", 3);
		check_function(&program, "hidden", "outer::(anonymous)::hidden",
			4);
		check_function(&program, "seen", "outer::seen", 5);
		debug_file_close(&program.file);
	}
}

/* Debug information in a file beside the program, found by its debug link. */
static void
test_debug_link(void **state)
{
	const struct tree *tree = *state;
	struct program program;
	struct search search;

	tree_text(tree, "c.c", C);
	tree_shell(tree,
		"gcc -g -Wl,--build-id=0x" ID " -o program c.c && "
		"objcopy --only-keep-debug program program.debug && "
		"objcopy --strip-debug --add-gnu-debuglink=program.debug "
		"program");
	open_program(&program, tree, "program");
	assert_true(debug_file_has_id(&program.file, ID));
	check_function(&program, "helped", "helped", 2);
	debug_file_close(&program.file);
	/* Without that file there are no functions. */
	assert_int_equal(unlinkat(tree->fd, "program.debug", 0), 0);
	open_program(&program, tree, "program");
	assert_false(find_function(&program, "helped", &search));
	debug_file_close(&program.file);
}

static void
test_paths(void **state)
{
	const struct tree *tree = *state;
	struct program program;
	struct search search;
	char path[128], want[128];

	tree_text(tree, "c.c", C);
	tree_shell(tree, "gcc -g -o program c.c");
	open_program(&program, tree, "program");
	assert_true(find_function(&program, "main", &search));
	assert_true(debug_file_path(program.dw, &search.unit, "sub/x.c", path,
		sizeof(path)));
	snprintf(want, sizeof(want), "%s/sub/x.c", tree->path);
	assert_string_equal(path, want);
	assert_true(debug_file_path(program.dw, &search.unit, "/abs/x.c", path,
		sizeof(path)));
	assert_string_equal(path, "/abs/x.c");
	/* A cut path could name another file. */
	assert_false(
		debug_file_path(program.dw, &search.unit, "/abs/x.c", path, 8));
	assert_string_equal(path, "");
	assert_false(debug_file_path(program.dw, &search.unit, NULL, path,
		sizeof(path)));
	assert_false(debug_file_path(program.dw, &search.unit, "", path,
		sizeof(path)));
	debug_file_close(&program.file);
}

static void
test_no_program(void **state)
{
	const struct tree *tree = *state;
	struct program program;

	tree_text(tree, "text", "this is no ELF file");
	open_program(&program, tree, "text");
	assert_null(program.file.module);
	debug_file_close(&program.file);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_open, tree_close)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_build_id),
		TEST(test_c_names),
		TEST(test_cxx_names),
		TEST(test_debug_link),
		TEST(test_paths),
		TEST(test_no_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
