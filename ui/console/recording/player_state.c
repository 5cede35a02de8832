/* player_state: see player_state.h. */
#include "ui/console/recording/player_state.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/sieve.h"
#include "base/xmalloc.h"
#include "control/json_text.h"
#include "ui/console/recording/delta.h"
#include "ui/console/recording/player_corpus.h"
#include "ui/console/recording/recorder.h"

void
player_state_clear(struct player_state *s)
{
	json_decref(s->snapshot);
	json_decref(s->view);
	json_decref(s->place);
	for (size_t i = 0; i < PLAYER_REPLIES; i++)
		json_decref(s->replies[i].reply);
	reply_clear(&s->coverage);
	json_decref(s->journal);
	memset(s, 0, sizeof(*s));
}

/* ---- lines go in ---- */

/* The approximate memory of a value; the parser limits its depth. */
static size_t
player_bytes(const json_t *json)
{
	size_t bytes = 32 + json_string_length(json);
	const char *key;
	json_t *value;
	size_t i;

	json_object_foreach((json_t *)json, key, value)
		bytes += 64 + player_bytes(value);
	json_array_foreach(json, i, value)
		bytes += 8 + player_bytes(value);
	return bytes;
}

/* The reply to evict: the least recently used one. */
static struct player_reply *
player_oldest(struct player_state *s)
{
	struct player_reply *oldest = &s->replies[0];

	for (size_t i = 1; i < PLAYER_REPLIES; i++)
		if (s->replies[i].reply != NULL &&
			(oldest->reply == NULL ||
				s->replies[i].used < oldest->used))
			oldest = &s->replies[i];
	return oldest;
}

static void
player_forget(struct player_reply *r)
{
	json_decref(r->reply);
	memset(r, 0, sizeof(*r));
}

static struct player_reply *
player_free_reply(struct player_state *s)
{
	for (size_t i = 0; i < PLAYER_REPLIES; i++)
		if (s->replies[i].reply == NULL)
			return &s->replies[i];
	player_forget(player_oldest(s));
	return player_free_reply(s);
}

static struct player_reply *
player_find(struct player_state *s, const struct query *query)
{
	for (size_t i = 0; i < PLAYER_REPLIES; i++)
		if (s->replies[i].reply != NULL &&
			query_equal(&s->replies[i].query, query))
			return &s->replies[i];
	return NULL;
}

static void
player_keep(struct player_state *s, const struct query *query, json_t *reply)
{
	struct player_reply *r = player_find(s, query);
	size_t bytes = 0;

	if (r != NULL)
		player_forget(r);
	r = player_free_reply(s);
	*r = (struct player_reply){ .query = *query,
		.reply = json_incref(reply),
		.bytes = player_bytes(reply),
		.used = ++s->clock };
	for (size_t i = 0; i < PLAYER_REPLIES; i++)
		bytes += s->replies[i].bytes;
	while (bytes > PLAYER_REPLIES_BYTES && (r = player_oldest(s))->reply) {
		bytes -= r->bytes;
		player_forget(r);
	}
}

/* Each reply has the whole list of the newest functions. */
static void
player_move_reached(struct reply_coverage *to, struct reply_coverage *from)
{
	free(to->reached);
	to->reached = from->reached;
	to->reached_n = from->reached_n;
	from->reached = NULL;
	from->reached_n = 0;
}

/* The map grows as modules are loaded, also after the first reply. */
static void
player_grow_mask(struct reply_coverage *c)
{
	uint64_t n = c->counters > c->first ? c->counters - c->first : 0;

	if (n > QUERY_COUNTERS_MAX)
		n = QUERY_COUNTERS_MAX; /* as in a full reply */
	if (n <= c->mask.len)
		return;
	c->mask.data = xrealloc(c->mask.data, n);
	memset(c->mask.data + c->mask.len, 0, n - c->mask.len);
	c->mask.len = n;
}

/* Adds changes of the coverage map to the mask. */
static void
player_add_changes(struct reply_coverage *to, struct reply_coverage *from)
{
	to->revision = from->revision;
	to->counters = from->counters;
	player_grow_mask(to);
	for (size_t i = 0; i < from->changes_n; i++) {
		const struct reply_change *change = &from->changes[i];
		uint64_t at = change->counter - to->first;

		if (change->counter >= to->first && at < to->mask.len)
			to->mask.data[at] |= (uint8_t)change->bits;
	}
	player_move_reached(to, from);
}

static bool
player_take_coverage(struct player_state *s, const json_t *json)
{
	struct reply reply = { 0 };
	uint64_t id;
	bool ok = reply_decode(&reply, &id, json, NULL) == OK &&
		reply.kind == QUERY_COVERAGE;

	if (ok && reply.coverage.whole) {
		reply_clear(&s->coverage);
		s->coverage = reply;
		return true;
	}
	if (ok && s->coverage.coverage.revision != 0)
		player_add_changes(&s->coverage.coverage, &reply.coverage);
	reply_clear(&reply);
	return ok;
}

uint64_t
player_state_oldest(const struct player_state *s)
{
	return s->events - json_array_size(s->journal);
}

/* Puts rows before the journal, if there is no gap between them. */
static void
player_take_older(struct player_state *s, json_t *rows, uint64_t at)
{
	uint64_t oldest = player_state_oldest(s);
	json_t *all;

	if (at >= oldest || at + json_array_size(rows) < oldest)
		return;
	all = json_array();
	for (size_t i = 0; i < oldest - at; i++)
		json_array_append(all, json_array_get(rows, i));
	json_array_extend(all, s->journal);
	json_decref(s->journal);
	s->journal = all;
}

static void
player_take_journal(struct player_state *s, const json_t *reply)
{
	json_t *rows = json_object_get(reply, "rows"), *row;
	uint64_t at = recorder_first_event(reply);
	size_t i;

	if (s->journal == NULL || at > s->events) {
		json_decref(s->journal);
		s->journal = json_array();
		s->events = at;
	}
	player_take_older(s, rows, at);
	json_array_foreach(rows, i, row)
		if (at + i >= s->events) {
			json_array_append(s->journal, row);
			s->events++;
		}
	while (json_array_size(s->journal) > PLAYER_EVENTS)
		json_array_remove(s->journal, 0);
}

/* Is it a list of the corpus, or a part of one? */
static bool
player_lists_corpus(const struct query *query, const json_t *reply)
{
	return query->kind == QUERY_CORPUS && query->filter[0] == '\0' &&
		json_is_array(json_object_get(reply, "rows"));
}

static bool
player_take_reply(struct player_state *s, const json_t *line)
{
	json_t *reply = json_object_get(line, "reply");
	json_t *asked = json_object_get(line, "query");
	struct query query;
	uint64_t id;

	json_object_set_new(asked, "id", json_integer(0));
	if (query_decode(&query, &id, asked, NULL) != OK)
		return false;
	if (query.kind == QUERY_COVERAGE)
		return player_take_coverage(s, reply);
	if (player_lists_corpus(&query, reply))
		s->corpus_total = json_count_of(reply, "total");
	if (recording_is_journal(&query))
		player_take_journal(s, reply);
	else
		player_keep(s, &query, reply);
	return true;
}

bool
player_state_take(struct player_state *s, const json_t *line)
{
	json_t *json;

	if ((json = json_object_get(line, "snapshot")) != NULL) {
		json_decref(s->snapshot);
		s->snapshot = json_deep_copy(json);
	} else if ((json = json_object_get(line, "delta")) != NULL) {
		s->snapshot = delta_apply(s->snapshot, json);
	} else if ((json = json_object_get(line, "view")) != NULL) {
		json_decref(s->view);
		s->view = json_incref(json);
		json_decref(s->place);
		s->place = json_incref(json_object_get(line, "place"));
	} else if (json_object_get(line, "query") != NULL) {
		return player_take_reply(s, line);
	}
	return true;
}

/* ---- answers come out ---- */

static json_t *
player_error(const struct query *query, const char *why)
{
	return json_pack("{s:s, s:s}", "kind", query_kind_name(query->kind),
		"error", why);
}

/* The reply is a full mask of the requested range. */
static json_t *
player_coverage(struct player_state *s, const struct query *query)
{
	struct reply_coverage *c = &s->coverage.coverage;
	struct field_blob mask = c->mask;
	uint64_t first = c->first;
	json_t *json;

	if (c->revision == 0)
		return player_error(query, "the recording has no map yet");
	s->coverage.kind = QUERY_COVERAGE;
	c->whole = true;
	c->first = query->first;
	if (query->first < first || query->first - first >= mask.len) {
		c->mask = (struct field_blob){ 0 };
	} else {
		c->mask.data += query->first - first;
		c->mask.len -= query->first - first;
	}
	if (query->count > 0 && c->mask.len > query->count)
		c->mask.len = query->count;
	json = reply_encode(&s->coverage, 0);
	c->mask = mask;
	c->first = first;
	return json;
}

/* As in the engine's journal: one of the kinds, if any are given, and all words
 * of the filter. */
static bool
player_row_matches(const json_t *row, const struct sieve *kinds,
	const struct sieve *filter)
{
	const char *kind = json_text_of(row, "kind");
	bool matches = kinds->n == 0;

	for (uint32_t i = 0; i < kinds->n && !matches; i++)
		matches = strcmp(kind, kinds->words[i]) == 0;
	return matches &&
		sieve_all(filter,
			sieve_seen(filter, kind) |
				sieve_seen(filter, json_text_of(row, "about")) |
				sieve_seen(filter, json_text_of(row, "text")));
}

static json_t *
player_journal(const struct player_state *s, const struct query *query)
{
	size_t n = json_array_size(s->journal), matching = 0, i;
	uint64_t dropped = player_state_oldest(s);
	json_t *rows = json_array(), *row;
	struct sieve kinds, filter;

	sieve_parse(&kinds, query->kinds);
	sieve_parse(&filter, query->filter);
	json_array_foreach(s->journal, i, row) {
		if (!player_row_matches(row, &kinds, &filter))
			continue;
		if (matching >= query->first &&
			json_array_size(rows) < query->count)
			json_array_append(rows, row);
		matching++;
	}
	return json_pack("{s:s, s:I, s:I, s:I, s:I, s:o}", "kind",
		query_kind_name(QUERY_JOURNAL), "total", (json_int_t)n,
		"matching", (json_int_t)matching, "dropped",
		(json_int_t)dropped, "first",
		(json_int_t)(query->first < matching ? query->first : matching),
		"rows", rows);
}

/* ---- the corpus ---- */

/* A list that was whole when it was recorded is not, once there are more. */
static bool
player_is_whole(const struct player_state *s, const struct player_reply *r)
{
	return r->query.first == 0 &&
		json_array_size(json_object_get(r->reply, "rows")) ==
		s->corpus_total;
}

static bool
player_is_order(const struct player_reply *r, const struct query *query)
{
	return query->filter[0] == '\0' &&
		strcmp(r->query.sort, query->sort) == 0 &&
		r->query.falling == query->falling;
}

/* A whole list knows every order, a part only its own; then the one used last. */
static bool
player_is_better(const struct player_state *s, const struct player_reply *a,
	const struct player_reply *b, const struct query *query)
{
	if (player_is_whole(s, a) != player_is_whole(s, b))
		return player_is_whole(s, a);
	if (player_is_order(a, query) != player_is_order(b, query))
		return player_is_order(a, query);
	return a->used > b->used;
}

/* The list to make the answer of; NULL: none is recorded. */
static const struct player_reply *
player_corpus_list(const struct player_state *s, const struct query *query)
{
	const struct player_reply *best = NULL;

	for (size_t i = 0; i < PLAYER_REPLIES; i++) {
		const struct player_reply *r = &s->replies[i];

		if (player_lists_corpus(&r->query, r->reply) &&
			(best == NULL || player_is_better(s, r, best, query)))
			best = r;
	}
	return best;
}

/* The requested part of a recorded list; other rows are unknown. */
static json_t *
player_corpus(const struct player_state *s, const struct query *query)
{
	const struct player_reply *list = player_corpus_list(s, query);
	json_t *reply, *all, *rows;
	uint64_t before = 0, from, place;

	if (list == NULL)
		return player_error(query,
			"the recording has no list of the corpus yet");
	reply = json_copy(list->reply);
	all = json_incref(json_object_get(reply, "rows"));
	if (player_is_order(list, query)) {
		before = list->query.first;
	} else {
		json_decref(all);
		all = player_corpus_rows(json_object_get(reply, "rows"), query);
	}
	from = query->first > before ? query->first - before : 0;
	if (from > json_array_size(all))
		from = json_array_size(all);
	rows = json_array();
	for (size_t i = from;
		i < json_array_size(all) && i - from < query->count; i++)
		json_array_append(rows, json_array_get(all, i));
	place = player_corpus_place(all, query->name);
	json_object_set_new(reply, "place",
		json_integer(place > 0 ? (json_int_t)before + (json_int_t)place
				       : 0));
	json_object_set_new(reply, "first",
		json_integer((json_int_t)before + (json_int_t)from));
	json_object_set_new(reply, "matching",
		json_integer(
			(json_int_t)before + (json_int_t)json_array_size(all)));
	json_object_set_new(reply, "rows", rows);
	json_decref(all);
	return reply;
}

/* ---- all kinds ---- */

static json_t *
player_reply_to(struct player_state *s, struct recording *recording,
	const struct query *query)
{
	struct player_reply *r = player_find(s, query);
	json_t *fixed;

	if (query->kind == QUERY_COVERAGE)
		return player_coverage(s, query);
	if (query->kind == QUERY_JOURNAL)
		return player_journal(s, query);
	if (r != NULL) {
		r->used = ++s->clock;
		return json_copy(r->reply);
	}
	if (query->kind == QUERY_CORPUS)
		return player_corpus(s, query);
	fixed = recording_fixed(recording, query);
	return fixed != NULL
		? fixed
		: player_error(query,
			  "the recording does not contain this: nobody viewed it");
}

json_t *
player_state_answer(struct player_state *s, struct recording *recording,
	const struct query *query, uint64_t id)
{
	json_t *reply = player_reply_to(s, recording, query);

	json_object_set_new(reply, "id", json_integer((json_int_t)id));
	return reply;
}
