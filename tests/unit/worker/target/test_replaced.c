/* A target that is built again while it runs. */
#include "worker/target/replaced.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "lib/rows.h"
#include "lib/tree.h"

/* clang-format off */
static const struct row {
	const char *name;
	const char *path, *id; /* path: NULL: the target's */
	const char *from;      /* renamed to the target; NULL: nothing is */
	bool open, gone, replaced;
} ROWS_OF[] = {
	{ "the same", NULL, NULL, NULL, true, false, false },
	{ "another", NULL, NULL, "new", true, false, true },
	{ "another, empty id", NULL, "", "new", true, false, true },
	{ "another, with an id", NULL, "0123", "new", true, false, false },
	{ "another program", "/bin/sh", NULL, "new", true, false, false },
	{ "gone", NULL, NULL, NULL, true, true, true },
	{ "not open", NULL, NULL, "new", false, false, false },
};
/* clang-format on */

static void
test_replaced(void **state)
{
	const struct tree *tree = *state;

	for (size_t i = 0; i < ROWS(ROWS_OF); i++) {
		const struct row *row = &ROWS_OF[i];
		struct target_info target = { .fd = -1 };

		tree_text(tree, "target", "one");
		tree_text(tree, "new", "two");
		snprintf(target.path, sizeof(target.path), "%s",
			tree_path(tree, "target"));
		if (row->open)
			target.fd = open(target.path, O_RDONLY | O_CLOEXEC);
		if (row->from != NULL) {
			char from[PATH_MAX];

			snprintf(from, sizeof(from), "%s",
				tree_path(tree, row->from));
			assert_int_equal(rename(from, target.path), 0);
		}
		if (row->gone)
			assert_int_equal(unlink(target.path), 0);
		row_check(target_is_replaced(&target,
				  row->path != NULL ? row->path : target.path,
				  row->id) == row->replaced,
			"%s", row->name);
		target_info_clear(&target);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_replaced, tree_open,
			tree_close),
	};

	return cmocka_run_group_tests_name("replaced", tests, NULL, NULL);
}
