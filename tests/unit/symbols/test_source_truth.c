/*
 * test_source_truth: compares the table's statements about lines with lines
 * that record their own execution, in code of both compilers at each
 * optimization level. The table may say "unknown", but must not be wrong.
 */
#include "symbols/source_reader.h"

#include <dlfcn.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/call.h"
#include "lib/late_library.h"
#include "symbols/libcapstone.h"

#define LINES 512
#define POINTS 512

/* ---- what counts ---- */

static const char hooks[] =
	"#include <setjmp.h>\n"
	"#include <stdint.h>\n"
	"#include <string.h>\n"
	"#if !defined(__clang__) && __GNUC__ < 12\n"
	"#error no_sanitize_coverage is missing\n"
	"#endif\n"
	"#define PLAIN __attribute__((no_sanitize_coverage, noinline))\n"
	"#ifdef __clang__\n"
	"#undef PLAIN\n"
	"#define PLAIN __attribute__((no_sanitize(\"coverage\"), noinline))\n"
	"#endif\n"
	"uint8_t *counters_begin, *counters_end;\n"
	"const uintptr_t *pcs_begin, *pcs_end;\n"
	"volatile uint8_t ran[512];\n"
	"uintptr_t returns[4096];\n"
	"unsigned returns_n;\n"
	"#define HIDDEN __attribute__((visibility(\"hidden\")))\n"
	"PLAIN HIDDEN void __sanitizer_cov_8bit_counters_init(uint8_t *a,\n"
	"	uint8_t *b) { counters_begin = a; counters_end = b; }\n"
	"PLAIN HIDDEN void __sanitizer_cov_pcs_init(const uintptr_t *a,\n"
	"	const uintptr_t *b) { pcs_begin = a; pcs_end = b; }\n"
	"PLAIN HIDDEN void __sanitizer_cov_trace_pc(void) {\n"
	"	uintptr_t at = (uintptr_t)__builtin_return_address(0);\n"
	"	for (unsigned i = 0; i < returns_n; i++)\n"
	"		if (returns[i] == at) return;\n"
	"	if (returns_n < 4096) returns[returns_n++] = at; }\n"
	"PLAIN void *trace_pc(void) { return __sanitizer_cov_trace_pc; }\n"
	/* The empty assembly keeps the marks of two lines from being merged. */
	"#define M ({ __asm__ volatile(\"\" : : \"i\"(__LINE__));\\\n"
	"	ran[__LINE__] = 1; })\n"
	"int zero;\n"
	"#line 1\n";

/* One statement per line; M, where it begins, records that the line ran. */
static const char text[] =
	"static int called(int a)\n"
	"{\n"
	"	M;\n"
	"	if (a & 1) {\n"
	"		M;\n"
	"		a += 3;\n"
	"	}\n"
	"	M;\n"
	"	return a;\n"
	"}\n"
	"__attribute__((noinline)) int apart(int a)\n"
	"{\n"
	"	M;\n"
	"	if (a > 100)\n"
	"		M;\n"
	"	return a + zero;\n"
	"}\n"
	"__attribute__((noinline)) int shares(int a)\n"
	"{\n"
	"	M;\n"
	"	if (a < 3)\n"
	"		return a;\n"
	"	for (int i = 0; i < a; i++)\n"
	"		M;\n"
	"	return M + zero;\n"
	"}\n"
	"__attribute__((noinline)) int joins(int a)\n"
	"{\n"
	"	int all[4] = { 0 };\n"
	"	if (a == 1)\n"
	"		return M + 1;\n"
	"	if (all[zero] > 0)\n"
	"		return M + 2;\n"
	"	return M - 1;\n"
	"}\n"
	"static int early(const uint8_t *p, int n)\n"
	"{\n"
	"	M;\n"
	"	if (n < 2) {\n"
	"		M;\n"
	"		return -1;\n"
	"	}\n"
	"	M;\n"
	"	if (p[0] == 'a') {\n"
	"		M;\n"
	"		if (p[1] == 'b') {\n"
	"			M;\n"
	"			apart(n);\n"
	"			M;\n"
	"			return 7;\n"
	"		}\n"
	"		M;\n"
	"	} else if (p[0] == 'b') {\n"
	"		M;\n"
	"		apart(p[1]);\n"
	"	} else {\n"
	"		M;\n"
	"		goto fail;\n"
	"	}\n"
	"	M;\n"
	"	return called(p[1]);\n"
	"fail:\n"
	"	M;\n"
	"	apart(1);\n"
	"	M;\n"
	"	return -2;\n"
	"}\n"
	"static int loops(const uint8_t *p, int n)\n"
	"{\n"
	"	int sum = 0;\n"
	"\n"
	"	M;\n"
	"	for (int i = 0; i < n; i++) {\n"
	"		M;\n"
	"		if (p[i] == 'x')\n"
	"			continue;\n"
	"		M;\n"
	"		if (p[i] == 'y') {\n"
	"			M;\n"
	"			break;\n"
	"		}\n"
	"		sum += apart(p[i]);\n"
	"		M;\n"
	"		while (sum > 200) {\n"
	"			M;\n"
	"			sum /= 2;\n"
	"		}\n"
	"	}\n"
	"	M;\n"
	"	do {\n"
	"		M;\n"
	"		sum++;\n"
	"	} while (sum < 0);\n"
	"	M;\n"
	"	return sum;\n"
	"}\n"
	"static int chosen(int c)\n"
	"{\n"
	"	int a = 0;\n"
	"\n"
	"	M;\n"
	"	switch (c) {\n"
	"	case 'a':\n"
	"		M;\n"
	"		a = 1;\n"
	"		break;\n"
	"	case 'b':\n"
	"		M;\n"
	"		a = apart(4);\n"
	"		/* fall through */\n"
	"	case 'c':\n"
	"		M;\n"
	"		a += apart(5);\n"
	"		/* fall through */\n"
	"	case 'd':\n"
	"		M;\n"
	"		break;\n"
	"	case 'e':\n"
	"		M;\n"
	"		return apart(2);\n"
	"	case 'f':\n"
	"	case 'g':\n"
	"		M;\n"
	"		if (zero)\n"
	"			M;\n"
	"		a = 3;\n"
	"		break;\n"
	"	case 'x':\n"
	"		M;\n"
	"		return 3;\n"
	"	default:\n"
	"		M;\n"
	"	}\n"
	"	M;\n"
	"	return a;\n"
	"}\n"
	"static int logic(const uint8_t *p, int n)\n"
	"{\n"
	"	M;\n"
	"	if ((n > 1 && p[0] == 'a' && apart(p[1]) > 'b') ||\n"
	"		(n == 3 && p[2] == 'z'))\n"
	"		M;\n"
	"	if (n > 2 ? p[0] < p[1] : p[0] > 'd')\n"
	"		M;\n"
	"	else\n"
	"		M;\n"
	"	M;\n"
	"	return n > 4 ? called(n) : apart(n);\n"
	"}\n"
	"typedef int work(int);\n"
	"static work *const works[] = { apart, called, chosen };\n"
	"static int hops(const uint8_t *p, int n)\n"
	"{\n"
	"	static const void *const to[] = { &&one, &&two, &&end };\n"
	"	int i = 0;\n"
	"\n"
	"	M;\n"
	"	goto *to[p[0] % 3];\n"
	"one:\n"
	"	M;\n"
	"	if (++i < n)\n"
	"		goto *to[p[i] % 3];\n"
	"	M;\n"
	"two:\n"
	"	M;\n"
	"	if (++i < n)\n"
	"		goto *to[p[i] % 3];\n"
	"	M;\n"
	"end:\n"
	"	M;\n"
	"	return (i * 7 + n) / 3 % 5;\n"
	"}\n"
	"static int tail(const uint8_t *p, int n)\n"
	"{\n"
	"	M;\n"
	"	if (n > 3) {\n"
	"		M;\n"
	"		return works[p[0] % 3](n);\n"
	"	}\n"
	"	M;\n"
	"	return works[p[0] % 2](p[0]);\n"
	"}\n"
	"#ifdef LEAP\n"
	"static jmp_buf back;\n"
	"__attribute__((noinline)) void perhaps(int a)\n"
	"{\n"
	"	M;\n"
	"	if (a == 'b')\n"
	"		longjmp(back, 1);\n"
	"	M;\n"
	"}\n"
	"static int leaps(const uint8_t *p, int n)\n"
	"{\n"
	"	M;\n"
	"	if (setjmp(back) != 0) {\n"
	"		M;\n"
	"		return 1;\n"
	"	}\n"
	"	M;\n"
	"	perhaps(p[0]);\n"
	"	M;\n"
	"	if (n > 2)\n"
	"		perhaps(p[2]);\n"
	"	M;\n"
	"	joins(shares(p[0] - 'a'));\n"
	"	M;\n"
	"	return 0;\n"
	"}\n"
	"#endif\n"
	"int run(const uint8_t *p, int n)\n"
	"{\n"
	"	int sum = early(p, n) + loops(p, n) + logic(p, n);\n"
	"\n"
	"	sum += chosen(p[0]) + tail(p, n) + hops(p, n);\n"
	"#ifdef LEAP\n"
	"	sum += leaps(p, n);\n"
	"#endif\n"
	"	return sum;\n"
	"}\n";

static const char *const inputs[] = { "a", "ab", "b", "bc", "xx", "xaz", "aazz",
	"cbc", "dzzzzzzzzzzz", "e", "f", "gy", "~yx", "azb" };

/* ---- the stage ---- */

struct stage {
	char folder[64], program[128], source[128];
	void *library;
	int (*run)(const uint8_t *p, int n);
	volatile uint8_t *ran;
	uintptr_t base;
	bool calls;                      /* gcc's way */
	uint8_t *counters, hits[POINTS]; /* hits: of all inputs so far */
	uintptr_t *returns;
	unsigned *returns_n;
	uint64_t pcs[POINTS];
	uint32_t n;
	uint8_t ever[LINES];
	uint8_t has_mark[LINES];
	struct source_table table;
	/* Of the lines that record their execution. */
	size_t known, unknown;
};

static void *
symbol(struct stage *s, const char *name)
{
	void *at = dlsym(s->library, name);

	assert_non_null(at);
	return at;
}

/* clang: pairs of an address and a flag for function entries. */
static void
take_table(struct stage *s)
{
	const uintptr_t *const *begin = symbol(s, "pcs_begin");
	const uintptr_t *const *end = symbol(s, "pcs_end");

	s->n = (uint32_t)((*end - *begin) / 2);
	assert_in_range(s->n, 1, POINTS);
	for (uint32_t i = 0; i < s->n; i++) {
		s->pcs[i] = (*begin)[2 * i] - s->base;
		if (((*begin)[2 * i + 1] & 1) != 0)
			s->pcs[i] |= SOURCE_ENTRY;
	}
	s->counters = *(uint8_t **)symbol(s, "counters_begin");
}

/* What the runtime keeps of a return address: within the call. */
static uintptr_t
rounded(uintptr_t address)
{
	return (address & ~(uintptr_t)3) - 1;
}

/* gcc: calls, found by their machine code. */
static int
take_calls(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct stage *s = arg;
	void *(*trace)(void) = (void *(*)(void))symbol(s, "trace_pc");
	uintptr_t to = (uintptr_t)trace();

	if (info->dlpi_addr != s->base)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uintptr_t at = s->base + part->p_vaddr;

		if (part->p_type != PT_LOAD || (part->p_flags & PF_X) == 0)
			continue;
		for (size_t k = 0; k + 5 <= part->p_memsz; k++, at++) {
			int32_t far;

			memcpy(&far, (const char *)at + 1, sizeof(far));
			if (*(const uint8_t *)at == 0xe8 &&
				at + 5 + (uintptr_t)(intptr_t)far == to &&
				s->n < POINTS)
				s->pcs[s->n++] = rounded(at + 5) - s->base;
		}
	}
	return 1;
}

static void
write_source(struct stage *s)
{
	FILE *file = fopen(s->source, "w");

	assert_non_null(file);
	assert_true(fputs(hooks, file) >= 0 && fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* Finds the lines that only have a mark. */
static void
find_marks(struct stage *s)
{
	const char *at = text;

	for (uint32_t line = 1; at != NULL && line < LINES; line++) {
		const char *end = strchr(at, '\n');

		while (*at == '\t')
			at++;
		s->has_mark[line] = strncmp(at, "M;\n", 3) == 0 ||
			strncmp(at, "return M ", 9) == 0;
		at = end != NULL && end[1] != '\0' ? end + 1 : NULL;
	}
}

static bool
build(struct stage *s, const char *compiler, const char *debug,
	const char *level, const char *define)
{
	bool clang = strcmp(compiler, "clang") == 0;
	const char *const words[] = { compiler, debug, level, define, "-w",
		"-shared", "-fPIC", "-fno-sanitize=all",
		clang ? "-fsanitize-coverage=inline-8bit-counters,pc-table"
		      : "-fsanitize-coverage=trace-pc",
		"-o", s->program, s->source, NULL };
	struct link_map *map = NULL;

	if (!call(words))
		return false;
	s->library = dlopen(s->program, RTLD_NOW | RTLD_LOCAL);
	if (s->library == NULL)
		fail_msg("%s", dlerror());
	assert_int_equal(dlinfo(s->library, RTLD_DI_LINKMAP, &map), 0);
	s->base = map->l_addr;
	s->run = (int (*)(const uint8_t *, int))symbol(s, "run");
	s->ran = symbol(s, "ran");
	s->returns = symbol(s, "returns");
	s->returns_n = symbol(s, "returns_n");
	s->calls = !clang;
	if (clang)
		take_table(s);
	else
		dl_iterate_phdr(take_calls, s);
	assert_true(s->n > 0);
	return true;
}

static void
run(struct stage *s, const char *input)
{
	for (int i = 0; i < LINES; i++)
		s->ran[i] = 0;
	*s->returns_n = 0;
	if (!s->calls)
		memset(s->counters, 0, s->n);
	s->run((const uint8_t *)input, (int)strlen(input));
	for (int i = 0; i < LINES; i++)
		s->ever[i] |= s->ran[i];
}

static bool
was_hit(const struct stage *s, uint32_t counter)
{
	if (!s->calls)
		return s->counters[counter] != 0;
	for (unsigned i = 0; i < *s->returns_n; i++)
		if (rounded(s->returns[i]) - s->base ==
			(s->pcs[counter] & ~SOURCE_ENTRY))
			return true;
	return false;
}

/* ---- what the table says ---- */

enum said {
	SAID_MISSED = 1,
	SAID_HIT = 2,
	SAID_UNKNOWN = 4
};

static bool
any(const struct stage *s, const uint8_t *hits, const struct source_set *set)
{
	for (uint32_t i = 0; i < set->n; i++)
		if (hits[s->table.members[set->first + i]] != 0)
			return true;
	return false;
}

static enum said
said_of(const struct stage *s, const uint8_t *hits, uint32_t counter)
{
	const struct source_table *t = &s->table;
	const struct source_block *block;

	if (counter == SOURCE_NONE)
		return SAID_UNKNOWN;
	if (counter < t->locations_n)
		return hits[counter] != 0 ? SAID_HIT : SAID_MISSED;
	block = &t->blocks[counter - t->locations_n];
	if (any(s, hits, &block->hit))
		return SAID_HIT;
	return (block->before.n > 0 && !any(s, hits, &block->before)) ||
			(block->after.n > 0 && !any(s, hits, &block->after))
		? SAID_MISSED
		: SAID_UNKNOWN;
}

static void
check(struct stage *s, const uint8_t *hits, const volatile uint8_t *ran,
	const char *what, const char *input)
{
	unsigned said[LINES] = { 0 };

	for (uint32_t i = 0; i < s->table.rows_n; i++)
		if (s->table.rows[i].line < LINES)
			said[s->table.rows[i].line] |=
				said_of(s, hits, s->table.rows[i].counter);
	for (uint32_t line = 1; line < LINES; line++) {
		if (!s->has_mark[line] || said[line] == 0)
			continue;
		if ((said[line] & SAID_HIT) != 0 && ran[line] == 0)
			fail_msg("%s, \"%s\": line %u was said to be hit", what,
				input, line);
		if (said[line] == SAID_MISSED && ran[line] != 0)
			fail_msg("%s, \"%s\": line %u was said to be missed",
				what, input, line);
		if ((said[line] & SAID_HIT) != 0 || said[line] == SAID_MISSED)
			s->known++;
		else
			s->unknown++;
	}
}

static void
check_all(struct stage *s, const char *what)
{
	uint8_t all[POINTS] = { 0 }, hits[POINTS];

	source_read(&s->table, s->program, "", s->pcs, s->n);
	assert_true(s->table.end.found && s->table.end.debug);
	memset(s->ever, 0, sizeof(s->ever));
	for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++) {
		run(s, inputs[i]);
		for (uint32_t k = 0; k < s->n; k++) {
			hits[k] = was_hit(s, k);
			all[k] |= hits[k];
		}
		check(s, hits, s->ran, what, inputs[i]);
		check(s, all, s->ever, what, "all so far");
	}
}

/* ---- cases ---- */

static int
open_stage(void **state)
{
	static struct stage s;

	memset(&s, 0, sizeof(s));
	snprintf(s.folder, sizeof(s.folder), "/tmp/cfuzz-test-XXXXXX");
	assert_non_null(mkdtemp(s.folder));
	snprintf(s.source, sizeof(s.source), "%s/source.c", s.folder);
	write_source(&s);
	find_marks(&s);
	*state = &s;
	return 0;
}

static int
close_stage(void **state)
{
	struct stage *s = *state;

	unlink(s->source);
	assert_int_equal(rmdir(s->folder), 0);
	return 0;
}

static void
test_truth(void **state)
{
	static const struct {
		const char *compiler, *debug;
	} rows[] = {
		{ "clang", "-g" },
		{ "clang", "-gline-tables-only" },
		{ "gcc", "-g" },
	};
	static const char *const levels[] = { "-O0", "-O1", "-O2", "-Os" };
	static const char *const defines[] = { "-UNOTHING", "-DLEAP" };
	struct stage *s = *state;
	char what[64];

	for (unsigned i = 0; i < 24; i++) {
		const char *compiler = rows[i / 8].compiler;
		const char *debug = rows[i / 8].debug;
		const char *level = levels[i / 2 % 4];
		const char *define = defines[i % 2];

		s->n = 0;
		s->known = s->unknown = 0;
		/* Distinct names: the programs stay loaded until the end. */
		snprintf(s->program, sizeof(s->program), "%s/program%u",
			s->folder, i);
		if (!build(s, compiler, debug, level, define))
			continue;
		snprintf(what, sizeof(what), "%s %s %s %s", compiler, debug,
			level, define);
		check_all(s, what);
		print_message("%s: %zu lines known, %zu not\n", what, s->known,
			s->unknown);
		/* Enough lines must be known. */
		if (s->table.end.ends != 0)
			assert_true(s->known > 2 * s->unknown);
		assert_int_equal(s->table.end.ends, libcapstone_get() != NULL);
		source_table_clear(&s->table);
		dlclose(s->library);
		unlink(s->program);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_truth, open_stage,
			close_stage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
