/*
 * budget: a limit given as a duration or as a number of executions.
 */
#ifndef CFUZZ_CONTROL_BUDGET_H
#define CFUZZ_CONTROL_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/status.h"

/* At most one is not 0. Both 0: no limit (fuzztime), or disabled
 * (minimizetime). */
struct budget {
	uint64_t duration_ms;
	uint64_t executions;
};

/*
 * Parses `30s`, `1h30m` or `10000x`; `none`, `off`, `0`, `0s` and `0x` set both
 * members to 0. E_FORMAT: the message begins with `invalid duration` or
 * `invalid count`, and *budget does not change.
 */
enum status budget_parse(const char *text, struct budget *budget,
	struct error *err) MUST_CHECK;
/* Is neither a time nor a number given? */
bool budget_is_zero(const struct budget *budget);
/* Writes text that budget_parse() reads, cut at size - 1 bytes. */
void budget_format(const struct budget *budget, char *buf, size_t size);

/*
 * Parses numbers with units, as Go's time.ParseDuration(): `1h30m`, `1.5s`; ns
 * us ms s m h, and d. Rounds up to whole milliseconds. E_FORMAT: anything else,
 * a number without a unit (except 0), or more than 292 years; *ms does not
 * change.
 */
enum status duration_parse(const char *text, uint64_t *ms, struct error *err)
	MUST_CHECK;
/* Writes text that duration_parse() reads, cut at size - 1 bytes. */
void duration_format(uint64_t ms, char *buf, size_t size);

#endif
