/*
 * show_finding: a finding as JSON. The command to run it again is made here,
 * because anybody may have written crash.json.
 */
#include "tools/show_finding.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/dir.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/json_text.h"
#include "findings/names.h"
#include "shared/wire/failure.h"
#include "tools/show_private.h"

#define SHOW_FILES_MAX 64
#define SHOW_STEPS_MAX 1024u
#define SHOW_ANCESTORS_MAX 64u
#define SHOW_LINES_MAX 1000
#define SHOW_INPUTS_MAX 1000u /* of a sequence */
#define SHOW_INPUT_MAX 1024u  /* bytes of each */

/* The command to run the finding again, quoted for a shell. "": it has no input,
 * as on a disk that was full. */
static json_t *
show_command(const char *output, const struct archive_start *start,
	const struct archive_finding *f)
{
	char quoted[2][4 * PATH_MAX], *path;

	if (f->view.sequence < 2 && !f->has_input && !f->has_minimized)
		return json_string("");
	path = xasprintf("%s/%s%s", output, f->folder,
		f->view.sequence > 1       ? ""
			: f->has_minimized ? "/minimized"
					   : "/input");
	text_quote_shown(start->target != NULL ? start->target : "TARGET",
		quoted[0], sizeof(quoted[0]));
	text_quote_shown(path, quoted[1], sizeof(quoted[1]));
	free(path);
	return json_sprintf("cfuzz repro %s %s", quoted[0], quoted[1]);
}

json_t *
show_finding_row(const char *output, const struct archive_start *start,
	const struct archive_finding *f)
{
	const struct snapshot_finding *v = &f->view;
	char again[SNAPSHOT_REPLAYS_SIZE];
	json_t *row;

	row = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:f, "
			"s:f, s:o, s:o, s:i, s:i, s:i, s:o}",
		"id", v->id, "folder", v->folder, "class",
		failure_class(failure_kind_parse(v->kind))->words, "kind",
		v->kind, "what", v->what, "where", v->where, "text", v->text,
		"state", v->state, "count", json_count_new(v->count), "first_s",
		v->first_s, "last_s", v->last_s, "len", json_count_new(v->len),
		"minimized_len", json_count_new(v->minimized_len), "replays",
		v->replays < INT_MAX ? (int)v->replays : INT_MAX, "reproduced",
		v->reproduced < INT_MAX ? (int)v->reproduced : INT_MAX, "more",
		(int)f->more, "command", show_command(output, start, f));
	json_object_set_new(row, "apart", json_string(v->apart));
	json_object_set_new(row, "standing", json_string(v->standing));
	json_object_set_new(row, "replays_before",
		json_count_new(v->replays_before));
	json_object_set_new(row, "reproduced_before",
		json_count_new(v->reproduced_before));
	json_object_set_new(row, "again",
		json_string(snapshot_replays(v, again)));
	json_object_set_new(row, "build", json_string(v->build));
	json_object_set_new(row, "replays_build",
		json_string(v->replays_build));
	show_put_types(row, &start->types);
	return row;
}

/* Frames of crash.json, parsed and written again. */
static json_t *
show_frames(const struct archive_finding *f)
{
	struct failure failure = { 0 };
	struct symbols_answer *names =
		names_parse(&failure, json_object_get(f->info, "frames"));
	json_t *frames = names_frames(&failure, names);

	symbols_answer_destroy(names);
	return frames;
}

static json_t *
show_files(int dirfd)
{
	json_t *files = json_array();
	struct dir_names names = { 0 };
	uint64_t len;
	size_t i;

	if (dir_list(dirfd, &names, NULL) != OK)
		return files;
	for (i = 0; i < names.n && json_array_size(files) < SHOW_FILES_MAX; i++)
		if (names.items[i][0] != '.' &&
			file_size_at(dirfd, names.items[i], &len))
			json_array_append_new(files,
				json_pack("{s:o, s:o}", "name",
					json_text_new(names.items[i]), "len",
					json_count_new(len)));
	dir_names_clear(&names);
	return files;
}

/* Reads the report line by line. */
static json_t *
show_report(int dirfd)
{
	json_t *lines = json_array();
	uint8_t *data;
	char *at, *end, line[1024];
	size_t len;

	if (file_read_at(dirfd, "report.txt", SHOW_FILE_MAX, &data, &len,
		    NULL) != OK)
		return lines;
	if (len > SHOW_BYTES_MAX)
		len = SHOW_BYTES_MAX;
	for (at = (char *)data; at < (char *)data + len &&
		json_array_size(lines) < SHOW_LINES_MAX;
		at = end + 1) {
		end = memchr(at, '\n', (size_t)((char *)data + len - at));
		if (end == NULL)
			end = (char *)data + len;
		text_clean(at, (size_t)(end - at), line, sizeof(line));
		json_array_append_new(lines, json_string(line));
	}
	free(data);
	return lines;
}

/* The mutations that the journal has for the finding. */
static json_t *
show_mutations(const json_t *told)
{
	json_t *list = json_array();
	const json_t *mutation;
	const char *op;
	size_t i;

	for (i = 0; i < json_array_size(told) && i < SHOW_STEPS_MAX; i++) {
		mutation = json_array_get(told, i);
		op = json_text_get(mutation, "op");
		json_array_append_new(list,
			json_pack("{s:o, s:o, s:o}", "op",
				json_text_new(op != NULL ? op : "?"), "offset",
				json_count_new(
					json_count_of(mutation, "offset")),
				"len",
				json_count_new(
					json_count_of(mutation, "len"))));
	}
	return list;
}

/* Digits of the bucket, which other builds and machines have as well; "": unknown. */
static void
show_put_bucket(json_t *object, const json_t *info)
{
	const char *bucket = json_text_get(info, "bucket");

	if (bucket == NULL || strlen(bucket) >= ARCHIVE_NAME_SIZE ||
		bucket[strspn(bucket, "0123456789abcdef")] != '\0')
		bucket = "";
	json_object_set_new(object, "bucket", json_string(bucket));
}

/* Names of the inputs that it descends from, the nearest first. */
static void
show_put_ancestors(json_t *object, const json_t *info)
{
	const json_t *entries =
		json_object_get(json_object_get(info, "lineage"), "entries");
	json_t *list = json_array();
	const json_t *entry;
	size_t i;

	json_array_foreach(entries, i, entry) {
		const char *name = json_string_value(entry);

		if (i < SHOW_ANCESTORS_MAX && name != NULL &&
			strlen(name) < ARCHIVE_NAME_SIZE &&
			name[strspn(name, "0123456789abcdef")] == '\0')
			json_array_append_new(list, json_string(name));
	}
	json_object_set_new(object, "ancestors", list);
}

static void
show_smallest(json_t *object, int dirfd, const struct archive_finding *f)
{
	const char *name = f->has_minimized ? "minimized" : "input";
	uint8_t *data;
	size_t len;

	if (file_read_at(dirfd, name, SHOW_FILE_MAX, &data, &len, NULL) != OK)
		return;
	json_object_set_new(object, "data_of", json_string(name));
	show_put_data(object, data, len);
	free(data);
}

/* The inputs in the order in which they run. */
static json_t *
show_sequence(int dirfd)
{
	json_t *list = json_array(), *input;
	struct dir_names names = { 0 };
	size_t i, len;
	uint8_t *data;
	int fd;

	if (dir_open_at(dirfd, "sequence", 0, &fd, NULL) != OK)
		return list;
	(void)!dir_list(fd, &names, NULL);
	for (i = 0; i < names.n && json_array_size(list) < SHOW_INPUTS_MAX;
		i++) {
		if (strspn(names.items[i], "0123456789") !=
				strlen(names.items[i]) ||
			file_read_at(fd, names.items[i], SHOW_FILE_MAX, &data,
				&len, NULL) != OK)
			continue;
		input = json_pack("{s:s, s:o}", "name", names.items[i], "len",
			json_count_new(len));
		show_put_data(input, data,
			len < SHOW_INPUT_MAX ? len : SHOW_INPUT_MAX);
		json_object_set_new(input, "data_cut",
			json_boolean(len > SHOW_INPUT_MAX));
		json_array_append_new(list, input);
		free(data);
	}
	dir_names_clear(&names);
	fd_close(&fd);
	return list;
}

json_t *
show_finding(const char *output, const struct archive_start *start,
	const struct archive_finding *f, const json_t *mutations)
{
	json_t *object = show_finding_row(output, start, f);
	const char *call = json_text_get(f->info, "call");
	char *path = xasprintf("%s/%s", output, f->folder);
	int fd;

	json_object_set_new(object, "type", json_string("finding"));
	json_object_set_new(object, "path", json_text_new(path));
	json_object_set_new(object, "note",
		json_text_new(json_text_of(f->info, "note")));
	if (call != NULL)
		json_object_set_new(object, "call", json_text_new(call));
	json_object_set_new(object, "frames", show_frames(f));
	show_put_bucket(object, f->info);
	show_put_ancestors(object, f->info);
	json_object_set_new(object, "trail",
		show_mutations(json_object_get(mutations, f->view.id)));
	if (dir_open_at(AT_FDCWD, path, 0, &fd, NULL) == OK) {
		json_object_set_new(object, "files", show_files(fd));
		json_object_set_new(object, "report", show_report(fd));
		show_smallest(object, fd, f);
		if (f->view.sequence > 1)
			json_object_set_new(object, "inputs",
				show_sequence(fd));
		fd_close(&fd);
	}
	free(path);
	return object;
}
