/*
 * naming: asks for the names of a finding's frames.
 */
#ifndef CFUZZ_ENGINE_TRIAGE_NAMING_H
#define CFUZZ_ENGINE_TRIAGE_NAMING_H

#include <stdbool.h>
#include <stdint.h>

struct engine;
struct finding;

struct naming {
	struct names *names;
	struct report_names *reports;
	uint32_t queries_n; /* under way */
	bool blind_said;    /* that names are impossible */
};

/* Asks for names; the announcement waits a moment for them. */
void naming_start(struct engine *e, struct finding *f);
/* Asks for the names of findings that were not asked yet. */
void naming_next(struct engine *e);
/* Rewrites the finding's report with names for its addresses. False: there is
 * nothing to ask. */
bool naming_report(struct engine *e, struct finding *f);
bool naming_busy(const struct engine *e); /* some finding waits for names */

#endif
