/*
 * view_finding: a finding as the snapshot, events and reports show it.
 */
#ifndef CFUZZ_ENGINE_TRIAGE_VIEW_FINDING_H
#define CFUZZ_ENGINE_TRIAGE_VIEW_FINDING_H

#include <stddef.h>

#include "findings/finding.h"

struct engine;
struct snapshot_finding;

/* Fills in *view, which holds zeros before. */
void view_finding(struct engine *e, const struct finding *f,
	struct snapshot_finding *view);
/* "SIGSEGV in read_tile tile.c:118", cleaned and cut to size bytes. */
void view_finding_title(const struct finding *f, char *buf, size_t size);
/* Cuts a build id to the digits that people need. */
void view_finding_build(const char *id, char buf[FINDING_BUILD_SIZE]);

#endif
