/*
 * archive_findings: reads the folders of findings and trusts nothing in them.
 * Only members of crash.json with the right type and size count; lengths are
 * the lengths of the files, and counts are those of stats.json if it is newer.
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/dir.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/json_text.h"
#include "findings/distinguish.h"
#include "findings/finding.h"
#include "findings/finding_counts.h"
#include "store/archive.h"
#include "store/store_files.h"

#define ARCHIVE_SECONDS_MAX 1e9 /* thirty years */

/* ---- crash.json --------------------------------------------------------- */

static uint32_t
archive_info_small(const json_t *info, const char *name)
{
	uint64_t n = json_count_of(info, name);

	return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

static double
archive_info_seconds(const json_t *info, const char *name)
{
	double s = json_number_value(json_object_get(info, name));

	return isfinite(s) && s > 0
		? (s < ARCHIVE_SECONDS_MAX ? s : ARCHIVE_SECONDS_MAX)
		: 0;
}

static void
archive_info_text(const json_t *info, const char *name, char *buf, size_t size)
{
	text_clean_string(json_text_of(info, name), buf, size);
}

/* The engine makes ids of hex digits only. */
static void
archive_info_id(const json_t *info, char *buf, size_t size)
{
	const char *id = json_text_get(info, "id");
	size_t n = id != NULL ? strspn(id, "0123456789abcdef") : 0;

	buf[0] = '\0';
	if (n > 0 && n <= 16 && id[n] == '\0')
		snprintf(buf, size, "%s", id);
}

/* These replays were interrupted; those of the build before were not. */
static void
archive_forget_replays(struct snapshot_finding *view)
{
	view->replays = view->replays_before;
	view->reproduced = view->reproduced_before;
	view->replays_before = view->reproduced_before = 0;
}

/* Older files have no replays_build: then the last build ran the replays. */
static void
archive_info_standing(const json_t *info, const char *now,
	struct snapshot_finding *view)
{
	char build[TARGET_ID_SIZE], replays[TARGET_ID_SIZE];
	enum finding_standing standing;

	archive_info_text(info, "build_id", build, sizeof(build));
	archive_info_text(info, "replays_build", replays, sizeof(replays));
	if (replays[0] == '\0' && json_object_get(info, "left") != NULL)
		archive_forget_replays(view);
	if (replays[0] == '\0')
		memcpy(replays, build, sizeof(replays));
	standing = finding_standing(build, replays, view->reproduced, now);
	snprintf(view->standing, sizeof(view->standing), "%s",
		finding_standing_name(standing));
	snprintf(view->build, sizeof(view->build), "%.8s", build);
	snprintf(view->replays_build, sizeof(view->replays_build), "%.8s",
		replays);
}

void
archive_finding_view(struct archive_finding *f, const char *build)
{
	struct snapshot_finding *view = &f->view;
	const json_t *info = f->info;

	text_clean_string(f->folder, view->folder, sizeof(view->folder));
	archive_info_id(info, view->id, sizeof(view->id));
	archive_info_text(info, "kind", view->kind, sizeof(view->kind));
	archive_info_text(info, "what", view->what, sizeof(view->what));
	archive_info_text(info, "where", view->where, sizeof(view->where));
	archive_info_text(info, "text", view->text, sizeof(view->text));
	archive_info_text(info, "state", view->state, sizeof(view->state));
	if (strcmp(view->state, FINDING_ACCEPTED_OLD) == 0)
		snprintf(view->state, sizeof(view->state), "%s",
			finding_verdict_name(VERDICT_ACCEPTED));
	view->count = json_count_of(info, "count");
	view->first_s = archive_info_seconds(info, "first_s");
	view->last_s = archive_info_seconds(info, "last_s");
	view->replays = archive_info_small(info, "replays");
	view->reproduced = archive_info_small(info, "reproduced");
	view->replays_before = archive_info_small(info, "replays_before");
	view->reproduced_before = archive_info_small(info, "reproduced_before");
	view->sequence = archive_info_small(info, "sequence");
	archive_info_standing(info, build, view);
	if (info == NULL)
		snprintf(view->state, sizeof(view->state), "damaged");
	if (view->what[0] == '\0')
		snprintf(view->what, sizeof(view->what), "?");
}

/* ---- folders ------------------------------------------------------------ */

static uint32_t
archive_count_more(int dirfd)
{
	struct dir_names names = { 0 };
	uint32_t n = 0;
	size_t i;
	int fd;

	if (dir_open_at(dirfd, "more", DIR_NOFOLLOW, &fd, NULL) != OK)
		return 0;
	if (dir_list(fd, &names, NULL) == OK)
		for (i = 0; i < names.n; i++)
			n += names.items[i][0] != '.';
	dir_names_clear(&names);
	fd_close(&fd);
	return n;
}

/* A new reference; NULL: the file is missing, or no object. */
static json_t *
archive_read_object(int dirfd, const char *name, size_t max)
{
	json_t *object = NULL;
	uint8_t *data;
	size_t len;

	if (file_read_at(dirfd, name, max, &data, &len, NULL) == OK) {
		object = json_loadb((const char *)data, len, 0, NULL);
		free(data);
	}
	if (json_is_object(object))
		return object;
	json_decref(object);
	return NULL;
}

static void
archive_add(struct archive_findings *list, enum store_part part,
	const char *name, int dirfd)
{
	struct archive_finding *f;

	list->items =
		xreallocarray(list->items, list->n + 1, sizeof(*list->items));
	f = &list->items[list->n++];
	*f = (struct archive_finding){ 0 };
	snprintf(f->folder, sizeof(f->folder), "%s/%s", store_part_name(part),
		name);
	f->info = archive_read_object(dirfd, "crash.json", STORE_INFO_MAX);
	archive_finding_view(f, list->build);
	f->has_input = file_size_at(dirfd, "input", &f->view.len);
	f->has_minimized =
		file_size_at(dirfd, "minimized", &f->view.minimized_len);
	f->more = archive_count_more(dirfd);
}

static void
archive_read_part(struct archive_findings *list, enum store_part part, int fd)
{
	struct dir_names names = { 0 };
	size_t i;
	int dirfd;

	if (dir_list(fd, &names, NULL) != OK)
		return;
	for (i = 0; i < names.n; i++) {
		if (strlen(names.items[i]) + 16 > STORE_FOLDER_SIZE ||
			dir_open_at(fd, names.items[i], DIR_NOFOLLOW, &dirfd,
				NULL) != OK)
			continue; /* a file or a link, not a finding */
		archive_add(list, part, names.items[i], dirfd);
		fd_close(&dirfd);
	}
	dir_names_clear(&names);
}

/* While a campaign runs, or if it was killed, stats.json is newer. */
static void
archive_take_counts(struct archive_findings *list, int fd)
{
	json_t *stats = archive_read_object(fd, STORE_STATS, STORE_STATS_MAX);
	size_t i;

	for (i = 0; i < list->n; i++)
		if (finding_counts_take(list->items[i].info, stats))
			archive_finding_view(&list->items[i], list->build);
	json_decref(stats);
}

/* ---- the order ---------------------------------------------------------- */

static int
archive_rank(const struct snapshot_finding *f)
{
	int verdict;

	for (verdict = 0; verdict < VERDICT_COUNT; verdict++)
		if (strcmp(f->state, finding_verdict_name(verdict)) == 0)
			return verdict;
	return VERDICT_COUNT;
}

static int
archive_compare(const void *a, const void *b)
{
	const struct archive_finding *x = a, *y = b;
	int rank = archive_rank(&x->view) - archive_rank(&y->view);

	if (rank != 0)
		return rank;
	if (x->view.last_s != y->view.last_s)
		return x->view.last_s > y->view.last_s ? -1 : 1;
	return strcmp(x->folder, y->folder);
}

static const char *
archive_identity(const struct distinguish *item)
{
	const struct archive_finding *f = item->arg;

	return json_text_get(f->info, "identity");
}

static void
archive_tell_apart(struct archive_findings *list)
{
	struct distinguish *items = xcalloc(list->n + 1, sizeof(*items));
	struct snapshot_finding *view;
	size_t i;

	for (i = 0; i < list->n; i++) {
		view = &list->items[i].view;
		items[i] = (struct distinguish){ .what = view->what,
			.where = view->where,
			.text = view->apart,
			.size = sizeof(view->apart),
			.arg = &list->items[i] };
	}
	distinguish_tell(items, list->n, archive_identity);
	free(items);
}

/* An output directory has a journal or a lock file. */
static enum status
archive_open(const char *output, int *fd, struct error *err)
{
	struct stat st;
	enum status status = dir_open_at(AT_FDCWD, output, 0, fd, err);

	if (status != OK)
		return status;
	if (fstatat(*fd, STORE_JOURNAL, &st, AT_SYMLINK_NOFOLLOW) == 0 ||
		fstatat(*fd, STORE_LOCK, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return OK;
	fd_close(fd);
	return error_set(err, E_USAGE,
		"%s is not an output directory of cfuzz: it has no " STORE_JOURNAL
		" in it",
		output);
}

enum status
archive_read_findings(const char *output, struct archive_findings *list,
	struct error *err)
{
	struct archive_start start;
	unsigned part;
	int fd, dirfd;

	*list = (struct archive_findings){ 0 };
	if (archive_open(output, &fd, err) != OK)
		return err->code;
	archive_read_start(output, &start);
	memcpy(list->build, start.build, sizeof(list->build));
	archive_start_clear(&start);
	for (part = STORE_CRASHES; part <= STORE_LEAKS; part++) {
		if (dir_open_at(fd, store_part_name(part), DIR_NOFOLLOW, &dirfd,
			    NULL) != OK)
			continue;
		archive_read_part(list, part, dirfd);
		fd_close(&dirfd);
	}
	archive_take_counts(list, fd);
	fd_close(&fd);
	if (list->n > 0)
		qsort(list->items, list->n, sizeof(*list->items),
			archive_compare);
	archive_tell_apart(list);
	return OK;
}

void
archive_findings_clear(struct archive_findings *list)
{
	size_t i;

	for (i = 0; i < list->n; i++)
		json_decref(list->items[i].info);
	free(list->items);
	*list = (struct archive_findings){ 0 };
}
