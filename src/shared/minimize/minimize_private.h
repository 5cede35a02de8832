/* minimize_private: what the files of the minimizer share. */
#ifndef CFUZZ_SHARED_MINIMIZE_MINIMIZE_PRIVATE_H
#define CFUZZ_SHARED_MINIMIZE_MINIMIZE_PRIVATE_H

#include "shared/minimize/minimize.h"

/* No step is larger than two to the power of this. */
#define MINIMIZE_LEVEL_MAX 62

/* How many readable characters there are. */
unsigned minimize_characters_n(void);

/* The bytes that are searched: the whole value, or the argument under way. */
const uint8_t *minimizer_base(const struct minimizer *m);
size_t minimizer_base_len(const struct minimizer *m);

/* The argument of this number is under way. False: there is none. */
bool minimizer_open_argument(struct minimizer *m, uint32_t argument);

/* Is it a scalar? */
bool minimizer_is_scalar(const struct minimizer *m);

/*
 * A phase is four small pieces: where it begins, where the next try is (false:
 * there is none left), what that one cuts, and what a verdict changes.
 */
void minimize_stage_begin(struct minimizer *m, enum minimize_phase stage);
bool minimize_stage_settle(struct minimizer *m);
void minimize_stage_aim(struct minimizer *m);
void minimize_stage_advance(struct minimizer *m, bool accepted);

/* Fills the part under trial, in a whole that is as best is. */
void minimize_stage_fill(const struct minimizer *m, uint8_t *whole);

/*
 * MINIMIZE_VALUE: the bits of the scalar under trial, from those in best, by
 * the kind of try and its step. False: this try is over, or none.
 */
bool minimize_value_guess(const struct value *best, unsigned kind, size_t step,
	uint64_t *bits);
size_t minimize_value_step(const struct value *best);
#define MINIMIZE_VALUE_KINDS 5u
#define MINIMIZE_VALUE_LOWER 4u /* the kind that has steps */

/* Was the part under trial refused before? */
bool minimizer_is_refused(const struct minimizer *m);

/* A part was dropped: refused ones behind it move. */
void minimizer_move_refused(struct minimizer *m);

#endif
