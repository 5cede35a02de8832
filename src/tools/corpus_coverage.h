/*
 * corpus_coverage: measures which source lines a campaign's corpus covers.
 *
 * Each input of the corpus, and each seed, runs once in workers of our own, so
 * a campaign that runs is not disturbed, and one that was killed needs no files
 * besides its corpus. Afterwards a helper process reads the debug information.
 */
#ifndef CFUZZ_TOOLS_CORPUS_COVERAGE_H
#define CFUZZ_TOOLS_CORPUS_COVERAGE_H

#include <jansson.h>

#include "coverage/coverage_map.h"
#include "engine/engine.h"

struct corpus_coverage {
	struct coverage_map map; /* with names, as far as they are known */
	/* inputs that ran: corpus, seeds, seeds of the target; failed: those
	 * whose last run failed */
	uint64_t inputs, failed;
	json_t *skipped; /* texts about files that are not run; owned */
	bool refused; /* by the system: not all inputs ran; skipped says why */
	bool stopped; /* by the user: not all inputs ran */
	bool unread;  /* by the user: not all PC tables or names are known */
};

/* config: that of a struct archive_config; output: the campaign's directory.
 * Overwrites *coverage. Call corpus_coverage_clear() even after a failure. */
enum status corpus_coverage_make(struct corpus_coverage *coverage,
	const struct engine_config *config, const char *output,
	struct error *err) MUST_CHECK;
void corpus_coverage_clear(struct corpus_coverage *coverage);

#endif
