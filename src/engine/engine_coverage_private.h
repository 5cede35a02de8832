/* engine_coverage_private: struct engine_coverage, for engine_coverage.c. */
#ifndef CFUZZ_ENGINE_ENGINE_COVERAGE_PRIVATE_H
#define CFUZZ_ENGINE_ENGINE_COVERAGE_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

/* The state that the last file holds. Any change makes that file stale. */
struct coverage_state {
	uint64_t revision;  /* of the global coverage map */
	uint64_t functions; /* newly reached */
	uint32_t addresses; /* in the PC tables */
};

struct engine_coverage {
	struct coverage_state written;
	uint64_t next_ns; /* earliest time of the next file */
	bool writing;     /* the writer has one */
	bool refused;     /* the disk did not take the last one */
	bool ended;       /* the journal has its last line */
};

#endif
