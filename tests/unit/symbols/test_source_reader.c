/*
 * test_source_reader: counters in programs of both compilers, with debug
 * information, with symbols only, and with neither.
 *
 * Labels in the code replace counters, so that their addresses are known
 * without a runtime.
 */
#include "symbols/source_reader.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/call.h"
#include "lib/late_library.h"
#include "symbols/libdw.h"

/* Lines are counted from 1 at the first of these. */
static const char text[] =
	"#define MARK(n) __asm__ volatile(\".globl \" #n \"\\n\" #n \":\")\n"
	"volatile int sink;\n"
	"int first(int a)\n"
	"{\n"
	"	if (a > 3) {\n"
	"		MARK(first_then);\n"
	"		sink = 1;\n"
	"		sink = 2;\n"
	"	} else {\n"
	"		MARK(first_else);\n"
	"		sink = 3;\n"
	"	}\n"
	"	MARK(first_end);\n"
	"	return sink;\n"
	"}\n"
	"int second(int a)\n"
	"{\n"
	"	sink = a;\n"
	"	return a;\n"
	"}\n";

enum counter {
	FIRST,
	FIRST_THEN,
	FIRST_ELSE,
	FIRST_END,
	SECOND,
	COUNTERS
};

static const char *const labels[COUNTERS] = { "first", "first_then",
	"first_else", "first_end", "second" };

struct stage {
	char folder[64], program[128], source[128];
	uint64_t pcs[COUNTERS];
	struct source_table table;
};

static void
write_source(const struct stage *s, const char *source)
{
	FILE *file = fopen(s->source, "w");

	assert_non_null(file);
	assert_true(fputs(source, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static int
open_stage(void **state)
{
	static struct stage s;

	memset(&s, 0, sizeof(s));
	snprintf(s.folder, sizeof(s.folder), "/tmp/cfuzz-test-XXXXXX");
	assert_non_null(mkdtemp(s.folder));
	snprintf(s.program, sizeof(s.program), "%s/program", s.folder);
	snprintf(s.source, sizeof(s.source), "%s/source.c", s.folder);
	write_source(&s, text);
	*state = &s;
	return 0;
}

static int
close_stage(void **state)
{
	struct stage *s = *state;

	source_table_clear(&s->table);
	unlink(s->program);
	unlink(s->source);
	assert_int_equal(rmdir(s->folder), 0);
	return 0;
}

/* Addresses of the first n labels. False: the compiler is not installed. */
static bool
compile_labels(struct stage *s, const char *compiler, const char *option,
	const char *const *names, int n)
{
	const char *const words[] = { compiler, option, "-O0", "-shared",
		"-fPIC", "-fno-omit-frame-pointer", "-o", s->program, s->source,
		NULL };
	Dl_info info;
	void *library, *at;

	if (!call(words))
		return false;
	library = dlopen(s->program, RTLD_NOW | RTLD_LOCAL);
	assert_non_null(library);
	for (int i = 0; i < n; i++) {
		at = dlsym(library, names[i]);
		assert_non_null(at);
		assert_true(dladdr(at, &info) != 0);
		s->pcs[i] = (uintptr_t)at - (uintptr_t)info.dli_fbase;
	}
	dlclose(library);
	return true;
}

static bool
compile(struct stage *s, const char *compiler, const char *option)
{
	if (!compile_labels(s, compiler, option, labels, COUNTERS))
		return false;
	s->pcs[FIRST] |= SOURCE_ENTRY;
	s->pcs[SECOND] |= SOURCE_ENTRY;
	return true;
}

static void
read_table(struct stage *s)
{
	source_read(&s->table, s->program, "", s->pcs, COUNTERS);
	assert_int_equal(s->table.locations_n, COUNTERS);
}

/* "12: FIRST" for a row is counter 0 on line 12. */
static bool
has_row(const struct stage *s, uint32_t line, enum counter counter)
{
	for (uint32_t i = 0; i < s->table.rows_n; i++)
		if (s->table.rows[i].line == line &&
			s->table.rows[i].counter == counter)
			return true;
	return false;
}

static void
check_rows(const struct stage *s)
{
	static const struct {
		uint32_t line;
		enum counter counter;
		bool there;
	} rows[] = {
		{ 5, FIRST, true },
		{ 5, FIRST_THEN, false },
		{ 7, FIRST_THEN, true },
		{ 8, FIRST_THEN, true },
		{ 8, FIRST_ELSE, false },
		{ 11, FIRST_ELSE, true },
		{ 11, FIRST_THEN, false },
		{ 14, FIRST_END, true },
		{ 14, FIRST, false },
		{ 14, FIRST_ELSE, false },
		{ 18, SECOND, true },
		{ 18, FIRST_END, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (has_row(s, rows[i].line, rows[i].counter) != rows[i].there)
			fail_msg("line %u, counter %s", rows[i].line,
				labels[rows[i].counter]);
}

static void
check_functions(const struct stage *s, const char *first, const char *second)
{
	const struct source_table *t = &s->table;

	assert_int_equal(t->functions_n, 2);
	for (int i = 0; i < COUNTERS; i++)
		assert_int_equal(t->locations[i].copy, 0);
	for (int i = 0; i < COUNTERS; i++)
		assert_string_equal(t->functions[t->locations[i].function].name,
			i == SECOND ? second : first);
	assert_int_equal(t->locations[FIRST].function,
		t->locations[FIRST_END].function);
	assert_int_not_equal(t->locations[FIRST].function,
		t->locations[SECOND].function);
}

static const struct debug_row {
	const char *compiler, *option;
	uint32_t line; /* of the first function */
} debug_rows[] = {
	{ "gcc", "-g", 3 },
	{ "gcc", "-g1", 3 },
	{ "clang", "-g", 3 },
	/* There are no declarations: the code begins at the brace. */
	{ "clang", "-g1", 4 },
	{ "clang", "-gline-tables-only", 4 },
};

static void
test_debug(void **state)
{
	struct stage *s = *state;
	unsigned tried = 0;

	for (size_t i = 0; i < sizeof(debug_rows) / sizeof(debug_rows[0]);
		i++) {
		const struct debug_row *row = &debug_rows[i];

		if (!compile(s, row->compiler, row->option))
			continue;
		tried++;
		print_message("%s %s\n", row->compiler, row->option);
		read_table(s);
		assert_true(s->table.end.found && s->table.end.debug);
		check_functions(s, "first", "second");
		assert_int_equal(s->table.files_n, 1);
		assert_string_equal(s->table.files[0].path, s->source);
		assert_int_equal(s->table.functions[0].file, 0);
		assert_int_equal(s->table.functions[0].line, row->line);
		assert_in_range(s->table.locations[SECOND].line, 16, 17);
		check_rows(s);
	}
	if (tried == 0)
		skip();
}

/* Only functions with inlined code are described, without a declaration. */
static void
test_line_tables(void **state)
{
	static const char source[] =
		"volatile int sink;\n"
		"#line 1 \"header.h\"\n"
		"static inline __attribute__((always_inline)) int half(int a)\n"
		"{\n"
		"	sink = a;\n"
		"	__asm__ volatile(\".globl inner\\ninner:\");\n"
		"	return a / 2;\n"
		"}\n"
		"#line 10 \"source.c\"\n"
		"int user(void)\n"
		"{\n"
		"	return half(5);\n"
		"}\n"
		"int alone(int a)\n"
		"{\n"
		"	return a + sink;\n"
		"}\n";
	static const char *const names[] = { "user", "inner", "alone" };
	static const struct {
		const char *name, *file;
		uint32_t line;
	} rows[] = {
		{ "user", "/source.c", 11 },
		{ "half", "/header.h", 3 },
		{ "alone", "/source.c", 15 },
	};
	struct stage *s = *state;
	const struct source_table *t = &s->table;

	write_source(s, source);
	if (!compile_labels(s, "clang", "-gline-tables-only", names, 3))
		skip();
	source_read(&s->table, s->program, "", s->pcs, 3);
	for (int i = 0; i < 3; i++) {
		const struct source_function *function;

		assert_in_range(t->locations[i].function, 0,
			t->functions_n - 1);
		function = &t->functions[t->locations[i].function];
		assert_string_equal(function->name, rows[i].name);
		assert_int_equal(function->line, rows[i].line);
		assert_in_range(function->file, 0, t->files_n - 1);
		assert_string_equal(strrchr(t->files[function->file].path, '/'),
			rows[i].file);
	}
}

/* An external function that is inlined keeps a copy for other modules. */
static void
test_copy(void **state)
{
	static const char source[] =
		"volatile int sink;\n"
		"inline __attribute__((always_inline)) int half(int a)\n"
		"{\n"
		"	sink = a;\n"
		"	return a / 2;\n"
		"}\n"
		"extern int half(int a);\n"
		"int alone(int a) { return a + sink; }\n"
		"int user(int a) { return half(a) + 1; }\n";
	static const char *const names[] = { "half", "alone", "user" };
	static const char *const compilers[] = { "gcc", "clang" };
	struct stage *s = *state;
	unsigned tried = 0;

	write_source(s, source);
	for (int i = 0; i < 2; i++) {
		if (!compile_labels(s, compilers[i], "-g", names, 3))
			continue;
		tried++;
		source_read(&s->table, s->program, "", s->pcs, 3);
		assert_int_equal(s->table.locations[0].copy, 1);
		assert_int_equal(s->table.locations[1].copy, 0);
		assert_int_equal(s->table.locations[2].copy, 0);
	}
	if (tried == 0)
		skip();
}

/* A counter inside a call, a few bytes after the start of its block. */
static void
test_call(void **state)
{
	struct stage *s = *state;

	if (!compile(s, "gcc", "-g"))
		skip();
	for (int i = 0; i < COUNTERS; i++)
		s->pcs[i] += 4;
	read_table(s);
	assert_true(has_row(s, 7, FIRST_THEN));
	assert_false(has_row(s, 7, FIRST));
	assert_true(has_row(s, 11, FIRST_ELSE));
	assert_false(has_row(s, 11, FIRST_THEN));
}

static void
test_symbols(void **state)
{
	struct stage *s = *state;

	if (!compile(s, "gcc", "-g0"))
		skip();
	read_table(s);
	assert_true(s->table.end.found);
	assert_false(s->table.end.debug);
	assert_int_equal(s->table.rows_n, 0);
	/* The labels are symbols too, so that each is a function. */
	assert_string_equal(
		s->table.functions[s->table.locations[FIRST].function].name,
		"first");
	assert_string_equal(
		s->table.functions[s->table.locations[SECOND].function].name,
		"second");
}

/* For the assembler, at the present place. */
#define LOCAL(name, size) \
	".type " name ",%function; .size " name "," size "; " name ":; "
#define GLOBAL(name, size) ".globl " name "; " LOCAL(name, size)

/* Places of 16 bytes. */
static const struct symbol_row {
	const char *name; /* of the function that the place belongs to */
	const char *begin;
} symbol_rows[] = {
	{ "base", GLOBAL("base", "16") },
	{ "", "" },
	/* A symbol inside another has its own bytes only. */
	{ "outer", GLOBAL("outer", "80") },
	{ "inner", GLOBAL("inner", "16") },
	{ "outer", "" },
	/* What is exported goes first. */
	{ "outer", LOCAL("hidden", "16") },
	{ "outer", "" },
	/* Other names of the same code. */
	{ "first", LOCAL("local1", "16") GLOBAL("first", "16") },
	{ "second", GLOBAL("second", "16") LOCAL("local2", "16") },
	{ "strong", ".weak weak; " LOCAL("weak", "16") GLOBAL("strong", "16") },
	{ "narrow", GLOBAL("wide", "32") GLOBAL("narrow", "16") },
	{ "narrow", "" }, /* one function for one start */
	/* A label reaches to the next symbol; none goes on behind one. */
	{ "label", ".globl label; label:; " },
	{ "label", "" },
	{ "after", GLOBAL("after", "16") },
	{ "", "" },
	{ "own", LOCAL("own", "32") },
	{ "own", "" },
	{ "", "" },
};
#define PLACES ((int)(sizeof(symbol_rows) / sizeof(symbol_rows[0])))

static void
write_symbols(const struct stage *s)
{
	char source[4096] = "__asm__(\".text; .balign 16; ";
	size_t len = strlen(source);

	for (int i = 0; i < PLACES; i++)
		len += (size_t)snprintf(source + len, sizeof(source) - len,
			"%s.skip 16; ", symbol_rows[i].begin);
	assert_true(len + 5 < sizeof(source));
	(void)snprintf(source + len, sizeof(source) - len, "\");\n");
	write_source(s, source);
}

static unsigned asked;
static __typeof__(dwfl_module_addrinfo) *ask;

static const char *
count_asked(Dwfl_Module *module, GElf_Addr address, GElf_Off *distance,
	GElf_Sym *symbol, GElf_Word *section, Elf **elf, Dwarf_Addr *bias)
{
	asked++;
	return ask(module, address, distance, symbol, section, elf, bias);
}

/* The library looks through all symbols for each question: it is asked for the
 * places behind a label alone. */
static void
test_many_symbols(void **state)
{
	struct libdw *dw = (struct libdw *)(uintptr_t)libdw_get();
	static const char *const base = "base";
	struct stage *s = *state;
	uint64_t pcs[2 * PLACES];

	write_symbols(s);
	if (dw == NULL || !compile_labels(s, "gcc", "-g0", &base, 1))
		skip();
	for (int i = 0; i < 2 * PLACES; i++)
		pcs[i] = s->pcs[0] + (uint64_t)i * 8;
	ask = dw->dwfl_module_addrinfo;
	dw->dwfl_module_addrinfo = count_asked;
	source_read(&s->table, s->program, "", pcs, 2 * PLACES);
	dw->dwfl_module_addrinfo = ask;
	for (int i = 0; i < 2 * PLACES; i++)
		assert_string_equal(
			s->table.functions[s->table.locations[i].function].name,
			symbol_rows[i / 2].name);
	assert_int_equal(asked, 4);
}

static void
test_stripped(void **state)
{
	struct stage *s = *state;
	const char *const words[] = { "objcopy", "--strip-all",
		"--remove-section=.note.gnu.build-id", s->program, NULL };

	if (!compile(s, "gcc", "-g") || !call(words))
		skip();
	/*
	 * Symbols of the dynamic linker remain; at these addresses they do not
	 * apply.
	 */
	for (int i = 0; i < COUNTERS; i++)
		s->pcs[i] += 1 << 30;
	read_table(s);
	assert_true(s->table.end.found);
	check_functions(s, "", "");
	assert_int_equal(s->table.functions[0].address,
		s->pcs[FIRST] & ~SOURCE_ENTRY);
}

static void
test_no_file(void **state)
{
	static const char *const ids[] = { "", "00ff", "zz" };
	struct stage *s = *state;

	s->pcs[FIRST] = 16 | SOURCE_ENTRY;
	for (int i = 1; i < COUNTERS; i++)
		s->pcs[i] = 0;
	for (size_t i = 0; i < 3; i++) {
		source_read(&s->table, i == 0 ? "/nowhere" : "/proc/self/exe",
			ids[i], s->pcs, COUNTERS);
		assert_false(s->table.end.found);
		assert_int_equal(s->table.functions_n, 1);
		assert_int_equal(s->table.locations[FIRST].function, 0);
		assert_int_equal(s->table.locations[SECOND].function,
			SOURCE_NONE);
	}
	source_read(&s->table, "/nowhere", "", s->pcs, 0);
	assert_int_equal(s->table.functions_n, 0);
}

/* A truncated file may give less information, but must not hang. */
static void
test_damaged(void **state)
{
	struct stage *s = *state;
	long len, step;
	FILE *file;

	if (!compile(s, "gcc", "-g"))
		skip();
	file = fopen(s->program, "r+");
	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	len = ftell(file);
	step = len / 41 + 1;
	for (long at = len - step; at > 0; at -= step) {
		assert_int_equal(fseek(file, at, SEEK_SET), 0);
		assert_true(fputs("\xff\x80zz\x7f", file) >= 0);
		assert_int_equal(fflush(file), 0);
		read_table(s);
	}
	for (long at = len - step; at > 0; at -= step) {
		assert_int_equal(ftruncate(fileno(file), at), 0);
		read_table(s);
	}
	assert_int_equal(fclose(file), 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, open_stage, close_stage)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_debug),
		TEST(test_line_tables),
		TEST(test_copy),
		TEST(test_call),
		TEST(test_symbols),
		TEST(test_many_symbols),
		TEST(test_stripped),
		TEST(test_no_file),
		TEST(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
