/*
 * mutator: reports what the target's own mutator does wrong.
 */
#ifndef CFUZZ_ENGINE_TRIAGE_MUTATOR_H
#define CFUZZ_ENGINE_TRIAGE_MUTATOR_H

struct engine;
struct failure;

/* Reports a failure of the mutator, which is no finding; of many, the 1st, 2nd,
 * 4th and so on. */
void mutator_on_failure(struct engine *e, const struct failure *failure);
/* Reports, once, that a result was beyond the allowed length and was cut. */
void mutator_on_length(struct engine *e);

#endif
