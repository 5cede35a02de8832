/*
 * store_open: opens or creates the output directory.
 *
 * The order matters: inspect, lock, inspect again under the lock, and change
 * something only if the directory is ours.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/errnum.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "store/journal.h"
#include "store/store_private.h"
#include "store/store_share.h"
#include "store/writer.h"

#define LOCK_TRIES 20
#define LOCK_PAUSE_MS 10

/* ---- the directory ------------------------------------------------------ */

enum status
store_check_root(const struct store *store, struct error *err)
{
	struct stat st;

	if (fstat(store->root_fd, &st) < 0)
		return error_set(err, E_IO, "cannot look at %s: %s",
			store->shown, strerror(errno));
	if (st.st_uid != geteuid() && geteuid() != 0)
		return error_set(err, E_USAGE,
			"%s belongs to another user: choose another output "
			"directory with -o",
			store->shown);
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		return error_set(err, E_USAGE,
			"other users may write to %s: forbid that with `chmod "
			"go-w`, or choose another output directory with -o",
			store->shown);
	return OK;
}

/* Follows a symbolic link that the user has named. The writer's thread syncs the
 * name of a new directory while the target starts. */
static enum status
store_open_root(struct store *store, struct error *err)
{
	struct error why = { 0 };
	enum status status =
		dir_open_at(AT_FDCWD, store->path, 0, &store->root_fd, NULL);

	if (status == E_NOT_FOUND) {
		status = dir_create_at(AT_FDCWD, store->path,
			DIR_PARENTS | DIR_UNSYNCED, &why);
		if (status != OK)
			return error_set(err,
				status == E_FULL || status == E_IO ? status
								   : E_USAGE,
				"%s: choose another output directory with -o",
				why.text);
	}
	if (store->root_fd < 0 &&
		dir_open_at(AT_FDCWD, store->path, 0, &store->root_fd, &why) !=
			OK)
		return error_set(err, E_USAGE,
			"%s: choose another output directory with -o",
			why.text);
	return store_check_root(store, err);
}

/* ---- the lock ----------------------------------------------------------- */

/* 0: nobody has signed. */
static long
store_lock_pid(const struct store *store)
{
	char text[32] = "";
	ssize_t n = pread(store->lock_fd, text, sizeof(text) - 1, 0);

	return n > 0 ? strtol(text, NULL, 10) : 0;
}

/* A process that only looks for an engine holds the lock for an instant, so a few
 * tries are made; a lock that waits might wait for ever. The process number in the
 * file proves nothing: an engine that was killed leaves its own. */
static int
store_try_lock(const struct store *store)
{
	int tries = LOCK_TRIES, failed;

	for (;;) {
		failed = flock(store->lock_fd, LOCK_EX | LOCK_NB) != 0 ? errno
								       : 0;
		if (failed != EWOULDBLOCK || --tries == 0)
			break;
		(void)poll(NULL, 0, LOCK_PAUSE_MS);
	}
	return failed;
}

static enum status
store_busy(const struct store *store, struct error *err)
{
	long pid = store_lock_pid(store);

	if (pid <= 0)
		return error_set(err, E_BUSY,
			"%s is in use by another cfuzz: stop that one, or "
			"choose another output directory with -o",
			store->shown);
	return error_set(err, E_BUSY,
		"%s is in use by another cfuzz (process %ld): stop that one, "
		"or choose another output directory with -o",
		store->shown, pid);
}

/* For messages; the lock itself ends with the process. */
void
store_sign(int lock_fd)
{
	char text[32];
	int len = snprintf(text, sizeof(text), "%ld\n", (long)getpid());

	if (ftruncate(lock_fd, 0) < 0 ||
		pwrite(lock_fd, text, (size_t)len, 0) < 0)
		errno = 0;
}

/* A number that stays could be that of another process one day. */
void
store_unsign(int lock_fd)
{
	if (ftruncate(lock_fd, 0) < 0)
		errno = 0;
}

void
store_sign_lock(struct store *store)
{
	store_sign(store->lock_fd);
	store->has_signed = true;
}

void
store_unsign_lock(struct store *store)
{
	if (store->has_signed)
		store_unsign(store->lock_fd);
	store->has_signed = false;
}

enum status
store_lock(struct store *store, int create, struct error *err)
{
	struct error why = { 0 };
	enum status status = file_open_own_at(store->root_fd, STORE_LOCK,
		O_RDWR | create, &store->lock_fd, &why);
	int failed;

	if (status == E_NOT_FOUND && !create)
		return E_NOT_FOUND;
	if (status != OK)
		return error_set(err,
			status == E_FORMAT         ? E_USAGE
				: status == E_FULL ? E_FULL
						   : E_IO,
			"%s: %s: choose another output directory with -o",
			store->shown, why.text);
	failed = store_try_lock(store);
	if (failed == 0)
		return OK;
	if (failed == EWOULDBLOCK)
		return store_busy(store, err);
	store_warn(store,
		"%s cannot be locked (%s): make sure that no other "
		"engine uses it",
		store->shown, strerror(failed));
	return OK;
}

/* ---- the journal -------------------------------------------------------- */

static enum status
store_journal_failed(const struct store *store, struct error *err)
{
	int errnum = errno;

	return error_set(err, errnum_status(errnum) == E_FULL ? E_FULL : E_IO,
		"cannot write to %s/" STORE_JOURNAL ": %s", store->shown,
		strerror(errnum));
}

/* Removes a line that a crash has left incomplete; invalid lines stay. */
static enum status
store_repair_journal(struct store *store, int fd,
	const struct journal_summary *journal, struct error *err)
{
	if (journal->extent.torn_len > 0) {
		if (ftruncate(fd, (off_t)journal->extent.good_len) < 0)
			return store_journal_failed(store, err);
		store_warn(store,
			STORE_JOURNAL
			": the last line was incomplete and is ignored");
	}
	if (journal->extent.skipped > 0)
		store_warn(store,
			STORE_JOURNAL
			": it is long: of %llu MiB in its middle only the "
			"starts of runs are read",
			(unsigned long long)(journal->extent.skipped >> 20));
	if (journal->bad > 0)
		store_warn(store,
			STORE_JOURNAL
			": %llu lines are invalid and are ignored",
			(unsigned long long)journal->bad);
	return OK;
}

static enum status
store_append_line(struct store *store, int fd, const char *line,
	struct error *err)
{
	struct stat st;
	enum status status;

	if (fstat(fd, &st) < 0)
		return store_journal_failed(store, err);
	store->journal_len = (uint64_t)st.st_size;
	if (fd_write_all(fd, line, strlen(line), NULL) == OK)
		return OK;
	status = store_journal_failed(store, err);
	if (ftruncate(fd, st.st_size) < 0)
		store_warn(store,
			STORE_JOURNAL ": the last line is incomplete");
	return status;
}

/* The "types" line for a journal that has lost it. */
static char *
store_types_line(const struct store *store)
{
	json_t *event;
	char *line;

	if (store->types.n == 0)
		return xstrdup("");
	event = journal_types_event(store->past.elapsed_s, &store->types);
	line = journal_line(event);
	json_decref(event);
	return line;
}

/* Without its first line a journal would be damaged, and its directory would be
 * that of any target. */
static void
store_set_head(struct store *store, json_t *event, const char *types)
{
	char *line;

	journal_set_text(event, "event", "campaign");
	line = journal_line(event);
	store->journal_head = xasprintf("%s%s", line, types);
	free(line);
}

/*
 * Our line is the test that the directory is writable. The writer syncs it
 * while the target starts.
 */
static enum status
store_start_journal(struct store *store, const struct store_config *config,
	int fd, const struct journal_summary *journal, struct error *err)
{
	bool resumed = fd >= 0;
	json_t *event = journal_start_event(resumed ? "resume" : "campaign",
		store->past.elapsed_s, config->target, config->args,
		config->seed);
	char *place = store_place(store);
	char *line, *types = store_types_line(store);
	char *lines, text[32];
	enum status status;

	journal_set_text(event, "output", place);
	if (config->seeds_n > 0)
		journal_set_seeds(event, config->seeds, config->seeds_n);
	if (store->past.runs > 0) {
		snprintf(text, sizeof(text), "run %u begins",
			store->past.runs + 1);
		journal_set_text(event, "text", text);
	}
	if (config->isolation != NULL && config->isolation->on)
		journal_set_isolated(event, config->isolation->readable,
			config->isolation->spec.readable_n);
	free(place);
	line = journal_line(event);
	lines = xasprintf("%s%s", line,
		resumed && journal->has_types ? "" : types);
	store_set_head(store, event, types);

	if (resumed)
		status = store_append_line(store, fd, lines, err);
	else
		status = file_write_atomic_at(store->root_fd, STORE_JOURNAL,
			lines, strlen(lines), 0, err);
	if (!resumed && status != OK)
		error_wrap(err, "the output directory %s", store->shown);
	free(lines);
	free(types);
	free(line);
	json_decref(event);
	return status;
}

/* ---- opening ------------------------------------------------------------ */

static enum status
store_open_parts(struct store *store, struct error *err)
{
	enum status status = OK;
	unsigned i;

	for (i = 0; i < STORE_PART_COUNT && status == OK; i++) {
		const char *name = store_part_name((enum store_part)i);

		status = dir_create_at(store->root_fd, name, 0, err);
		if (status == OK)
			status = dir_open_at(store->root_fd, name, DIR_NOFOLLOW,
				&store->part_fd[i], err);
	}
	if (status != OK)
		error_wrap(err, "the output directory %s", store->shown);
	return status;
}

/* Without room for the reserve the campaign may still run. */
static enum status
store_make_reserve(struct store *store, struct error *err)
{
	struct error why = { 0 };
	enum status status = writer_make_reserve(store->root_fd, &why);

	store->has_reserve = true;
	if (status == E_FULL)
		store_warn(store,
			"the disk of %s is nearly full: there is no room to "
			"set 1 MiB aside for findings",
			store->shown);
	else if (status != OK)
		return error_set(err, E_IO, "%s: %s", store->shown, why.text);
	return OK;
}

/*
 * Loads the past. A journal that has a damaged start, or too much in it that is
 * not ours, is moved aside. So is an empty one that an interrupted start has
 * left.
 */
static enum status
store_load(struct store *store, int *fd, const struct journal_summary *journal,
	struct error *err)
{
	enum status status = OK;

	if (*fd >= 0 && journal->first && !journal->extent.cut) {
		status = store_repair_journal(store, *fd, journal, err);
	} else if (*fd >= 0) {
		fd_close(fd);
		status = store_move_aside(store, store->root_fd, "",
			STORE_JOURNAL, err);
	}
	if (status == OK)
		status = store_open_parts(store, err);
	if (status == OK)
		status = store_clean_up(store, err);
	if (status == OK)
		status = store_load_stats(store, journal, err);
	if (status == OK)
		status = store_load_buckets(store, err);
	if (status == OK)
		status = store_load_suspects(store, err);
	store->past.empty = (journal->runs == 0 && store->types.n == 0) ||
		(store->past.empty && store->past.buckets_n == 0 &&
			store->past.suspects == 0);
	if (status == OK && *fd < 0 && store->warnings_n == 0 &&
		(store->past.stats || store->past.buckets_n > 0))
		store_warn(store, STORE_JOURNAL " is missing: created again");
	return status;
}

static enum status
store_take(struct store *store, const struct store_config *config,
	struct error *err)
{
	struct journal_summary journal;
	enum status status;
	int fd;

	status = store_lock(store, 0, err);
	if (status == E_NOT_FOUND) {
		status = store_inspect(store, config->target, &journal, &fd,
			err);
		if (status != OK)
			return status;
		journal_summary_clear(&journal);
		fd_close(&fd);
		status = store_lock(store, O_CREAT, err);
	}
	if (status == OK)
		status = store_inspect(store, config->target, &journal, &fd,
			err);
	if (status != OK)
		return status;
	store_sign_lock(store);
	store_close_share(store);
	status = store_load(store, &fd, &journal, err);
	if (status == OK)
		status = store_make_reserve(store, err);
	if (status == OK)
		status = store_start_journal(store, config, fd, &journal, err);
	journal_summary_clear(&journal);
	fd_close(&fd);
	return status;
}

/* Syncs journal and folders without writing to them. */
static void
store_sync(struct store *store)
{
	writer_add(store->writer,
		&(struct writer_file){
			.kind = WRITER_JOURNAL,
			.folder = "",
			.name = STORE_JOURNAL,
			.sync = true,
			.data = "",
		});
}

struct store *
store_create(const char *path)
{
	struct store *s = xcalloc(1, sizeof(*s));
	unsigned i;

	s->path = xstrdup(path);
	s->shown = text_clean_dup(path, strlen(path));
	s->root_fd = s->lock_fd = -1;
	for (i = 0; i < STORE_PART_COUNT; i++)
		s->part_fd[i] = -1;
	return s;
}

enum status
store_open(struct store **store, const struct store_config *config,
	struct error *err)
{
	struct store *s = store_create(config->path);
	enum status status;

	status = store_open_root(s, err);
	if (status == OK)
		status = store_take(s, config, err);
	if (status == OK) {
		s->writer = writer_create(config->base, s->root_fd, err);
		if (!s->writer)
			status = E_IO;
		else
			store_sync(s);
	}
	if (status != OK) {
		store_close(s);
		s = NULL;
	}
	*store = s;
	return status;
}
