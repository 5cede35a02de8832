/*
 * store: see store.h. Reading and writing while a campaign runs. All writes go
 * to the writer; only reads touch the disk here.
 */
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/log.h"
#include "base/xmalloc.h"
#include "store/journal.h"
#include "store/store_private.h"
#include "store/store_share.h"
#include "worker/inputs/input_text.h"

#define STORE_JSON_FLAGS (JSON_INDENT(2) | JSON_REAL_PRECISION(15))

/* ---- state -------------------------------------------------------------- */

const char *
store_part_name(enum store_part part)
{
	static const char *const names[STORE_PART_COUNT] = {
		[STORE_CORPUS] = "corpus",
		[STORE_CRASHES] = "crashes",
		[STORE_HANGS] = "hangs",
		[STORE_OOMS] = "ooms",
		[STORE_LEAKS] = "leaks",
		[STORE_SUSPECTS] = "suspects",
	};

	return names[part];
}

void
store_warn(struct store *store, const char *fmt, ...)
{
	char text[ERROR_TEXT_MAX];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	log_debug("store: %s", text);
	store->warnings = xreallocarray(store->warnings, store->warnings_n + 1,
		sizeof(char *));
	store->warnings[store->warnings_n++] = xstrdup(text);
}

const char *
store_warning(const struct store *store, size_t i)
{
	return i < store->warnings_n ? store->warnings[i] : NULL;
}

const struct store_past *
store_past(const struct store *store)
{
	return &store->past;
}

const struct growth *
store_growth(const struct store *store)
{
	return &store->growth;
}

void
store_forget(struct store *store)
{
	size_t i;

	for (i = 0; i < store->past.buckets_n; i++)
		json_decref(store->past.buckets[i].info);
	free(store->past.buckets);
	json_decref(store->past.stats);
	store->past.buckets = NULL;
	store->past.buckets_n = 0;
	store->past.stats = NULL;
}

int
store_corpus_fd(const struct store *store)
{
	return store->part_fd[STORE_CORPUS];
}

enum status
store_read(const struct store *store, const char *folder, const char *name,
	size_t max, uint8_t **data, size_t *len, struct error *err)
{
	enum status status;
	int fd;

	status = dir_open_at(store->root_fd, *folder ? folder : ".",
		DIR_NOFOLLOW, &fd, err);
	if (status != OK)
		return status;
	status = file_read_at(fd, name, max, data, len, err);
	fd_close(&fd);
	return status;
}

enum status
store_read_input(const struct store *store, const char *folder,
	const char *name, size_t max_len, uint8_t **data, size_t *len,
	struct error *err)
{
	enum status status = store_read(store, folder, name,
		input_file_max(&store->types, max_len), data, len, err);

	if (status != OK)
		return status;
	status = input_from_text(&store->types, data, len, max_len, err);
	if (status != OK) {
		free(*data);
		*data = NULL;
		*len = 0;
		error_wrap(err, "%s/%s", folder, name);
	}
	return status;
}

bool
store_read_part(const struct store *store, const char *folder, const char *name,
	struct store_piece *part)
{
	struct stat st;
	int dir, fd;
	ssize_t n;

	if (dir_open_at(store->root_fd, folder, DIR_NOFOLLOW, &dir, NULL) != OK)
		return false;
	fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	fd_close(&dir);
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		fd_close(&fd);
		return false;
	}
	part->data = xmalloc(part->max + 1);
	n = part->first > INT64_MAX
		? 0
		: pread(fd, part->data, part->max, (off_t)part->first);
	part->len = n > 0 ? (size_t)n : 0;
	part->total = (uint64_t)st.st_size;
	fd_close(&fd);
	return true;
}

uint64_t
store_name_number(const char *name)
{
	char digits[STORE_NAME_LEN + 1];

	snprintf(digits, sizeof(digits), "%.*s", STORE_NAME_LEN, name);
	return strtoull(digits, NULL, 16);
}

/* ---- writing ------------------------------------------------------------ */

void
store_write(struct store *store, const struct writer_file *file)
{
	/* At rest another run may own the directory. */
	if (!store->rests)
		writer_add(store->writer, file);
}

void
store_write_input(struct store *store, struct writer_file *file)
{
	struct input_text text;

	input_text_init(&text, &store->types, file->data, file->len);
	file->data = text.data;
	file->len = text.len;
	store_write(store, file);
	input_text_clear(&text);
}

bool
store_add_entry(struct store *store, const char *old, const char *name,
	const char *full_name, const void *data, size_t len,
	writer_done_fn *done, void *arg)
{
	struct input_text text;
	struct writer_file file;
	bool replaced;

	input_text_init(&text, &store->types, data, len);
	file = (struct writer_file){
		.kind = WRITER_ENTRY,
		.folder = store_part_name(STORE_CORPUS),
		.name = name,
		.other_name = full_name,
		.keep = true,
		.data = text.data,
		.len = text.len,
		.done = done,
		.arg = arg,
	};
	replaced = old[0] != '\0' && writer_replace(store->writer, old, &file);
	if (!replaced)
		store_write(store, &file);
	input_text_clear(&text);
	return replaced;
}

void
store_remove_entry(struct store *store, const char *name)
{
	store_write(store,
		&(struct writer_file){
			.kind = WRITER_ENTRY,
			.folder = store_part_name(STORE_CORPUS),
			.name = name,
			.remove = true,
		});
}

char *
store_dump(const json_t *json)
{
	char *text = json_dumps(json, STORE_JSON_FLAGS), *line;

	if (!text) {
		log_debug("store: a JSON value cannot be written");
		return NULL;
	}
	line = xasprintf("%s\n", text);
	free(text);
	return line;
}

void
store_write_stats(struct store *store, const json_t *stats)
{
	char *text = store_dump(stats);

	if (!text)
		return;
	store_write(store,
		&(struct writer_file){
			.kind = WRITER_STATS,
			.folder = "",
			.name = STORE_STATS,
			.data = text,
			.len = strlen(text),
		});
	free(text);
}

void
store_log(struct store *store, const json_t *event, bool sync)
{
	char *line;

	if (store->rests)
		return;
	line = journal_line(event);
	growth_take_line(&store->growth, line);
	store_write(store,
		&(struct writer_file){
			.kind = WRITER_JOURNAL,
			.folder = "",
			.name = STORE_JOURNAL,
			.head = store->journal_head,
			.sync = sync,
			.data = line,
			.len = strlen(line),
		});
	free(line);
}

void
store_steps(struct store *store, writer_step_fn *step, writer_done_fn *done,
	void *arg)
{
	writer_steps(store->writer, step, done, arg);
}

static bool
store_is_removed(const struct store *store)
{
	struct stat st;

	return fstat(store->root_fd, &st) == 0 && st.st_nlink == 0;
}

/* The writer knows only names in the directory. */
void
store_get_status(const struct store *store, struct writer_status *status)
{
	char why[sizeof(status->text)];

	writer_get_status(store->writer, status);
	if (status->trouble == OK)
		return;
	memcpy(why, status->text, sizeof(why));
	if (store_is_removed(store))
		snprintf(status->text, sizeof(status->text),
			"the output directory %.900s was removed",
			store->shown);
	else
		snprintf(status->text, sizeof(status->text),
			"the output directory %.500s: %.480s", store->shown,
			why);
}

/* ---- the end ------------------------------------------------------------ */

size_t
store_finish(struct store *store, uint64_t timeout_ms, writer_lost_fn *fn,
	void *arg)
{
	size_t lost = writer_finish(store->writer, timeout_ms);

	if (fn)
		writer_each_lost(store->writer, fn, arg);
	return lost;
}

void
store_close(struct store *store)
{
	size_t i;

	if (!store)
		return;
	writer_destroy(store->writer);
	store_unshare(store);
	if (store->has_reserve)
		unlinkat(store->root_fd, WRITER_RESERVE_NAME, 0);
	store_forget(store);
	for (i = 0; i < STORE_PART_COUNT; i++)
		fd_close(&store->part_fd[i]);
	fd_close(&store->root_fd);
	store_unsign_lock(store);
	fd_close(&store->lock_fd); /* last, because this releases the lock */
	for (i = 0; i < store->warnings_n; i++)
		free(store->warnings[i]);
	free(store->warnings);
	for (i = 0; i < store->folders_n; i++) {
		free(store->folders[i].name);
		free(store->folders[i].more);
	}
	free(store->folders);
	free(store->suspects);
	free(store->journal_head);
	free(store->path);
	free(store->shown);
	free(store);
}
