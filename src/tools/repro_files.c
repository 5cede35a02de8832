#include "tools/repro_files.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/dir.h"
#include "base/xmalloc.h"
#include "shared/campaign_folder.h"
#include "shared/wire/memory.h"
#include "store/archive.h"
#include "worker/inputs/input_sequence.h"
#include "worker/inputs/input_text.h"
#include "worker/worker.h"

static void
repro_run_add(struct repro_run *run, char *take_path, bool is_foreign)
{
	run->files = xreallocarray(run->files, run->n + 1, sizeof(*run->files));
	run->files[run->n++] = (struct repro_file){ take_path, is_foreign };
}

static int
repro_is_numbered(const struct dirent *entry)
{
	return strspn(entry->d_name, "0123456789") == 6 &&
		entry->d_name[6] == '\0';
}

/* Adds the numbered files of a folder; false: there are none. */
static bool
repro_run_add_row(struct repro_run *run, const char *folder)
{
	struct dirent **entries;
	int i, n = scandir(folder, &entries, repro_is_numbered, alphasort);

	if (n < 0)
		return false;
	for (i = 0; i < n; i++) {
		repro_run_add(run,
			xasprintf("%s/%s", folder, entries[i]->d_name), false);
		free(entries[i]);
	}
	free(entries);
	return n > 0;
}

static void
repro_run_add_path(struct repro_run *run, const char *path)
{
	char *inner;

	if (!dir_exists(path)) {
		inner = campaign_folder_of(path);
		repro_run_add(run, xstrdup(path), inner == NULL);
		free(inner);
		return;
	}
	inner = xasprintf("%s/sequence", path);
	if (repro_run_add_row(run, inner) || repro_run_add_row(run, path))
		run->row = true;
	else
		repro_run_add(run, archive_input(path), false);
	free(inner);
}

void
repro_files_init(struct repro_files *list, char **files, bool together)
{
	struct repro_run *run = NULL;
	size_t i;

	*list = (struct repro_files){ .n = 0 };
	for (i = 0; files[i] != NULL; i++) {
		if (run == NULL || !together) {
			list->runs = xreallocarray(list->runs, list->n + 1,
				sizeof(*list->runs));
			run = &list->runs[list->n++];
			*run = (struct repro_run){ .row = together };
			run->name = xstrdup(files[i]);
		}
		repro_run_add_path(run, files[i]);
	}
	if (together && i > 1) {
		free(run->name);
		run->name = xasprintf("%s ... %s", files[0], files[i - 1]);
	}
}

void
repro_files_clear(struct repro_files *list)
{
	size_t i;

	for (; list->n > 0; list->n--) {
		struct repro_run *run = &list->runs[list->n - 1];

		for (i = 0; i < run->n; i++)
			free(run->files[i].path);
		free(run->files);
		free(run->name);
	}
	free(list->runs);
	*list = (struct repro_files){ .n = 0 };
}

/* The length limit that admits the files, and the row of them. */
static uint64_t
repro_run_max_len(const struct repro_run *run)
{
	uint64_t largest = 0, packed = 0, room;
	size_t i;

	for (i = 0; i < run->n; i++) {
		room = input_file_room(run->files[i].path);
		packed += room + sizeof(uint32_t);
		if (room > largest)
			largest = room;
	}
	if (run->row && packed / MEMORY_RING_INPUTS >= largest)
		largest = packed / MEMORY_RING_INPUTS + 1;
	return largest;
}

uint64_t
repro_files_max_len(const struct repro_files *list, uint64_t max_len)
{
	uint64_t needed;
	size_t i;

	for (i = 0; i < list->n; i++) {
		needed = repro_run_max_len(&list->runs[i]);
		if (needed > max_len)
			max_len = needed;
	}
	return max_len < SETTINGS_MAX_LEN_MAX ? max_len : SETTINGS_MAX_LEN_MAX;
}

static enum status
repro_read_file(const struct repro_run *run, size_t i,
	const struct tuple_types *types, size_t max_len, uint8_t **data,
	size_t *len, size_t *bytes, struct error *err)
{
	const struct repro_file *file = &run->files[i];
	size_t file_len = 0;
	enum status status;

	if (dir_exists(file->path))
		return error_set(err, E_USAGE,
			"%s is a folder without an input: name its files, as in "
			"%s/*, or the folder of a finding",
			file->path, file->path);
	status = input_read(types, file->path, file->is_foreign, max_len, data,
		len, &file_len, err);
	*bytes += file_len;
	return status;
}

static enum status
repro_read_row(const struct repro_run *run, const struct tuple_types *types,
	size_t max_len, struct input_sequence *row, size_t *bytes,
	struct error *err)
{
	enum status status = OK;
	uint8_t *data = NULL;
	size_t i, len = 0;

	for (i = 0; status == OK && i < run->n; i++) {
		status = repro_read_file(run, i, types, max_len, &data, &len,
			bytes, err);
		if (status == OK)
			input_sequence_push(row, data, len);
	}
	if (status == OK &&
		(row->n > MEMORY_SEQUENCE_MAX ||
			row->bytes + row->n * sizeof(uint32_t) >
				worker_sequence_max((uint32_t)max_len)))
		status = error_set(err, E_RANGE,
			"%s: %zu inputs, %zu bytes: one process cannot get so "
			"many",
			run->name, row->n, row->bytes);
	return status;
}

enum status
repro_run_read(const struct repro_run *run, const struct tuple_types *types,
	size_t max_len, uint8_t **data, size_t *len, size_t *bytes,
	struct error *err)
{
	struct input_sequence row = { .n = 0 };
	enum status status;
	uint32_t *which;
	size_t i;

	*bytes = 0;
	if (!run->row)
		return repro_read_file(run, 0, types, max_len, data, len, bytes,
			err);
	status = repro_read_row(run, types, max_len, &row, bytes, err);
	if (status == OK) {
		which = xcalloc(row.n, sizeof(*which));
		for (i = 0; i < row.n; i++)
			which[i] = (uint32_t)i;
		*data = input_sequence_pack(&row, which, row.n, len);
		free(which);
	}
	input_sequence_clear(&row);
	return status;
}
