/* endpoint: see endpoint.h. */
#include "control/endpoint.h"

#include <errno.h>
#include <fcntl.h>
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

enum status
endpoint_listen(const char *output, int *fd, struct error *err)
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
	/* Nobody can connect before listen(). */
	listens =
		bind(*fd, (struct sockaddr *)&address, sizeof(address)) == 0 &&
		fchmodat(dir, ENDPOINT_NAME, 0600, 0) == 0 &&
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
	bool fits = absolute != NULL &&
		text_quote(absolute, quoted, sizeof(quoted)) <
			sizeof(quoted) - 1;

	if (!fits)
		(void)text_quote(output, quoted, sizeof(quoted));
	snprintf(line, size, "the campaign goes on: cfuzz attach %s", quoted);
	free(absolute);
}

static enum status
endpoint_check_owner(int dir, const char *shown, struct error *err)
{
	uid_t self = geteuid();
	struct stat st;

	if (fstat(dir, &st) != 0)
		return error_set(err, E_IO, "%s cannot be looked at: %s", shown,
			strerror(errno));
	if (self != 0 && st.st_uid != self)
		return error_set(err, E_USAGE,
			"%s belongs to another user, whose campaign is not "
			"yours to attach to",
			shown);
	return OK;
}

/* Somebody else's process at the socket could feign a campaign. */
static enum status
endpoint_check_server(int fd, int dir, const char *shown, struct error *err)
{
	struct stat st;
	uid_t uid = (uid_t)-1;

	if (endpoint_peer(fd, &uid, err) != OK)
		return err->code;
	if (fstat(dir, &st) == 0 && (uid == st.st_uid || uid == 0))
		return OK;
	return error_set(err, E_USAGE,
		"the socket in %s is served by another user", shown);
}

static enum status
endpoint_call(int fd, const struct sockaddr_un *address, const char *shown,
	struct error *err)
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
		return error_set(err, E_NOT_FOUND, "no campaign runs in %s",
			shown);
	return error_set(err, E_IO, "cannot attach to %s: %s", shown,
		strerror(errno));
}

enum status
endpoint_connect(const char *output, int *fd, struct error *err)
{
	struct sockaddr_un address;
	enum status status;
	char shown[256];
	int dir;

	*fd = -1;
	text_clean_string(output, shown, sizeof(shown));
	status = endpoint_open(output, &dir, &address, err);
	if (status != OK)
		return status;
	status = endpoint_check_owner(dir, shown, err);
	if (status == OK)
		status = endpoint_socket(SOCK_NONBLOCK, fd, err);
	if (status == OK)
		status = endpoint_call(*fd, &address, shown, err);
	if (status == OK)
		status = endpoint_check_server(*fd, dir, shown, err);
	if (status != OK)
		fd_close(fd);
	fd_close(&dir);
	return status;
}

enum status
endpoint_peer(int fd, uid_t *uid, struct error *err)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) != 0)
		return error_set(err, E_IO,
			"the system does not tell who is at the socket: %s",
			strerror(errno));
	*uid = peer.uid;
	return OK;
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
