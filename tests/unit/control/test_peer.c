/*
 * test_peer: who may do what at the socket of a campaign, by user and groups;
 * and what the kernel says about a process that connected.
 */
#include "control/peer.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fd.h"
#include "lib/rows.h"

#define ANN 1001
#define BOB 1002
#define LAB 2001
#define STAFF 2002
#define NONE PEER_NO_GROUP

/* clang-format off */
static const struct judge_row {
	const char *name;
	uid_t uid;
	gid_t gid, groups[3];
	size_t n;
	gid_t shared;
	enum peer_standing standing;
} JUDGE[] = {
	{ "the user", ANN, ANN, { 0 }, 0, NONE, PEER_OWNER },
	{ "the user, shared", ANN, ANN, { 0 }, 0, LAB, PEER_OWNER },
	{ "root", 0, 0, { 0 }, 0, NONE, PEER_OWNER },
	{ "another user", BOB, BOB, { LAB }, 1, NONE, PEER_STRANGER },
	{ "another group", BOB, BOB, { STAFF, BOB }, 2, LAB, PEER_STRANGER },
	{ "no group at all", BOB, BOB, { LAB }, 0, LAB, PEER_STRANGER },
	{ "a member", BOB, BOB, { STAFF, LAB }, 2, LAB, PEER_MEMBER },
	{ "a member by the first group", BOB, LAB, { 0 }, 0, LAB, PEER_MEMBER },
	{ "root's group is none of root", BOB, 0, { 0 }, 1, LAB, PEER_STRANGER },
	{ "unknown", (uid_t)-1, LAB, { LAB }, 1, LAB, PEER_STRANGER },
	{ "unknown group, not shared", BOB, NONE, { NONE }, 1, NONE, PEER_STRANGER },
};
/* clang-format on */

static void
test_judge(void **state)
{
	const struct judge_row *row;

	for (row = JUDGE; row < JUDGE + ROWS(JUDGE); row++) {
		const struct peer peer = { row->uid, row->gid,
			(gid_t *)(uintptr_t)row->groups, row->n };

		row_check(peer_judge(&peer, ANN, row->shared) == row->standing,
			"%s", row->name);
	}
}

static bool
has(const struct peer *peer, gid_t group)
{
	for (size_t i = 0; i < peer->n; i++)
		if (peer->groups[i] == group)
			return true;
	return false;
}

static void
test_read(void **state)
{
	gid_t groups[4096];
	int fds[2], n = getgroups(4096, groups);
	struct error err = { 0 };
	struct peer peer;

	assert_true(n >= 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	assert_int_equal(peer_read(fds[0], &peer, &err), OK);
	assert_int_equal(peer.uid, geteuid());
	assert_int_equal(peer.gid, getegid());
	assert_int_equal(peer.n, n);
	for (int i = 0; i < n; i++)
		assert_true(has(&peer, groups[i]));
	peer_clear(&peer);
	fd_close(&fds[0]);
	fd_close(&fds[1]);
}

/* No socket: whoever that is may do nothing. */
static void
test_unreadable(void **state)
{
	struct error err = { 0 };
	struct peer peer;
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	assert_int_equal(peer_read(fds[0], &peer, &err), E_IO);
	assert_int_equal(peer_judge(&peer, geteuid(), getegid()),
		PEER_STRANGER);
	peer_clear(&peer);
	fd_close(&fds[0]);
	fd_close(&fds[1]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_judge),
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_unreadable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
