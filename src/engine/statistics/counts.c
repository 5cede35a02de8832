/* counts: see counts.h. */
#include "engine/statistics/counts.h"

#include "control/snapshot.h"
#include "engine/parts.h"
#include "engine/statistics/counts_private.h"

uint64_t
counts_executions(const struct engine *e)
{
	return engine_counts(e)->executions;
}

void
counts_add_executions(struct engine *e, uint64_t executions, uint64_t rejected)
{
	struct counts *c = engine_counts(e);

	c->executions += executions;
	c->rejected += rejected;
}

void
counts_add_replays(struct engine *e, uint64_t executions)
{
	engine_counts(e)->replays += executions;
}

uint64_t
counts_new_inputs(const struct engine *e)
{
	return engine_counts(e)->new_inputs;
}

void
counts_note_news(struct engine *e)
{
	engine_counts(e)->news_s = engine_campaign_s(e);
}

double
counts_idle_s(const struct engine *e)
{
	struct counts *c = engine_counts(e);
	double now = engine_campaign_s(e);

	if (c->news_s == 0)
		c->news_s = now;
	return now - c->news_s;
}

void
counts_add_new_input(struct engine *e, bool unstable)
{
	struct counts *c = engine_counts(e);
	double now = engine_campaign_s(e);

	c->new_inputs++;
	c->unstable += unstable;
	if (now - c->last_find_s > c->plateau_gap_s)
		c->plateau_gap_s = now - c->last_find_s;
	c->last_find_s = now;
	counts_note_news(e);
}

uint64_t
counts_auto_dictionary(const struct engine *e)
{
	return engine_counts(e)->auto_dictionary;
}

void
counts_add_words(struct engine *e, uint64_t n)
{
	engine_counts(e)->auto_dictionary += n;
}

uint64_t
counts_value_entries(const struct engine *e)
{
	return engine_counts(e)->value_entries;
}

size_t
counts_value_bytes(const struct engine *e)
{
	return engine_counts(e)->value_bytes;
}

void
counts_add_value_entry(struct engine *e, size_t bytes)
{
	struct counts *c = engine_counts(e);

	c->value_entries++;
	c->value_bytes += bytes;
}

struct rate *
counts_rate(const struct engine *e)
{
	return &engine_counts(e)->rate;
}

void
counts_resume(struct engine *e, double last_s, double gap_s)
{
	struct counts *c = engine_counts(e);

	c->last_find_s = last_s;
	c->plateau_gap_s = gap_s;
}

void
counts_view(const struct engine *e, struct snapshot *s)
{
	const struct counts *c = engine_counts(e);

	s->replays = c->replays;
	s->rejected = c->rejected;
	s->interesting = c->new_inputs;
	s->last_find_s =
		c->last_find_s > 0 ? engine_campaign_s(e) - c->last_find_s : -1;
	s->plateau_gap_s = c->plateau_gap_s;
	s->stability = c->new_inputs == 0
		? 100
		: 100.0 * (double)(c->new_inputs - c->unstable) /
			(double)c->new_inputs;
}
