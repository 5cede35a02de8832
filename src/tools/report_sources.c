/*
 * report_sources: the coverage of a corpus as JSON, see engine_report_sources().
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "control/json_text.h"
#include "coverage/source_lines.h"
#include "engine/engine.h"
#include "tools/archive_config.h"
#include "tools/corpus_coverage.h"
#include "tools/show_private.h"

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
sources_lines(const struct source_line *lines, size_t n, size_t *room)
{
	json_t *list = json_array();

	if (n > *room)
		n = *room;
	*room -= n;
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

/* Adds a file that has code; a path that is not plain text names no file. */
static void
sources_put_file(json_t *files, const struct coverage_map *map,
	const struct coverage_module *m, uint32_t file, json_t *functions,
	size_t *room)
{
	const char *path = m->table.files[file].path;
	size_t n, known, hit = 0, frontiers;
	struct source_line *lines;
	char clean[SOURCE_PATH_MAX];
	bool plain;

	text_clean_string(path, clean, sizeof(clean));
	plain = strcmp(path, clean) == 0;
	sources_shorten(clean);
	lines = source_lines_of_file(map, m, file, &n);
	frontiers = source_lines_find_frontiers(lines, n, &known);
	for (size_t i = 0; i < n; i++)
		hit += lines[i].hit > 0;
	if (n > 0 && *room > 0 && plain)
		json_array_append_new(files,
			json_pack("{s:s, s:I, s:I, s:I, s:O, s:o}", "path",
				clean, "hit", (json_int_t)hit, "known",
				(json_int_t)known, "frontiers",
				(json_int_t)frontiers, "functions", functions,
				"lines", sources_lines(lines, n, room)));
	free(lines);
}

/* ---- all ---------------------------------------------------------------- */

/* Of a module without places; `file`: its own or, if there is no module, that
 * of the target. Counters of AFL++ are of no module. */
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

static int
sources_compare(const void *a, const void *b)
{
	const json_t *x = *(json_t *const *)a, *y = *(json_t *const *)b;

	return strcmp(json_text_get(x, "path"), json_text_get(y, "path"));
}

static json_t *
sources_sorted(const json_t *files)
{
	size_t n = json_array_size(files), i;
	json_t **list = xcalloc(n + 1, sizeof(*list));
	json_t *sorted = json_array();

	for (i = 0; i < n; i++)
		list[i] = json_array_get(files, i);
	qsort(list, n, sizeof(*list), sources_compare);
	for (i = 0; i < n; i++)
		json_array_append(sorted, list[i]);
	free(list);
	return sorted;
}

static void
sources_put_module(json_t *files, const struct coverage_map *map,
	const struct coverage_module *m, size_t *room)
{
	json_t **functions = sources_functions(map, m);

	for (uint32_t i = 0; i < m->table.files_n; i++) {
		sources_put_file(files, map, m, i, functions[i], room);
		json_decref(functions[i]);
	}
	free(functions);
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

static json_t *
sources_encode(const struct corpus_coverage *c,
	const struct archive_config *archive)
{
	size_t seeds_gone = archive->seeds_gone;
	json_t *files = json_array(), *troubles = json_array(), *sources;
	size_t room = ENGINE_SOURCES_LINES;

	for (size_t i = 0; i < c->map.modules_n; i++) {
		const struct coverage_module *m = &c->map.modules[i];

		sources_put_trouble(troubles, sources_why(c, m));
		if (m->names == NAMES_KNOWN)
			sources_put_module(files, &c->map, m, &room);
	}
	if (c->map.modules_n == 0)
		sources_put_trouble(troubles,
			sources_why_nowhere(c, archive->config.target));
	if (seeds_gone > 0)
		json_array_append_new(troubles,
			json_sprintf("seeds of the campaign are gone (%zu): "
				     "give them with --seeds",
				seeds_gone));
	sources = json_pack("{s:o, s:o, s:o, s:b, s:b, s:o}", "inputs",
		show_number(c->inputs), "failed", show_number(c->failed),
		"files", sources_sorted(files), "stopped",
		(int)(c->stopped || c->unread), "cut", (int)(room == 0),
		"troubles", troubles);
	json_decref(files);
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
		OK)
		sources = sources_encode(coverage, &archive);
	archive_config_clear(&archive);
	corpus_coverage_clear(coverage);
	free(coverage);
	return sources;
}
