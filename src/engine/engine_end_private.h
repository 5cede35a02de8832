/* engine_end_private: struct engine_end, for engine_end*.c. */
#ifndef CFUZZ_ENGINE_ENGINE_END_PRIVATE_H
#define CFUZZ_ENGINE_ENGINE_END_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine_end.h"

struct engine_end {
	bool stopping, ended;
	bool leaves;         /* the user does not want to see the end */
	bool over;           /* ended, and shown: engine_over.h */
	bool idle_said;      /* it was said that --stop-after-idle comes near */
	bool draining;       /* no new executions; replays still run */
	bool drain_minimize; /* minimizations still run, too */
	uint64_t drain_ns;   /* deadline of the drain; 0: none */
	uint64_t drain_paused_ns; /* pauses before it; later ones shift it */
	enum stop_step stop_step;
	uint64_t names_ns; /* until then the end waits for names; 0: not yet */
	enum end_reason why;
	struct error fatal;
	enum exit_status fatal_status;
	bool found;   /* a seed failed; findings: see findings_found() */
	bool lost;    /* something could not be kept or done */
	bool unsaved; /* nor written, so far */
};

#endif
