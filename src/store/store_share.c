/*
 * store_share: see store_share.h.
 *
 * Members of the group need to enter the directory, for the control socket. They
 * may not list it, and all else in it stays closed to them.
 */
#include "store/store_share.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "store/store_private.h"

#define SHARE_MODE 0710
#define SHARE_MODE_BITS 07777

static enum status
share_failed(const struct store *store, struct error *err)
{
	return error_set(err, E_IO, "%s cannot be shared: %s", store->shown,
		strerror(errno));
}

/* A directory that was copied has whatever modes the copy was made with. */
static bool
share_close_file(const struct store *store, const char *name)
{
	struct stat st;

	if (fstatat(store->root_fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT;
	return S_ISLNK(st.st_mode) || (st.st_mode & 077) == 0 ||
		fchmodat(store->root_fd, name, st.st_mode & 0700,
			AT_SYMLINK_NOFOLLOW) == 0;
}

static enum status
share_close_files(const struct store *store, struct error *err)
{
	struct dir_names names;
	bool closed = true;

	if (dir_list(store->root_fd, &names, err) != OK)
		return err->code;
	for (size_t i = 0; i < names.n && closed; i++)
		closed = share_close_file(store, names.items[i]);
	dir_names_clear(&names);
	return closed ? OK : share_failed(store, err);
}

enum status
store_share(struct store *store, gid_t group, struct error *err)
{
	struct stat st;
	enum status status = store_check_root(store, err);

	if (status == OK)
		status = share_close_files(store, err);
	if (status != OK)
		return status;
	if (fstat(store->root_fd, &st) != 0)
		return share_failed(store, err);
	store->own_mode = st.st_mode & SHARE_MODE_BITS;
	store->own_group = st.st_gid;
	if (fchown(store->root_fd, (uid_t)-1, group) != 0)
		return share_failed(store, err);
	store->shared = true;
	if (fchmod(store->root_fd, SHARE_MODE) == 0)
		return OK;
	share_failed(store, err);
	store_unshare(store);
	return err->code;
}

void
store_unshare(struct store *store)
{
	if (!store->shared)
		return;
	store->shared = false;
	if (fchmod(store->root_fd, store->own_mode) != 0 ||
		fchown(store->root_fd, (uid_t)-1, store->own_group) != 0)
		log_debug("%s is still shared: %s", store->shown,
			strerror(errno));
}

/* An engine that was killed has left the mode. */
void
store_close_share(const struct store *store)
{
	struct stat st;

	if (fstat(store->root_fd, &st) == 0 &&
		(st.st_mode & SHARE_MODE_BITS) == SHARE_MODE)
		(void)fchmod(store->root_fd, 0700);
}
