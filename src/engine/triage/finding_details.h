/*
 * finding_details: writes the part of crash.json that is not in the snapshot.
 */
#ifndef CFUZZ_ENGINE_TRIAGE_FINDING_DETAILS_H
#define CFUZZ_ENGINE_TRIAGE_FINDING_DETAILS_H

#include <jansson.h>

struct engine;
struct finding;

/* Adds further members to the object of record_json(), for readers without the
 * engine. */
void finding_details_put(const struct engine *e, const struct finding *f,
	json_t *json);

#endif
