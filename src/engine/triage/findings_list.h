/*
 * findings_list: the findings of a campaign, oldest first.
 */
#ifndef CFUZZ_ENGINE_TRIAGE_FINDINGS_LIST_H
#define CFUZZ_ENGINE_TRIAGE_FINDINGS_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct engine;
struct finding;

size_t findings_count(const struct engine *e);
struct finding *findings_at(const struct engine *e, size_t i);
/* Those of earlier runs come in the order of their folders. */
void findings_sort(struct engine *e);
/* The list owns its findings; a removed one is the caller's. */
void findings_add(struct engine *e, struct finding *take_finding);
void findings_remove(struct engine *e, const struct finding *f);
void findings_clear(struct engine *e); /* destroys them */
/* The finding with this id or folder. NULL: none. */
struct finding *findings_find(const struct engine *e, const char *id);
/* Whether the run fails by this finding: it counts; in cfuzz ci, it is news. */
bool findings_fails_run(const struct engine *e, const struct finding *f);
/* Whether this run has such a finding. */
bool findings_found(const struct engine *e);
/* Whether one is neither accepted, nor gone with the present build. */
bool findings_any_open(const struct engine *e);

/* Under --stop-on-crash, the one finding that is worked on. NULL: none. */
struct finding *findings_crash(const struct engine *e);
void findings_set_crash(struct engine *e, struct finding *f);

#endif
