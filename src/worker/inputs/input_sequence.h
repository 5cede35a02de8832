/*
 * input_sequence: inputs that one process runs in a row, the last of which
 * fails, and the search for a shorter sequence.
 *
 * The search executes nothing: it proposes a shorter sequence in the same
 * order, and the caller reports whether that failed. It removes parts of the
 * sequence, halves first, single inputs in the end, as delta debugging does
 * (Zeller and Hildebrandt: "Simplifying and Isolating Failure-Inducing Input",
 * 2002). The last input always stays.
 */
#ifndef CFUZZ_WORKER_INPUTS_INPUT_SEQUENCE_H
#define CFUZZ_WORKER_INPUTS_INPUT_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct input_sequence_input {
	uint8_t *data; /* owned */
	size_t len;
};

struct input_sequence {
	struct input_sequence_input *inputs;
	size_t n;
	size_t bytes; /* of all inputs */
};

void input_sequence_push(struct input_sequence *sequence, uint8_t *take_data,
	size_t len);
/* Reverses the order. */
void input_sequence_reverse(struct input_sequence *sequence);
void input_sequence_clear(struct input_sequence *sequence);
/* Removes the oldest inputs until the rest fits into max_bytes, packed. */
void input_sequence_cut(struct input_sequence *sequence, size_t max_bytes);

/* Packs the inputs with these n indexes for CALL_SEQUENCE into a new buffer,
 * which the caller frees: for each, its length as uint32_t, then its bytes. */
uint8_t *input_sequence_pack(const struct input_sequence *sequence,
	const uint32_t *which, size_t n, size_t *len);

/* The search. Its arrays hold indexes of inputs, ascending. */
struct input_sequence_search {
	uint32_t *best; /* shortest sequence that fails; owned */
	size_t best_n;
	uint32_t *next; /* the proposed sequence; owned */
	size_t next_n;
	size_t part; /* size of the part to be removed */
	size_t at;   /* index of the part to be removed */
	bool fewer;  /* this round has removed inputs */
	uint64_t tries;
};

/* Starts with all n inputs, which must be known to fail; n is at least 1. */
void input_sequence_search_init(struct input_sequence_search *search, size_t n);
void input_sequence_search_clear(struct input_sequence_search *search);
/* Proposes `next`. False: the search is over, and `best` is its result. */
bool input_sequence_search_next(struct input_sequence_search *search);
/* Reports the result of `next`: how many inputs ran until the failure, or 0 if
 * there was none. */
void input_sequence_search_verdict(struct input_sequence_search *search,
	size_t executed);

#endif
