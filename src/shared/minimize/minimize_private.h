/* minimize_private: declarations that the files of the minimizer share. */
#ifndef CFUZZ_SHARED_MINIMIZE_MINIMIZE_PRIVATE_H
#define CFUZZ_SHARED_MINIMIZE_MINIMIZE_PRIVATE_H

#include "shared/minimize/minimize.h"

/* No step is larger than two to this power. */
#define MINIMIZE_LEVEL_MAX 62

/* The number of readable characters. */
unsigned minimize_characters_n(void);
/* The index of a readable character; minimize_characters_n() for other bytes. */
unsigned minimize_character_rank(uint8_t byte);

/* The bytes that are searched: the whole value, or the current argument. */
const uint8_t *minimizer_base(const struct minimizer *m);
size_t minimizer_base_len(const struct minimizer *m);

/* Begins the argument with this index. False: there is none. */
bool minimizer_open_argument(struct minimizer *m, uint32_t argument);

/* True if the current argument is a scalar. */
bool minimizer_is_scalar(const struct minimizer *m);

/* The four functions of a phase. The first one sets the state to its start. */
void minimize_stage_begin(struct minimizer *m, enum minimize_phase stage);
/* Moves the state to the next try that exists. False: none is left. */
bool minimize_stage_settle(struct minimizer *m);
/* Sets the cut of the try to which the state was moved. */
void minimize_stage_aim(struct minimizer *m);
/* Changes the state by the verdict on that try; in minimize_advance.c. */
void minimize_stage_advance(struct minimizer *m, bool accepted);

/* Writes the new bytes of the part under trial into a copy of best. */
void minimize_stage_fill(const struct minimizer *m, uint8_t *whole);

/*
 * MINIMIZE_VALUE: the bits to try in place of the scalar in best, by the kind
 * of the try, below MINIMIZE_VALUE_KINDS, and its step. False: there is no such
 * try.
 */
bool minimize_value_guess(const struct value *best, unsigned kind, size_t step,
	uint64_t *bits);
/* True if scalar a is smaller than b of the same type. Each guess is smaller than
 * the one before, so tries end. */
bool minimize_value_is_smaller(const struct value *a, const struct value *b);
/* The first step of MINIMIZE_VALUE_LOWER for this scalar. */
size_t minimize_value_step(const struct value *best);
#define MINIMIZE_VALUE_KINDS 5u
#define MINIMIZE_VALUE_LOWER 4u /* the kind that has steps */

/* True if the part under trial was refused before. */
bool minimizer_is_refused(const struct minimizer *m);

/* Call when the cut was dropped: moves the refused parts behind it, and forgets
 * those that it overlaps. */
void minimizer_move_refused(struct minimizer *m);

#endif
