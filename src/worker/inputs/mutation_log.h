/*
 * mutation_log: records how an input was made, for display.
 *
 * A mutation log is made when an input arrives, by repeating its mutation stack
 * on the bytes of its parent: later the parent may have been trimmed, or be
 * gone. For each mutation the log has the place and the first bytes of the
 * change. The repetition also shows whether the result is the same input.
 *
 * The logs of the corpus are kept as long as there is room; the oldest are
 * dropped first.
 */
#ifndef CFUZZ_WORKER_INPUTS_MUTATION_LOG_H
#define CFUZZ_WORKER_INPUTS_MUTATION_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "worker/inputs/mutation_stack.h"

#define MUTATION_LOG_BYTES 32u            /* bytes kept of a change */
#define MUTATION_LOG_MINIMIZED UINT16_MAX /* as an op: the input was trimmed */
/* As an op: all changes at once, whose mutations are not known. */
#define MUTATION_LOG_DIFFERENCE (UINT16_MAX - 1)

struct mutation_log_step {
	uint16_t op; /* enum mutate_op, or one of the above */
	uint8_t before_n, after_n;
	uint32_t offset;                  /* the first changed byte */
	uint32_t len_before, len_after;   /* of the whole input */
	uint32_t part_before, part_after; /* of the change */
	/* The first bytes of the change. */
	uint8_t before[MUTATION_LOG_BYTES], after[MUTATION_LOG_BYTES];
};

struct mutation_log {
	uint32_t n;       /* number of mutations */
	uint32_t partner; /* corpus entry that gave a part; UINT32_MAX: none */
	/* Mutations in the parent's log when this input was made; later ones do
	 * not count. */
	uint32_t parent_n;
	uint32_t size; /* bytes of data */
	bool whole;    /* complete; else unknown, and n is 0 */
	uint8_t data[];
};

/*
 * Makes a mutation log from a replay that should give these bytes; ignores the
 * replay's on_step. If the replay gives others, the log is unknown. free() it,
 * as those of the next three functions. The caller sets partner and parent_n.
 */
struct mutation_log *mutation_log_make(const struct replay *replay,
	const uint8_t *bytes, size_t len);

/* For an input of unknown origin. */
struct mutation_log *mutation_log_unknown(void);

/* For an input whose mutations from its parent are not known: mutations are not
 * on the disk, and a minimizer makes none. */
struct mutation_log *mutation_log_difference(const uint8_t *before,
	size_t before_len, const uint8_t *after, size_t after_len);

/* For an input that was not mutated. */
struct mutation_log *mutation_log_none(void);

/* The name of an op, for display. */
const char *mutation_log_op_name(uint16_t op);

/* Copies mutation i, which must exist. Mutations are in the order in which they
 * were applied. */
void mutation_log_get(const struct mutation_log *log, uint32_t i,
	struct mutation_log_step *step);

/* Makes a step from the difference of two inputs. */
void mutation_log_compare(uint16_t op, const uint8_t *before, size_t before_len,
	const uint8_t *after, size_t after_len, struct mutation_log_step *step);

/* ---- logs of the corpus ---- */

struct mutation_logs;

struct mutation_logs *mutation_logs_create(
	size_t room); /* bytes of all logs together */
void mutation_logs_destroy(struct mutation_logs *logs); /* NULL is fine */

/* Stores the log of corpus entry `index`, replacing an earlier one. */
void mutation_logs_put(struct mutation_logs *logs, uint32_t index,
	struct mutation_log *take_log);
/* Appends a mutation to the log; does nothing if there is no log. */
void mutation_logs_add_step(struct mutation_logs *logs, uint32_t index,
	const struct mutation_log_step *step);
/* Borrowed until the next change of the logs; NULL: there is none. */
const struct mutation_log *mutation_logs_find(const struct mutation_logs *logs,
	uint32_t index);
/* Was the log of this entry dropped to make room? */
bool mutation_logs_dropped(const struct mutation_logs *logs, uint32_t index);

#endif
