/*
 * store_rest: the output directory of a campaign that is over.
 *
 * Whoever looks at it must not keep the next run away, so the lock is held only
 * while something is written.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "control/json_text.h"
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
	store->late = writer_appends(store->writer);
	if (store->has_reserve)
		unlinkat(store->root_fd, WRITER_RESERVE_NAME, 0);
	store->has_reserve = false;
	store_unsign_lock(store);
	if (store->lock_fd >= 0)
		(void)flock(store->lock_fd, LOCK_UN);
	fd_close(&store->lock_fd);
}

/* Lines that the writer had begun may be in the file since then, or taken back,
 * or half of them, if it is still at work. Any others are not ours: also a console
 * that looks at this past writes some. */
static bool
store_is_changed(const struct store *store)
{
	uint64_t len = store_journal_len(store), was = store->rest_len;
	struct writer_span own;

	if (len == was || !store->late)
		return len != was;
	own = writer_last_append(store->writer);
	if (was < own.from || was > own.to || len < own.from || len > own.to)
		return true;
	return len != own.from && len != own.to &&
		!writer_appends(store->writer);
}

bool
store_rests(const struct store *store)
{
	return store->rests;
}

bool
store_is_locked_at(int dirfd, const char *path)
{
	int fd = openat(dirfd, path,
		O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool locked = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0 &&
		errno == EWOULDBLOCK;

	fd_close(&fd);
	return locked;
}

static enum status
store_lock_again(struct store *store, struct error *err)
{
	struct error why = { 0 };
	enum status status = store_lock(store, O_CREAT, &why);

	if (status == E_BUSY)
		return error_set(err, status,
			"another cfuzz is at work in %s: try again when it is "
			"done",
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
	if (status == OK && store_is_changed(store))
		status = error_set(err, E_STATE,
			"another cfuzz has changed %s meanwhile: open it again",
			store->shown);
	if (status != OK) {
		fd_close(&store->lock_fd);
		return status;
	}
	store_sign_lock(store);
	store->rests = false;
	writer_go_on(store->writer);
	return OK;
}

/* ---- a campaign of the past ---- */

/* Foreign and copied directories may be read: nothing is written there. */
static enum status
store_read_journal(const struct store *store, struct journal_summary *journal,
	struct error *err)
{
	enum status status;
	int fd = openat(store->root_fd, STORE_JOURNAL,
		O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	memset(journal, 0, sizeof(*journal));
	if (fd < 0)
		return error_set(err, E_USAGE,
			"%s is not the output directory of a campaign: it has "
			"no " STORE_JOURNAL,
			store->shown);
	status = journal_read(fd, journal, err);
	fd_close(&fd);
	if (status == OK &&
		json_integer_value(json_object_get(journal->first, "version")) >
			JOURNAL_VERSION)
		status = error_set(err, E_USAGE,
			"%s is of a newer version of cfuzz: use that one",
			store->shown);
	if (status != OK)
		journal_summary_clear(journal);
	return status;
}

static void
store_take_past(struct store *store, const struct journal_summary *journal)
{
	const char *build = json_text_get(journal->latest, "build_id");

	snprintf(store->past.build, sizeof(store->past.build), "%s",
		build != NULL ? build : "");
	if (journal->first == NULL || journal->bad > 0)
		store_warn(store,
			STORE_JOURNAL " is damaged: a part of it is "
				      "ignored");
}

static enum status
store_load_past(struct store *store, const struct journal_summary *journal,
	struct error *err)
{
	enum status status = store_load_stats(store, journal, err);
	unsigned i;

	for (i = 0; i < STORE_PART_COUNT; i++)
		if (dir_open_at(store->root_fd,
			    store_part_name((enum store_part)i), DIR_NOFOLLOW,
			    &store->part_fd[i], NULL) != OK)
			store->part_fd[i] = -1;
	if (status == OK)
		status = store_load_buckets(store, err);
	return status == OK ? store_load_suspects(store, err) : status;
}

enum status
store_open_past(struct store **store, const char *path, struct event_base *base,
	struct error *err)
{
	struct journal_summary journal;
	struct store *s = store_create(path);
	enum status status = dir_open_at(AT_FDCWD, path, 0, &s->root_fd, err);

	s->rests = true;
	/* While another cfuzz writes, the files may be of two moments. Without
	 * a length, store_wake() refuses to change the directory. */
	if (status == OK && !store_is_locked_at(s->root_fd, STORE_LOCK))
		s->rest_len = store_journal_len(s);
	if (status == OK)
		status = store_read_journal(s, &journal, err);
	if (status == OK) {
		store_take_past(s, &journal);
		status = store_load_past(s, &journal, err);
		journal_summary_clear(&journal);
	}
	if (status == OK) {
		s->writer = writer_create(base, s->root_fd, err);
		status = s->writer != NULL ? OK : E_IO;
	}
	if (status != OK) {
		store_close(s);
		s = NULL;
	}
	*store = s;
	return status;
}
