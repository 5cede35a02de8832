/*
 * report_sources: the coverage of a corpus as JSON, see engine_report_sources().
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dir.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/json_text.h"
#include "coverage/source_lines.h"
#include "engine/engine.h"
#include "tools/archive_config.h"
#include "tools/corpus_coverage.h"

/* The least number of hits of a bucket set; code that was hit has one. */
static uint32_t
sources_hits(uint8_t bits)
{
	int bucket = coverage_bucket_of(bits);

	return bucket > 0 ? 1u << (bucket - 1) : 1;
}

/* ---- files -------------------------------------------------------------- */

static const char *
sources_state(const struct source_line *line)
{
	switch (source_line_state(line)) {
	case SOURCE_HIT:
		return "hit";
	case SOURCE_PARTLY:
		return "partly";
	case SOURCE_MISSED:
		return "missed";
	default:
		return "unknown";
	}
}

static json_t *
sources_lines(const struct source_line *lines, size_t n)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(list,
			json_pack("[i, s, i]", (int)lines[i].line,
				sources_state(&lines[i]),
				lines[i].hit > 0
					? (int)sources_hits(lines[i].bits)
					: 0));
	return list;
}

/* For each function, the first of its counters that was hit: the entry comes
 * first. */
static uint32_t *
sources_function_hits(const struct coverage_map *map,
	const struct coverage_module *m)
{
	const struct source_table *t = &m->table;
	uint32_t *hits = xcalloc(t->functions_n + 1, sizeof(*hits));

	for (uint32_t i = 0; i < t->locations_n; i++) {
		uint32_t function = t->locations[i].function;
		uint64_t counter = (uint64_t)m->base + i;

		if (function != SOURCE_NONE && hits[function] == 0 &&
			coverage_is_hit(map, counter))
			hits[function] = sources_hits(map->buckets[counter]);
	}
	return hits;
}

/* An array of functions for each file of the module. */
static json_t **
sources_functions(const struct coverage_map *map,
	const struct coverage_module *m)
{
	const struct source_table *t = &m->table;
	json_t **lists = xcalloc(t->files_n + 1, sizeof(json_t *));
	uint32_t *hits = sources_function_hits(map, m);

	for (uint32_t i = 0; i < t->files_n; i++)
		lists[i] = json_array();
	for (uint32_t i = 0; i < t->functions_n; i++) {
		const struct source_function *f = &t->functions[i];

		if (f->file != SOURCE_NONE && f->name[0] != '\0' &&
			f->line > 0 && m->functions[i].total > 0)
			json_array_append_new(lists[f->file],
				json_pack("[i, o, i]", (int)f->line,
					json_text_new(f->name), (int)hits[i]));
	}
	free(hits);
	return lists;
}

/* "a/./b" is "a/b"; "..", which may follow a link, stays. */
static void
sources_shorten(char *path)
{
	char *at;

	while ((at = strstr(path, "/./")) != NULL)
		memmove(at, at + 2, strlen(at + 2) + 1);
}

/* A file that has code, of one module, under one spelling of its name. */
struct sources_file {
	char path[SOURCE_PATH_MAX];
	struct source_line *lines; /* n, owned */
	size_t n;
	json_t *functions; /* owned */
};

struct sources_files {
	struct sources_file *items;
	size_t n, room; /* room: lines that may still be added */
};

/* A path that is not plain text names no file. A relative one is what the user
 * has told the compiler to write. */
static bool
sources_name(const char *path, char name[SOURCE_PATH_MAX])
{
	text_clean_string(path, name, SOURCE_PATH_MAX);
	if (strcmp(path, name) != 0)
		return false;
	if (path[0] != '/' || !dir_resolve(path, name, SOURCE_PATH_MAX))
		sources_shorten(name);
	return true;
}

/* A function has a number of its own among those of all modules. */
static void
sources_number_functions(struct sources_file *file, uint32_t module)
{
	for (size_t i = 0; i < file->n; i++)
		if (file->lines[i].function != SOURCE_NONE)
			file->lines[i].function +=
				module * SOURCE_FUNCTIONS_MAX;
}

static void
sources_take_file(struct sources_files *files, const struct coverage_map *map,
	const struct coverage_module *m, uint32_t i, json_t *take_functions)
{
	struct sources_file file = { .functions = take_functions };

	file.lines = source_lines_of_file(map, m, i, &file.n);
	if (file.n > files->room)
		file.n = files->room;
	files->room -= file.n;
	if (file.n == 0 || !sources_name(m->table.files[i].path, file.path)) {
		free(file.lines);
		json_decref(file.functions);
		return;
	}
	sources_number_functions(&file, (uint32_t)(m - map->modules));
	files->items = xreallocarray(files->items, files->n + 1,
		sizeof(*files->items));
	files->items[files->n++] = file;
}

static void
sources_take_module(struct sources_files *files, const struct coverage_map *map,
	const struct coverage_module *m)
{
	json_t **functions = sources_functions(map, m);

	for (uint32_t i = 0; i < m->table.files_n; i++)
		sources_take_file(files, map, m, i, functions[i]);
	free(functions);
}

/* The lines of both, which are sorted, in one array; frees b's. */
static void
sources_join_lines(struct sources_file *a, struct sources_file *b)
{
	struct source_line *lines = xcalloc(a->n + b->n, sizeof(*lines));
	size_t i = 0, k = 0, n = 0;

	while (i < a->n || k < b->n) {
		if (k == b->n ||
			(i < a->n && a->lines[i].line < b->lines[k].line)) {
			lines[n++] = a->lines[i++];
		} else if (i == a->n || b->lines[k].line < a->lines[i].line) {
			lines[n++] = b->lines[k++];
		} else {
			lines[n] = a->lines[i++];
			source_line_join(&lines[n++], &b->lines[k++]);
		}
	}
	free(a->lines);
	free(b->lines);
	a->lines = lines;
	a->n = n;
}

static int
sources_compare(const void *a, const void *b)
{
	const struct sources_file *x = a, *y = b;

	return strcmp(x->path, y->path);
}

/* Sorts by path; modules and spellings of the same file become one. */
static void
sources_join(struct sources_files *files)
{
	struct sources_file *last = NULL;
	size_t n = 0;

	if (files->n > 0)
		qsort(files->items, files->n, sizeof(*files->items),
			sources_compare);
	for (size_t i = 0; i < files->n; i++) {
		struct sources_file *file = &files->items[i];

		if (last == NULL || strcmp(last->path, file->path) != 0) {
			last = &files->items[n++];
			*last = *file;
			continue;
		}
		sources_join_lines(last, file);
		json_array_extend(last->functions, file->functions);
		json_decref(file->functions);
	}
	files->n = n;
}

/* Frees what the file has. */
static json_t *
sources_file_json(struct sources_file *file)
{
	size_t known, hit = 0, frontiers;
	json_t *json;

	frontiers = source_lines_find_frontiers(file->lines, file->n, &known);
	for (size_t i = 0; i < file->n; i++)
		hit += file->lines[i].hit > 0;
	json = json_pack("{s:s, s:I, s:I, s:I, s:o, s:o}", "path", file->path,
		"hit", (json_int_t)hit, "known", (json_int_t)known, "frontiers",
		(json_int_t)frontiers, "functions", file->functions, "lines",
		sources_lines(file->lines, file->n));
	free(file->lines);
	return json;
}

/* All files; *cut: there are more lines than may be told. */
static json_t *
sources_files(const struct coverage_map *map, bool *cut)
{
	struct sources_files files = { .room = ENGINE_SOURCES_LINES };
	json_t *list = json_array();

	for (size_t i = 0; i < map->modules_n; i++)
		if (map->modules[i].names == NAMES_KNOWN)
			sources_take_module(&files, map, &map->modules[i]);
	*cut = files.room == 0;
	sources_join(&files);
	for (size_t i = 0; i < files.n; i++)
		json_array_append_new(list, sources_file_json(&files.items[i]));
	free(files.items);
	return list;
}

/* ---- all ---------------------------------------------------------------- */

/* Why a module has no places; `file`: its own or, if there is no module, that
 * of the target. Counters of AFL++ belong to no module. */
static json_t *
sources_why_nowhere(const struct corpus_coverage *c, const char *file)
{
	char path[PATH_MAX];

	text_clean_string(file, path, sizeof(path));
	return json_sprintf(c->unread
			? "%s: stopped before its source lines were known"
			: "%s: the compiler wrote no PC table",
		path);
}

/* "" if the module's lines are known. */
static json_t *
sources_why(const struct corpus_coverage *c, const struct coverage_module *m)
{
	const struct source_end *end = &m->table.end;
	char path[sizeof(m->path)];

	text_clean_string(m->path, path, sizeof(path));
	if (m->names == NAMES_REFUSED)
		return json_sprintf("%s: %s", path, m->why);
	if (m->names != NAMES_KNOWN)
		return sources_why_nowhere(c, m->path);
	if (end->blind != 0)
		return json_sprintf("libdw is not installed");
	if (end->found == 0)
		return json_sprintf("%s: the file of this build is gone", path);
	if (end->debug == 0)
		return json_sprintf("%s: no debug information; compile with -g",
			path);
	if (end->cut != 0)
		return json_sprintf("%s: too much code, some of it is missing",
			path);
	return json_string("");
}

/* Modules may have the same one. */
static void
sources_put_trouble(json_t *troubles, json_t *take_why)
{
	const json_t *known;
	size_t i;
	bool fresh = json_string_length(take_why) > 0;

	json_array_foreach(troubles, i, known)
		fresh &= !json_equal(known, take_why);
	if (fresh)
		json_array_append(troubles, take_why);
	json_decref(take_why);
}

/* False: no input ran, although there are some. */
static bool
sources_have_run(const struct corpus_coverage *c, struct error *err)
{
	const json_t *why = json_array_get(c->skipped, 0);

	if (c->inputs > 0 || c->stopped || why == NULL)
		return true;
	error_set(err, c->refused ? E_STATE : E_TARGET, "%s",
		json_string_value(why));
	return false;
}

static json_t *
sources_encode(const struct corpus_coverage *c,
	const struct archive_config *archive)
{
	size_t seeds_gone = archive->seeds_gone;
	json_t *troubles = json_array(), *files, *sources;
	bool cut;

	for (size_t i = 0; i < c->map.modules_n; i++)
		sources_put_trouble(troubles,
			sources_why(c, &c->map.modules[i]));
	if (c->map.modules_n == 0)
		sources_put_trouble(troubles,
			sources_why_nowhere(c, archive->config.target));
	json_array_extend(troubles, c->skipped);
	if (seeds_gone > 0)
		json_array_append_new(troubles,
			json_sprintf("seeds of the campaign are gone (%zu): "
				     "give them with --seeds",
				seeds_gone));
	files = sources_files(&c->map, &cut);
	sources = json_pack("{s:o, s:o, s:o, s:b, s:b, s:b, s:o}", "inputs",
		json_count_new(c->inputs), "failed", json_count_new(c->failed),
		"files", files, "stopped", (int)(c->stopped || c->unread),
		"refused", (int)c->refused, "cut", (int)cut, "troubles",
		troubles);
	return sources;
}

json_t *
engine_report_sources(const struct engine_config *config, const char *output,
	struct error *err)
{
	struct corpus_coverage *coverage = xcalloc(1, sizeof(*coverage));
	struct archive_config archive;
	json_t *sources = NULL;

	archive_config_init(&archive, config, output);
	if (archive.config.target == NULL)
		error_set(err, E_USAGE,
			"the journal of %s does not name its target", output);
	else if (corpus_coverage_make(coverage, &archive.config, output, err) ==
			OK &&
		sources_have_run(coverage, err))
		sources = sources_encode(coverage, &archive);
	archive_config_clear(&archive);
	corpus_coverage_clear(coverage);
	free(coverage);
	return sources;
}
