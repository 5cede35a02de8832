/*
 * report_names: adds names to the stacks of a sanitizer's report.
 *
 * Workers run without a symbolizer, so a report has only modules and offsets.
 * This module adds function, file and line to each; inlined functions get lines
 * of their own. Addresses stay. A stack ends where the runtime calls the
 * target, because frames outside of the target are of no use.
 */
#ifndef CFUZZ_FINDINGS_REPORT_NAMES_H
#define CFUZZ_FINDINGS_REPORT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "findings/names.h"

#define REPORT_NAMES_MAX 256u /* places requested for one report */

struct report_names;

/* Borrows names; does not use it after names_destroy(). */
struct report_names *report_names_create(struct names *names);
/* After names_destroy(). NULL is fine. */
void report_names_destroy(struct report_names *r);

/* Receives the report as a new string, cleaned line by line. */
typedef void report_names_fn(void *arg, char *take_text);

/*
 * Requests the names in a report, which is untrusted text of any length. `done`
 * comes later, from the loop. False: the report has no places, or nothing can
 * be requested; `done` will not come.
 */
bool report_names_ask(struct report_names *names, const char *report,
	size_t len, pid_t process, report_names_fn *done, void *arg);

/* Cancels all callbacks for arg. */
void report_names_forget(struct report_names *r, const void *arg);

#endif
