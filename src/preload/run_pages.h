/*
 * run_pages: fewer page faults in the runs of a fork server that cfuzz did not
 * build.
 *
 * The library's fork() takes the place of the C library's. In the fork server
 * it lets hot_pages learn from the first runs, as a program's child does.
 * Processes that a run forks report no crash.
 *
 * The library's waitpid() hides that a sandbox of the program has ended a run
 * for its work for hot_pages, and lets a run go on that has asked to be traced.
 * All other processes get the C library's functions alone.
 */
#ifndef CFUZZ_PRELOAD_RUN_PAGES_H
#define CFUZZ_PRELOAD_RUN_PAGES_H

#include "shared/wire/memory.h"

/* The calling process is a fork server: each of its forks is a run, whose
 * crashes, and exits that are failures, are noted in head (borrowed). */
void run_pages_open(struct worker_head *head);

#endif
