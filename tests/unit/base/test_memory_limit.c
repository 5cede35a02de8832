/*
 * test_memory_limit: the limits of control groups, from files as the kernel
 * writes them.
 */

#include "base/memory_limit.h"

#include <stdio.h>
#include <string.h>

#include "lib/tree.h"

#define MB (1ull << 20)

struct limit_file {
	const char *name, *text;
};

/* clang-format off */
static const struct limit_row {
	const char *name;
	const char *groups; /* NULL: no such file */
	struct limit_file files[3];
	uint64_t limit;
} LIMITS[] = {
	{ "no control groups", NULL, { { NULL, NULL } }, UINT64_MAX },
	{ "version 2, none", "0::/a\n", { { "a/memory.max", "max\n" } }, UINT64_MAX },
	{ "version 2", "0::/a\n", { { "a/memory.max", "536870912\n" } }, 512 * MB },
	{ "the group around it", "0::/a/b\n", { { "a/memory.max", "536870912\n" }, { "a/b/memory.max", "max\n" } }, 512 * MB },
	{ "the lower of two", "0::/a/b\n", { { "a/memory.max", "536870912\n" }, { "a/b/memory.max", "268435456\n" } }, 256 * MB },
	{ "in a container", "0::/\n", { { "memory.max", "1073741824\n" } }, 1024 * MB },
	{ "the name outside the container", "0::/docker/1f\n", { { "memory.max", "1073741824\n" } }, 1024 * MB },
	{ "a group that is outside", "0::/../../x\n", { { "memory.max", "1073741824\n" } }, 1024 * MB },
	{ "version 1", "9:pids:/\n4:memory:/a\n0::/\n", { { "memory/a/memory.limit_in_bytes", "536870912\n" } }, 512 * MB },
	{ "version 1, none", "4:memory:/\n", { { "memory/memory.limit_in_bytes", "9223372036854771712\n" } }, 9223372036854771712ull },
	{ "version 1, together with others", "4:cpu,memory,pids:/\n", { { "memory/memory.limit_in_bytes", "536870912\n" } }, 512 * MB },
	{ "version 1, of something else", "4:hugememory,memory2:/\n", { { "memory/memory.limit_in_bytes", "1\n" } }, UINT64_MAX },
	{ "not a line of the kernel", "memory\n::\n0:\n", { { "memory.max", "x\n" } }, UINT64_MAX },
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
		limit = memory_limit_groups(groups,
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_machine),
	};

	return cmocka_run_group_tests_name("base/memory_limit", tests, NULL,
		NULL);
}
