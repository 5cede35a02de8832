/* findings_list: see findings_list.h. */
#include "engine/triage/findings_list.h"

#include "engine/parts.h"
#include "engine/triage/triage.h"
#include "findings/finding.h"

size_t
findings_count(const struct engine *e)
{
	return engine_findings_list(e)->n;
}

struct finding *
findings_at(const struct engine *e, size_t i)
{
	return engine_findings_list(e)->list[i];
}

bool
findings_crash_is_minimized(const struct engine *e)
{
	return engine_findings_list(e)->crash_minimizing != NULL;
}
