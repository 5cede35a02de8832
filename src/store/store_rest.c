/*
 * store_rest: the output directory of a campaign that is over.
 *
 * Whoever looks at it must not keep the next run away, so the lock is held only
 * while something is written.
 */
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "store/store_private.h"

/* 0: there is no journal. */
static uint64_t
store_journal_len(const struct store *store)
{
	struct stat st;

	return fstatat(store->root_fd, STORE_JOURNAL, &st,
		       AT_SYMLINK_NOFOLLOW) == 0
		? (uint64_t)st.st_size
		: 0;
}

void
store_rest(struct store *store)
{
	store->rests = true;
	store->rest_len = store_journal_len(store);
	if (store->has_reserve)
		unlinkat(store->root_fd, WRITER_RESERVE_NAME, 0);
	store->has_reserve = false;
	if (store->lock_fd >= 0)
		(void)flock(store->lock_fd, LOCK_UN);
	fd_close(&store->lock_fd);
}

static enum status
store_lock_again(struct store *store, struct error *err)
{
	struct error why = { 0 };
	enum status status = store_lock(store, O_CREAT, &why);

	if (status == E_BUSY)
		return error_set(err, status,
			"a campaign runs in %s again: `cfuzz attach` shows it",
			store->shown);
	return status == OK ? OK : error_set(err, status, "%s", why.text);
}

enum status
store_wake(struct store *store, struct error *err)
{
	enum status status;

	if (!store->rests)
		return OK;
	status = store_check_root(store, err);
	if (status == OK)
		status = store_lock_again(store, err);
	if (status == OK && store_journal_len(store) != store->rest_len)
		status = error_set(err, E_STATE,
			"another run has changed %s meanwhile: open it again",
			store->shown);
	if (status != OK) {
		fd_close(&store->lock_fd);
		return status;
	}
	store_sign_lock(store);
	store->rests = false;
	return OK;
}
