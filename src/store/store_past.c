/*
 * store_past: reads the state that earlier runs left in the output directory.
 * Other programs and full disks may have damaged it: damaged files are moved
 * aside.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/errnum.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "store/store_private.h"
#include "worker/inputs/type_names.h"

#define STORE_ASIDE_TRIES 100u
#define STORE_STAT_MAX 1e15
#define STORE_END_MAX (1u << 20) /* some thousand lines */

/* ---- damaged files ------------------------------------------------------ */

/* `journal.jsonl.damaged-20260801T123456`, then with `-2` and so on. */
static char *
store_aside_name(const char *name, unsigned try)
{
	char iso[CLOCK_ISO_SIZE], stamp[CLOCK_ISO_SIZE];
	size_t i, n = 0;

	clock_wall_iso(iso);
	for (i = 0; iso[i] && iso[i] != '.'; i++)
		if (isalnum((unsigned char)iso[i]))
			stamp[n++] = iso[i];
	stamp[n] = 0;
	return try < 2 ? xasprintf("%s.damaged-%s", name, stamp)
		       : xasprintf("%s.damaged-%s-%u", name, stamp, try);
}

enum status
store_move_aside(struct store *store, int dirfd, const char *folder,
	const char *name, struct error *err)
{
	char *aside = NULL;
	struct stat st;
	unsigned try;

	if (store->rests) {
		store_warn(store, "%s%s is damaged and is ignored", folder,
			name);
		return OK;
	}
	for (try = 1; try <= STORE_ASIDE_TRIES; try++) {
		free(aside);
		aside = store_aside_name(name, try);
		if (fstatat(dirfd, aside, &st, AT_SYMLINK_NOFOLLOW) < 0)
			break;
	}
	if (renameat(dirfd, name, dirfd, aside) < 0) {
		free(aside);
		return error_set(err, errnum_status(errno),
			"%s/%s%s is damaged and cannot be moved aside: %s",
			store->shown, folder, name, strerror(errno));
	}
	store_warn(store, "%s%s was damaged: moved to %s%s", folder, name,
		aside, folder[0] != '\0' ? "" : ", and created again");
	free(aside);
	return OK;
}

/* A file that cannot be read now may be valid: a run would write it anew. */
static enum status
store_unreadable(struct store *store, const char *name, const struct error *why,
	struct error *err)
{
	char text[ERROR_TEXT_MAX];

	text_clean_string(why->text, text, sizeof(text));
	if (!store->rests)
		return error_set(err, E_IO,
			"%s/%s: %s: make it readable, or move it elsewhere",
			store->shown, name, text);
	store_warn(store, "%s%s%s: it is ignored", name,
		name[0] != '\0' ? ": " : "", text);
	return OK;
}

/* *json is NULL if there is no valid file; an invalid one is moved aside. */
static enum status
store_load_json(struct store *store, int dirfd, const char *folder,
	const char *name, size_t max, json_t **json, struct error *err)
{
	struct error why = { 0 };
	uint8_t *data;
	size_t len;
	enum status status = file_read_at(dirfd, name, max, &data, &len, &why);

	*json = NULL;
	if (status == E_NOT_FOUND)
		return OK;
	if (status != OK && status != E_FORMAT && status != E_RANGE)
		return store_unreadable(store, folder, &why, err);
	if (status == OK) {
		*json = json_loadb((const char *)data, len, 0, NULL);
		free(data);
		if (json_is_object(*json))
			return OK;
		json_decref(*json);
		*json = NULL;
	}
	return store_move_aside(store, dirfd, folder, name, err);
}

/* A valid number; else 0. */
static double
store_stat(const json_t *stats, const char *name)
{
	double n = json_number_value(json_object_get(stats, name));

	return n > 0 && n < STORE_STAT_MAX ? n : 0;
}

void
store_past_read(struct store_past *past)
{
	double elapsed_s = store_stat(past->stats, "elapsed_s") +
		store_stat(past->stats, "past_s");

	if (elapsed_s > past->elapsed_s)
		past->elapsed_s = elapsed_s;
	past->execs = (uint64_t)(store_stat(past->stats, "execs") +
		store_stat(past->stats, "past_execs"));
	past->bits = (uint64_t)store_stat(past->stats, "coverage_bits");
}

enum status
store_load_stats(struct store *store, const struct journal_summary *journal,
	struct error *err)
{
	enum status status = store_load_json(store, store->root_fd, "",
		STORE_STATS, STORE_STATS_MAX, &store->past.stats, err);

	store->past.runs = journal->runs;
	store->past.elapsed_s = journal->elapsed_s;
	store->growth = journal->growth;
	store->types = journal->types;
	if (!journal->has_types)
		(void)type_names_parse(json_object_get(store->past.stats,
					       "types"),
			&store->types);
	store->past.types = store->types;
	store_past_read(&store->past);
	return status;
}

char *
store_journal_end(const struct store *store, size_t *len)
{
	struct store_piece end = { .max = 0 };

	if (!store_read_part(store, ".", STORE_JOURNAL, &end))
		return NULL;
	free(end.data);
	end.max = STORE_END_MAX;
	end.first = end.total > end.max ? end.total - end.max : 0;
	if (!store_read_part(store, ".", STORE_JOURNAL, &end))
		return NULL;
	*len = end.len;
	return (char *)end.data;
}

/* ---- names -------------------------------------------------------------- */

static bool
store_is_left_over(const char *name)
{
	return strncmp(name, FILE_TMP_PREFIX, strlen(FILE_TMP_PREFIX)) == 0;
}

/* Lists all names and removes half-written files of ours. */
static enum status
store_list(const struct store *store, int dirfd, struct dir_names *names,
	struct error *err)
{
	enum status status;
	size_t i;

	*names = (struct dir_names){ 0 };
	if (store->rests && dirfd < 0)
		return OK; /* this folder is missing */
	status = dir_list(dirfd, names, err);
	if (status != OK || store->rests)
		return status;
	for (i = 0; i < names->n; i++)
		if (store_is_left_over(names->items[i]))
			unlinkat(dirfd, names->items[i], 0);
	return OK;
}

/* Removes half-written files in folders that nothing else here lists. */
enum status
store_clean_up(struct store *store, struct error *err)
{
	int fds[] = { store->root_fd, store->part_fd[STORE_CORPUS] };
	struct dir_names names = { 0 };
	enum status status = OK;
	size_t i;

	for (i = 0; i < sizeof(fds) / sizeof(*fds) && status == OK; i++) {
		status = store_list(store, fds[i], &names, err);
		/* From the corpus, which is last. */
		store->past.empty = names.n == 0;
		dir_names_clear(&names);
	}
	return status;
}

/* 16 or 64 digits: an input that is named by its content. */
static bool
store_is_input_name(const char *name)
{
	size_t len = strspn(name, "0123456789abcdef");

	return !name[len] && (len == 16 || len == 64);
}

enum status
store_load_suspects(struct store *store, struct error *err)
{
	struct dir_names names = { 0 };
	enum status status;
	size_t i;

	status = store_list(store, store->part_fd[STORE_SUSPECTS], &names, err);
	for (i = 0; status == OK && i < names.n; i++)
		if (store_is_input_name(names.items[i]))
			(void)store_note_suspect(store,
				store_name_number(names.items[i]));
	dir_names_clear(&names);
	store->past.suspects = store->suspects_n;
	return status;
}

/* ---- findings ----------------------------------------------------------- */

static void
store_load_more(const struct store *store, int dirfd,
	struct store_bucket *bucket, struct store_folder *folder)
{
	struct dir_names names = { 0 };
	size_t i;
	int fd;

	if (dir_open_at(dirfd, "more", DIR_NOFOLLOW, &fd, NULL) != OK)
		return;
	if (store_list(store, fd, &names, NULL) == OK)
		for (i = 0; i < names.n; i++)
			if (store_is_input_name(names.items[i])) {
				(void)store_note_more(folder,
					store_name_number(names.items[i]));
				bucket->more++;
			}
	dir_names_clear(&names);
	fd_close(&fd);
}

/* A folder without input and crash.json is free for the next finding of that
 * name. */
static enum status
store_fill_bucket(struct store *store, int fd, struct store_bucket *bucket,
	struct error *err)
{
	char clean[STORE_FOLDER_SIZE], shown[STORE_FOLDER_SIZE + 1];
	enum status status;
	uint64_t before_len;

	bucket->has_input = file_size_at(fd, "input", &bucket->input_len);
	bucket->has_minimized =
		file_size_at(fd, "minimized", &bucket->minimized_len);
	bucket->has_before = file_size_at(fd, STORE_BEFORE, &before_len);
	text_clean_string(bucket->folder, clean, sizeof(clean));
	snprintf(shown, sizeof(shown), "%s/", clean);
	status = store_load_json(store, fd, shown, "crash.json", STORE_INFO_MAX,
		&bucket->info, err);
	if (bucket->has_input || bucket->info != NULL)
		store_load_more(store, fd, bucket,
			store_get_folder(store, bucket->folder));
	return status;
}

static struct store_bucket *
store_add_bucket(struct store *store, const char *folder)
{
	struct store_past *past = &store->past;
	struct store_bucket *bucket;

	past->buckets = xreallocarray(past->buckets, past->buckets_n + 1,
		sizeof(*past->buckets));
	bucket = &past->buckets[past->buckets_n++];
	*bucket = (struct store_bucket){ 0 };
	snprintf(bucket->folder, sizeof(bucket->folder), "%s", folder);
	return bucket;
}

/* A file or a link is not ours. */
static enum status
store_open_bucket(struct store *store, enum store_part part, const char *name,
	int *fd, struct error *err)
{
	struct error why = { 0 };
	struct stat st;

	if (dir_open_at(store->part_fd[part], name, DIR_NOFOLLOW, fd, &why) ==
			OK ||
		fstatat(store->part_fd[part], name, &st, AT_SYMLINK_NOFOLLOW) <
			0 ||
		!S_ISDIR(st.st_mode))
		return OK;
	return store_unreadable(store, store_part_name(part), &why, err);
}

/* An empty folder is left by a crash and is no finding. */
static enum status
store_load_bucket(struct store *store, enum store_part part, const char *name,
	struct error *err)
{
	struct dir_names names = { 0 };
	char folder[STORE_FOLDER_SIZE];
	enum status status;
	bool empty;
	int fd;

	if ((size_t)snprintf(folder, sizeof(folder), "%s/%s",
		    store_part_name(part), name) >= sizeof(folder))
		return OK;
	status = store_open_bucket(store, part, name, &fd, err);
	if (status != OK || fd < 0)
		return status;
	status = store_list(store, fd, &names, err);
	empty = names.n == 0 ||
		(names.n == 1 && store_is_left_over(names.items[0]));
	dir_names_clear(&names);
	if (status == OK &&
		!(empty &&
			(store->rests ||
				unlinkat(store->part_fd[part], name,
					AT_REMOVEDIR) == 0)))
		status = store_fill_bucket(store, fd,
			store_add_bucket(store, folder), err);
	fd_close(&fd);
	return status;
}

enum status
store_load_buckets(struct store *store, struct error *err)
{
	struct dir_names names = { 0 };
	enum status status = OK;
	unsigned part;
	size_t i;

	for (part = STORE_CRASHES; part <= STORE_LEAKS && status == OK;
		part++) {
		status = store_list(store, store->part_fd[part], &names, err);
		for (i = 0; i < names.n && status == OK; i++)
			status = store_load_bucket(store, part, names.items[i],
				err);
		dir_names_clear(&names);
	}
	return status;
}
