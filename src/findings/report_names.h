/*
 * report_names: names in the stacks of a sanitizer's report.
 *
 * Workers run without a symbolizer, so a report tells of its places by module
 * and offset. This puts function, file and line in front of each, in all of
 * its stacks; what is inlined there gets lines of its own. Addresses stay. Where
 * the runtime calls the target a stack ends: what lies outside says nothing.
 */
#ifndef CFUZZ_FINDINGS_REPORT_NAMES_H
#define CFUZZ_FINDINGS_REPORT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "findings/names.h"

#define REPORT_NAMES_MAX 256u /* places of a report that are asked for */

struct report_names;

/* Borrows names, and calls it no more when they are gone. */
struct report_names *report_names_create(struct names *names);
/* After names_destroy(). NULL is fine. */
void report_names_destroy(struct report_names *r);

/* With the report as a new string, cleaned line by line. */
typedef void report_names_fn(void *arg, char *take_text);

/*
 * Asks for the names in a report, hostile text of any length. `done` comes
 * later, from the loop. False: it has no places, or nothing can be asked; it
 * will not come.
 */
bool report_names_ask(struct report_names *names, const char *report,
	size_t len, pid_t process, report_names_fn *done, void *arg);

/* Nothing more is told to arg. */
void report_names_forget(struct report_names *r, const void *arg);

#endif
