/* peer: see peer.h. */
#include "control/peer.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/xmalloc.h"

#define PEER_GROUPS_MAX 65536 /* NGROUPS_MAX of Linux */

/* The kernel answers with ERANGE and the size if the room is too small. */
static bool
peer_read_groups(int fd, struct peer *peer)
{
	socklen_t len = 0;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, NULL, &len) == 0)
		return true;
	if (errno != ERANGE || len > PEER_GROUPS_MAX * sizeof(gid_t))
		return false;
	peer->groups = xmalloc(len);
	if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, peer->groups, &len) != 0)
		return false;
	peer->n = len / sizeof(gid_t);
	return true;
}

enum status
peer_read(int fd, struct peer *peer, struct error *err)
{
	struct ucred user;
	socklen_t len = sizeof(user);

	*peer = (struct peer){ .uid = (uid_t)-1, .gid = PEER_NO_GROUP };
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &user, &len) == 0 &&
		peer_read_groups(fd, peer)) {
		peer->uid = user.uid;
		peer->gid = user.gid;
		return OK;
	}
	error_set(err, E_IO,
		"the system does not tell who is at the socket: %s",
		strerror(errno));
	peer_clear(peer);
	return E_IO;
}

void
peer_clear(struct peer *peer)
{
	free(peer->groups);
	*peer = (struct peer){ .uid = (uid_t)-1, .gid = PEER_NO_GROUP };
}

static bool
peer_is_in(const struct peer *peer, gid_t group)
{
	bool is_in = peer->gid == group;

	for (size_t i = 0; i < peer->n; i++)
		is_in = is_in || peer->groups[i] == group;
	return is_in;
}

enum peer_standing
peer_judge(const struct peer *peer, uid_t self, gid_t group)
{
	if (peer->uid == (uid_t)-1)
		return PEER_STRANGER;
	if (peer->uid == self || peer->uid == 0)
		return PEER_OWNER;
	return group != PEER_NO_GROUP && peer_is_in(peer, group)
		? PEER_MEMBER
		: PEER_STRANGER;
}
