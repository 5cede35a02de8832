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
/* Under --stop-on-crash, once there is a finding: only it is worked on. */
bool findings_crash_is_minimized(const struct engine *e);

#endif
