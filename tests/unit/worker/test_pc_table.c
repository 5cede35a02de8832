#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "worker/pc_table.h"

#define S 1000000000ull

static const struct target_info PROGRAM = {
	.path = "/bin/target",
	.name = "target",
	.id = "0123",
	.has_build_id = true,
};

static struct pc_table_head
head_of(uint32_t n, const char *path)
{
	struct pc_table_head head = { .n = n,
		.id_len = 2,
		.id = { 0xab, 0x0c } };

	snprintf(head.path, sizeof(head.path), "%s", path);
	return head;
}

static int
set_up(void **state)
{
	*state = calloc(1, sizeof(struct pc_table));
	return *state == NULL;
}

static int
tear_down(void **state)
{
	pc_table_clear(*state);
	free(*state);
	return 0;
}

static void
test_modules(void **state)
{
	struct pc_table *p = *state;

	pc_table_add(p, 1, 10, 0);
	pc_table_add(p, 1, 10, 0); /* known */
	pc_table_add(p, MEMORY_VALUE_PROFILE_KEY, 100, 10);
	pc_table_add(p, MEMORY_NO_MODULE_KEY, 100, 10);
	pc_table_add(p, 2, 0, 110);
	pc_table_add(p, 3, 5, UINT32_MAX); /* has no room */
	pc_table_add(p, 4, 5, 110);
	assert_int_equal(p->n, 2);
	assert_ptr_equal(pc_table_find(p, 0), &p->modules[0]);
	assert_ptr_equal(pc_table_find(p, 9), &p->modules[0]);
	assert_null(pc_table_find(p, 10));
	assert_ptr_equal(pc_table_find(p, 114), &p->modules[1]);
	assert_null(pc_table_find(p, 115));
	assert_null(pc_table_find(p, UINT32_MAX));
	for (uint32_t i = 0; i < 2 * PC_TABLE_MODULES_MAX; i++)
		pc_table_add(p, 100 + i, 1, 200 + i);
	assert_int_equal(p->n, PC_TABLE_MODULES_MAX);
}

/* Takes the table in pieces; invalid addresses become 0. */
static void
test_pieces(void **state)
{
	static const uint64_t FIRST[] = { 0x1000 | TABLE_ENTRY, 0x1010, 0 };
	static const uint64_t SECOND[] = { TABLE_ENTRY, UINT64_MAX,
		0x2000 | TABLE_ENTRY, 0x3000 };
	struct pc_table_head head = head_of(3, "");
	struct pc_table *p = *state;
	struct pc_table_module *m;

	pc_table_add(p, 1, 6, 8);
	assert_true(pc_table_outstanding(p));
	assert_int_equal(pc_table_number(p, 8), 0);
	m = pc_table_next(p, S);
	assert_non_null(m);
	assert_null(pc_table_next(p, S));
	assert_true(pc_table_outstanding(p));
	pc_table_take(m, 0, &head, FIRST, &PROGRAM, NULL, S);
	assert_int_equal(m->known, 3);
	assert_ptr_equal(pc_table_next(p, S), m);
	/* More than the module has: cut. */
	head.n = 4;
	pc_table_take(m, 3, &head, SECOND, &PROGRAM, NULL, S);
	assert_int_equal(m->state, PC_TABLE_KNOWN);
	assert_false(pc_table_outstanding(p));
	assert_null(pc_table_next(p, S));
	assert_int_equal(m->known, 6);
	assert_int_equal(m->functions, 2);
	assert_true(pc_table_number(p, 8) == FIRST[0]);
	assert_true(pc_table_number(p, 9) == FIRST[1]);
	for (uint32_t i = 10; i < 13; i++)
		assert_int_equal(pc_table_number(p, i), 0);
	assert_true(pc_table_number(p, 13) == SECOND[2]);
	assert_int_equal(pc_table_number(p, 14), 0);
	assert_int_equal(pc_table_number(p, 7), 0);
	/* Not requested. */
	pc_table_take(m, 6, &head, SECOND, &PROGRAM, NULL, S);
	assert_int_equal(m->known, 6);
}

/* clang-format off */
static const struct file_case {
	const char *told, *folder, *path, *id;
} FILE_CASES[] = {
	{ "", NULL, "/bin/target", "0123" },
	{ "/lib/x.so", "/f", "/lib/x.so", "ab0c" },
	{ "/lib/\x1b[31m", NULL, "/lib/\x1b[31m", "ab0c" },
	{ "x.so", NULL, "?/x.so", "ab0c" },
	{ "x.so", "/f", "/f/x.so", "ab0c" },
};
/* clang-format on */

static void
test_files(void **state)
{
	struct pc_table *p = *state;
	char *here = getcwd(NULL, 0), want[8192];

	for (uint32_t i = 0; i < sizeof(FILE_CASES) / sizeof(*FILE_CASES);
		i++) {
		const struct file_case *row = &FILE_CASES[i];
		struct pc_table_head head = head_of(1, row->told);
		uint64_t number = 7;

		pc_table_add(p, i, 1, i);
		pc_table_take(pc_table_next(p, S), 0, &head, &number, &PROGRAM,
			row->folder, S);
		snprintf(want, sizeof(want), "%s%s",
			row->path[0] == '?' ? here : "",
			row->path + (row->path[0] == '?'));
		assert_string_equal(p->modules[i].path, want);
		assert_string_equal(p->modules[i].id, row->id);
	}
	free(here);
}

/* A worker without an answer is asked again, ever less often, then no more. */
static void
test_gives_up(void **state)
{
	struct pc_table_head none = head_of(0, "");
	struct pc_table *p = *state;
	struct pc_table_module *m = &p->modules[0];
	uint64_t now = S, number = 1;
	unsigned asked = 0;

	pc_table_add(p, 1, 6, 0);
	for (; now < 1000 * S; now += S / 10) {
		if (pc_table_next(p, now) == NULL)
			continue;
		pc_table_take(m, 0, asked % 2 ? NULL : &none, &number, &PROGRAM,
			NULL, now);
		assert_false(pc_table_outstanding(p));
		asked++;
	}
	assert_int_equal(m->state, PC_TABLE_NONE);
	assert_in_range(asked, 5, 50);
	assert_null(m->path);
}

/* One that may know it is asked at once, unless it is asked for already. */
static void
test_ask(void **state)
{
	struct pc_table_head head = head_of(1, "");
	struct pc_table *p = *state;
	struct pc_table_module *m = &p->modules[0];
	uint64_t number = 1;

	pc_table_add(p, 1, 1, 0);
	pc_table_take(pc_table_next(p, S), 0, NULL, &number, &PROGRAM, NULL, S);
	assert_null(pc_table_next(p, S));
	assert_true(pc_table_ask(m));
	assert_true(pc_table_outstanding(p));
	assert_false(pc_table_ask(m));
	pc_table_take(m, 0, &head, &number, &PROGRAM, NULL, S);
	assert_int_equal(m->state, PC_TABLE_KNOWN);
	assert_false(pc_table_ask(m));
}

/* An answer that does not fit the request is ignored. */
static void
test_wrong_piece(void **state)
{
	struct pc_table_head head = head_of(2, "");
	static const uint64_t NUMBERS[] = { 1, 2 };
	struct pc_table *p = *state;
	struct pc_table_module *m;

	pc_table_add(p, 1, 6, 0);
	m = pc_table_next(p, S);
	pc_table_take(m, 2, &head, NUMBERS, &PROGRAM, NULL, S);
	assert_int_equal(m->known, 0);
	assert_int_equal(m->state, PC_TABLE_WANTED);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_modules),
		CASE(test_pieces),
		CASE(test_files),
		CASE(test_gives_up),
		CASE(test_ask),
		CASE(test_wrong_piece),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
