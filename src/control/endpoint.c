/* endpoint: see endpoint.h. */
#include "control/endpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/text.h"
#include "control/peer.h"

#define ENDPOINT_BACKLOG 64

/* Opens the folder, and fills in the address of the socket in it. */
static enum status
endpoint_open(const char *output, int *dir, struct sockaddr_un *address,
	struct error *err)
{
	char shown[256];

	*dir = open(output, O_PATH | O_DIRECTORY | O_CLOEXEC);
	text_clean_string(output, shown, sizeof(shown));
	if (*dir < 0)
		return error_set(err,
			errno == ENOENT || errno == ENOTDIR ? E_NOT_FOUND
							    : E_IO,
			"%s cannot be opened: %s", shown, strerror(errno));
	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	snprintf(address->sun_path, sizeof(address->sun_path),
		"/proc/self/fd/%d/" ENDPOINT_NAME, *dir);
	return OK;
}

static enum status
endpoint_socket(int flags, int *fd, struct error *err)
{
	*fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
	if (*fd < 0)
		return error_set(err, E_IO, "a socket cannot be made: %s",
			strerror(errno));
	return OK;
}

/* Nobody can connect before listen(). */
static bool
endpoint_open_to(int dir, gid_t group)
{
	bool shared = group != PEER_NO_GROUP;

	return (!shared ||
		       fchownat(dir, ENDPOINT_NAME, (uid_t)-1, group,
			       AT_SYMLINK_NOFOLLOW) == 0) &&
		fchmodat(dir, ENDPOINT_NAME, shared ? 0660 : 0600, 0) == 0;
}

enum status
endpoint_listen(const char *output, gid_t group, int *fd, struct error *err)
{
	struct sockaddr_un address;
	int dir, errnum;
	bool listens;

	*fd = -1;
	if (endpoint_open(output, &dir, &address, err) != OK)
		return err->code;
	if (endpoint_socket(SOCK_NONBLOCK, fd, err) != OK) {
		fd_close(&dir);
		return err->code;
	}
	(void)unlinkat(dir, ENDPOINT_NAME, 0);
	listens =
		bind(*fd, (struct sockaddr *)&address, sizeof(address)) == 0 &&
		endpoint_open_to(dir, group) &&
		listen(*fd, ENDPOINT_BACKLOG) == 0;
	errnum = errno;
	fd_close(&dir);
	if (listens)
		return OK;
	fd_close(fd);
	return error_set(err, E_IO,
		"the control socket cannot be made, so nobody can attach: %s",
		strerror(errnum));
}

/* Does anybody listen at it? */
static bool
endpoint_is_served(const struct sockaddr_un *address)
{
	bool served;
	int fd;

	if (endpoint_socket(SOCK_NONBLOCK, &fd, &(struct error){ 0 }) != OK)
		return false;
	served = connect(fd, (const struct sockaddr *)address,
			 sizeof(*address)) == 0 ||
		errno == EAGAIN;
	fd_close(&fd);
	return served;
}

void
endpoint_remove(const char *output)
{
	struct sockaddr_un address;
	int dir;

	if (endpoint_open(output, &dir, &address, &(struct error){ 0 }) != OK)
		return;
	/* The folder may have been moved, and another one be in its place. */
	if (!endpoint_is_served(&address))
		(void)unlinkat(dir, ENDPOINT_NAME, 0);
	fd_close(&dir);
}

void
endpoint_come_back(const char *output, char *line, size_t size)
{
	char *absolute = realpath(output, NULL);
	char quoted[ENDPOINT_LINE_SIZE - 64];
	/* text_quote_shown() leaves up to 5 bytes when it cuts. */
	bool fits = absolute != NULL &&
		text_quote_shown(absolute, quoted, sizeof(quoted)) <
			sizeof(quoted) - 6;

	if (!fits)
		(void)text_quote_shown(output, quoted, sizeof(quoted));
	snprintf(line, size, "the campaign goes on: cfuzz attach %s", quoted);
	free(absolute);
}

/* Whether the folder is the user's; for root, every folder is. */
static enum status
endpoint_check_owner(int dir, const char *shown, bool *own, struct error *err)
{
	uid_t self = geteuid();
	struct stat st;

	if (fstat(dir, &st) != 0)
		return error_set(err, E_IO, "%s cannot be examined: %s", shown,
			strerror(errno));
	*own = self == 0 || st.st_uid == self;
	return OK;
}

/* A process of another user at the socket could imitate a campaign. */
static enum status
endpoint_check_server(int fd, int dir, const char *shown, uid_t *owner,
	struct error *err)
{
	struct stat st;
	struct peer peer;

	if (peer_read(fd, &peer, err) != OK)
		return err->code;
	*owner = peer.uid;
	peer_clear(&peer);
	if (fstat(dir, &st) == 0 && (*owner == st.st_uid || *owner == 0))
		return OK;
	return error_set(err, E_USAGE,
		"the socket in %s is served by another user", shown);
}

static enum status
endpoint_refuse(const char *shown, struct error *err)
{
	return error_set(err, E_USAGE,
		"%s belongs to another user, whose campaign is not yours to "
		"attach to",
		shown);
}

/* E_NOT_FOUND lets a caller open the directory, so only an owner gets it. */
static enum status
endpoint_call(int fd, const struct sockaddr_un *address, const char *shown,
	bool own, struct error *err)
{
	int flags = fcntl(fd, F_GETFL);

	/* The socket does not block, so neither does connect(). */
	if (connect(fd, (const struct sockaddr *)address, sizeof(*address)) ==
			0 &&
		fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) == 0)
		return OK;
	if (errno == EAGAIN)
		return error_set(err, E_BUSY,
			"the campaign in %s does not answer: it is stopped, or "
			"very busy",
			shown);
	if (errno == ENOENT || errno == ECONNREFUSED)
		return error_set(err, own ? E_NOT_FOUND : E_USAGE,
			"no campaign runs in %s%s", shown,
			own ? "" : ", which belongs to another user");
	if (!own && errno == EACCES)
		return endpoint_refuse(shown, err);
	return error_set(err, E_IO, "cannot attach to %s: %s", shown,
		strerror(errno));
}

/* A socket for a group is that of --share-group; a socket for everybody is a
 * mistake. A missing socket is none. */
static bool
endpoint_is_shared(int dir)
{
	struct stat st;

	return fstatat(dir, ENDPOINT_NAME, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
		(st.st_mode & S_IRWXO) == 0;
}

static enum status
endpoint_join(const char *output, bool shared, int *fd, uid_t *owner,
	struct error *err)
{
	struct sockaddr_un address;
	enum status status;
	bool own = false;
	char shown[256];
	int dir;

	*fd = -1;
	text_clean_string(output, shown, sizeof(shown));
	status = endpoint_open(output, &dir, &address, err);
	if (status != OK)
		return status;
	status = endpoint_check_owner(dir, shown, &own, err);
	if (status == OK && !own && !(shared && endpoint_is_shared(dir)))
		status = endpoint_refuse(shown, err);
	if (status == OK)
		status = endpoint_socket(SOCK_NONBLOCK, fd, err);
	if (status == OK)
		status = endpoint_call(*fd, &address, shown, own, err);
	if (status == OK)
		status = endpoint_check_server(*fd, dir, shown, owner, err);
	if (status != OK)
		fd_close(fd);
	fd_close(&dir);
	return status;
}

enum status
endpoint_connect(const char *output, int *fd, struct error *err)
{
	uid_t owner;

	return endpoint_join(output, false, fd, &owner, err);
}

enum status
endpoint_connect_any(const char *output, int *fd,
	char owner[ENDPOINT_USER_SIZE], struct error *err)
{
	uid_t uid = geteuid();
	enum status status = endpoint_join(output, true, fd, &uid, err);

	owner[0] = '\0';
	if (uid != geteuid())
		endpoint_user_name(uid, owner);
	return status;
}

bool
endpoint_is_greeted(int fd, int wait_ms)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	char byte;
	int n;

	do
		n = poll(&wait, 1, wait_ms);
	while (n < 0 && errno == EINTR);
	return n == 0 || recv(fd, &byte, 1, MSG_PEEK) > 0;
}

void
endpoint_user_name(uid_t uid, char name[ENDPOINT_USER_SIZE])
{
	const struct passwd *user = getpwuid(uid);

	if (user != NULL)
		text_clean_string(user->pw_name, name, ENDPOINT_USER_SIZE);
	else
		snprintf(name, ENDPOINT_USER_SIZE, "%u", (unsigned)uid);
}
