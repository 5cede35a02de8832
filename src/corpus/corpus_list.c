/*
 * corpus_list: see corpus_list.h. Each row has an ascending sort key, and the
 * order of arrival for equal keys. Only rows that are asked for are sorted.
 */
#include "corpus/corpus_list.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sieve.h"
#include "base/xmalloc.h"

#define LIST_ORDERS 2u           /* orders that are cached */
#define LIST_FRESH_NS 1000000000 /* a list is not renewed before this age */
#define LIST_SORT_SIZE 16u
#define LIST_SMALL 32u /* fewer rows are sorted, not partitioned */

struct row {
	uint64_t key;
	uint32_t index;
	uint32_t tie; /* the index; falls with the key */
};

/* The rows of one order. */
struct order {
	char sort[LIST_SORT_SIZE];
	bool falling;
	char filter[SIEVE_SIZE];
	struct row *rows;
	size_t n, room;
	size_t sorted_from, sorted_to; /* rows in this range are sorted */
	uint64_t made_ns, revision;    /* 0: not made */
	uint64_t used;
};

struct corpus_list {
	const struct corpus *corpus;
	const struct energy *energy;
	struct order orders[LIST_ORDERS];
	struct order *order; /* the chosen one */
	uint64_t used;
	uint64_t random;
	/* By entry, because entries are scattered in memory: the first digits
	 * of names as a number, or bits of matching words. */
	uint64_t *names;
	size_t names_n, names_room;
};

/* ---- sort keys ---------------------------------------------------------- */

typedef uint64_t key_fn(const struct corpus_list *list,
	const struct corpus_entry *entry);

/* The bits of doubles sort like their values, those of negative ones in reverse
 * and after the others. */
static uint64_t
list_key_of_real(double value)
{
	const uint64_t sign = (uint64_t)1 << 63;
	uint64_t bits;

	if (isnan(value))
		return 0;
	value += 0.0; /* 0 and -0 are equal */
	memcpy(&bits, &value, sizeof(bits));
	return (bits & sign) != 0 ? ~bits : bits | sign;
}

/* The first 16 digits of a name; equal ones are sorted by index. */
static uint64_t
list_key_of_name(const struct corpus_entry *entry)
{
	uint64_t key = 0;
	size_t i;

	for (i = 0; i < sizeof(key); i++)
		key = key << 8 | entry->sha[i];
	return key;
}

#define KEY(member, expression) \
	static uint64_t key_##member(const struct corpus_list *list, \
		const struct corpus_entry *entry) \
	{ \
		(void)list; \
		return (expression); \
	}

KEY(index, entry->index)
KEY(name, list_key_of_name(entry))
KEY(generation, entry->generation)
KEY(len, entry->file_len)
KEY(new_bits, entry->new_bits)
KEY(exec_us, entry->exec_ns)
KEY(found_at_s, list_key_of_real(entry->found_at_s))
KEY(energy, list_key_of_real(energy_share(list->energy, entry)))
KEY(finds, entry->finds)
KEY(executions, list_key_of_real(entry->executions))
KEY(seed, entry->is_seed)
KEY(favoured, entry->favoured)
KEY(unstable, entry->unstable)
KEY(value_profile, entry->of_value_profile)

/* Seeds have no parent and come first. */
static uint64_t
list_key_parent(const struct corpus_list *list,
	const struct corpus_entry *entry)
{
	return entry->parent < list->names_n ? list->names[entry->parent] : 0;
}

/* clang-format off */
static const struct {
	const char *name;
	key_fn *key;
} KEYS[] = {
	{ "", key_index },
	{ "index", key_index },
	{ "name", key_name },
	{ "parent", list_key_parent },
	{ "generation", key_generation },
	{ "len", key_len },
	{ "new_bits", key_new_bits },
	{ "exec_us", key_exec_us },
	{ "found_at_s", key_found_at_s },
	{ "energy", key_energy },
	{ "finds", key_finds },
	{ "executions", key_executions },
	{ "seed", key_seed },
	{ "favoured", key_favoured },
	{ "unstable", key_unstable },
	{ "progress", key_value_profile },
};
/* clang-format on */

static key_fn *
list_find_key(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(KEYS) / sizeof(KEYS[0]); i++)
		if (strcmp(KEYS[i].name, name) == 0)
			return KEYS[i].key;
	return NULL;
}

/* ---- filters ------------------------------------------------------------ */

/* Words of a filter, with the words that match each flag. */
struct wanted {
	struct sieve sieve;
	uint32_t seed, favoured, unstable, value_profile;
	bool hex[SIEVE_WORDS_MAX];   /* may be the prefix of a name */
	bool names;                  /* any word may be a prefix */
	char first[SIEVE_WORDS_MAX]; /* first digit in lower case */
	size_t len[SIEVE_WORDS_MAX];
};

static void
list_wanted_parse(struct wanted *wanted, const char *filter)
{
	const struct sieve *sieve = &wanted->sieve;
	uint32_t i;

	wanted->names = false;
	sieve_parse(&wanted->sieve, filter);
	wanted->seed = sieve_seen(sieve, "seed");
	wanted->favoured = sieve_seen(sieve, "favoured");
	wanted->unstable = sieve_seen(sieve, "unstable");
	wanted->value_profile =
		sieve_seen(sieve, "progress") | sieve_seen(sieve, "profile");
	for (i = 0; i < sieve->n; i++) {
		wanted->len[i] = strlen(sieve->words[i]);
		wanted->hex[i] =
			strspn(sieve->words[i], "0123456789abcdefABCDEF") ==
			wanted->len[i];
		wanted->names |= wanted->hex[i];
		wanted->first[i] =
			(char)tolower((unsigned char)sieve->words[i][0]);
	}
}

/* Returns the words that are a prefix of the name. */
static uint32_t
list_words_of_name(const struct wanted *wanted,
	const struct corpus_entry *entry)
{
	uint32_t seen = 0, i;

	for (i = 0; i < wanted->sieve.n; i++)
		if (wanted->hex[i] && entry->name[0] == wanted->first[i] &&
			strncasecmp(entry->name, wanted->sieve.words[i],
				wanted->len[i]) == 0)
			seen |= UINT32_C(1) << i;
	return seen;
}

static bool
list_matches(const struct wanted *wanted, const struct corpus_entry *entry,
	uint32_t named)
{
	uint32_t seen = named;

	seen |= entry->is_seed ? wanted->seed : 0;
	seen |= entry->favoured ? wanted->favoured : 0;
	seen |= entry->unstable ? wanted->unstable : 0;
	seen |= entry->of_value_profile ? wanted->value_profile : 0;
	return sieve_all(&wanted->sieve, seen);
}

static void
list_names_room(struct corpus_list *list, size_t n)
{
	if (n > list->names_room) {
		list->names_room = n + n / 4;
		list->names = xreallocarray(list->names, list->names_room,
			sizeof(*list->names));
	}
	list->names_n = n;
}

/* Finds the entries that match, in order of arrival, without keys. */
static void
list_find_rows(struct corpus_list *list, struct order *order)
{
	size_t n = corpus_len(list->corpus), i;
	const struct corpus_entry *entry;
	struct wanted wanted;
	uint32_t named;

	list_wanted_parse(&wanted, order->filter);
	list_names_room(list, n);
	for (i = 0; i < n && wanted.names; i++)
		list->names[i] = list_words_of_name(&wanted,
			corpus_get(list->corpus, (uint32_t)i));
	order->n = 0;
	for (i = 0; i < n; i++) {
		entry = corpus_get(list->corpus, (uint32_t)i);
		named = wanted.names ? (uint32_t)list->names[i] : 0;
		if (wanted.names && entry->parent < n)
			named |= (uint32_t)list->names[entry->parent];
		if (wanted.sieve.n == 0 || list_matches(&wanted, entry, named))
			order->rows[order->n++].index = (uint32_t)i;
	}
}

static void
list_make_rows(struct corpus_list *list, struct order *order)
{
	key_fn *key = list_find_key(order->sort);
	size_t n = corpus_len(list->corpus), i;
	struct row *row;

	if (n > order->room) {
		order->room = n + n / 4;
		order->rows = xreallocarray(order->rows, order->room,
			sizeof(*order->rows));
	}
	list_find_rows(list, order);
	for (i = 0; i < n && key == list_key_parent; i++)
		list->names[i] =
			list_key_of_name(corpus_get(list->corpus, (uint32_t)i));
	for (i = 0; i < order->n; i++) {
		row = &order->rows[i];
		row->key = key(list, corpus_get(list->corpus, row->index));
		row->tie = row->index;
		if (order->falling) {
			row->key = ~row->key;
			row->tie = ~row->tie;
		}
	}
	order->sorted_from = order->sorted_to = 0;
	if (key == key_index && !order->falling)
		order->sorted_to = order->n;
}

/* ---- sorting ------------------------------------------------------------ */

static bool
list_is_before(const struct row *a, const struct row *b)
{
	return a->key < b->key || (a->key == b->key && a->tie < b->tie);
}

static int
list_compare_rows(const void *left, const void *right)
{
	const struct row *a = left, *b = right;

	return list_is_before(a, b) ? -1 : list_is_before(b, a) ? 1 : 0;
}

/*
 * Partitions the rows [from, to) by a random one of them, so that no order of
 * entries is a worst case. Returns the final index of that row.
 */
static size_t
list_part(struct corpus_list *list, struct row *rows, size_t from, size_t to)
{
	struct row pivot, row;
	size_t at, i;

	list->random = list->random * 6364136223846793005u + 1;
	at = from + (size_t)(list->random >> 33) % (to - from);
	pivot = rows[at];
	rows[at] = rows[to - 1];
	for (at = i = from; i < to - 1; i++) {
		if (!list_is_before(&rows[i], &pivot))
			continue;
		row = rows[i];
		rows[i] = rows[at];
		rows[at++] = row;
	}
	rows[to - 1] = rows[at];
	rows[at] = pivot;
	return at;
}

/* Partitions the rows before `to`, so that the first `place` are the
 * smallest. */
static void
list_part_at(struct corpus_list *list, struct order *order, size_t place,
	size_t to)
{
	size_t from = 0, at;

	while (to - from > LIST_SMALL && place > from && place < to) {
		at = list_part(list, order->rows, from, to);
		if (at < place)
			from = at + 1;
		else
			to = at;
	}
	if (place > from && place < to)
		qsort(order->rows + from, to - from, sizeof(*order->rows),
			list_compare_rows);
}

static void
list_sort_range(struct corpus_list *list, struct order *order, size_t from,
	size_t to)
{
	if (from >= order->sorted_from && to <= order->sorted_to)
		return;
	list_part_at(list, order, to, order->n);
	list_part_at(list, order, from, to);
	qsort(order->rows + from, to - from, sizeof(*order->rows),
		list_compare_rows);
	order->sorted_from = from;
	order->sorted_to = to;
}

/* ---- public functions --------------------------------------------------- */

struct corpus_list *
corpus_list_create(const struct corpus *corpus, const struct energy *energy)
{
	struct corpus_list *list = xcalloc(1, sizeof(*list));

	list->corpus = corpus;
	list->energy = energy;
	return list;
}

void
corpus_list_destroy(struct corpus_list *list)
{
	size_t i;

	if (list == NULL)
		return;
	for (i = 0; i < LIST_ORDERS; i++)
		free(list->orders[i].rows);
	free(list->names);
	free(list);
}

static bool
list_is_order(const struct order *order, const struct corpus_order *asked)
{
	return order->made_ns != 0 && order->falling == asked->falling &&
		strcmp(order->sort, asked->sort) == 0 &&
		strncmp(order->filter, asked->filter,
			sizeof(order->filter) - 1) == 0;
}

/* Returns the cached order of this kind, or else the least recently used
 * one. */
static struct order *
list_find_order(struct corpus_list *list, const struct corpus_order *asked)
{
	struct order *order = &list->orders[0];
	size_t i;

	for (i = 0; i < LIST_ORDERS; i++) {
		if (list_is_order(&list->orders[i], asked))
			return &list->orders[i];
		if (list->orders[i].used < order->used)
			order = &list->orders[i];
	}
	order->made_ns = 0;
	order->falling = asked->falling;
	snprintf(order->sort, sizeof(order->sort), "%s", asked->sort);
	snprintf(order->filter, sizeof(order->filter), "%s", asked->filter);
	return order;
}

enum status
corpus_list_choose(struct corpus_list *list, const struct corpus_order *asked,
	uint64_t now_ns, uint64_t revision, size_t *matching, struct error *err)
{
	struct order *order;

	if (list_find_key(asked->sort) == NULL)
		return error_set(err, E_NOT_FOUND,
			"the corpus cannot be sorted by \"%s\"", asked->sort);
	order = list_find_order(list, asked);
	if (order->made_ns == 0 ||
		(now_ns - order->made_ns >= LIST_FRESH_NS &&
			order->revision != revision)) {
		list_make_rows(list, order);
		order->made_ns = now_ns > 0 ? now_ns : 1;
		order->revision = revision;
	}
	order->used = ++list->used;
	list->order = order;
	*matching = order->n;
	return OK;
}

void
corpus_list_rows(struct corpus_list *list, size_t first, size_t n,
	const struct corpus_entry **rows)
{
	size_t i;

	if (n == 0)
		return;
	list_sort_range(list, list->order, first, first + n);
	for (i = 0; i < n; i++)
		rows[i] = corpus_get(list->corpus,
			list->order->rows[first + i].index);
}

size_t
corpus_list_place(struct corpus_list *list, const struct corpus_entry *entry)
{
	const struct order *order = list->order;
	const struct row *own = NULL;
	size_t i, before = 0;

	for (i = 0; i < order->n && own == NULL; i++)
		if (order->rows[i].index == entry->index)
			own = &order->rows[i];
	if (own == NULL)
		return 0;
	for (i = 0; i < order->n; i++)
		before += list_is_before(&order->rows[i], own);
	return before + 1;
}
