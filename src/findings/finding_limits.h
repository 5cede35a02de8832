/*
 * finding_limits: the options that decide whether the input of a finding fails,
 * as they were when it last failed in a run. A later run may have others.
 */
#ifndef CFUZZ_FINDINGS_FINDING_LIMITS_H
#define CFUZZ_FINDINGS_FINDING_LIMITS_H

#include <jansson.h>

#include "control/settings.h"
#include "shared/wire/failure.h"

/* The object "limits" of crash.json; a new reference. */
json_t *finding_limits_json(const struct settings *settings);
/* Takes them from crash.json, which is not trusted; NULL, and values that are
 * not valid: no change. given: what the user has set stays; NULL: nothing. */
void finding_limits_take(struct settings *settings, const json_t *limits,
	const struct settings *given);
/* Writes the options of `cfuzz repro` that have not their default, each after a
 * blank; cut at size - 1 bytes. */
void finding_limits_options(const struct settings *settings, char *buf,
	size_t size);
/* Writes the options that a failure needs and the settings do not have, from
 * limits, which is as above: "--timeout 100ms". A run without the failure says
 * nothing then. "": there are none. Cut at size - 1 bytes. */
void finding_limits_needed(const struct settings *settings,
	const json_t *limits, const struct failure *failure, char *buf,
	size_t size);

#endif
