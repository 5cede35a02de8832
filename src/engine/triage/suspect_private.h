/* suspect_private: struct suspects, for suspect.c. */
#ifndef CFUZZ_ENGINE_TRIAGE_SUSPECT_PRIVATE_H
#define CFUZZ_ENGINE_TRIAGE_SUSPECT_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#define SUSPECT_WAYS 65      /* signals 1 to 64, and 0 */
#define SUSPECTS_WAITING 16  /* further suspects are only on the disk */
#define SUSPECTS_OF_A_WAY 50 /* files in a run; more would tell nothing new */

struct suspects {
	uint64_t count; /* files in suspects/, of the whole campaign */
	struct finding *waiting[SUSPECTS_WAITING]; /* for replays; owned */
	size_t waiting_n;
	/* Suspects that this run leaves to the next: it has no replays or no
	 * room for them, or its --max-len is too low; owned, or NULL. */
	json_t *later;
	/* In this run, by signal (0: all other ends): ends, and how many of
	 * them got a file. */
	uint64_t ways[SUSPECT_WAYS];
	uint64_t kept[SUSPECT_WAYS];
	/* Hangs that became suspects, and those that ended with more time. */
	uint64_t doubted_hangs, slow_inputs;
};

#endif
