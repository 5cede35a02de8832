/*
 * summary: prints a campaign in a few lines, for the scrollback.
 *
 * It reads stats.json in the output directory and works even if the console has
 * crashed.
 */
#ifndef CFUZZ_UI_CONSOLE_SUMMARY_H
#define CFUZZ_UI_CONSOLE_SUMMARY_H

#include <stdbool.h>
#include <stdio.h>

#include "control/snapshot.h"

/*
 * runs: of the run's snapshots, 0: unknown. Without stats.json, with that of
 * another run, or with output NULL, it prints the exit status alone.
 */
void summary_print(FILE *out, const char *output, uint64_t runs,
	int exit_status);

/*
 * Prints it for a user who has not seen the end of this run of the campaign
 * (`runs` of its snapshots). False: stats.json does not say that the run has
 * ended, and nothing is done; else *exit_status is the run's.
 */
bool summary_print_ended(FILE *out, const char *output, uint64_t runs,
	int *exit_status);

void summary_write(FILE *out, const struct snapshot *snapshot,
	const char *output, int exit_status);

/* One bug: kind, location, count, and folder. */
void summary_finding(FILE *out, const struct snapshot_finding *finding,
	const char *output);

/* Prints "cfuzz-tui: " and a text, cleaned, which may have several lines. */
void summary_complain(FILE *out, const char *text);

/* "1: something was found"; a literal. */
const char *summary_status_words(int exit_status);

#endif
