/* mutator_private: struct mutator, for mutator.c. */
#ifndef CFUZZ_ENGINE_TRIAGE_MUTATOR_PRIVATE_H
#define CFUZZ_ENGINE_TRIAGE_MUTATOR_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

struct mutator {
	bool length_said;  /* mutator_on_length() has reported */
	uint64_t failures; /* in this run */
};

#endif
