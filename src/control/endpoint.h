/*
 * endpoint: the control socket of a campaign, OUT/control.sock.
 *
 * The path of a socket has at most 107 bytes, so both sides go through a
 * descriptor of the folder (Linux: /proc/self/fd).
 */
#ifndef CFUZZ_CONTROL_ENDPOINT_H
#define CFUZZ_CONTROL_ENDPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "shared/status.h"

#define ENDPOINT_NAME "control.sock"
#define ENDPOINT_LINE_SIZE 1024 /* room for endpoint_come_back() */
#define ENDPOINT_USER_SIZE 32   /* bytes of a user's name, with its NUL */

/*
 * Makes the socket and listens at it; an old socket is replaced. Its mode is
 * 0600, or 0660 for a group that is not PEER_NO_GROUP. Only the owner of the
 * output directory's lock may call it. The caller closes *fd, which is
 * non-blocking and close-on-exec. E_NOT_FOUND: no such folder; E_IO otherwise.
 */
enum status endpoint_listen(const char *output, gid_t group, int *fd,
	struct error *err) MUST_CHECK;
/* Removes the socket, unless an engine still listens at it. */
void endpoint_remove(const char *output);

/*
 * Writes "the campaign goes on: cfuzz attach OUT", with an absolute path for a
 * shell in any folder; or with `output`, cut if it must be, if that path cannot be
 * found or is too long. size: bytes of line, at most ENDPOINT_LINE_SIZE are used.
 */
void endpoint_come_back(const char *output, char *line, size_t size);

/*
 * Connects to a campaign of the same user, or of any user for root. The caller
 * closes *fd, which is blocking and close-on-exec; -1 on failure. E_NOT_FOUND:
 * no campaign runs there; E_BUSY: it takes no more connections now; E_USAGE:
 * the folder or the socket belongs to somebody else; E_IO otherwise.
 */
enum status endpoint_connect(const char *output, int *fd, struct error *err)
	MUST_CHECK;
/*
 * The same, also for a campaign that its user shares with others. owner gets
 * the name of the user who runs it, "" for this user. If the directory belongs
 * to somebody else, E_USAGE may also mean that no campaign runs there.
 */
enum status endpoint_connect_any(const char *output, int *fd,
	char owner[ENDPOINT_USER_SIZE], struct error *err) MUST_CHECK;

/*
 * Waits at most wait_ms for the first byte, which an engine sends to each
 * connection; the byte stays unread. False: the connection ended before it;
 * true also if the time was over first. A process that is killed may hold its
 * socket for a moment, so a connection alone is no sign of life.
 */
bool endpoint_is_greeted(int fd, int wait_ms);

/* The user's name, or its number; clean text. */
void endpoint_user_name(uid_t uid, char name[ENDPOINT_USER_SIZE]);

#endif
