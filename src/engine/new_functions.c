/* new_functions: see new_functions.h. */
#include "engine/new_functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "engine/engine_private.h"
#include "engine/function_events.h"
#include "engine/function_set.h"

#define REACHED_QUEUE_MAX 16384u /* counters that wait for their names */
#define REACHED_SETTLE_NS 500000000ull
#define REACHED_WORDS 80

struct reached_counter {
	uint32_t counter;
	bool seed;      /* of no news */
	char entry[17]; /* that came there first, "": not in the corpus */
	double at_s;
};

struct reached {
	struct engine *engine;
	struct news news;
	uint64_t seen; /* revision of the log */
	struct function_set functions;
	uint64_t begun; /* functions whose beginning was reached … */
	uint64_t begun_by_seeds;
	/* Too much to ask about was reached before the first names were
	 * there: only beginnings of functions are looked at. */
	bool beginnings_only;
	bool seeds_due; /* they have been run, and were not told of */
	struct reached_counter *queue; /* a ring */
	uint32_t first, n;
	uint32_t asked; /* of the first ones; 0: nothing is asked */
	bool awake;     /* the first second is over, or the campaign ends */
	uint64_t settle_ns;
};

static struct reached_counter *
reached_at(struct reached *r, uint32_t i)
{
	return &r->queue[(r->first + i) % REACHED_QUEUE_MAX];
}

static bool
reached_is_begin(const struct engine *e, uint32_t counter)
{
	return (places_number(&e->places, counter) & TABLE_ENTRY) != 0;
}

/* ---- functions ---- */

static const char *
reached_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static void
reached_init(const struct reached_counter *c, struct reply_reached *f)
{
	*f = (struct reply_reached){
		.counter = c->counter,
		.at_s = c->at_s,
	};
	memcpy(f->entry, c->entry, sizeof(f->entry));
}

/* What has no name has an address. */
static void
reached_add_begin(struct reached *r, const struct reached_counter *c,
	unsigned where)
{
	const struct engine *e = r->engine;
	const struct places_module *m = places_find(&e->places, c->counter);
	struct reply_reached f;
	char module[REACHED_WORDS];

	if (c->seed || !reached_is_begin(e, c->counter))
		return;
	reached_init(c, &f);
	text_clean_string(m != NULL && m->path != NULL ? reached_base(m->path)
						       : "?",
		module, sizeof(module));
	snprintf(f.name, sizeof(f.name), "%s+0x%llx", module,
		(unsigned long long)(places_number(&e->places, c->counter) &
			~TABLE_ENTRY));
	news_add(&r->news, &f, where);
}

/* Of an answer. */
static unsigned
reached_where(const struct reached *r)
{
	return r->engine->settings.deterministic ? NEWS_LIST
						 : NEWS_LIST | NEWS_EVENT;
}

static void
reached_add_symbol(struct reached *r, const struct reached_counter *c,
	const struct symbol *s)
{
	const struct places_module *m =
		places_find(&r->engine->places, c->counter);
	struct reply_reached f;

	reached_init(c, &f);
	text_clean_string(s->function, f.name, sizeof(f.name));
	if (!function_set_add(&r->functions, m != NULL ? m->base : UINT32_MAX,
		    f.name) ||
		c->seed)
		return;
	text_clean_string(s->file, f.file, sizeof(f.file));
	f.line = s->line;
	news_add(&r->news, &f, reached_where(r));
}

/* The function, then what is inlined there. */
static void
reached_add(struct reached *r, const struct reached_counter *c,
	const struct symbols_at *at)
{
	uint32_t i, named = 0;

	for (i = at->n; i > 0; i--) {
		if (at->symbols[i - 1].function[0] == '\0')
			continue;
		named++;
		reached_add_symbol(r, c, &at->symbols[i - 1]);
	}
	if (named == 0)
		reached_add_begin(r, c, reached_where(r));
}

/* ---- asking ---- */

static void reached_ask(struct reached *r);

/* As many as have names, when all of them have: now, if it is the last time
 * that anything can be told. */
static void
reached_tell_seeds(struct reached *r, bool now)
{
	struct engine *e = r->engine;
	uint64_t n = r->begun_by_seeds;

	if (!r->seeds_due || (!now && places_outstanding(&e->places)))
		return;
	if (!e->settings.deterministic && !r->beginnings_only) {
		if (!now && r->n > 0 && reached_at(r, 0)->seed)
			return; /* names are still to come */
		if (n < r->functions.n)
			n = r->functions.n;
	}
	r->seeds_due = false;
	if (n > 0)
		lines_event(e, "reached",
			json_pack("{s:I}", "count", (json_int_t)n),
			"%llu function%s reached by the seeds",
			(unsigned long long)n, n == 1 ? "" : "s");
}

static void
reached_drop_asked(struct reached *r)
{
	r->first = (r->first + r->asked) % REACHED_QUEUE_MAX;
	r->n -= r->asked;
	r->asked = 0;
}

static void
reached_on_answer(void *arg, struct symbols_answer *take_answer)
{
	struct reached *r = arg;
	const struct symbols_at none = { 0 };
	uint32_t i;

	for (i = 0; i < r->asked; i++) {
		if (!reached_at(r, i)->seed)
			reached_tell_seeds(r, true); /* they come first */
		reached_add(r, reached_at(r, i),
			i < take_answer->n ? &take_answer->at[i] : &none);
	}
	symbols_answer_destroy(take_answer);
	reached_drop_asked(r);
	reached_tell_seeds(r, false);
	reached_ask(r);
}

/*
 * Names take a process that reads debug information. In its first second a
 * campaign finds most, so that the processors have better things to do.
 */
static void
reached_ask(struct reached *r)
{
	struct symbols_place places[SYMBOLS_PLACES_MAX] = { 0 };
	const struct engine *e = r->engine;
	uint32_t i, n = r->n < SYMBOLS_PLACES_MAX ? r->n : SYMBOLS_PLACES_MAX;

	if (n == 0 || r->asked > 0 || !r->awake)
		return;
	for (i = 0; i < n; i++) {
		uint32_t counter = reached_at(r, i)->counter;
		const struct places_module *m =
			places_find(&e->places, counter);

		if (m == NULL || m->path == NULL)
			continue;
		places[i].path = m->path;
		places[i].id = m->id[0] != '\0' ? m->id : NULL;
		places[i].offset =
			places_number(&e->places, counter) & ~TABLE_ENTRY;
	}
	if (names_ask_places(e->names, places, n, reached_on_answer, r))
		r->asked = n;
}

/* ---- looking ---- */

/* A counter was reached for the first time. */
static void
reached_push(struct reached *r, uint32_t counter, double at_s, bool seed,
	const struct corpus_entry *entry)
{
	bool begins = reached_is_begin(r->engine, counter);
	struct reached_counter *c;

	r->begun += begins;
	r->begun_by_seeds += begins && seed;
	if (r->beginnings_only && !begins)
		return;
	if (r->n == REACHED_QUEUE_MAX) {
		r->beginnings_only |= seed;
		return;
	}
	if (r->queue == NULL)
		r->queue = xcalloc(REACHED_QUEUE_MAX, sizeof(*r->queue));
	c = reached_at(r, r->n++);
	*c = (struct reached_counter){
		.counter = counter,
		.seed = seed,
		.at_s = at_s,
	};
	if (entry != NULL)
		snprintf(c->entry, sizeof(c->entry), "%.16s", entry->name);
	if (r->engine->settings.deterministic)
		reached_add_begin(r, c, NEWS_EVENT);
}

/* More has changed than the log has room for: what there is is counted. */
static void
reached_recount(struct reached *r)
{
	const struct engine *e = r->engine;
	uint32_t i, k;

	r->beginnings_only = true;
	r->begun = 0;
	for (i = 0; i < e->places.n; i++) {
		const struct places_module *m = &e->places.modules[i];

		for (k = 0; k < m->known; k++)
			r->begun += (m->numbers[k] & TABLE_ENTRY) != 0 &&
				campaign_memory_bits(&e->memory, m->base + k) !=
					0;
	}
	if (engine_warming(e))
		r->begun_by_seeds = r->begun;
}

/* What is new in the log since the last look. */
static void
reached_read_log(struct reached *r, size_t n, const struct corpus_entry *entry)
{
	const struct engine *e = r->engine;
	const struct coverage_change *change;
	size_t i;

	for (i = 0; i < n; i++) {
		change = coverage_log_get(&e->memory.log, r->seen + 1 + i);
		if (change->first &&
			places_number(&e->places, change->counter) != 0)
			reached_push(r, change->counter, change->at_s,
				engine_warming(e), entry);
	}
}

void
reached_look(struct engine *e, const struct corpus_entry *entry)
{
	const struct coverage_log *log = &e->memory.log;
	uint64_t revision = coverage_log_revision(log);
	struct reached *r = e->reached;
	size_t n;

	if (r == NULL || r->seen == revision)
		return;
	if (coverage_log_since(log, r->seen, &n))
		reached_read_log(r, n, entry);
	else
		reached_recount(r);
	r->seen = revision;
	if (e->settings.deterministic)
		news_tell(&r->news);
	reached_ask(r);
}

void
reached_on_places(struct engine *e, const struct places_module *m,
	uint32_t from)
{
	double at_s = engine_campaign_s(e);
	struct reached *r = e->reached;
	uint32_t k;
	bool seed;

	if (r == NULL)
		return;
	/* The seeds may have been run before it was known what they reach. */
	seed = engine_warming(e) || r->seeds_due;
	for (k = from; k < m->known; k++)
		if (m->numbers[k] != 0 &&
			campaign_memory_bits(&e->memory, m->base + k) != 0)
			reached_push(r, m->base + k, at_s, seed, NULL);
	if (e->settings.deterministic)
		news_tell(&r->news);
	reached_tell_seeds(r, false);
	reached_ask(r);
}

void
reached_on_warm(struct engine *e)
{
	if (e->reached == NULL || e->warmup_total == 0)
		return;
	e->reached->seeds_due = true;
	reached_tell_seeds(e->reached, false);
}

void
reached_on_second(struct engine *e)
{
	if (e->reached == NULL)
		return;
	e->reached->awake = true;
	reached_ask(e->reached);
}

/* Is anything to be told that is not known yet? */
static bool
reached_is_waiting(struct reached *r)
{
	if (r->engine->settings.deterministic || r->n == 0)
		return false;
	return r->seeds_due || !reached_at(r, r->n - 1)->seed;
}

bool
reached_settle(struct engine *e)
{
	struct reached *r = e->reached;
	uint64_t now = clock_now_ns();

	if (r == NULL)
		return true;
	if (r->settle_ns == 0)
		r->settle_ns = now + REACHED_SETTLE_NS;
	r->awake = true;
	if (reached_is_waiting(r) && now < r->settle_ns) {
		reached_ask(r);
		return false;
	}
	reached_tell_seeds(r, true);
	news_tell(&r->news);
	return true;
}

/* ---- for others ---- */

uint32_t
reached_list(const struct engine *e, struct reply_reached *list)
{
	return e->reached != NULL ? news_list(&e->reached->news, list) : 0;
}

struct reached *
reached_create(struct engine *e)
{
	struct reached *r = xcalloc(1, sizeof(*r));

	r->engine = e;
	r->seen = coverage_log_revision(&e->memory.log);
	news_init(&r->news, e);
	return r;
}

void
reached_destroy(struct reached *r)
{
	if (r == NULL)
		return;
	news_clear(&r->news);
	function_set_clear(&r->functions);
	free(r->queue);
	free(r);
}
