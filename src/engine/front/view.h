/*
 * view: builds the snapshot.
 */
#ifndef CFUZZ_ENGINE_FRONT_VIEW_H
#define CFUZZ_ENGINE_FRONT_VIEW_H

#include <stddef.h>
#include <stdint.h>

#include "findings/finding.h"

struct engine;
struct finding;
struct snapshot;
struct snapshot_finding;
struct snapshot_minimized;

#define RATE_SAMPLES 32

/* Executions over the last 3 s, from samples 100 ms apart. */
struct rate {
	uint64_t at_ns[RATE_SAMPLES], value[RATE_SAMPLES];
	unsigned n, next;
};

void view_make(struct engine *e, struct snapshot *snapshot);
void view_build(const char *id, char buf[FINDING_BUILD_SIZE]);
/* A minimization has ended. `of` has its name, title and numbers. */
void view_note_minimized(struct engine *e, const struct snapshot_minimized *of);
void view_finding_title(const struct finding *f, char *buf, size_t size);
void view_finding(struct engine *e, const struct finding *f,
	struct snapshot_finding *view);
void rate_add(struct rate *rate, uint64_t now, uint64_t value);
double rate_get(const struct rate *rate, uint64_t now, uint64_t value);

/* view_search.c */
void view_search(const struct engine *e, struct snapshot *snapshot);

#endif
