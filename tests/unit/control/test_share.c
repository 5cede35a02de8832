/*
 * test_share: names and numbers of groups, and the folder that keeps a group
 * out.
 */
#include "control/share.h"

#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "control/peer.h"
#include "lib/rows.h"

#define FOREIGN 4123456

static void
test_group(void **state)
{
	static const struct {
		const char *name, *error;
	} bad[] = {
		{ "no such group", "there is no group no such group" },
		{ "\033[2J", "there is no group" },
		{ "12x", "there is no group 12x" },
		{ "-1", "there is no group -1" },
		{ "4294967295", "there is no group" }, /* PEER_NO_GROUP */
		{ "99999999999999999999999", "there is no group" },
	};
	const struct group *own = getgrgid(getegid());
	struct error err = { 0 };
	char number[32];
	gid_t group = 5;

	assert_int_equal(share_find_group("", &group, &err), OK);
	assert_int_equal(group, PEER_NO_GROUP);
	for (size_t i = 0; i < ROWS(bad); i++) {
		error_clear(&err);
		row_check(share_find_group(bad[i].name, &group, &err) ==
				E_USAGE,
			"%s", bad[i].name);
		row_check(strstr(err.text, bad[i].error) != NULL, "%s",
			err.text);
		row_check(strchr(err.text, '\033') == NULL, "%s", bad[i].name);
	}
	snprintf(number, sizeof(number), "%u", (unsigned)getegid());
	assert_int_equal(share_find_group(number, &group, &err), OK);
	assert_int_equal(group, getegid());
	if (own != NULL) {
		snprintf(number, sizeof(number), "%s", own->gr_name);
		assert_int_equal(share_find_group(number, &group, &err), OK);
		assert_int_equal(group, getegid());
	}
}

/* Root may give files to any group. */
static void
test_not_a_member(void **state)
{
	struct error err = { 0 };
	char number[32];
	gid_t group;

	snprintf(number, sizeof(number), "%u", FOREIGN);
	if (geteuid() == 0) {
		assert_int_equal(share_find_group(number, &group, &err), OK);
		assert_int_equal(group, FOREIGN);
	} else {
		assert_int_equal(share_find_group(number, &group, &err),
			E_USAGE);
		assert_non_null(strstr(err.text, "you are not in the group"));
	}
}

static void
test_obstacle(void **state)
{
	static const struct {
		const char *name;
		mode_t mode;
		bool by_group, found;
	} rows[] = {
		{ "open", 0711, false, false },
		{ "shut to others", 0710, false, true },
		{ "open to the group", 0710, true, false },
		{ "open to others alone", 0701, true, true },
		{ "shut", 0700, true, true },
	};
	char root[] = "/tmp/cfuzz-test-share-XXXXXX", outer[64], inner[80];
	char folder[256];

	assert_non_null(mkdtemp(root));
	assert_int_equal(chmod(root, 0711), 0);
	snprintf(outer, sizeof(outer), "%s/outer", root);
	snprintf(inner, sizeof(inner), "%s/out", outer);
	assert_int_equal(mkdir(outer, 0700), 0);
	assert_int_equal(mkdir(inner, 0700), 0);
	for (size_t i = 0; i < ROWS(rows); i++) {
		gid_t group = rows[i].by_group ? getegid() : FOREIGN;
		bool by_group = !rows[i].by_group;

		assert_int_equal(chmod(outer, rows[i].mode), 0);
		/* The last folder is ours to open. */
		row_check(share_find_obstacle(inner, group, folder,
				  sizeof(folder), &by_group) == rows[i].found,
			"%s", rows[i].name);
		if (!rows[i].found)
			continue;
		row_check(strcmp(folder, outer) == 0, "%s", folder);
		row_check(by_group == rows[i].by_group, "%s", rows[i].name);
	}
	assert_false(share_find_obstacle("/nowhere/at all", FOREIGN, folder,
		sizeof(folder), &(bool){ false }));
	rmdir(inner);
	rmdir(outer);
	rmdir(root);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_group),
		cmocka_unit_test(test_not_a_member),
		cmocka_unit_test(test_obstacle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
