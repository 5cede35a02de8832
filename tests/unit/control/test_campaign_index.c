/*
 * The index of campaigns: what is added is listed, what is gone is not, and a
 * folder of somebody else is not trusted.
 *
 * FLAGS: -Wl,--wrap=geteuid
 */
#include "control/campaign_index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "control/endpoint.h"
#include "control/peer.h"
#include "lib/rows.h"

#define PATH_SIZE 256

static uid_t somebody; /* whom geteuid() gives instead of us; 0: us */

uid_t __real_geteuid(void);
uid_t __wrap_geteuid(void);

uid_t
__wrap_geteuid(void)
{
	return somebody != 0 ? somebody : __real_geteuid();
}

struct place {
	char root[PATH_SIZE], one[PATH_SIZE], two[PATH_SIZE], list[PATH_SIZE];
};

static int
place_open(void **state)
{
	struct place *p = calloc(1, sizeof(*p));

	strcpy(p->root, "/tmp/cfuzz-test-index-XXXXXX");
	if (mkdtemp(p->root) == NULL)
		return 1;
	snprintf(p->one, PATH_SIZE, "%.100s/one", p->root);
	snprintf(p->two, PATH_SIZE, "%.100s/two", p->root);
	snprintf(p->list, PATH_SIZE, "%.100s/cfuzz", p->root);
	setenv("XDG_RUNTIME_DIR", p->root, 1);
	*state = p;
	return mkdir(p->one, 0700) != 0 || mkdir(p->two, 0700) != 0;
}

static int
place_close(void **state)
{
	struct place *p = *state;
	char command[PATH_SIZE + 16];
	int status;

	snprintf(command, sizeof(command), "rm -rf '%s'", p->root);
	status = system(command);
	free(p);
	somebody = 0;
	return status;
}

/* Each path of the list, with a newline. */
static void
check_list(const char *expected)
{
	struct campaign_index index;
	struct error err = { 0 };
	char text[4 * PATH_SIZE] = "";

	assert_int_equal(campaign_index_read(&index, &err), OK);
	for (size_t i = 0; i < index.n; i++) {
		assert_true(index.items[i].since > 0);
		strcat(strcat(text, strrchr(index.items[i].output, '/') + 1),
			"\n");
	}
	assert_string_equal(text, expected);
	campaign_index_clear(&index);
}

static void
test_list(void **state)
{
	const struct place *p = *state;
	struct error err = { 0 };
	char other[2 * PATH_SIZE];

	check_list("");
	assert_int_equal(campaign_index_add("/nowhere/out", &err), E_IO);
	assert_int_equal(campaign_index_add(p->one, &err), OK);
	assert_int_equal(campaign_index_add(p->one, &err), OK);
	check_list("one\n");
	assert_int_equal(campaign_index_add(p->two, &err), OK);
	assert_int_equal(rmdir(p->one), 0);
	check_list("two\n");
	snprintf(other, sizeof(other), "%s/relative", p->list);
	assert_int_equal(symlink("two", other), 0);
	campaign_index_sweep();
	assert_int_equal(access(other, F_OK), -1);
	assert_int_equal(symlink("two", other), 0);
	check_list("two\n");
	assert_int_equal(access(other, F_OK), -1);
}

static void
test_not_ours(void **state)
{
	const struct place *p = *state;
	struct campaign_index index;
	struct error err = { 0 };

	assert_int_equal(mkdir(p->list, 0700), 0);
	assert_int_equal(chmod(p->list, 0770), 0);
	assert_int_equal(campaign_index_read(&index, &err), E_USAGE);
	assert_non_null(strstr(err.text, "is not yours alone"));
	error_clear(&err);
	assert_int_equal(campaign_index_add(p->one, &err), E_USAGE);
	assert_int_equal(rmdir(p->list), 0);
	assert_int_equal(symlink("two", p->list), 0);
	error_clear(&err);
	assert_int_not_equal(campaign_index_read(&index, &err), OK);
	setenv("XDG_RUNTIME_DIR", "/nowhere", 1);
	error_clear(&err);
	assert_int_equal(campaign_index_read(&index, &err), OK);
	assert_int_equal(index.n, 0);
}

/* The files of an output directory that has this name, say. */
static void
test_other_files(void **state)
{
	const struct place *p = *state;
	struct error err = { 0 };
	char file[2 * PATH_SIZE];

	assert_int_equal(campaign_index_add(p->one, &err), OK);
	snprintf(file, sizeof(file), "%s/stats.json", p->list);
	fclose(fopen(file, "w"));
	check_list("one\n");
	assert_int_equal(access(file, F_OK), 0);
}

/*
 * Without a folder of the session, the name in /tmp is known to all users: it may
 * be a folder of another one, which ours is to somebody, or a link. Our own files
 * stay, behind the link, too.
 */
static void
test_in_tmp(void **state)
{
	const struct place *p = *state;
	struct campaign_index index;
	struct error err = { 0 };
	char path[64], file[2 * PATH_SIZE];

	unsetenv("XDG_RUNTIME_DIR");
	/* A number that no user has, as those of processes are much smaller. */
	somebody = 0x70000000u + (uid_t)getpid();
	snprintf(path, sizeof(path), "/tmp/cfuzz-%u", (unsigned)somebody);
	assert_int_equal(campaign_index_read(&index, &err), OK);
	assert_int_equal(index.n, 0);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(campaign_index_read(&index, &err), E_USAGE);
	assert_non_null(strstr(err.text, path));
	assert_non_null(strstr(err.text, "is not yours alone"));
	error_clear(&err);
	assert_int_equal(campaign_index_add(p->one, &err), E_USAGE);
	assert_int_equal(rmdir(path), 0); /* it is empty */

	snprintf(file, sizeof(file), "%s/link", p->two);
	assert_int_equal(symlink("nowhere", file), 0);
	assert_int_equal(symlink(p->two, path), 0);
	error_clear(&err);
	assert_int_equal(campaign_index_read(&index, &err), E_IO);
	error_clear(&err);
	assert_int_equal(campaign_index_add(p->one, &err), E_IO);
	somebody = 0;
	assert_int_equal(unlink(path), 0);
	assert_int_equal(unlink(file), 0);
	assert_int_equal(rmdir(p->two), 0); /* nothing was added */
}

static void
test_connect(void **state)
{
	const struct place *p = *state;
	struct error err = { 0 };
	int first, second, fd;
	char *output;

	assert_int_equal(campaign_index_add(p->one, &err), OK);
	assert_int_equal(campaign_index_add(p->two, &err), OK);
	assert_int_equal(campaign_index_connect(&output, &fd, &err),
		E_NOT_FOUND);
	error_clear(&err);
	assert_int_equal(endpoint_listen(p->one, PEER_NO_GROUP, &first, &err),
		OK);
	assert_int_equal(campaign_index_connect(&output, &fd, &err), OK);
	assert_string_equal(output, p->one);
	fd_close(&fd);
	free(output);
	assert_int_equal(endpoint_listen(p->two, PEER_NO_GROUP, &second, &err),
		OK);
	assert_int_equal(campaign_index_connect(&output, &fd, &err), E_USAGE);
	assert_null(output);
	assert_int_equal(fd, -1);
	assert_non_null(strstr(err.text, p->one));
	assert_non_null(strstr(err.text, p->two));
	fd_close(&first);
	fd_close(&second);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_list, place_open,
			place_close),
		cmocka_unit_test_setup_teardown(test_not_ours, place_open,
			place_close),
		cmocka_unit_test_setup_teardown(test_other_files, place_open,
			place_close),
		cmocka_unit_test_setup_teardown(test_in_tmp, place_open,
			place_close),
		cmocka_unit_test_setup_teardown(test_connect, place_open,
			place_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
