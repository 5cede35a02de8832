/*
 * mutation_log: how an input was made, in a form for people.
 *
 * A trail is made when an input arrives, by repeating its chain on the bytes
 * that it began with: later these may be smaller, or gone. It says of each
 * step what changed, and keeps the first bytes of that. Whether the repetition
 * gave the same input is known then, too.
 *
 * The trails of the corpus are kept as far as there is room for them; the
 * oldest go first.
 */
#ifndef CFUZZ_WORKER_MUTATION_LOG_H
#define CFUZZ_WORKER_MUTATION_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "worker/mutation_stack.h"

#define MUTATION_LOG_BYTES 32u            /* of what changed, that are kept */
#define MUTATION_LOG_MINIMIZED UINT16_MAX /* as an op: it was made smaller */
/* As an op: all that an earlier run did to it, which is on no disk. */
#define MUTATION_LOG_EARLIER (UINT16_MAX - 1)

struct mutation_log_step {
	uint16_t op; /* enum mutate_op, or one of these */
	uint8_t before_n, after_n;
	uint32_t offset;                  /* the first byte that changed */
	uint32_t len_before, len_after;   /* of the whole input */
	uint32_t part_before, part_after; /* of what changed */
	uint8_t before[MUTATION_LOG_BYTES],
		after[MUTATION_LOG_BYTES]; /* its beginning */
};

struct mutation_log {
	uint32_t n;        /* steps */
	uint32_t partner;  /* entry of the corpus that had a part, or none */
	uint32_t parent_n; /* steps of the parent's trail before its bytes were
			      what this one began with */
	uint32_t size;     /* of data */
	bool whole;        /* else it is not known what was done: n is 0 */
	uint8_t data[];
};

/*
 * A new trail from a replay (on_step is not the caller's here) that should
 * give these bytes; free() it. Partner and parent_n are the caller's to set.
 */
struct mutation_log *mutation_log_make(const struct replay *replay,
	const uint8_t *bytes, size_t len);

/* Of an input of which nothing is known. */
struct mutation_log *mutation_log_unknown(void);

/* Of an input of an earlier run, from what it was made of, as far as both are
 * there now. */
struct mutation_log *mutation_log_earlier(const uint8_t *before,
	size_t before_len, const uint8_t *after, size_t after_len);

/* Of an input that nothing led to. */
struct mutation_log *mutation_log_none(void);

/* What people call an op. */
const char *mutation_log_op_name(uint16_t op);

/* Copies step i, which exists. Steps are in the order they were taken. */
void mutation_log_get(const struct mutation_log *trail, uint32_t i,
	struct mutation_log_step *step);

/* A step from some bytes to others; op: as of a step. */
void mutation_log_compare(uint16_t op, const uint8_t *before, size_t before_len,
	const uint8_t *after, size_t after_len, struct mutation_log_step *step);

/* ---- those of the corpus ---- */

struct mutation_logs;

struct mutation_logs *mutation_logs_create(
	size_t room); /* bytes, of all of them */
void mutation_logs_destroy(struct mutation_logs *trails); /* NULL is fine */

/* By the index of the entry. A second one of an entry replaces the first. */
void mutation_logs_put(struct mutation_logs *trails, uint32_t index,
	struct mutation_log *take_trail);
/* One step more; nothing, if there is no trail. */
void mutation_logs_add_step(struct mutation_logs *trails, uint32_t index,
	const struct mutation_log_step *step);
const struct mutation_log *mutation_logs_find(
	const struct mutation_logs *trails, uint32_t index);
bool mutation_logs_dropped(const struct mutation_logs *trails, uint32_t index);

#endif
