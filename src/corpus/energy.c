/* energy: see energy.h. */
#include "corpus/energy.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"

#define EXEC_NS 1000 /* nominal execution time when no clock may be used */
#define REACH_STEP 4096u
#define SELECTION_MIN 1024u
#define SELECTION_PER_ENTRY 8u
#define SPEED_SPAN 8.0 /* maximum bonus for speed over the mean */
#define DOUBT_SPAN 8.0 /* an entry that is slower than so many means */
#define WORK_SPAN 16.0 /* maximum correction of work by speed */
#define WORK_HALF 4.0  /* work of this many means halves the weight */
#define RECENT 32      /* latest entries that count as recent */
#define VALUE_PROFILE_OLD \
	0.01                 /* factor for older entries of the value profile */
#define NEW_EXECUTIONS 20000 /* an entry is new for so many executions … */
#define NEW_FACTOR 4.0       /* … and its weight is multiplied by this */
#define RARE_SPAN 8.0 /* maximum factor for rarity over the mean, or under */
/* Base weight of an entry that is the best for no edge. It may still go round a
 * loop more often than others, which edge counters do not show. */
#define RARE_BASE 1.0

/* Statistics of one edge counter. */
struct reach {
	uint32_t n; /* entries that reach the edge */
	/* Index + 1 of the best entry, which gets the edge's share. */
	uint32_t best;
};

struct energy {
	struct campaign_memory *memory;
	struct corpus *corpus;
	struct reach *reach;
	size_t reach_n;
	uint32_t *owners; /* of arena entries: index in the corpus */
	size_t owners_n, owners_room;
	double *weights; /* of corpus entries */
	size_t weights_n;
	double sum;     /* of all weights … */
	double inside;  /* … and of those in the arena */
	double pending; /* executions not yet shared out */
	uint32_t favoured;
	struct corpus_entry *doubtful; /* see energy_doubtful(); NULL: none */
	/* Start in the selection table; changes, so that small weights get a
	 * turn. */
	double offset;
	double turn; /* the same for energy_draw() */
	bool stale;
};

struct energy *
energy_create(struct campaign_memory *memory, struct corpus *corpus)
{
	struct energy *energy = xcalloc(1, sizeof(*energy));

	energy->memory = memory;
	energy->corpus = corpus;
	return energy;
}

void
energy_destroy(struct energy *energy)
{
	if (energy == NULL)
		return;
	free(energy->reach);
	free(energy->owners);
	free(energy->weights);
	free(energy);
}

void
energy_place(struct energy *energy, struct corpus_entry *entry)
{
	size_t at = entry->arena;

	energy->stale = true;
	if (entry->arena == MEMORY_NO_ENTRY)
		return;
	if (at >= energy->owners_room) {
		energy->owners_room = 2 * at + 64;
		energy->owners = xreallocarray(energy->owners,
			energy->owners_room, sizeof(*energy->owners));
	}
	while (energy->owners_n <= at)
		energy->owners[energy->owners_n++] = CORPUS_NONE;
	energy->owners[at] = entry->index;
}

void
energy_lose(struct energy *energy, struct corpus_entry *entry)
{
	entry->is_lost = true;
	energy->stale = true;
	if (entry->index >= energy->weights_n)
		return;
	energy->sum -= energy->weights[entry->index];
	energy->weights[entry->index] = 0;
}

struct corpus_entry *
energy_owner(const struct energy *energy, uint32_t arena)
{
	if (arena >= energy->owners_n)
		return NULL;
	return corpus_get(energy->corpus, energy->owners[arena]);
}

/* Smaller and faster is cheaper. Without a time all are equally fast. */
static double
energy_cost(const struct corpus_entry *entry)
{
	return (double)(entry->len + 16) *
		(double)(entry->exec_ns > 0 ? entry->exec_ns : EXEC_NS);
}

static void
energy_take_counter(struct energy *energy, struct corpus_entry *entry,
	uint32_t c)
{
	struct reach *reach = &energy->reach[c];
	struct corpus_entry *best;

	reach->n++;
	best = reach->best > 0 ? corpus_get(energy->corpus, reach->best - 1)
			       : NULL;
	if (best != NULL && energy_cost(best) <= energy_cost(entry))
		return;
	reach->best = entry->index + 1;
}

/* Most counters belong to the value profile; they come last and are skipped. */
static void
energy_make_room(struct energy *energy, uint32_t counter)
{
	size_t had = energy->reach_n, n = (size_t)counter + REACH_STEP;

	if (counter < had)
		return;
	energy->reach = xreallocarray(energy->reach, n, sizeof(*energy->reach));
	memset(energy->reach + had, 0, (n - had) * sizeof(*energy->reach));
	energy->reach_n = n;
}

void
energy_reach(struct energy *energy, struct corpus_entry *entry,
	const uint32_t *counters, uint32_t n)
{
	uint32_t all = energy->memory->head->counters, i;

	energy->stale = true;
	for (i = 0; i < n; i++) {
		if (counters[i] >= all ||
			campaign_memory_is_profile(energy->memory, counters[i]))
			continue;
		energy_make_room(energy, counters[i]);
		energy_take_counter(energy, entry, counters[i]);
	}
}

/* The entry's share of the executions that are not shared out yet. */
static double
energy_pending_part(const struct energy *energy,
	const struct corpus_entry *entry)
{
	if (entry->index >= energy->weights_n ||
		entry->arena == MEMORY_NO_ENTRY || energy->inside <= 0)
		return 0;
	return energy->pending * energy->weights[entry->index] / energy->inside;
}

void
energy_reward(struct energy *energy, struct corpus_entry *parent)
{
	parent->finds++;
	parent->work = -energy_pending_part(energy, parent);
	energy->stale = true;
}

struct corpus_entry *
energy_doubtful(const struct energy *energy)
{
	struct corpus_entry *entry = energy->doubtful;

	return entry == NULL || entry->is_measured || entry->is_lost ? NULL
								     : entry;
}

void
energy_measure(struct energy *energy, struct corpus_entry *entry, uint64_t ns)
{
	if (ns >= entry->exec_ns)
		return;
	entry->exec_ns = ns;
	energy->stale = true;
}

void
energy_charge(struct energy *energy, struct corpus_entry *parent, uint64_t ns)
{
	parent->deaths += (double)ns /
		(double)(parent->exec_ns > 0 ? parent->exec_ns : EXEC_NS);
	energy->stale = true;
}

void
energy_spend(struct energy *energy, uint64_t executions)
{
	if (energy->inside > 0)
		energy->pending += (double)executions;
}

static void
energy_share_out(struct energy *energy)
{
	struct corpus_entry *entry;
	double part;
	size_t i;

	for (i = 0; i < energy->weights_n; i++) {
		entry = corpus_get(energy->corpus, (uint32_t)i);
		part = energy_pending_part(energy, entry);
		entry->work += part;
		/* Its reward counted on a share, but it left the arena. */
		if (entry->work < 0)
			entry->work = 0;
		entry->executions += part;
	}
	energy->pending = 0;
}

bool
energy_is_stale(const struct energy *energy)
{
	return energy->stale;
}

/* ---- weights ------------------------------------------------------------ */

struct means {
	double exec_ns; /* the time of the mean speed */
	double work, rarity;
};

/* Adds the share of each edge to the weight of its best entry, for now. */
static void
energy_add_rarity(struct energy *energy)
{
	size_t i;

	for (i = 0; i < energy->reach_n; i++)
		if (energy->reach[i].best > 0 &&
			energy->reach[i].best <= energy->weights_n)
			energy->weights[energy->reach[i].best - 1] +=
				1.0 / energy->reach[i].n;
}

/*
 * The mean is one of speeds, not of times: a few inputs that take a thousand
 * times as long would dominate a mean of times, and all others would look
 * equally fast.
 */
static struct means
energy_find_means(struct energy *energy)
{
	struct means means = { 0 };
	const struct corpus_entry *entry;
	size_t i, timed = 0, n = energy->weights_n;
	double speeds = 0;

	energy->favoured = 0;
	for (i = 0; i < n; i++) {
		entry = corpus_get(energy->corpus, (uint32_t)i);
		if (entry->exec_ns > 0) {
			timed++;
			speeds += 1 / (double)entry->exec_ns;
		}
		means.work += entry->work;
		means.rarity += energy->weights[i];
		energy->favoured += energy->weights[i] > 0;
	}
	means.exec_ns = timed > 0 ? (double)timed / speeds : EXEC_NS;
	means.work = means.work / (double)n + 1000;
	means.rarity = means.rarity / (double)n + 1e-9;
	return means;
}

static double
energy_bound(double x, double span)
{
	return x < 1 / span ? 1 / span : x > span ? span : x;
}

static double
energy_weigh(const struct corpus_entry *entry, double rarity,
	const struct means *means, enum energy_rule rule, bool timed,
	bool recent)
{
	double weight, speed = 1, work = entry->work;

	if (entry->is_lost)
		return 0;
	if (rule == ENERGY_EVEN)
		return 1;
	if (timed && entry->exec_ns > 0)
		speed = means->exec_ns / (double)entry->exec_ns;
	/* A slow entry gets at most as much time as others. */
	weight = speed < SPEED_SPAN ? speed : SPEED_SPAN;
	/* The time of deaths counts as well. */
	if (entry->deaths > 0)
		weight *= (entry->executions + NEW_EXECUTIONS) /
			(entry->executions + NEW_EXECUTIONS + entry->deaths);
	if (rule == ENERGY_FAST)
		return weight;
	/* A later entry has come closer. */
	if (entry->of_value_profile && !recent)
		return weight * VALUE_PROFILE_OLD;
	if (entry->of_value_profile)
		rarity = means->rarity;
	weight *= RARE_BASE +
		(rarity > 0 ? energy_bound(rarity / means->rarity, RARE_SPAN)
			    : 0);
	/* Convert work to time, if times are known. */
	work /= energy_bound(WORK_HALF * speed, WORK_SPAN);
	weight *= means->work / (means->work + work);
	if (entry->work < NEW_EXECUTIONS && entry->finds == 0)
		weight *= NEW_FACTOR;
	return weight;
}

static void
energy_doubt(struct energy *energy, struct corpus_entry *entry,
	const struct means *means)
{
	if (entry->is_measured || entry->is_lost ||
		(double)entry->exec_ns <= DOUBT_SPAN * means->exec_ns)
		return;
	if (energy->doubtful == NULL ||
		energy->doubtful->exec_ns < entry->exec_ns)
		energy->doubtful = entry;
}

static void
energy_weigh_all(struct energy *energy, enum energy_rule rule, bool timed)
{
	size_t n = corpus_len(energy->corpus), i;
	struct corpus_entry *entry;
	struct means means;

	energy_share_out(energy);
	energy->weights =
		xreallocarray(energy->weights, n + 1, sizeof(*energy->weights));
	energy->weights_n = n;
	memset(energy->weights, 0, n * sizeof(*energy->weights));
	energy_add_rarity(energy);
	means = energy_find_means(energy);
	energy->sum = energy->inside = 0;
	energy->doubtful = NULL;
	for (i = 0; i < n; i++) {
		entry = corpus_get(energy->corpus, (uint32_t)i);
		entry->favoured = energy->weights[i] > 0;
		if (timed)
			energy_doubt(energy, entry, &means);
		energy->weights[i] = energy_weigh(entry, energy->weights[i],
			&means, rule, timed, n - i <= RECENT);
		energy->sum += energy->weights[i];
		if (entry->arena != MEMORY_NO_ENTRY)
			energy->inside += energy->weights[i];
	}
}

/*
 * Advances by the golden ratio, so that points are spread evenly and small
 * weights get a turn soon.
 */
static double
energy_turn_on(double *point)
{
	*point += 0.6180339887498949;
	if (*point >= 1)
		*point -= 1;
	return *point;
}

/* ---- selection table ---------------------------------------------------- */

static uint32_t
energy_selection_size(size_t entries)
{
	uint32_t n = SELECTION_MIN;

	while (n < MEMORY_SELECTION_MAX && n < SELECTION_PER_ENTRY * entries)
		n *= 2;
	return n;
}

void
energy_publish(struct energy *energy, enum energy_rule rule, bool timed)
{
	uint32_t n, next = 0, *selection;
	double reached = 0, at;
	size_t i;

	energy_weigh_all(energy, rule, timed);
	n = energy_selection_size(energy->weights_n);
	selection = campaign_memory_selection(energy->memory, n);
	if (selection == NULL || energy->inside <= 0)
		return;
	at = energy_turn_on(&energy->offset);
	for (i = 0; i < energy->weights_n && next < n; i++) {
		uint32_t arena = corpus_get(energy->corpus, (uint32_t)i)->arena;

		if (arena == MEMORY_NO_ENTRY)
			continue;
		reached += energy->weights[i] / energy->inside * n;
		for (; next < n && next + at < reached; next++)
			__atomic_store_n(&selection[next], arena,
				__ATOMIC_RELAXED);
	}
	/* Fill the slots that rounding has left. */
	for (; next > 0 && next < n; next++)
		__atomic_store_n(&selection[next], selection[next - 1],
			__ATOMIC_RELAXED);
	if (next == n)
		campaign_memory_publish_selection(energy->memory, n);
	energy->stale = false;
}

/* If the arena has all entries, the selection table replaces the search. */
static struct corpus_entry *
energy_draw_row(const struct energy *energy)
{
	uint32_t n = energy->memory->head->selection_n;
	const uint32_t *selection =
		campaign_memory_selection(energy->memory, n);

	if (n == 0 || selection == NULL)
		return NULL;
	return energy_owner(energy, selection[(uint32_t)(energy->turn * n)]);
}

struct corpus_entry *
energy_draw(struct energy *energy)
{
	double left = energy_turn_on(&energy->turn) * energy->sum;
	size_t i;

	if (energy->inside > 0 && energy->inside >= energy->sum)
		return energy_draw_row(energy);
	for (i = 0; i < energy->weights_n; i++) {
		left -= energy->weights[i];
		if (left < 0)
			return corpus_get(energy->corpus, (uint32_t)i);
	}
	return NULL;
}

double
energy_share(const struct energy *energy, const struct corpus_entry *entry)
{
	if (entry->index >= energy->weights_n || energy->sum <= 0)
		return 0;
	return energy->weights[entry->index] / energy->sum;
}

uint32_t
energy_favoured(const struct energy *energy)
{
	return energy->favoured;
}
