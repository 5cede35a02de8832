/* new_functions: see new_functions.h. */
#include "engine/functions/new_functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash_set.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/settings.h"
#include "corpus/corpus.h"
#include "engine/corpus/load.h"
#include "engine/functions/function_events.h"
#include "engine/functions/pc_table_calls.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "findings/names.h"
#include "worker/memory/campaign_memory.h"
#include "worker/pc_table.h"

#define NEW_FUNCTIONS_QUEUE_MAX 16384u /* edges that wait for names */
#define NEW_FUNCTIONS_SETTLE_NS 500000000ull
#define NEW_FUNCTIONS_WORDS 80

struct new_functions_counter {
	uint32_t counter;
	bool seed;      /* reached by seeds: not reported */
	char entry[17]; /* first input that hit it, "" if not in the corpus */
	double at_s;
};

struct new_functions {
	struct engine *engine;
	struct function_events events;
	uint64_t seen; /* revision of the coverage log */
	struct hash_set functions;
	uint64_t begun; /* functions whose entry edge was hit */
	uint64_t begun_by_seeds;
	/* Too many edges were hit before the first names came: only entry edges
	 * of functions are looked at. */
	bool beginnings_only;
	bool seeds_due; /* the seeds ran but are not reported */
	struct new_functions_counter *queue; /* a ring */
	uint32_t first, n;
	uint32_t asked; /* names under way, for the first ones; 0: none */
	bool awake;     /* after the first second, or at the end */
	uint64_t settle_ns;
};

static struct new_functions_counter *
new_functions_at(struct new_functions *r, uint32_t i)
{
	return &r->queue[(r->first + i) % NEW_FUNCTIONS_QUEUE_MAX];
}

static bool
new_functions_is_begin(const struct engine *e, uint32_t counter)
{
	return (pc_table_number(pc_table_calls_table(e), counter) &
		       TABLE_ENTRY) != 0;
}

/* ---- functions ---- */

static void
new_functions_init(const struct new_functions_counter *c,
	struct reply_new_function *f)
{
	*f = (struct reply_new_function){
		.counter = c->counter,
		.at_s = c->at_s,
	};
	memcpy(f->entry, c->entry, sizeof(f->entry));
}

/* Adds a function without a name under its address. */
static void
new_functions_add_begin(struct new_functions *r,
	const struct new_functions_counter *c, unsigned where)
{
	const struct engine *e = r->engine;
	const struct pc_table_module *m =
		pc_table_find(pc_table_calls_table(e), c->counter);
	struct reply_new_function f;
	char module[NEW_FUNCTIONS_WORDS];

	if (c->seed || !new_functions_is_begin(e, c->counter))
		return;
	new_functions_init(c, &f);
	text_clean_string(m != NULL && m->path != NULL ? basename(m->path)
						       : "?",
		module, sizeof(module));
	snprintf(f.name, sizeof(f.name), "%s+0x%llx", module,
		(unsigned long long)(pc_table_number(pc_table_calls_table(e),
					     c->counter) &
			~TABLE_ENTRY));
	function_events_add(&r->events, &f, where);
}

/* The places to report a function with a name. */
static unsigned
new_functions_where(const struct new_functions *r)
{
	return engine_settings(r->engine)->deterministic
		? FUNCTION_EVENTS_LIST
		: FUNCTION_EVENTS_LIST | FUNCTION_EVENTS_EVENT;
}

static void
new_functions_add_symbol(struct new_functions *r,
	const struct new_functions_counter *c, const struct symbol *s)
{
	const struct pc_table_module *m =
		pc_table_find(pc_table_calls_table(r->engine), c->counter);
	struct reply_new_function f;

	new_functions_init(c, &f);
	text_clean_string(s->function, f.name, sizeof(f.name));
	if (!hash_set_add(&r->functions, m != NULL ? m->base : UINT32_MAX,
		    f.name, strlen(f.name)) ||
		c->seed)
		return;
	text_clean_string(s->file, f.file, sizeof(f.file));
	f.line = s->line;
	function_events_add(&r->events, &f, new_functions_where(r));
}

/* Adds the function and the functions inlined at the edge. */
static void
new_functions_add(struct new_functions *r,
	const struct new_functions_counter *c, const struct symbols_at *at)
{
	uint32_t i, named = 0;

	for (i = at->n; i > 0; i--) {
		if (at->symbols[i - 1].function[0] == '\0')
			continue;
		named++;
		new_functions_add_symbol(r, c, &at->symbols[i - 1]);
	}
	if (named == 0)
		new_functions_add_begin(r, c, new_functions_where(r));
}

/* ---- asking ---- */

static void new_functions_ask(struct new_functions *r);

/* Reports the number of functions reached by the seeds when all are named. now:
 * this is the last chance. */
static void
new_functions_tell_seeds(struct new_functions *r, bool now)
{
	struct engine *e = r->engine;
	uint64_t n = r->begun_by_seeds;

	if (!r->seeds_due ||
		(!now && pc_table_outstanding(pc_table_calls_table(e))))
		return;
	if (!engine_settings(e)->deterministic && !r->beginnings_only) {
		if (!now && r->n > 0 && new_functions_at(r, 0)->seed)
			return; /* names are still to come */
		if (n < r->functions.n)
			n = r->functions.n;
	}
	r->seeds_due = false;
	if (n > 0)
		message_event(e, "reached",
			json_pack("{s:I}", "count", (json_int_t)n),
			"%llu function%s reached at the start",
			(unsigned long long)n, n == 1 ? "" : "s");
}

static void
new_functions_drop_asked(struct new_functions *r)
{
	r->first = (r->first + r->asked) % NEW_FUNCTIONS_QUEUE_MAX;
	r->n -= r->asked;
	r->asked = 0;
}

static void
new_functions_on_answer(void *arg, struct symbols_answer *take_answer)
{
	struct new_functions *r = arg;
	const struct symbols_at none = { 0 };
	uint32_t i;

	for (i = 0; i < r->asked; i++) {
		if (!new_functions_at(r, i)->seed)
			new_functions_tell_seeds(r, true); /* seeds first */
		new_functions_add(r, new_functions_at(r, i),
			i < take_answer->n ? &take_answer->at[i] : &none);
	}
	symbols_answer_destroy(take_answer);
	new_functions_drop_asked(r);
	new_functions_tell_seeds(r, false);
	new_functions_ask(r);
}

/*
 * Names need a process that reads debug information. It is not started in the
 * first second, when fuzzing finds most and needs the processors.
 */
static void
new_functions_ask(struct new_functions *r)
{
	struct symbols_place places[SYMBOLS_PLACES_MAX] = { 0 };
	const struct engine *e = r->engine;
	uint32_t i, n = r->n < SYMBOLS_PLACES_MAX ? r->n : SYMBOLS_PLACES_MAX;

	if (n == 0 || r->asked > 0 || !r->awake)
		return;
	for (i = 0; i < n; i++) {
		uint32_t counter = new_functions_at(r, i)->counter;
		const struct pc_table_module *m =
			pc_table_find(pc_table_calls_table(e), counter);

		if (m == NULL || m->path == NULL)
			continue;
		places[i].path = m->path;
		places[i].id = m->id[0] != '\0' ? m->id : NULL;
		places[i].offset =
			pc_table_number(pc_table_calls_table(e), counter) &
			~TABLE_ENTRY;
	}
	if (names_ask_places(engine_names(e), places, n,
		    new_functions_on_answer, r))
		r->asked = n;
}

/* ---- looking ---- */

/* Queues an edge that was hit for the first time. */
static void
new_functions_push(struct new_functions *r, uint32_t counter, double at_s,
	bool seed, const struct corpus_entry *entry)
{
	bool begins = new_functions_is_begin(r->engine, counter);
	struct new_functions_counter *c;

	r->begun += begins;
	r->begun_by_seeds += begins && seed;
	if (r->beginnings_only && !begins)
		return;
	if (r->n == NEW_FUNCTIONS_QUEUE_MAX) {
		r->beginnings_only |= seed;
		return;
	}
	if (r->queue == NULL)
		r->queue = xcalloc(NEW_FUNCTIONS_QUEUE_MAX, sizeof(*r->queue));
	c = new_functions_at(r, r->n++);
	*c = (struct new_functions_counter){
		.counter = counter,
		.seed = seed,
		.at_s = at_s,
	};
	if (entry != NULL)
		snprintf(c->entry, sizeof(c->entry), "%.16s", entry->name);
	if (engine_settings(r->engine)->deterministic)
		new_functions_add_begin(r, c, FUNCTION_EVENTS_EVENT);
}

/* The coverage log has lost changes: counts all functions anew. */
static void
new_functions_recount(struct new_functions *r)
{
	const struct engine *e = r->engine;
	uint32_t i, k;

	r->beginnings_only = true;
	r->begun = 0;
	for (i = 0; i < pc_table_calls_table(e)->n; i++) {
		const struct pc_table_module *m =
			&pc_table_calls_table(e)->modules[i];

		for (k = 0; k < m->known; k++)
			r->begun += (m->numbers[k] & TABLE_ENTRY) != 0 &&
				campaign_memory_bits(engine_memory(e),
					m->base + k) != 0;
	}
	if (load_is_warming(e))
		r->begun_by_seeds = r->begun;
}

/* Queues the new edges of the log since the last look. */
static void
new_functions_read_log(struct new_functions *r, size_t n,
	const struct corpus_entry *entry)
{
	const struct engine *e = r->engine;
	const struct coverage_change *change;
	size_t i;

	for (i = 0; i < n; i++) {
		change = coverage_log_get(&engine_memory(e)->log,
			r->seen + 1 + i);
		if (change->first &&
			pc_table_number(pc_table_calls_table(e),
				change->counter) != 0)
			new_functions_push(r, change->counter, change->at_s,
				load_is_warming(e), entry);
	}
}

void
new_functions_look(struct engine *e, const struct corpus_entry *entry)
{
	const struct coverage_log *log = &engine_memory(e)->log;
	uint64_t revision = coverage_log_revision(log);
	struct new_functions *r = engine_new_functions(e);
	size_t n;

	if (r == NULL || r->seen == revision)
		return;
	if (coverage_log_since(log, r->seen, &n))
		new_functions_read_log(r, n, entry);
	else
		new_functions_recount(r);
	r->seen = revision;
	if (engine_settings(e)->deterministic)
		function_events_tell(&r->events);
	new_functions_ask(r);
}

/* The module's PC table is known now, beginning with this index. */
static void
new_functions_on_known_edges(struct engine *e, const struct pc_table_module *m,
	uint32_t from)
{
	double at_s = engine_campaign_s(e);
	struct new_functions *r = engine_new_functions(e);
	uint32_t k;
	bool seed;

	if (r == NULL)
		return;
	/* The seeds may have run before the PC table was known. */
	seed = load_is_warming(e) || r->seeds_due;
	for (k = from; k < m->known; k++)
		if (m->numbers[k] != 0 &&
			campaign_memory_bits(engine_memory(e), m->base + k) !=
				0)
			new_functions_push(r, m->base + k, at_s, seed, NULL);
	if (engine_settings(e)->deterministic)
		function_events_tell(&r->events);
	new_functions_tell_seeds(r, false);
	new_functions_ask(r);
}

void
new_functions_on_table(struct engine *e, const struct worker_result *r)
{
	const struct pc_table_module *m;
	uint32_t from;

	/* First the edges that were hit before the table was known. */
	new_functions_look(e, NULL);
	m = pc_table_calls_take(e, r, &from);
	new_functions_on_known_edges(e, m, from);
	pc_table_calls_tick(e);
}

void
new_functions_on_warm(struct engine *e)
{
	if (engine_new_functions(e) == NULL || load_warmup_total(e) == 0)
		return;
	engine_new_functions(e)->seeds_due = true;
	new_functions_tell_seeds(engine_new_functions(e), false);
}

void
new_functions_on_second(struct engine *e)
{
	if (engine_new_functions(e) == NULL)
		return;
	engine_new_functions(e)->awake = true;
	new_functions_ask(engine_new_functions(e));
}

/* Whether a name that will be reported is still to come. */
static bool
new_functions_is_waiting(struct new_functions *r)
{
	if (engine_settings(r->engine)->deterministic || r->n == 0)
		return false;
	return r->seeds_due || !new_functions_at(r, r->n - 1)->seed;
}

bool
new_functions_settle(struct engine *e)
{
	struct new_functions *r = engine_new_functions(e);
	uint64_t now = clock_now_ns();

	if (r == NULL)
		return true;
	if (r->settle_ns == 0)
		r->settle_ns = now + NEW_FUNCTIONS_SETTLE_NS;
	r->awake = true;
	if (new_functions_is_waiting(r) && now < r->settle_ns) {
		new_functions_ask(r);
		return false;
	}
	new_functions_tell_seeds(r, true);
	function_events_tell(&r->events);
	return true;
}

/* ---- for others ---- */

uint32_t
new_functions_list(const struct engine *e, struct reply_new_function *list)
{
	return engine_new_functions(e) != NULL
		? function_events_list(&engine_new_functions(e)->events, list)
		: 0;
}

uint64_t
new_functions_count(const struct engine *e)
{
	return engine_new_functions(e) != NULL
		? engine_new_functions(e)->events.newest_n
		: 0;
}

struct new_functions *
new_functions_create(struct engine *e)
{
	struct new_functions *r = xcalloc(1, sizeof(*r));

	r->engine = e;
	r->seen = coverage_log_revision(&engine_memory(e)->log);
	function_events_init(&r->events, e);
	return r;
}

void
new_functions_destroy(struct new_functions *r)
{
	if (r == NULL)
		return;
	function_events_clear(&r->events);
	hash_set_clear(&r->functions);
	free(r->queue);
	free(r);
}
