/*
 * test_source_pane_lines: lines, frontiers and parts of functions in a program that
 * is built and run; sanitizers must not change them.
 */
#include "ui/views/coverage/source_pane_lines.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/xmalloc.h"
#include "lib/call.h"
#include "symbols/libcapstone.h"
#include "symbols/source_reader.h"

#define POINTS 1024
#define SOURCE "target.c"

/* Runs once, then prints each counter's address, and whether it was hit. */
static const char hooks[] =
	"#include <inttypes.h>\n"
	"#include <stdio.h>\n"
	"#define PLAIN __attribute__((no_sanitize(\"all\")))\n"
	"#define APART __attribute__((noinline))\n"
	"static uint8_t *hits;\n"
	"static const uintptr_t *pcs, *pcs_end;\n"
	"PLAIN void __sanitizer_cov_8bit_counters_init(uint8_t *a, uint8_t *b)\n"
	"{ (void)b; hits = a; }\n"
	"PLAIN void __sanitizer_cov_pcs_init(const uintptr_t *a,\n"
	"	const uintptr_t *b) { pcs = a; pcs_end = b; }\n"
	"static int run(void);\n"
	"static volatile int sink;\n"
	"uint8_t data[] = \"abcdefgh\";\n"
	"PLAIN int main(void) {\n"
	"	sink = run();\n"
	"	for (long i = 0; i < (pcs_end - pcs) / 2; i++)\n"
	"		printf(\"%\" PRIxPTR \" %d %d\\n\", pcs[2 * i],\n"
	"			(int)(pcs[2 * i + 1] & 1), hits[i] != 0);\n"
	"	return 0; }\n"
	"#line 1 \"" SOURCE "\"\n";

/* ">" at the end of a line marks a frontier. */
static const char text[] =
	"static int table[4] = { 1, 2, 3, 4 };\n"
	"APART int apart(int a)\n"
	"{\n"
	"	return a + table[a & 3];\n"
	"}\n"
	"APART int whole(const uint8_t *p, int n)\n"
	"{\n"
	"	int sum = 0;\n"
	"	for (int i = 0; i < n; i++) {\n"
	"		sum += p[i] * table[p[i] & 3];\n"
	"		sum = sum * (p[i] & 1) + 3;\n"
	"	}\n"
	"	return sum;\n"
	"}\n"
	"APART int inside(const uint8_t *p, int n)\n"
	"{\n"
	"	for (int i = 0; i < n; i++) {\n"
	"		if (p[i] == 'x') return -1;\n"
	"		table[i & 3] += p[i];\n"
	"	}\n"
	"	return n;\n"
	"}\n"
	"APART int calls(const uint8_t *p, int n)\n"
	"{\n"
	"	if (p[0] == 'x') return whole(p, n);/*>*/\n"
	"	if (p[1] == 'x')/*>*/\n"
	"		return apart(p[2]);\n"
	"	return n;\n"
	"}\n"
	"static int run(void)\n"
	"{\n"
	"	extern uint8_t data[]; /* no constant */\n"
	"	return apart(1) + whole(data, 8) + whole(data, 0) +\n"
	"		inside(data, 8) + calls(data, 8);\n"
	"}\n";

struct stage {
	char folder[64], program[128], source[128];
	struct coverage_map map;
	struct source_pane pane;
};

static bool
build(struct stage *s, const char *level, const char *sanitizers,
	const char *recover)
{
	const char *const words[] = { "clang", "-g", level, "-w", "-no-pie",
		sanitizers, recover,
		"-fsanitize-coverage=inline-8bit-counters,pc-table", "-o",
		s->program, s->source, NULL };
	FILE *file = fopen(s->source, "w");

	assert_non_null(file);
	assert_true(fputs(hooks, file) >= 0 && fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
	return call(words);
}

/* As in the console: the map from the engine, the table from the helper. */
static void
run(struct stage *s)
{
	uint64_t pcs[POINTS], at;
	uint8_t hits[POINTS];
	struct source_table table = { 0 };
	struct reply_coverage *c;
	struct query query = { .kind = QUERY_COVERAGE };
	struct reply reply = { .kind = QUERY_COVERAGE };
	int entry, hit;
	uint32_t n = 0;
	FILE *out = popen(s->program, "r");

	assert_non_null(out);
	for (; fscanf(out, "%" SCNx64 " %d %d", &at, &entry, &hit) == 3; n++) {
		assert_true(n < POINTS);
		pcs[n] = at | (entry != 0 ? SOURCE_ENTRY : 0);
		hits[n] = (uint8_t)hit;
	}
	assert_int_equal(pclose(out), 0);
	assert_true(n > 0);
	c = &reply.coverage;
	c->counters = n;
	c->revision = 1;
	c->whole = true;
	c->mask.data = hits;
	c->mask.len = n;
	coverage_map_reply(&s->map, &query, &reply);
	s->map.modules_n = 1;
	s->map.modules[0].n = n;
	source_read(&table, s->program, "", pcs, n);
	assert_true(table.end.debug != 0);
	coverage_map_name(&s->map, &s->map.modules[0], &table, NULL);
}

static const struct coverage_sum *
sum_of(const struct stage *s, const char *name)
{
	const struct coverage_module *m = &s->map.modules[0];

	for (uint32_t i = 0; i < m->table.functions_n; i++)
		if (strcmp(m->table.functions[i].name, name) == 0)
			return &m->functions[i];
	fail_msg("no %s()", name);
	return NULL;
}

static void
open_pane(struct stage *s)
{
	const struct source_table *t = &s->map.modules[0].table;

	for (uint32_t i = 0; i < t->files_n; i++)
		if (strstr(t->files[i].path, SOURCE) != NULL)
			s->pane.index = i;
	s->pane.open = true;
	source_lines_make(&s->pane, &s->map);
}

static void
check(struct stage *s, const char *what)
{
	static const char *const wholes[] = { "apart", "whole" };
	const char *line = text, *end;

	for (size_t i = 0; i < 2; i++)
		if (sum_of(s, wholes[i])->hit != sum_of(s, wholes[i])->total)
			fail_msg("%s: %s() %u of %u", what, wholes[i],
				sum_of(s, wholes[i])->hit,
				sum_of(s, wholes[i])->total);
	open_pane(s);
	for (uint32_t i = 1; (end = strchr(line, '\n')) != NULL; i++) {
		const struct source_line *mark = source_lines_at(&s->pane, i);
		bool want = memcmp(end - 5, "/*>*/", 5) == 0;

		if (want != (mark != NULL && mark->frontier))
			fail_msg("%s: line %u: %s", what, i,
				want ? "no frontier" : "a frontier");
		line = end + 1;
		if (*line == '\0')
			break;
	}
}

static void
test_own_code(void **state)
{
	static const char *const levels[] = { "-O0", "-O1" };
	static const char *const sanitizers[][2] = {
		{ "-fno-sanitize=all", "-fno-sanitize-recover=all" },
		{ "-fsanitize=address,undefined", "-fno-sanitize-recover=all" },
		{ "-fsanitize=undefined", "-fsanitize-recover=all" },
		{ "-fsanitize=address", "-fsanitize-recover=address" },
	};
	char what[96];

	if (libcapstone_get() == NULL)
		skip();
	for (unsigned i = 0; i < 8; i++) {
		struct stage s = { .folder = "/tmp/cfuzz-test-XXXXXX" };
		bool built;

		assert_non_null(mkdtemp(s.folder));
		snprintf(s.source, sizeof(s.source), "%s/s.c", s.folder);
		snprintf(s.program, sizeof(s.program), "%s/program", s.folder);
		snprintf(what, sizeof(what), "%s %s %s", levels[i % 2],
			sanitizers[i / 2][0], sanitizers[i / 2][1]);
		built = build(&s, levels[i % 2], sanitizers[i / 2][0],
			sanitizers[i / 2][1]);
		if (built)
			run(&s);
		unlink(s.source);
		unlink(s.program);
		assert_int_equal(rmdir(s.folder), 0);
		if (built)
			check(&s, what);
		else
			print_message("%s: cannot be built\n", what);
		source_pane_close(&s.pane);
		coverage_map_clear(&s.map);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_own_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
