/*
 * budget: how long something may go on, as time or as executions.
 */
#ifndef CFUZZ_CONTROL_BUDGET_H
#define CFUZZ_CONTROL_BUDGET_H

#include <stddef.h>
#include <stdint.h>

#include "shared/status.h"

/* Both 0: no end (fuzztime) or off (minimizetime). */
struct budget {
	uint64_t duration_ms;
	uint64_t executions;
};

/*
 * `30s`, `1h30m`, `10000x`; both parts 0 for `none`, `off`, `0`, `0s`, `0x`.
 * E_FORMAT says `invalid duration` or `invalid count`.
 */
enum status budget_parse(const char *text, struct budget *budget,
	struct error *err) MUST_CHECK;
void budget_format(const struct budget *budget, char *buf, size_t size);

/*
 * Numbers with units (ns us ms s m h d), as in Go: `1h30m`, `1.5s`. Rounded
 * up to whole milliseconds. A number without unit is an error, but for 0.
 */
enum status duration_parse(const char *text, uint64_t *ms, struct error *err)
	MUST_CHECK;
void duration_format(uint64_t ms, char *buf, size_t size);

#endif
