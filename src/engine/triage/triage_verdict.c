/*
 * triage_verdict: what replays and the user say about a finding.
 */
#include <string.h>

#include "engine/parts.h"
#include "engine/triage/findings_list.h"
#include "engine/triage/record.h"
#include "engine/triage/triage.h"
#include "findings/finding.h"

/* A verdict of the user stays. */
void
triage_set_verdict(struct finding *f, enum finding_verdict verdict)
{
	if (f->verdict != VERDICT_ACCEPTED && f->verdict != VERDICT_KNOWN)
		f->verdict = verdict;
}

/* A finding left over by an earlier run counts for this run when it fails. */
void
triage_seen_again(struct engine *e, struct finding *f)
{
	if (f->seen != SEEN_LEFT)
		return;
	f->seen = SEEN_NOW;
	f->last_s = engine_campaign_s(e);
	clock_wall_iso(f->last_at);
	record_report_again(e, f);
}

/* Those of another build that did not fail, and those under way, are no verdict:
 * it is that of the replays before. */
enum finding_verdict
triage_replays_verdict(const struct finding *f)
{
	uint32_t replays = f->replays, failed = f->reproduced;

	if (failed == 0 && f->build[0] != '\0' &&
		strcmp(f->build, f->replays_build) != 0) {
		replays = f->replays_before;
		failed = f->reproduced_before;
	}
	if (replays == 0)
		return f->verdict == VERDICT_FLAKY ? VERDICT_FLAKY
						   : VERDICT_NEW;
	return failed == replays ? VERDICT_CONFIRMED : VERDICT_FLAKY;
}

void
triage_mark(struct engine *e, struct finding *f, enum finding_verdict verdict)
{
	f->verdict =
		verdict == VERDICT_NEW ? triage_replays_verdict(f) : verdict;
	record_save_json(e, f);
	if (findings_crash(e) == f)
		triage_pass_crash(e);
}
