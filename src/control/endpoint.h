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
#define ENDPOINT_LINE_SIZE 1024 /* bytes of endpoint_come_back() */
#define ENDPOINT_USER_SIZE 32   /* bytes of a user's name */

/*
 * Listens, in place of an old socket, with mode 0600; with 0660 for a group that
 * is not PEER_NO_GROUP. Only the owner of the output directory's lock may call
 * it. *fd: non-blocking, close-on-exec.
 */
enum status endpoint_listen(const char *output, gid_t group, int *fd,
	struct error *err) MUST_CHECK;
/* Removes the socket, unless an engine still listens at it. */
void endpoint_remove(const char *output);

/*
 * "the campaign goes on: cfuzz attach OUT", for a shell in any folder, in at
 * most ENDPOINT_LINE_SIZE bytes.
 */
void endpoint_come_back(const char *output, char *line, size_t size);

/*
 * Connects to a campaign of the same user, or of any user for root. *fd:
 * close-on-exec. E_NOT_FOUND: no campaign runs there; E_BUSY: it does not take
 * more connections now; E_USAGE: the folder or the socket belongs to somebody
 * else.
 */
enum status endpoint_connect(const char *output, int *fd, struct error *err)
	MUST_CHECK;
/*
 * The same, and to a campaign that its user shares with others. owner: who runs
 * it, "": this user. Of a directory of somebody else E_USAGE also says that no
 * campaign runs.
 */
enum status endpoint_connect_any(const char *output, int *fd,
	char owner[ENDPOINT_USER_SIZE], struct error *err) MUST_CHECK;

/*
 * Waits wait_ms at most for the first byte, which an engine sends to each
 * connection. False: the connection ended before it; true also if the time was
 * over first. A process that is killed may hold its socket for a moment, so a
 * connection alone is no sign of life.
 */
bool endpoint_is_greeted(int fd, int wait_ms);

/* The user's name, or its number; clean text. */
void endpoint_user_name(uid_t uid, char name[ENDPOINT_USER_SIZE]);

#endif
