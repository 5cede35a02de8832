/* event_ring: a ring of events, and a ring of the numbers of matches. */
#include "engine/log/event_ring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/sieve.h"
#include "base/text.h"
#include "base/xmalloc.h"

struct event_kept {
	double at_s, wall_s;
	char *words; /* kind, about and text, each with a zero; owned */
};

struct event_ring {
	struct event_kept ring[EVENT_RING_MAX];
	uint64_t ever;

	struct sieve sieve; /* filter of the matches below */
	char filter_text[SIEVE_SIZE];
	char kinds[SIEVE_SIZE];
	uint64_t looked; /* the last event compared with the filter */
	uint64_t matches[EVENT_RING_MAX];
	uint64_t matches_first, matches_n;
};

struct event_ring *
event_ring_create(void)
{
	return xcalloc(1, sizeof(struct event_ring));
}

void
event_ring_destroy(struct event_ring *events)
{
	size_t i;

	if (events == NULL)
		return;
	for (i = 0; i < EVENT_RING_MAX; i++)
		free(events->ring[i].words);
	free(events);
}

static const struct event_kept *
event_at(const struct event_ring *events, uint64_t seq)
{
	return &events->ring[seq % EVENT_RING_MAX];
}

static const char *
event_ring_text_behind(const char *text)
{
	return text + strlen(text) + 1;
}

void
event_ring_add(struct event_ring *events, const char *kind, double at_s,
	const char *text, const char *about)
{
	event_ring_add_past(events, kind, at_s, (double)time(NULL), text,
		about);
}

void
event_ring_add_past(struct event_ring *events, const char *kind, double at_s,
	double wall_s, const char *text, const char *about)
{
	struct event_kept *event =
		&events->ring[++events->ever % EVENT_RING_MAX];
	struct snapshot_event clean;
	size_t kind_len, about_len, text_len;
	char *to;

	kind_len = text_clean_string(kind, clean.kind, sizeof(clean.kind));
	about_len = text_clean_string(about, clean.about, sizeof(clean.about));
	text_len = text_clean_string(text, clean.text, sizeof(clean.text));
	free(event->words);
	event->at_s = at_s;
	event->wall_s = wall_s;
	event->words = to = xmalloc(kind_len + about_len + text_len + 3);
	memcpy(to, clean.kind, kind_len + 1);
	to += kind_len + 1;
	memcpy(to, clean.about, about_len + 1);
	memcpy(to + about_len + 1, clean.text, text_len + 1);
}

uint64_t
event_ring_ever(const struct event_ring *events)
{
	return events->ever;
}

uint64_t
event_ring_kept(const struct event_ring *events)
{
	return events->ever < EVENT_RING_MAX ? events->ever : EVENT_RING_MAX;
}

void
event_ring_get(const struct event_ring *events, uint64_t seq,
	struct snapshot_event *to)
{
	const struct event_kept *event = event_at(events, seq);
	const char *about = event_ring_text_behind(event->words);

	*to = (struct snapshot_event){ .seq = seq,
		.at_s = event->at_s,
		.wall_s = event->wall_s };
	snprintf(to->kind, sizeof(to->kind), "%s", event->words);
	snprintf(to->about, sizeof(to->about), "%s", about);
	snprintf(to->text, sizeof(to->text), "%s",
		event_ring_text_behind(about));
}

/* ---- matches ------------------------------------------------------------ */

static bool
event_ring_is_of_kinds(const char *kind, const char *kinds)
{
	size_t len = strlen(kind);

	if (kinds[0] == '\0')
		return true;
	for (; *kinds != '\0'; kinds += strspn(kinds, " ")) {
		size_t n = strcspn(kinds, " ");

		if (n == len && memcmp(kinds, kind, n) == 0)
			return true;
		kinds += n;
	}
	return false;
}

static void
event_ring_look_at(struct event_ring *events, uint64_t seq)
{
	uint64_t place = events->matches_first + events->matches_n;
	const char *text = event_at(events, seq)->words;
	uint32_t seen = 0, i;

	if (!event_ring_is_of_kinds(text, events->kinds))
		return;
	for (i = 0; i < 3; i++, text = event_ring_text_behind(text))
		seen |= sieve_seen(&events->sieve, text);
	if (!sieve_all(&events->sieve, seen))
		return;
	events->matches[place % EVENT_RING_MAX] = seq;
	events->matches_n++;
}

/* Drops matches that have left the ring. */
static void
event_ring_forget_old(struct event_ring *events, uint64_t oldest)
{
	while (events->matches_n > 0 &&
		events->matches[events->matches_first % EVENT_RING_MAX] <
			oldest) {
		events->matches_first++;
		events->matches_n--;
	}
}

void
event_ring_choose_kinds(struct event_ring *events, const char *kinds)
{
	if (strncmp(kinds, events->kinds, sizeof(events->kinds) - 1) == 0)
		return;
	snprintf(events->kinds, sizeof(events->kinds), "%s", kinds);
	events->looked = events->matches_n = 0;
}

uint64_t
event_ring_match(struct event_ring *events, const char *filter)
{
	uint64_t oldest = events->ever - event_ring_kept(events) + 1;

	if (strncmp(filter, events->filter_text,
		    sizeof(events->filter_text) - 1) != 0) {
		snprintf(events->filter_text, sizeof(events->filter_text), "%s",
			filter);
		sieve_parse(&events->sieve, events->filter_text);
		events->looked = events->matches_n = 0;
	}
	event_ring_forget_old(events, oldest);
	if (events->looked + 1 < oldest)
		events->looked = oldest - 1;
	while (events->looked < events->ever)
		event_ring_look_at(events, ++events->looked);
	return events->matches_n;
}

uint64_t
event_ring_matching(const struct event_ring *events, uint64_t i)
{
	return events->matches[(events->matches_first + i) % EVENT_RING_MAX];
}
