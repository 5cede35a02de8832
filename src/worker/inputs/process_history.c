/*
 * process_history: see process_history.h. The execution log is read in the
 * order in which it was written, and inputs are made from the newest record on,
 * until there are enough.
 */
#include "worker/inputs/process_history.h"

#include <stdlib.h>

#include "base/xmalloc.h"
#include "shared/wire/execution_log.h"
#include "worker/inputs/input_text.h"

struct process_history {
	uint8_t *records; /* complete records, oldest first */
	size_t len;
	/* The mutation stack under way, up to the input that failed. */
	bool has_stack;
	struct mutation_stack stack;
	struct exec_log_record open;
	struct tuple_types types; /* types of the target */
};

/* Makes the inputs of one record. */
struct maker {
	const struct campaign_memory *memory;
	const struct tuple_types *types;
	const struct exec_log_record *record;
	struct input_sequence made; /* of this record, oldest first */
	uint32_t steps;
};

/* The complete part of a half; the target may have damaged its length. */
static size_t
history_closed(const struct exec_log *log, uint32_t half)
{
	uint32_t used = log->used[half];

	return used <= EXEC_LOG_HALF ? used & ~7u : 0;
}

static void
history_copy_half(struct process_history *p, const uint8_t *half, size_t len)
{
	struct exec_log_item item;
	size_t offset = 0;

	memory_take(p->records + p->len, half, len);
	/* After an invalid record no other can be found. */
	while (exec_log_next(p->records + p->len, len, &offset, &item))
		;
	p->len += offset;
}

static void
history_note_stack(struct process_history *p,
	const struct mutation_stack *stack, uint32_t cap,
	const struct exec_log *log)
{
	uint64_t last = UINT64_C(1) << (stack->n % EXEC_LOG_MUTATIONS_MAX);

	p->has_stack = true;
	p->stack = *stack;
	p->open = (struct exec_log_record){
		/* The last execution is the failure itself. If it ran again to
		 * confirm a new input, the first run was before it. */
		.runs = (log->runs & ~last) | (log->again & last),
		.again = log->again & ~last,
		.origin = { stack->parent, stack->partner, stack->words_n,
			cap },
		.n = stack->n,
		.literals_n = stack->literals_n,
	};
}

struct process_history *
process_history_create(const uint8_t *memory,
	const struct worker_layout *layout, const struct mutation_stack *stack,
	uint32_t cap, const struct tuple_types *types)
{
	const struct worker_head *head = (const void *)memory;
	const uint8_t *halves = memory + layout->log_offset;
	struct process_history *p = xcalloc(1, sizeof(*p));
	struct exec_log log;
	size_t before;
	uint32_t now;

	memory_take(&log, &head->log, sizeof(log));
	now = log.turns % 2;
	p->types = *types;
	before = log.turns > 0 ? history_closed(&log, 1 - now) : 0;
	p->records = xmalloc(before + history_closed(&log, now) + 1);
	history_copy_half(p, halves + (size_t)(1 - now) * EXEC_LOG_HALF,
		before);
	history_copy_half(p, halves + (size_t)now * EXEC_LOG_HALF,
		history_closed(&log, now));
	if (stack != NULL)
		history_note_stack(p, stack, cap, &log);
	if (p->len > 0 || (p->has_stack && p->open.runs != 0))
		return p;
	process_history_destroy(p);
	return NULL;
}

void
process_history_destroy(struct process_history *p)
{
	if (p == NULL)
		return;
	free(p->records);
	free(p);
}

static void
history_make_input(struct maker *maker, const uint8_t *data, size_t len)
{
	const struct exec_log_record *r = maker->record;
	int times = exec_log_has(r->runs, r->n, maker->steps) +
		exec_log_has(r->again, r->n, maker->steps);

	while (times-- > 0)
		input_sequence_push(&maker->made,
			xmemdup(len > 0 ? data : NULL, len), len);
}

static void
history_on_step(void *arg, const struct mutation *step, const struct mutable *m)
{
	struct maker *maker = arg;

	if (step != NULL)
		maker->steps++;
	history_make_input(maker, m->data, m->len);
}

/* The start of mutation stacks without a parent. */
struct start {
	const uint8_t *data; /* NULL: unknown */
	size_t len;
};

static void
history_make_stack(struct maker *maker, const struct mutation *mutations,
	const uint8_t *literals, const struct start *start)
{
	const struct exec_log_record *r = maker->record;
	struct replay replay = {
		.mutations = mutations,
		.n = r->n,
		.literals = literals,
		.literals_n = r->literals_n,
		.cap = r->origin.cap,
		.on_step = history_on_step,
		.arg = maker,
	};
	size_t len;

	replay.parent = campaign_memory_entry(maker->memory, r->origin.parent,
		&replay.parent_len);
	if (r->origin.parent == MEMORY_NO_ENTRY) {
		replay.parent = start->data;
		replay.parent_len = start->len;
	}
	if (replay.parent == NULL ||
		r->origin.cap > 2 * maker->memory->head->max_len + 2)
		return;
	replay.sources = campaign_memory_sources(maker->memory,
		r->origin.partner, r->origin.words_n);
	/* If a mutation does not fit, the inputs before it are still right. */
	free(mutation_stack_replay(&replay, &len));
}

/* Moves the made inputs to `inputs`, newest first; false: no room is left. */
static bool
history_take_made(struct maker *maker, size_t max_n, size_t max_bytes,
	struct input_sequence *inputs)
{
	size_t taken = inputs->bytes + sizeof(uint32_t) * inputs->n;
	bool room = true, sound;

	while (maker->made.n > 0) {
		struct input_sequence_input *last =
			&maker->made.inputs[--maker->made.n];

		taken += sizeof(uint32_t) + last->len;
		sound = input_is_sound(maker->types, last->data, last->len);
		room = room && inputs->n < max_n && taken <= max_bytes &&
			last->len <= maker->memory->head->max_len;
		if (room && sound)
			input_sequence_push(inputs, last->data, last->len);
		else
			free(last->data);
	}
	input_sequence_clear(&maker->made);
	maker->steps = 0;
	return room;
}

/* The offset of a record, and the start that applies to it. */
struct place {
	size_t offset;
	struct start start;
};

static struct place *
history_find_places(const struct process_history *p, size_t *n,
	struct start *start)
{
	struct place *places = NULL;
	struct exec_log_item item;
	size_t offset = 0, at = 0;

	*n = 0;
	while (exec_log_next(p->records, p->len, &offset, &item)) {
		if ((item.record.flags & (EXEC_LOG_START | EXEC_LOG_LOST)) !=
			0) {
			start->data = item.record.flags & EXEC_LOG_LOST
				? NULL
				: item.raw;
			start->len = item.record.raw_n;
		} else {
			places = xgrow(places, *n, 1, sizeof(*places));
			places[(*n)++] = (struct place){ at, *start };
		}
		at = offset;
	}
	return places;
}

void
process_history_inputs(const struct process_history *p,
	const struct campaign_memory *memory, size_t max_n, size_t max_bytes,
	struct input_sequence *inputs)
{
	struct maker maker = { .memory = memory, .types = &p->types };
	struct start start = { .data = NULL };
	struct exec_log_item item;
	size_t n;
	struct place *places = history_find_places(p, &n, &start);
	bool room = true;

	if (p->has_stack) {
		maker.record = &p->open;
		history_make_stack(&maker, p->stack.mutations,
			p->stack.literals, &start);
		room = history_take_made(&maker, max_n, max_bytes, inputs);
	}
	while (room && n > 0) {
		n--;
		if (!exec_log_next(p->records, p->len, &places[n].offset,
			    &item))
			break;
		maker.record = &item.record;
		if (item.record.flags & EXEC_LOG_RAW)
			input_sequence_push(&maker.made,
				xmemdup(item.raw, item.record.raw_n),
				item.record.raw_n);
		else
			history_make_stack(&maker, item.mutations,
				item.literals, &places[n].start);
		room = history_take_made(&maker, max_n, max_bytes, inputs);
	}
	free(places);
	input_sequence_reverse(inputs);
}
