/* child_log: writes the execution log of this process, see child_log.h. */

#include "target/child/child_log.h"

#include <string.h>

/*
 * The start of the present record. The position is kept in private memory,
 * because the target can write to the log.
 */
static uint8_t *
log_position(const struct child *c)
{
	return (uint8_t *)c->mutations - sizeof(struct exec_log_record);
}

static void
log_set_position(struct child *c, uint8_t *at)
{
	c->mutations = (void *)(at + sizeof(struct exec_log_record));
}

static void
log_set_half(struct child *c)
{
	c->log_start = c->worker->memory + c->worker->layout.log_offset +
		(size_t)(c->log_turns % 2) * EXEC_LOG_HALF;
	/* Leaves room for a mutation stack. */
	c->log_limit = c->log_start + EXEC_LOG_HALF - EXEC_LOG_STACK_MAX;
	c->log_used = &c->head->log.used[c->log_turns % 2];
	log_set_position(c, c->log_start);
}

void
log_open(struct child *c)
{
	c->log_turns = 0;
	log_set_half(c);
}

/* Turns to the other half and overwrites it; it is the older one. */
static void __attribute__((noinline, cold)) log_turn(struct child *c)
{
	c->log_turns++;
	log_set_half(c);
	c->head->log.turns = c->log_turns;
	*c->log_used = 0;
}

/* Ends the present record after size bytes; the next one follows. */
static inline void
log_advance(struct child *c, size_t size)
{
	uint8_t *at = log_position(c) + size;

	*c->log_used = (uint32_t)(at - c->log_start);
	log_set_position(c, at);
	if (__builtin_expect(at > c->log_limit, 0))
		log_turn(c);
}

/* Fills in the head of the present record, which takes size bytes. */
static inline void
log_end(struct child *c, size_t size, uint32_t literals_n)
{
	struct exec_log_record *record = (void *)log_position(c);
	struct exec_log *log = &c->head->log;

	record->runs = log->runs;
	record->again = log->again;
	record->origin = c->origin;
	record->n = c->mutations_n;
	record->literals_n = literals_n;
	record->raw_n = record->flags = 0;
	log->runs = log->again = 0;
	log_advance(c, size);
}

/* Appends the literal bytes to the mutations, if they fit. */
static void __attribute__((noinline, cold)) log_close_literals(struct child *c)
{
	size_t len = c->mutations_n * sizeof(*c->mutations);
	const struct mutation *mutations = c->mutations;
	uint32_t n = c->literals_n <= MEMORY_LITERALS_MAX ? c->literals_n : 0;

	if ((uint8_t *)c->mutations + len + n >
		c->log_start + EXEC_LOG_HALF - 8) {
		log_turn(c);
		memcpy(c->mutations, mutations, len);
	}
	memcpy((uint8_t *)c->mutations + len, c->head->literals, n);
	log_end(c, (sizeof(struct exec_log_record) + len + n + 7) & ~(size_t)7,
		n);
}

void
log_close(struct child *c)
{
	if (c->head->log.runs == 0)
		return;
	if (__builtin_expect(c->literals_n > 0, 0)) {
		log_close_literals(c);
		return;
	}
	log_end(c,
		sizeof(struct exec_log_record) +
			c->mutations_n * sizeof(*c->mutations),
		0);
}

void
log_put(struct child *c, uint32_t flags)
{
	struct exec_log_record record = {
		.origin = { MEMORY_NO_ENTRY, MEMORY_NO_ENTRY, 0, 0 },
		.raw_n = (uint32_t)c->value_len,
		.flags = flags,
	};
	size_t size;

	if (c->value_len > EXEC_LOG_RAW_MAX) {
		c->head->log.lost += flags == EXEC_LOG_RAW;
		if (flags == EXEC_LOG_RAW)
			return;
		record.flags = EXEC_LOG_LOST;
		record.raw_n = 0;
	}
	size = exec_log_record_size(&record);
	if (log_position(c) + size > c->log_start + EXEC_LOG_HALF)
		log_turn(c);
	memcpy(log_position(c), &record, sizeof(record));
	memcpy(c->mutations, c->value, record.raw_n);
	log_advance(c, size);
}
