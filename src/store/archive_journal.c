/*
 * archive_journal: reads the history of inputs from the journal.
 *
 * A parent is older than its input, so the lines are kept in order, and one
 * pass from the end finds all ancestors.
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fd.h"
#include "base/log.h"
#include "base/xmalloc.h"
#include "control/json_text.h"
#include "store/archive.h"
#include "store/journal.h"
#include "store/store_files.h"

#define ARCHIVE_BIRTHS_MAX (1u << 22)
#define ARCHIVE_ANCESTORS_MAX 1024u

/* ---- lines -------------------------------------------------------------- */

typedef void archive_line_fn(void *arg, const json_t *event);

struct archive_search {
	const char *const *words;
	size_t words_n;
	archive_line_fn *fn;
	void *arg;
};

static void
archive_on_line(void *arg, const char *line, size_t len)
{
	const struct archive_search *search = arg;
	json_t *event;
	size_t i;

	for (i = 0; line != NULL && i < search->words_n; i++)
		if (strstr(line, search->words[i]) != NULL)
			break;
	if (line == NULL || i == search->words_n)
		return;
	event = json_loadb(line, len, 0, NULL);
	if (json_is_object(event))
		search->fn(search->arg, event);
	json_decref(event);
}

/* Finds the lines with one of the words, and skips those that are no JSON
 * object or too long. */
static void
archive_each(const char *output, const char *const *words, size_t words_n,
	archive_line_fn *fn, void *arg)
{
	struct archive_search search = { words, words_n, fn, arg };
	char *path = xasprintf("%s/" STORE_JOURNAL, output);
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct journal_extent extent;
	struct error err = { 0 };
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		journal_each(fd, archive_on_line, &search, &extent, &err) != OK)
		log_debug("archive: %s", err.text);
	fd_close(&fd);
	free(path);
}

/* Copies the first digits of a name; "": not a name. */
static void
archive_name(const json_t *event, const char *key, char *name)
{
	const char *text = json_text_get(event, key);
	size_t n = text != NULL ? strspn(text, "0123456789abcdef") : 0;

	name[0] = '\0';
	if (n >= ARCHIVE_NAME_SIZE - 1 && text[n] == '\0')
		snprintf(name, ARCHIVE_NAME_SIZE, "%s", text);
}

/* ---- ancestors ---------------------------------------------------------- */

struct births_search {
	archive_birth_fn *fn;
	void *arg;
};

static void
archive_births_on_line(void *arg, const json_t *event)
{
	const struct births_search *search = arg;
	const char *kind = json_text_get(event, "event");
	struct archive_ancestor input = { .at_s = -1 };
	double at_s = json_number_value(json_object_get(event, "at_s"));

	archive_name(event, "input", input.name);
	if (kind == NULL || input.name[0] == '\0' ||
		json_is_true(json_object_get(event, "failed")))
		return;
	input.minimized = strcmp(kind, "minimized") == 0;
	/* If the parent is not on the disk, an ancestor that is replaces it. */
	archive_name(event, "ancestor", input.parent);
	if (input.parent[0] == '\0')
		archive_name(event, input.minimized ? "was" : "parent",
			input.parent);
	if (isfinite(at_s) && at_s >= 0 && at_s < 1e9)
		input.at_s = at_s;
	input.len = json_count_of(event, "len");
	input.bits = json_count_of(event, "bits");
	input.generation = json_count_of(event, "generation");
	input.unstable = json_is_true(json_object_get(event, "unstable"));
	search->fn(search->arg, &input);
}

void
archive_each_birth(const char *output, archive_birth_fn *fn, void *arg)
{
	static const char *const words[] = { "\"event\":\"find\"",
		"\"event\":\"minimized\"" };
	struct births_search search = { fn, arg };

	archive_each(output, words, 2, archive_births_on_line, &search);
}

static void
archive_lineage_add(void *arg, const struct archive_ancestor *input)
{
	struct archive_lineage *lineage = arg;

	if (lineage->n == ARCHIVE_BIRTHS_MAX)
		return;
	lineage->items =
		xgrow(lineage->items, lineage->n, 1, sizeof(*lineage->items));
	lineage->items[lineage->n++] = *input;
}

void
archive_read_lineage(const char *output, const char *name,
	struct archive_lineage *lineage)
{
	struct archive_lineage births = { 0 };
	char wanted[ARCHIVE_NAME_SIZE];
	size_t i;

	*lineage = (struct archive_lineage){ 0 };
	archive_each_birth(output, archive_lineage_add, &births);
	snprintf(wanted, sizeof(wanted), "%s", name);
	for (i = births.n; i > 0 && wanted[0] != '\0'; i--) {
		const struct archive_ancestor *birth = &births.items[i - 1];

		if (strcmp(birth->name, wanted) != 0 ||
			strcmp(birth->parent, wanted) == 0)
			continue;
		if (lineage->n == ARCHIVE_ANCESTORS_MAX) {
			lineage->cut = true;
			break;
		}
		archive_lineage_add(lineage, birth);
		snprintf(wanted, sizeof(wanted), "%s", birth->parent);
	}
	/* The oldest parent is a seed, or from an earlier campaign. */
	if (lineage->n > 0 && wanted[0] != '\0' && !lineage->cut) {
		struct archive_ancestor seed = { .at_s = -1 };

		snprintf(seed.name, sizeof(seed.name), "%s", wanted);
		archive_lineage_add(lineage, &seed);
	}
	archive_lineage_clear(&births);
}

void
archive_lineage_clear(struct archive_lineage *lineage)
{
	free(lineage->items);
	*lineage = (struct archive_lineage){ 0 };
}

/* ---- mutation logs ------------------------------------------------------ */

/* The first one counts: later ones are about the same input. */
static void
archive_take_mutations(void *arg, const json_t *event)
{
	json_t *all = arg;
	const char *id = json_text_get(event, "finding");
	json_t *mutations = json_object_get(event, "trail");

	if (id != NULL && json_is_array(mutations) &&
		json_object_get(all, id) == NULL)
		json_object_set(all, id, mutations);
}

json_t *
archive_read_mutations(const char *output)
{
	static const char *const words[] = { "\"event\":\"lineage\"" };
	json_t *all = json_object();

	archive_each(output, words, 1, archive_take_mutations, all);
	return all;
}
