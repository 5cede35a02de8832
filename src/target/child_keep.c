/* child_keep: finds, confirmed and put into the ring, see child.h. */

#include <string.h>

#include "target/child.h"

/* Appends to the record at *at. */
static void
keep_append(uint8_t **at, const void *data, size_t len)
{
	memcpy(*at, data, len);
	*at += len;
}

static void
keep_write(struct child *c, uint8_t *at, uint32_t flags, uint64_t run_ns)
{
	const struct worker_head *head = c->head;
	uint32_t len = (uint32_t)c->value_len;
	struct find_record record = {
		.size = find_record_size(len, c->scan.n, c->chain),
		.execution = c->count,
		.rand_state = head->rand_state,
		.rand_inc = head->rand_inc,
		.run_ns = run_ns,
		.len = len,
		.parent = c->call.parent,
		.partner = MEMORY_NO_ENTRY,
		.chain = c->chain,
		.pairs_n = c->scan.n,
		.trail_n = c->chain,
		.flags = flags,
	};

	keep_append(&at, &record, sizeof(record));
	keep_append(&at, c->scan.pairs, c->scan.n * sizeof(*c->scan.pairs));
	keep_append(&at, head->trail, c->chain * sizeof(head->trail[0]));
	keep_append(&at, c->value, len);
}

/* Puts the candidate into the ring; false: it does not fit. */
static bool
keep_record(struct child *c, uint32_t flags, uint64_t run_ns)
{
	const struct worker_layout *layout = &c->worker->layout;
	struct outcome *outcome = &c->head->outcome;
	uint64_t used = outcome->ring_used;
	uint64_t size =
		find_record_size((uint32_t)c->value_len, c->scan.n, c->chain);

	if (used > layout->ring_size || size > layout->ring_size - used)
		return false;
	keep_write(c, c->worker->memory + layout->ring_offset + used, flags,
		run_ns);
	outcome->ring_used = used + size;
	outcome->finds++;
	return true;
}

/* Is there room for the largest record that this call can make? */
static bool
keep_has_room(const struct child *c)
{
	const struct worker_layout *layout = &c->worker->layout;
	uint32_t len = c->call.cap > c->start_len ? c->call.cap
						  : (uint32_t)c->start_len;
	uint32_t n = c->worker->campaign->counters;
	uint64_t size = find_record_size(len,
		n < SCAN_PAIRS_MAX ? n : SCAN_PAIRS_MAX, MEMORY_TRAIL_MAX);
	uint64_t used = c->head->outcome.ring_used;

	return used <= layout->ring_size && size <= layout->ring_size - used;
}

/* Runs the candidate again: only pairs that come back are worth keeping. */
static enum call_end
keep_confirm(struct child *c, uint32_t *flags, uint64_t *run_ns)
{
	enum call_end end = child_may_run(c);

	if (end != CALL_RUNNING) {
		/* Not confirmed, but not lost: the engine may look again. */
		return end;
	}
	switch (child_execute_timed(c, run_ns)) {
	case CHILD_FAILED:
		return CALL_FAILED;
	case CHILD_REJECTED:
		c->scan.n = 0;
		scan_clear();
		break;
	case CHILD_FINE:
		if (scan_confirm(&c->scan) > 0)
			*flags |= FIND_UNSTABLE;
		break;
	}
	*flags |= FIND_CONFIRMED;
	return CALL_RUNNING;
}

enum call_end
child_keep(struct child *c, bool confirm, uint64_t run_ns)
{
	const struct campaign_head *campaign = c->worker->campaign;
	enum call_end end = CALL_RUNNING;
	uint32_t flags = 0;

	/* Others may have found the same since the call began. */
	scan_filter(&c->scan,
		(const uint8_t *)campaign + campaign->mask_offset);
	if (c->scan.n == 0)
		return CALL_RUNNING;
	/* Whatever comes of it, these pairs cost no second look. */
	if (c->call.kind == CALL_FUZZ)
		scan_merge(&c->scan, c->mask);
	if (confirm)
		end = keep_confirm(c, &flags, &run_ns);
	if (end == CALL_FAILED)
		return end;
	if (c->scan.n > 0 && !keep_record(c, flags, run_ns))
		return CALL_RING;
	if (end == CALL_RUNNING && !keep_has_room(c))
		end = CALL_RING;
	return end;
}
