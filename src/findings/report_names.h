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

/* Borrows names. */
struct report_names *report_names_create(struct names *names);
/* Call it after names_destroy(), which drops the requests under way. Open
 * questions get no reply. NULL is fine. */
void report_names_destroy(struct report_names *r);

/* Receives the report as a new string, cleaned line by line; frees it. */
typedef void report_names_fn(void *arg, char *take_text);

/*
 * Requests the names in a report, which is untrusted text of any length and is
 * copied. process: see names_ask(). `done` is called later, from the loop.
 * False: the report has no frames without names, or nothing can be requested;
 * `done` will not be called.
 */
bool report_names_ask(struct report_names *names, const char *report,
	size_t len, pid_t process, report_names_fn *done, void *arg);

/* Cancels the callbacks of all questions with this arg. */
void report_names_forget(struct report_names *r, const void *arg);

#endif
