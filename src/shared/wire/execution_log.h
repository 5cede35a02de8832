/*
 * execution_log: the log of what a child has executed, in worker memory.
 *
 * A failure may need what ran before it in the same process. So the child
 * leaves, for each chain, what is needed to make its inputs again: where the
 * chain began, its steps, its tape, and after which steps it was executed.
 * The steps of the chain under way are written where they will stay, so that
 * the log costs a few stores for each chain and nothing for an execution.
 *
 * The log has two halves. The child fills one from its begin; when that is
 * full it goes on in the other, whose older records are gone then. The target
 * can write there: who reads copies first, and exec_log_next() bounds.
 */
#ifndef CFUZZ_SHARED_WIRE_EXECUTION_LOG_H
#define CFUZZ_SHARED_WIRE_EXECUTION_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/mutate/mutate.h"

#define EXEC_LOG_HALF (128u << 10) /* bytes */
#define EXEC_LOG_RAW_MAX (16u << 10)
#define EXEC_LOG_STEPS_MAX 64u

/* In the head of worker memory. Zeroed when a child is made. */
struct exec_log {
	uint32_t turns;   /* halves left behind; turns % 2 is in use */
	uint32_t used[2]; /* bytes of closed records, from the half's begin */
	uint32_t lost;    /* executions that no record tells of */
	/* Of the chain under way, which stands behind the closed records of
	 * the half in use, its head not filled in yet. Bit i: executed after i
	 * steps (bit 0 of a chain that has 64: after 64). */
	uint64_t runs;
	uint64_t again; /* … and executed once more, to confirm a find */
};

/* What the steps of a chain begin with, and draw on. */
struct exec_log_origin {
	uint32_t parent; /* entry of the arena; MEMORY_NO_ENTRY: what the last
			    EXEC_LOG_START before it has */
	uint32_t partner, words_n;
	uint32_t cap; /* logical capacity */
};

/*
 * One chain: this head, n struct mutation, tape_n bytes, raw_n bytes, then
 * padding up to a multiple of 8.
 */
struct exec_log_record {
	uint64_t runs, again; /* as above */
	struct exec_log_origin origin;
	uint32_t n; /* steps */
	uint32_t tape_n;
	uint32_t raw_n;
	uint32_t flags; /* RUNS_… */
};
#define EXEC_LOG_RAW 1u   /* bytes of an input that was executed once */
#define EXEC_LOG_START 2u /* bytes that chains without a parent begin with */
#define EXEC_LOG_GONE 4u  /* ditto, but there are too many of them */

/* The most that a record without tape and bytes can take. */
#define EXEC_LOG_CHAIN_MAX \
	(sizeof(struct exec_log_record) + \
		EXEC_LOG_STEPS_MAX * sizeof(struct mutation))

/* A record in a copy of the log: pointers into the copy, all in bounds. */
struct exec_log_item {
	struct exec_log_record record;
	const struct mutation *trail;
	const uint8_t *tape, *raw;
};

size_t exec_log_record_size(const struct exec_log_record *record);

/*
 * Parses the record at *offset of a private copy, aligned to 8, and moves
 * *offset behind it. False at the end, or at what cannot be a record.
 */
bool exec_log_next(const uint8_t *records, size_t len, size_t *offset,
	struct exec_log_item *item);

/* Was it executed after so many steps? */
static inline bool
exec_log_has(uint64_t runs, uint32_t n, uint32_t steps)
{
	/* Nobody executes both a parent and all steps that there can be. */
	if (steps == 0 && n == EXEC_LOG_STEPS_MAX)
		return false;
	return (runs >> (steps % EXEC_LOG_STEPS_MAX) & 1) != 0;
}

#endif
