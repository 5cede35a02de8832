/*
 * finding_budget: limits the part of a worker's time that findings get.
 */
#ifndef CFUZZ_ENGINE_SCHEDULE_FINDING_BUDGET_H
#define CFUZZ_ENGINE_SCHEDULE_FINDING_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

struct engine;
struct slot;
struct worker_result;

/* Charges the time of a result to the slot. */
void finding_budget_charge(struct engine *e, struct slot *slot,
	const struct worker_result *r);
/* Call when the worker is ready again: charges the time since its last result
 * as that result was, and to the minimization that the worker died of. */
void finding_budget_charge_start(struct engine *e, struct slot *slot);
/* The worker must start again for its next job: only the time from now on
 * counts, as it may have been paused or idle. */
void finding_budget_note_renewal(struct slot *slot);
/* The worker's next start is not due to what it did last: charges nothing. */
void finding_budget_waive_start(struct engine *e, struct slot *slot);
/* Whether this worker may take up a finding now. */
bool finding_budget_has_time(const struct slot *slot);
/* Longest allowed call for a finding; UINT64_MAX: no limit. idle: there is
 * nothing to fuzz. */
uint64_t finding_budget_room_ms(const struct engine *e, bool idle);

#endif
