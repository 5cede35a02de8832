/*
 * show: finds the thing that a path and an id mean, and lists findings.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dir.h"
#include "base/hex_text.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/json_text.h"
#include "engine/engine.h"
#include "shared/campaign_folder.h"
#include "store/store_files.h"
#include "tools/show_finding.h"
#include "tools/show_private.h"
#include "worker/inputs/type_names.h"

void
show_put_data(json_t *object, const uint8_t *data, size_t len)
{
	size_t n = len < SHOW_BYTES_MAX ? len : SHOW_BYTES_MAX;
	char *hex = xmalloc(2 * n + 1);

	hex_encode(data, n, hex);
	json_object_set_new(object, "data", json_string(hex));
	json_object_set_new(object, "data_cut", json_boolean(n < len));
	free(hex);
}

json_t *
engine_findings(const char *output, struct error *err)
{
	struct archive_findings findings;
	struct archive_start start;
	json_t *list;
	size_t i;

	if (archive_read_findings(output, &findings, err) != OK)
		return NULL;
	archive_read_start(output, &start);
	list = json_array();
	for (i = 0; i < findings.n; i++)
		json_array_append_new(list,
			show_finding_row(output, &start, &findings.items[i]));
	archive_start_clear(&start);
	archive_findings_clear(&findings);
	return list;
}

void
show_put_types(json_t *object, const struct tuple_types *types)
{
	if (types->n > 0)
		json_object_set_new(object, "types", type_names_json(types));
}

/* ---- a campaign --------------------------------------------------------- */

/* None if there is no such folder. */
static void
show_list_part(const char *output, enum store_part part,
	struct dir_names *names)
{
	char *path = xasprintf("%s/%s", output, store_part_name(part));

	(void)!dir_list_at(AT_FDCWD, path, names, NULL);
	free(path);
}

static uint64_t
show_count_files(const char *output, enum store_part part)
{
	struct dir_names names;
	uint64_t n = 0;
	size_t i;

	show_list_part(output, part, &names);
	for (i = 0; i < names.n; i++)
		n += names.items[i][0] != '.';
	dir_names_clear(&names);
	return n;
}

static json_t *
show_campaign(const char *output, const struct archive_start *start,
	const struct archive_findings *findings)
{
	json_t *args = json_array(), *object;
	size_t i;

	for (i = 0; start->args[i] != NULL; i++)
		json_array_append_new(args, json_text_new(start->args[i]));
	object = json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "type",
		"campaign", "path", json_text_new(output), "target",
		json_text_new(start->target != NULL ? start->target : ""),
		"args", args, "corpus",
		json_count_new(show_count_files(output, STORE_CORPUS)),
		"findings", json_count_new(findings->n), "suspects",
		json_count_new(show_count_files(output, STORE_SUSPECTS)));
	show_put_types(object, &start->types);
	return object;
}

/* ---- by id -------------------------------------------------------------- */

static bool
show_is_called(const struct archive_finding *f, const char *id)
{
	const char *slash = strchr(f->folder, '/');

	return strcmp(f->folder, id) == 0 || strcmp(f->view.folder, id) == 0 ||
		(slash != NULL && strcmp(slash + 1, id) == 0) ||
		(id[0] != '\0' && strncmp(f->view.id, id, strlen(id)) == 0);
}

/* The names of at most two inputs that begin with these digits. */
static size_t
show_find_names(const char *output, const char *id, char found[2][NAME_MAX + 1])
{
	struct dir_names names;
	size_t i, n = 0;

	if (id[strspn(id, "0123456789abcdef")] != '\0')
		return 0;
	show_list_part(output, STORE_CORPUS, &names);
	for (i = 0; i < names.n && n < 2; i++)
		if (strncmp(names.items[i], id, strlen(id)) == 0)
			snprintf(found[n++], NAME_MAX + 1, "%s",
				names.items[i]);
	dir_names_clear(&names);
	return n;
}

static json_t *
show_entry(const char *output, const char *name, struct error *err)
{
	char *path = xasprintf("%s/%s/%s", output,
		store_part_name(STORE_CORPUS), name);
	char digits[ARCHIVE_NAME_SIZE];
	json_t *object;

	snprintf(digits, sizeof(digits), "%.16s", name);
	object = show_input(output, digits, path, err);
	free(path);
	return object;
}

static json_t *
show_one(const char *output, const struct archive_start *start,
	const struct archive_finding *f)
{
	json_t *mutations = archive_read_mutations(output), *shown;

	shown = show_finding(output, start, f, mutations);
	json_decref(mutations);
	return shown;
}

static json_t *
show_by_id(const char *output, const char *id,
	const struct archive_start *start,
	const struct archive_findings *findings, struct error *err)
{
	const struct archive_finding *f = NULL;
	char names[2][NAME_MAX + 1];
	size_t i, n = 0, inputs = show_find_names(output, id, names);

	for (i = 0; i < findings->n; i++)
		if (show_is_called(&findings->items[i], id)) {
			f = &findings->items[i];
			n++;
		}
	if (n + inputs > 1)
		error_set(err, E_USAGE,
			"%s: several inputs or findings begin with this: give "
			"more digits",
			id);
	else if (n == 1)
		return show_one(output, start, f);
	else if (inputs == 1)
		return show_entry(output, names[0], err);
	else
		error_set(err, E_NOT_FOUND,
			"there is no input or finding %s in %s", id, output);
	return NULL;
}

/* ---- by path ------------------------------------------------------------ */

static json_t *
show_output(const char *output, const char *id, struct error *err)
{
	struct archive_findings findings;
	struct archive_start start;
	json_t *object = NULL;

	if (archive_read_findings(output, &findings, err) != OK)
		return NULL;
	archive_read_start(output, &start);
	if (id == NULL)
		object = show_campaign(output, &start, &findings);
	else
		object = show_by_id(output, id, &start, &findings, err);
	archive_start_clear(&start);
	archive_findings_clear(&findings);
	return object;
}

/* A path below an output directory: OUT/crashes/x, OUT/corpus/name. */
static json_t *
show_below(const char *output, const char *path, bool folder, struct error *err)
{
	char *real = realpath(path, NULL);
	const char *below = real != NULL ? real + strlen(output) : "";
	json_t *object = NULL;

	below += *below == '/';
	if (folder)
		object = show_output(output, below, err);
	else if (strncmp(below, "corpus/", 7) == 0)
		object = show_entry(output, below + 7, err);
	else
		object = show_input(output, "", path, err);
	free(real);
	return object;
}

json_t *
engine_show(const char *path, const char *id, struct error *err)
{
	bool folder = dir_exists(path);
	json_t *object;
	char *output;

	if (id != NULL && !folder) {
		error_set(err, E_USAGE,
			"%s is not an output directory: it has no ids", path);
		return NULL;
	}
	if (folder && (id != NULL || campaign_folder_is(path)))
		return show_output(path, id, err);
	output = campaign_folder_of(path);
	if (output != NULL)
		object = show_below(output, path, folder, err);
	else if (folder)
		object = show_output(path, NULL, err);
	else
		object = show_input(NULL, "", path, err);
	free(output);
	return object;
}
