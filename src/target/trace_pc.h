/*
 * trace_pc: counters for gcc's -fsanitize-coverage=trace-pc.
 *
 * gcc gives neither counters nor a table, only calls. Their places are found
 * in the text of each module at start and numbered in order, so the numbers
 * are the same in every worker; a return address leads to its counter by a
 * table. A call from an unknown place is looked into once: it may come from a
 * module that was loaded since.
 */
#ifndef CFUZZ_TARGET_TRACE_PC_H
#define CFUZZ_TARGET_TRACE_PC_H

/* Finds the calls of all loaded modules and registers their counters. */
void trace_pc_init(void);

#endif
