/*
 * input_sequence: inputs that one process runs one after the other, the last of
 * them the one that fails, and the search for fewer of them.
 *
 * The search executes nothing: it says which inputs to run next, in the order
 * in which they are, and is told whether that failed. It takes away parts of
 * the sequence, halves first, single inputs in the end; the last input stays.
 */
#ifndef CFUZZ_WORKER_INPUT_SEQUENCE_H
#define CFUZZ_WORKER_INPUT_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct input_sequence_input {
	uint8_t *data; /* owned */
	size_t len;
};

struct input_sequence {
	struct input_sequence_input *inputs;
	size_t n, room;
	size_t bytes; /* of all of them */
};

void input_sequence_push(struct input_sequence *sequence, uint8_t *take_data,
	size_t len);
/* The other way round. */
void input_sequence_reverse(struct input_sequence *sequence);
void input_sequence_clear(struct input_sequence *sequence);
/* Takes the oldest away until the others fit into so many bytes, packed. */
void input_sequence_cut(struct input_sequence *sequence, size_t max_bytes);

/* Packs these of them as CALL_SEQUENCE wants them, in a new buffer. */
uint8_t *input_sequence_pack(const struct input_sequence *sequence,
	const uint32_t *which, size_t n, size_t *len);

/* The search. Arrays are of numbers of inputs, ascending. */
struct input_sequence_search {
	uint32_t *best; /* fails; owned */
	size_t best_n;
	uint32_t *next; /* to be tried; owned */
	size_t next_n;
	size_t part; /* so many are taken away at once … */
	size_t at;   /* … from here on */
	bool fewer;  /* this round has taken some away */
	uint64_t tries;
};

/* All of them, of which it is known that they fail; n is at least 1. */
void input_sequence_search_init(struct input_sequence_search *search, size_t n);
void input_sequence_search_clear(struct input_sequence_search *search);
/* The next try stands in next; false: best is what there is. */
bool input_sequence_search_next(struct input_sequence_search *search);
/* Of that try: so many were executed when it failed, 0: it did not fail. */
void input_sequence_search_verdict(struct input_sequence_search *search,
	size_t executed);

#endif
