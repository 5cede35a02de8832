/*
 * peer: which user is at the other end of a socket, and what this user may do
 * (Linux).
 */
#ifndef CFUZZ_CONTROL_PEER_H
#define CFUZZ_CONTROL_PEER_H

#include <stddef.h>
#include <sys/types.h>

#include "shared/status.h"

#define PEER_NO_GROUP ((gid_t)-1)

/* The user of a process at the moment when it connected or began to listen. */
struct peer {
	uid_t uid;
	gid_t gid;
	gid_t *groups; /* owned, n; the supplementary ones */
	size_t n;
};

enum peer_standing {
	PEER_STRANGER, /* may do nothing */
	PEER_MEMBER,   /* another user of the group: may watch */
	PEER_OWNER     /* the user, or root */
};

/* The caller clears *peer. E_IO: the system does not tell, and *peer is that of
 * a stranger. */
enum status peer_read(int fd, struct peer *peer, struct error *err) MUST_CHECK;
void peer_clear(struct peer *peer);

/*
 * self: the user who runs the campaign; group: the group that it is shared
 * with, or PEER_NO_GROUP.
 */
enum peer_standing peer_judge(const struct peer *peer, uid_t self, gid_t group);

#endif
