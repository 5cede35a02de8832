/*
 * execution_log: the log of a child's executions, in worker memory.
 *
 * A failure may need earlier executions of the same process. So for each
 * mutation stack the child logs what is needed to rebuild its inputs: the
 * origin, the mutations, the literal bytes, and after which mutations the value
 * was executed. The mutations under way are written at their final place, so
 * that the log costs a few stores per stack and none per execution.
 *
 * The log has two halves. The child fills one from its start; when that half is
 * full, the child continues in the other half and overwrites the older records.
 * The target can write to the log: a reader copies it first, and
 * exec_log_next() checks the bounds.
 */
#ifndef CFUZZ_SHARED_WIRE_EXECUTION_LOG_H
#define CFUZZ_SHARED_WIRE_EXECUTION_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/mutate/mutate.h"

#define EXEC_LOG_HALF (128u << 10)   /* bytes */
#define EXEC_LOG_RAW_MAX (16u << 10) /* bytes of a longer input are lost */
#define EXEC_LOG_MUTATIONS_MAX 64u

/* In the head of worker memory. Zeroed when a child is made. */
struct exec_log {
	uint32_t turns;   /* halves filled; turns % 2 is in use */
	uint32_t used[2]; /* bytes of closed records of each half */
	uint32_t lost;    /* executions without a record */
	/* The stack under way. It is behind the closed records of the half in
	 * use; its head is not filled in yet. Bit i: executed after i mutations
	 * (bit 0 of a stack of 64: after 64). */
	uint64_t runs;
	uint64_t again; /* as runs: executed again to confirm a new input */
};

/* The start of a mutation stack, and its sources. */
struct exec_log_origin {
	uint32_t parent;  /* entry of the arena; MEMORY_NO_ENTRY: the bytes of
			    the last EXEC_LOG_START */
	uint32_t partner; /* as in struct worker_head */
	uint32_t words_n; /* dictionary tokens at that time */
	uint32_t cap;     /* logical capacity, bytes */
};

/*
 * One mutation stack: this head, n struct mutation, literals_n literal bytes,
 * raw_n bytes, then padding up to a multiple of 8.
 */
struct exec_log_record {
	uint64_t runs, again; /* as in struct exec_log */
	struct exec_log_origin origin;
	uint32_t n; /* mutations */
	uint32_t literals_n;
	uint32_t raw_n;
	uint32_t flags; /* EXEC_LOG_… */
};
#define EXEC_LOG_RAW 1u   /* bytes of an input that was executed once */
#define EXEC_LOG_START 2u /* bytes that stacks without a parent begin with */
#define EXEC_LOG_LOST 4u  /* as START, but the bytes were too many to log */

/* The largest size of a record without literal and raw bytes. */
#define EXEC_LOG_STACK_MAX \
	(sizeof(struct exec_log_record) + \
		EXEC_LOG_MUTATIONS_MAX * sizeof(struct mutation))

/* A record in a copy of the log: pointers into the copy, in bounds. */
struct exec_log_item {
	struct exec_log_record record;
	const struct mutation *mutations;
	const uint8_t *literals, *raw;
};

/* The size of a record with these numbers, padding included, in bytes. */
size_t exec_log_record_size(const struct exec_log_record *record);

/*
 * Parses the record at *offset of a private copy, aligned to 8, and moves
 * *offset behind it. False at the end or at an invalid record.
 */
bool exec_log_next(const uint8_t *records, size_t len, size_t *offset,
	struct exec_log_item *item);

/* True if the value was executed after this many mutations. */
static inline bool
exec_log_has(uint64_t runs, uint32_t n, uint32_t mutations)
{
	/* No stack executes both its parent and the maximum of mutations. */
	if (mutations == 0 && n == EXEC_LOG_MUTATIONS_MAX)
		return false;
	return (runs >> (mutations % EXEC_LOG_MUTATIONS_MAX) & 1) != 0;
}

#endif
