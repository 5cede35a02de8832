/*
 * trace_pc: counters for gcc's -fsanitize-coverage=trace-pc.
 *
 * gcc gives neither counters nor a table, only calls. Their places are found
 * in the text of each module at start and numbered in order, so the numbers
 * are the same in every worker; a return address leads to its counter by a
 * table.
 */
#ifndef CFUZZ_TARGET_TRACE_PC_H
#define CFUZZ_TARGET_TRACE_PC_H

#include <stdbool.h>

/* Finds the calls of all loaded modules and registers their counters. */
void trace_pc_init(void);

/*
 * Looks at modules that were loaded since a call came from an unknown one.
 * True if counters were added.
 */
bool trace_pc_update(void);

#endif
