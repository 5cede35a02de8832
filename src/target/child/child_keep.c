/* child_keep: confirms new inputs and writes them to the ring, see child.h. */

#include <string.h>

#include "target/child/child.h"

#include "target/child/child_log.h"
#include "target/traps/traps.h"

/* Appends to a record and advances *at. */
static void
keep_append(uint8_t **at, const void *data, size_t len)
{
	memcpy(*at, data, len);
	*at += len;
}

/* The head of a record for the candidate. */
static struct ring_record
keep_describe(const struct child *c)
{
	const struct worker_head *head = c->head;
	struct ring_record record = {
		.len = (uint32_t)c->value_len,
		.parent = c->origin.parent,
		.partner = c->sources.partner != NULL ? head->partner
						      : MEMORY_NO_ENTRY,
		.dict_len = c->sources.words.n,
		.features_n = c->scan.n,
		.mutations_n = c->mutations_n,
		.edges_hit_n = c->edges_hit_n,
		.literals_n = c->literals_n,
	};

	/* No feature was confirmed: report only the unstable edges. */
	if (c->scan.n == 0 && c->unstable_n > 0)
		record = (struct ring_record){ .parent = MEMORY_NO_ENTRY,
			.partner = MEMORY_NO_ENTRY };
	record.unstable_n = c->unstable_n;
	record.size = ring_record_size(&record);
	return record;
}

static void
keep_write(struct child *c, uint8_t *at, const struct ring_record *record)
{
	const struct worker_head *head = c->head;

	keep_append(&at, record, sizeof(*record));
	keep_append(&at, c->scan.features,
		record->features_n * sizeof(*c->scan.features));
	keep_append(&at, c->mutations,
		record->mutations_n * sizeof(*c->mutations));
	keep_append(&at, c->edges_hit,
		record->edges_hit_n * sizeof(*c->edges_hit));
	for (uint32_t i = 0; i < record->unstable_n; i++)
		keep_append(&at, &c->scan.features[c->scan.n + i].counter,
			sizeof(uint32_t));
	if (record->literals_n <= MEMORY_LITERALS_MAX)
		keep_append(&at, head->literals, record->literals_n);
	keep_append(&at, c->value, record->len);
}

/* Writes the candidate to the ring; false: it does not fit. */
static bool
keep_record(struct child *c, uint32_t flags, uint64_t run_ns)
{
	const struct worker_layout *layout = &c->worker->layout;
	struct outcome *outcome = &c->head->outcome;
	uint64_t used = outcome->ring_used;
	struct ring_record record = keep_describe(c);

	if (used > layout->ring_size || record.size > layout->ring_size - used)
		return false;
	record.flags = flags;
	record.run_ns = run_ns;
	keep_write(c, c->worker->memory + layout->ring_offset + used, &record);
	outcome->ring_used = used + record.size;
	outcome->finds++;
	return true;
}

/* Is there room for the largest record that the call can make? */
static bool
keep_has_room(const struct child *c)
{
	const struct worker_layout *layout = &c->worker->layout;
	uint32_t n = c->worker->campaign->counters;
	struct ring_record largest = {
		.len = c->call.cap > c->start_len ? c->call.cap
						  : (uint32_t)c->start_len,
		.features_n = n < SCAN_FEATURES_MAX ? n : SCAN_FEATURES_MAX,
		.mutations_n = MEMORY_MUTATIONS_MAX,
		.edges_hit_n =
			n < MEMORY_EDGES_HIT_MAX ? n : MEMORY_EDGES_HIT_MAX,
		.unstable_n = n < SCAN_FEATURES_MAX ? n : SCAN_FEATURES_MAX,
		.literals_n = MEMORY_LITERALS_MAX,
	};
	uint64_t used = c->head->outcome.ring_used;

	return used <= layout->ring_size &&
		ring_record_size(&largest) <= layout->ring_size - used;
}

/*
 * Reports unconfirmed features again when they are seen again. So the engine
 * learns which edges are unstable, and masks them for all workers.
 */
static void
keep_forget(struct child *c)
{
	const struct feature *unstable = c->scan.features + c->scan.n;

	if (c->call.kind == CALL_FUZZ)
		for (uint32_t i = 0; i < c->unstable_n; i++)
			c->coverage[unstable[i].counter] &=
				(uint8_t)~unstable[i].buckets;
}

/*
 * Runs the candidate again and keeps only features that come back. Runs it even
 * after the call's deadline: this candidate may be the slow one, and its time
 * must be measured.
 */
static enum call_end
keep_confirm(struct child *c, uint32_t *flags, uint64_t *run_ns)
{
	enum call_end end = child_may_run(c);
	enum child_run run;

	if (end != CALL_RUNNING && end != CALL_TIME)
		return end; /* unconfirmed, but recorded */
	log_run_again(c);
	c->leaks = CHILD_LEAKS_NEW;
	/* All edges are to be seen once more. */
	traps_choose(NULL);
	run = child_execute_timed(c, run_ns);
	c->leaks = CHILD_LEAKS_USUAL;
	switch (run) {
	case CHILD_FAILED:
		return CALL_FAILED;
	case CHILD_REJECTED:
		c->scan.n = 0;
		scan_clear();
		break;
	case CHILD_KEEPS:
	case CHILD_FINE:
		c->edges_hit_n =
			scan_edges_hit(c->edges_hit, MEMORY_EDGES_HIT_MAX);
		c->unstable_n = scan_confirm(&c->scan);
		if (c->unstable_n > 0) {
			*flags |= RING_UNSTABLE;
			keep_forget(c);
		}
		break;
	}
	if (child_look_for_leaks(c) == CALL_FAILED)
		return CALL_FAILED;
	return end;
}

enum call_end
child_keep(struct child *c, bool confirm, uint64_t run_ns)
{
	/* An input that the engine sent is recorded even without new
	 * features. */
	bool is_asked = c->call.kind == CALL_RUN;
	enum call_end end = CALL_RUNNING;
	uint32_t flags = 0;

	c->unstable_n = 0;
	if (confirm)
		c->edges_hit_n = 0;
	/* Other workers may have found these features since the call began. */
	scan_filter(&c->scan, child_campaign_coverage(c));
	if (c->scan.n == 0 && !is_asked)
		return CALL_RUNNING;
	/* In any case, do not look at these features again. */
	if (c->call.kind == CALL_FUZZ)
		scan_merge(&c->scan, c->coverage);
	if (confirm)
		end = keep_confirm(c, &flags, &run_ns);
	if (end == CALL_FAILED)
		return end;
	if (c->call.kind == CALL_FUZZ)
		traps_choose(c->coverage);
	if ((is_asked || c->scan.n + c->unstable_n > 0) &&
		!keep_record(c, flags, run_ns))
		return CALL_RING;
	if (end == CALL_RUNNING && !keep_has_room(c))
		end = CALL_RING;
	return end;
}
