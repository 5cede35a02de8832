/* suspect_private: struct suspects, for suspect.c. */
#ifndef CFUZZ_ENGINE_TRIAGE_SUSPECT_PRIVATE_H
#define CFUZZ_ENGINE_TRIAGE_SUSPECT_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#define SUSPECT_WAYS 65
#define SUSPECTS_WAITING 16

struct suspects {
	uint64_t count;
	struct finding *waiting[SUSPECTS_WAITING]; /* await replays */
	size_t waiting_n;
	uint64_t ways[SUSPECT_WAYS]; /* by signal; 0: others */
	uint64_t doubted_hangs, slow_inputs;
};

#endif
