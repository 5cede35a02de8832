/* naming_private: struct naming, for naming.c. */
#ifndef CFUZZ_ENGINE_TRIAGE_NAMING_PRIVATE_H
#define CFUZZ_ENGINE_TRIAGE_NAMING_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/triage/naming.h"

struct naming {
	naming_done_fn *on_done;
	struct names *names;
	struct report_names *reports;
	uint32_t queries_n; /* under way */
	bool blind_said;    /* it was said that names are impossible */
};

#endif
