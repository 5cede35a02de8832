/*
 * test_control_group: the limits of control groups, from files as the kernel
 * writes them, and how that of processes is told.
 */

#include "shared/control_group.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "base/memory_limit.h"
#include "lib/tree.h"
#include "shared/process_limit.h"

#define MB (1ull << 20)

struct limit_file {
	const char *name, *text;
};

/* clang-format off */
static const struct limit_row {
	const char *name;
	enum control_group_kind kind;
	const char *groups; /* NULL: no such file */
	struct limit_file files[3];
	uint64_t limit;
} LIMITS[] = {
	{ "no control groups", CONTROL_GROUP_MEMORY, NULL, { { NULL, NULL } }, UINT64_MAX },
	{ "version 2, none", CONTROL_GROUP_MEMORY, "0::/a\n", { { "a/memory.max", "max\n" } }, UINT64_MAX },
	{ "version 2", CONTROL_GROUP_MEMORY, "0::/a\n", { { "a/memory.max", "536870912\n" } }, 512 * MB },
	{ "the group around it", CONTROL_GROUP_MEMORY, "0::/a/b\n", { { "a/memory.max", "536870912\n" }, { "a/b/memory.max", "max\n" } }, 512 * MB },
	{ "the lower of two", CONTROL_GROUP_MEMORY, "0::/a/b\n", { { "a/memory.max", "536870912\n" }, { "a/b/memory.max", "268435456\n" } }, 256 * MB },
	{ "in a container", CONTROL_GROUP_MEMORY, "0::/\n", { { "memory.max", "1073741824\n" } }, 1024 * MB },
	{ "the name outside the container", CONTROL_GROUP_MEMORY, "0::/docker/1f\n", { { "memory.max", "1073741824\n" } }, 1024 * MB },
	{ "a group that is outside", CONTROL_GROUP_MEMORY, "0::/../../x\n", { { "memory.max", "1073741824\n" } }, 1024 * MB },
	{ "version 1", CONTROL_GROUP_MEMORY, "9:pids:/\n4:memory:/a\n0::/\n", { { "memory/a/memory.limit_in_bytes", "536870912\n" } }, 512 * MB },
	{ "version 1, none", CONTROL_GROUP_MEMORY, "4:memory:/\n", { { "memory/memory.limit_in_bytes", "9223372036854771712\n" } }, 9223372036854771712ull },
	{ "version 1, together with others", CONTROL_GROUP_MEMORY, "4:cpu,memory,pids:/\n", { { "memory/memory.limit_in_bytes", "536870912\n" } }, 512 * MB },
	{ "version 1, of something else", CONTROL_GROUP_MEMORY, "4:hugememory,memory2:/\n", { { "memory/memory.limit_in_bytes", "1\n" } }, UINT64_MAX },
	{ "not a line of the kernel", CONTROL_GROUP_MEMORY, "memory\n::\n0:\n", { { "memory.max", "x\n" } }, UINT64_MAX },
	{ "processes", CONTROL_GROUP_PROCESSES, "0::/a\n", { { "a/pids.max", "8\n" }, { "a/memory.max", "9\n" } }, 8 },
	{ "processes, of the group around it", CONTROL_GROUP_PROCESSES, "0::/a/b\n", { { "a/pids.max", "8\n" }, { "a/b/pids.max", "max\n" } }, 8 },
	{ "processes, none", CONTROL_GROUP_PROCESSES, "0::/a\n", { { "a/memory.max", "9\n" } }, UINT64_MAX },
	{ "processes, version 1", CONTROL_GROUP_PROCESSES, "9:pids:/a\n4:memory:/a\n0::/\n", { { "pids/a/pids.max", "8\n" } }, 8 },
};
/* clang-format on */

static void
make_file(const struct tree *tree, const struct limit_file *file)
{
	char folder[64] = "";
	const char *slash;

	for (slash = strchr(file->name, '/'); slash != NULL;
		slash = strchr(slash + 1, '/')) {
		snprintf(folder, sizeof(folder), "%.*s",
			(int)(slash - file->name), file->name);
		if (!tree_has(tree, folder))
			tree_folder(tree, folder);
	}
	tree_text(tree, file->name, file->text);
}

static void
test_groups(void **state)
{
	const struct limit_row *row;
	char groups[96];
	uint64_t limit;
	void *tree;
	size_t i;

	for (row = LIMITS; row < LIMITS + ROWS(LIMITS); row++) {
		assert_int_equal(tree_open(&tree), 0);
		if (row->groups != NULL)
			tree_text(tree, "groups", row->groups);
		for (i = 0; i < ROWS(row->files); i++)
			if (row->files[i].name != NULL)
				make_file(tree, &row->files[i]);
		snprintf(groups, sizeof(groups), "%s/groups",
			((struct tree *)tree)->path);
		limit = control_group_limit(row->kind, groups,
			((struct tree *)tree)->path);
		row_check(limit == row->limit, "%s: %llu", row->name,
			(unsigned long long)limit);
		tree_close(&tree);
	}
}

/* Whatever the groups are, it is no more than the machine has. */
static void
test_machine(void **state)
{
	assert_true(memory_limit() > 0);
	assert_true(memory_limit() < 1ull << 50);
}

/* The lower limit of processes is the one to raise. */
static void
test_processes(void **state)
{
	static const struct {
		rlim_t user;
		uint64_t group;
		const char *text; /* NULL: there is no limit */
	} rows[] = {
		{ 5, UINT64_MAX, "`ulimit -u` is 5" },
		{ 5, 8, "`ulimit -u` is 5" },
		{ 5, 5, "`ulimit -u` is 5" },
		{ 5, 4, "`pids.max` of the control group is 4" },
		{ RLIM_INFINITY, 8, "`pids.max` of the control group is 8" },
		{ RLIM_INFINITY, UINT64_MAX, NULL },
	};
	struct rlimit before, limit;
	char text[80];

	assert_int_equal(getrlimit(RLIMIT_NPROC, &before), 0);
	for (size_t i = 0; i < ROWS(rows); i++) {
		if (rows[i].user > before.rlim_max)
			continue; /* this machine allows fewer */
		limit = before;
		limit.rlim_cur = rows[i].user;
		assert_int_equal(setrlimit(RLIMIT_NPROC, &limit), 0);
		row_check(process_limit_text(rows[i].group, text,
				  sizeof(text)) == (rows[i].text != NULL),
			"row %zu: %s", i, text);
		row_check(rows[i].text == NULL ||
				strcmp(text, rows[i].text) == 0,
			"row %zu: %s", i, text);
	}
	assert_int_equal(setrlimit(RLIMIT_NPROC, &before), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_machine),
		cmocka_unit_test(test_processes),
	};

	return cmocka_run_group_tests_name("shared/control_group", tests, NULL,
		NULL);
}
