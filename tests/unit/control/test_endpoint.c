/*
 * test_endpoint: the control socket of an output directory: connected to in
 * short and long paths, in place of an old one, and not there.
 */
#include "control/endpoint.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/text.h"
#include "control/peer.h"
#include "lib/files.h"
#include "lib/rows.h"

#define PATH_SIZE 1024

static void
make_folder(char path[PATH_SIZE], size_t depth)
{
	snprintf(path, PATH_SIZE, "/tmp/cfuzz-test-endpoint-XXXXXX");
	assert_non_null(mkdtemp(path));
	for (size_t i = 0; i < depth; i++) {
		strcat(path, "/a_folder_with_a_long_name");
		assert_int_equal(mkdir(path, 0700), 0);
	}
}

static void
remove_folder(char *path)
{
	char *slash;

	while (rmdir(path) == 0 && (slash = strrchr(path, '/')) > path + 4)
		*slash = '\0';
}

static void
test_connect(void **state)
{
	static const size_t depths[] = { 0, 8 };
	struct error err = { 0 };
	char path[PATH_SIZE];

	for (size_t i = 0; i < ROWS(depths); i++) {
		int listening, old, connected, accepted;
		struct peer peer;

		make_folder(path, depths[i]);
		assert_int_equal(endpoint_listen(path, PEER_NO_GROUP, &old,
					 &err),
			OK);
		assert_int_equal(endpoint_listen(path, PEER_NO_GROUP,
					 &listening, &err),
			OK);
		assert_int_equal(endpoint_connect(path, &connected, &err), OK);
		accepted = accept(listening, NULL, NULL);
		assert_true(accepted >= 0);
		assert_int_equal(peer_read(accepted, &peer, &err), OK);
		assert_int_equal(peer.uid, geteuid());
		peer_clear(&peer);
		fd_close(&accepted);
		fd_close(&connected);
		fd_close(&listening);
		fd_close(&old);
		assert_int_equal(endpoint_connect(path, &connected, &err),
			E_NOT_FOUND);
		endpoint_remove(path);
		assert_int_equal(endpoint_connect(path, &connected, &err),
			E_NOT_FOUND);
		assert_int_equal(connected, -1);
		assert_non_null(strstr(err.text, "no campaign runs in /tmp/"));
		remove_folder(path);
	}
}

/* A stopped engine accepts nobody: nobody waits for it. */
static void
test_stopped(void **state)
{
	int listening, fds[256];
	enum status status = OK;
	struct error err = { 0 };
	char path[PATH_SIZE];
	size_t n = 0;

	make_folder(path, 0);
	assert_int_equal(endpoint_listen(path, PEER_NO_GROUP, &listening, &err),
		OK);
	while (n < ROWS(fds) && status == OK)
		status = endpoint_connect(path, &fds[n++], &err);
	assert_int_equal(status, E_BUSY);
	assert_non_null(strstr(err.text, "does not answer"));
	/* It is there, so its socket is not removed. */
	endpoint_remove(path);
	assert_int_equal(endpoint_connect(path, &fds[0], &err), E_BUSY);
	while (n > 0)
		fd_close(&fds[--n]);
	fd_close(&listening);
	endpoint_remove(path);
	remove_folder(path);
	assert_int_equal(access(path, F_OK), -1);
}

/* The engine of another campaign, in place of a folder that was moved. */
static void
test_another_engine(void **state)
{
	struct error err = { 0 };
	char path[PATH_SIZE];
	int listening, fd;

	make_folder(path, 0);
	assert_int_equal(endpoint_listen(path, PEER_NO_GROUP, &listening, &err),
		OK);
	endpoint_remove(path);
	assert_int_equal(endpoint_connect(path, &fd, &err), OK);
	assert_false(fcntl(fd, F_GETFL) & O_NONBLOCK);
	fd_close(&fd);
	fd_close(&listening);
	endpoint_remove(path);
	remove_folder(path);
}

static void
test_no_folder(void **state)
{
	struct error err = { 0 };
	int fd;

	assert_int_equal(endpoint_connect("/tmp/cfuzz-test-no\n-folder", &fd,
				 &err),
		E_NOT_FOUND);
	assert_null(strchr(err.text, '\n'));
	assert_int_equal(endpoint_listen("/dev/null", PEER_NO_GROUP, &fd, &err),
		E_NOT_FOUND);
	assert_int_equal(fd, -1);
	endpoint_remove("/dev/null");
}

/* An engine that is gone may leave a connection that it has not accepted. */
static void
test_greeted(void **state)
{
	struct error err = { 0 };
	char path[PATH_SIZE];
	int listening, silent, greeted, accepted;

	make_folder(path, 0);
	assert_int_equal(endpoint_listen(path, PEER_NO_GROUP, &listening, &err),
		OK);
	assert_int_equal(endpoint_connect(path, &greeted, &err), OK);
	accepted = accept(listening, NULL, NULL);
	assert_int_equal(write(accepted, "{", 1), 1);
	assert_true(endpoint_is_greeted(greeted, 60000));
	assert_int_equal(endpoint_connect(path, &silent, &err), OK);
	assert_true(endpoint_is_greeted(silent, 1)); /* it is busy */
	fd_close(&listening);
	assert_false(endpoint_is_greeted(silent, 60000));
	fd_close(&silent);
	fd_close(&accepted);
	fd_close(&greeted);
	endpoint_remove(path);
	remove_folder(path);
}

/* "the campaign goes on: cfuzz attach ...": never with a path that is cut. */
static void
test_come_back(void **state)
{
	static const struct {
		const char *name;
		size_t depth; /* folders of 26 bytes */
		bool absolute;
	} cases[] = {
		{ "in a short path", 1, true },
		{ "in a path with room for nothing more", 35, true },
		{ "in a path that is too long", 36, false },
	};
	char path[PATH_SIZE], line[ENDPOINT_LINE_SIZE];
	int back = open(".", O_RDONLY | O_DIRECTORY);

	for (size_t i = 0; i < ROWS(cases); i++) {
		make_folder(path, cases[i].depth);
		assert_int_equal(chdir(path), 0);
		endpoint_come_back(".", line, sizeof(line));
		assert_int_equal(fchdir(back), 0);
		if (strstr(line, cases[i].absolute ? path : "attach .") == NULL)
			fail_msg("%s: %s", cases[i].name, line);
		remove_folder(path);
	}
	fd_close(&back);
}

static void
test_user_name(void **state)
{
	char name[ENDPOINT_USER_SIZE];

	endpoint_user_name(0, name);
	assert_string_equal(name, "root");
	endpoint_user_name(3999999999u, name);
	assert_string_equal(name, "3999999999");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_connect),
		cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_another_engine),
		cmocka_unit_test(test_no_folder),
		cmocka_unit_test(test_greeted),
		cmocka_unit_test(test_come_back),
		cmocka_unit_test(test_user_name),
	};

	if (!files_allow(256))
		return FILES_SKIP;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
