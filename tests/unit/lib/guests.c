/* guests: see guests.h. */
#include "lib/guests.h"

#include <unistd.h>

#include "control/peer.h"

enum status __wrap_peer_read(int fd, struct peer *peer, struct error *err);
enum peer_standing __wrap_peer_judge(const struct peer *peer, uid_t self,
	gid_t group);

static uid_t guest = GUESTS_NONE;

void
guests_set(uid_t uid)
{
	guest = uid;
}

enum status
__wrap_peer_read(int fd, struct peer *peer, struct error *err)
{
	*peer = (struct peer){ .uid = guest == GUESTS_NONE ? geteuid()
							   : guest };
	return guest == GUESTS_UNKNOWN
		? error_set(err, E_IO, "the system does not tell who it is")
		: OK;
}

enum peer_standing
__wrap_peer_judge(const struct peer *peer, uid_t self, gid_t group)
{
	return peer->uid == self || peer->uid == 0 ? PEER_OWNER
		: peer->uid == GUESTS_STRANGER     ? PEER_STRANGER
						   : PEER_MEMBER;
}
