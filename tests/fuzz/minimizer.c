/* minimizer: a minimization's state, as a fork server gives it back. */
#include "fuzz/fuzz.h"
#include "shared/minimize/minimize.h"

#define ROOM 256u
#define TRIES_MAX 2000

int fuzz_minimizer(const uint8_t *data, size_t size);

int
fuzz_minimizer(const uint8_t *data, size_t size)
{
	struct minimizer_state state = { 0 };
	uint8_t *best = calloc(3, ROOM), *candidate = best + ROOM;
	uint8_t *other = best + 2 * (size_t)ROOM;
	struct minimizer m;
	size_t rest;

	FUZZ_CHECK(best != NULL);
	memcpy(&state, data, size < sizeof(state) ? size : sizeof(state));
	rest = size > sizeof(state) ? size - sizeof(state) : 0;
	if (rest > 0)
		memcpy(best, data + sizeof(state), rest < ROOM ? rest : ROOM);
	if (minimizer_load(&m, best, candidate, rest % 2 ? other : NULL, ROOM,
		    &state))
		for (int i = 0; i < TRIES_MAX && minimizer_next(&m); i++) {
			FUZZ_CHECK(m.candidate_len <= ROOM);
			minimizer_verdict(&m, i % 3 == 0);
			FUZZ_CHECK(m.s.best_len <= ROOM);
		}
	free(best);
	return 0;
}

FUZZ_TARGET(minimizer)
