/* engine_over_private: struct over, for engine_over.c. */
#ifndef CFUZZ_ENGINE_ENGINE_OVER_PRIVATE_H
#define CFUZZ_ENGINE_ENGINE_OVER_PRIVATE_H

#include <stdbool.h>

struct over {
	bool works;   /* the directory is locked for work on a finding */
	bool leaving; /* the loop ends as soon as the work has ended */
	bool finished;
};

#endif
