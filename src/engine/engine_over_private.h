/* engine_over_private: struct over, for engine_over.c. */
#ifndef CFUZZ_ENGINE_ENGINE_OVER_PRIVATE_H
#define CFUZZ_ENGINE_ENGINE_OVER_PRIVATE_H

#include <stdbool.h>

#include <jansson.h>

#include "shared/status.h"

struct reply_new_function;

struct over {
	bool works;       /* the directory is locked for work on a finding */
	bool leaving;     /* the loop ends as soon as the work has ended */
	bool finished;    /* the loop has ended: over_run() returns */
	unsigned seconds; /* at rest, for the tries to save */
	/* The last stats.json of a campaign that is shown from its output
	 * directory: an object, maybe empty. Else NULL. */
	json_t *stats;
	struct reply_new_function *functions; /* new functions, owned */
	size_t functions_n;
	struct error no_target; /* why no worker can start */
};

#endif
