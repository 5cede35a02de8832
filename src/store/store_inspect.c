/*
 * store_inspect: checks whether a directory is the output directory of this
 * target. Changes nothing.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/text.h"
#include "control/endpoint.h"
#include "control/json_text.h"
#include "store/journal.h"
#include "store/raw_text.h"
#include "store/store_private.h"
#include "worker/input_file.h"

/* The folder of `cfuzz ci` and `cfuzz report` if no other is given. */
#define STORE_REPORT "report"

static bool
store_is_our_name(const char *name)
{
	static const char *const exact[] = { STORE_LOCK, STORE_JOURNAL,
		ENDPOINT_NAME, STORE_STATS, STORE_COVERAGE, STORE_EXPORT,
		STORE_REPORT, WRITER_RESERVE_NAME };
	static const char *const starts[] = { FILE_TMP_PREFIX,
		INPUT_FILE_PREFIX, STORE_JOURNAL ".damaged-",
		STORE_STATS ".damaged-", STORE_COVERAGE ".damaged-" };
	size_t i;

	for (i = 0; i < sizeof(exact) / sizeof(*exact); i++)
		if (strcmp(name, exact[i]) == 0)
			return true;
	for (i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (strncmp(name, starts[i], strlen(starts[i])) == 0)
			return true;
	for (i = 0; i < STORE_PART_COUNT; i++)
		if (strcmp(name, store_part_name((enum store_part)i)) == 0)
			return true;
	return false;
}

/*
 * Without a journal the directory must be empty, or have only files of ours and
 * a lock file. Any other directory is left alone.
 */
static enum status
store_check_names(const struct store *store, bool *empty, struct error *err)
{
	struct dir_names names = { 0 };
	enum status status = dir_list(store->root_fd, &names, err);
	bool ours = true, lock = false;
	size_t i;

	for (i = 0; i < names.n; i++) {
		ours = ours && store_is_our_name(names.items[i]);
		lock = lock || strcmp(names.items[i], STORE_LOCK) == 0;
	}
	*empty = names.n == 0;
	dir_names_clear(&names);
	if (status != OK || *empty || (ours && lock))
		return status;
	return error_set(err, E_USAGE,
		"%s is not empty and not an output directory of cfuzz: "
		"choose another one with -o",
		store->shown);
}

static bool
store_is_same(const json_t *start, const struct target_info *target)
{
	char *path = raw_text_get(start, "target");
	const char *id = json_text_get(start, "build_id");
	bool same = (path && strcmp(path, target->path) == 0) ||
		(id && *id && strcmp(id, target->build) == 0);

	free(path);
	return same;
}

char *
store_place(const struct store *store)
{
	char *real = realpath(store->path, NULL);
	char *clean = text_clean_dup(real != NULL ? real : store->path,
		strlen(real != NULL ? real : store->path));

	free(real);
	return clean;
}

/* The directory or the program was moved or copied: a program of the same name
 * may be another build. Its types are compared later. */
static bool
store_is_moved(const struct store *store, const json_t *start,
	const struct target_info *target)
{
	char *path = raw_text_get(start, "target");
	const char *was = json_text_get(start, "output");
	const char *name = path != NULL ? strrchr(path, '/') : NULL;
	char *place = store_place(store);
	bool moved = name != NULL && strcmp(name + 1, target->name) == 0 &&
		((was != NULL && strcmp(was, place) != 0) ||
			access(path, F_OK) != 0);

	free(path);
	free(place);
	return moved;
}

/* Accepts the same path (rebuilt) or the same program (moved) as in the first
 * or the latest run. */
static enum status
store_check_target(const struct store *store,
	const struct journal_summary *journal, const struct target_info *target,
	struct error *err)
{
	const char *path = json_text_get(journal->first, "target");
	char other[256], own[256];

	if (target == NULL || !journal->first ||
		store_is_same(journal->first, target) ||
		store_is_same(journal->latest, target) ||
		store_is_moved(store, journal->latest, target))
		return OK;
	text_clean_string(path, other, sizeof(other));
	text_clean_string(target->path, own, sizeof(own));
	return error_set(err, E_EXISTS,
		"%s belongs to another target, %s, not to %s: choose another "
		"output directory with -o",
		store->shown, other, own);
}

/* *fd is -1 if there is no journal. */
static enum status
store_open_journal(const struct store *store, int *fd, struct error *err)
{
	struct error why = { 0 };
	enum status status = file_open_own_at(store->root_fd, STORE_JOURNAL,
		O_RDWR | O_APPEND, fd, &why);

	if (status == OK || status == E_NOT_FOUND)
		return OK;
	return error_set(err, status == E_FORMAT ? E_USAGE : E_IO,
		"%s: %s: choose another output directory with -o", store->shown,
		why.text);
}

enum status
store_inspect(const struct store *store, const struct target_info *target,
	struct journal_summary *journal, int *fd, struct error *err)
{
	enum status status = store_open_journal(store, fd, err);
	bool empty;

	memset(journal, 0, sizeof(*journal));
	if (status != OK)
		return status;
	if (*fd < 0)
		return store_check_names(store, &empty, err);
	status = journal_read(*fd, journal, err);
	if (status == OK)
		status = store_check_target(store, journal, target, err);
	if (status != OK) {
		journal_summary_clear(journal);
		fd_close(fd);
	}
	return status;
}
