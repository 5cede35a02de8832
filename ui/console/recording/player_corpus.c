/*
 * player_corpus: see player_corpus.h. Filter and order are those of
 * corpus/corpus_list.c.
 */
#include "ui/console/recording/player_corpus.h"

#include <stdlib.h>
#include <string.h>

#include "base/sieve.h"
#include "base/xmalloc.h"
#include "control/json_text.h"

/* ---- the filter ---- */

/* The words with which the name starts. */
static uint32_t
player_corpus_named(const struct sieve *sieve, const char *name)
{
	uint32_t seen = 0;

	for (uint32_t i = 0; i < sieve->n; i++)
		if (strncasecmp(name, sieve->words[i],
			    strlen(sieve->words[i])) == 0)
			seen |= UINT32_C(1) << i;
	return seen;
}

static bool
player_corpus_matches(const struct sieve *sieve, const json_t *row)
{
	/* Members, and the words that a filter may have for them. */
	static const char *const flags[][2] = { { "seed", "seed" },
		{ "favoured", "favoured" }, { "unstable", "unstable" },
		{ "progress", "progress" }, { "progress", "profile" } };
	uint32_t seen = player_corpus_named(sieve, json_text_of(row, "name")) |
		player_corpus_named(sieve, json_text_of(row, "parent"));

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (json_is_true(json_object_get(row, flags[i][0])))
			seen |= sieve_seen(sieve, flags[i][1]);
	return sieve_all(sieve, seen);
}

/* ---- the order ---- */

struct player_corpus_row {
	double number;    /* the member to sort by, or … */
	const char *text; /* … the same; "": it is none */
	uint64_t index;   /* of the entry: the order of equal ones */
	json_t *row;
};

static int
player_corpus_compare(const void *left, const void *right)
{
	const struct player_corpus_row *a = left, *b = right;
	int order = strcmp(a->text, b->text);

	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	if (order == 0)
		order = (a->index > b->index) - (a->index < b->index);
	return order;
}

static struct player_corpus_row
player_corpus_key(json_t *row, const char *sort)
{
	const json_t *member = json_object_get(row, sort);

	return (struct player_corpus_row){
		.number = json_is_true(member) ? 1 : json_number_value(member),
		.text = json_text_of(row, sort),
		.index = json_count_of(row, "index"),
		.row = row,
	};
}

json_t *
player_corpus_rows(const json_t *rows, const struct query *query)
{
	const char *sort = query->sort[0] != '\0' ? query->sort : "index";
	struct player_corpus_row *keys =
		xcalloc(json_array_size(rows) + 1, sizeof(*keys));
	json_t *chosen = json_array(), *row;
	struct sieve sieve;
	size_t n = 0, i;

	sieve_parse(&sieve, query->filter);
	json_array_foreach(rows, i, row)
		if (player_corpus_matches(&sieve, row))
			keys[n++] = player_corpus_key(row, sort);
	qsort(keys, n, sizeof(*keys), player_corpus_compare);
	for (i = 0; i < n; i++)
		json_array_append(chosen,
			keys[query->falling ? n - 1 - i : i].row);
	free(keys);
	return chosen;
}

uint64_t
player_corpus_place(const json_t *rows, const char *name)
{
	const json_t *row;
	size_t i;

	if (name[0] == '\0')
		return 0;
	json_array_foreach(rows, i, row)
		if (strcmp(json_text_of(row, "name"), name) == 0)
			return i + 1;
	return 0;
}
