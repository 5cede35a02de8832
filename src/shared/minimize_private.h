/* minimize_private: what the files of the minimizer share. */
#ifndef CFUZZ_SHARED_MINIMIZE_PRIVATE_H
#define CFUZZ_SHARED_MINIMIZE_PRIVATE_H

#include "shared/minimize.h"

/* No step is larger than two to the power of this. */
#define MINIMIZE_LEVEL_MAX 62

/* How many readable characters there are. */
unsigned minimize_characters_n(void);

/* The value that candidates are made of: best, or other. */
uint8_t *minimizer_base(const struct minimizer *m);
size_t minimizer_base_len(const struct minimizer *m);

/* The phase begins. */
void minimizer_enter(struct minimizer *m, enum minimize_phase phase);

/*
 * A phase is four small pieces: where it begins, where the next try is (false:
 * there is none left), what that one cuts, and what a verdict changes.
 */
void minimize_stage_begin(struct minimizer *m, enum minimize_phase stage);
bool minimize_stage_settle(struct minimizer *m);
void minimize_stage_aim(struct minimizer *m);
void minimize_stage_advance(struct minimizer *m, bool accepted);

/* What the part under trial is filled with; meaningless when it is dropped. */
uint8_t minimize_stage_filler(const struct minimizer *m);
bool minimize_stage_replaces(const struct minimizer *m);

/* Was the part under trial refused before? */
bool minimizer_is_refused(const struct minimizer *m);

/* A part was dropped: refused ones behind it move. */
void minimizer_move_refused(struct minimizer *m);

#endif
