/*
 * summary: a campaign in a few lines, for the scrollback.
 *
 * It reads stats.json of the output directory, so it works whatever became
 * of the console.
 */
#ifndef CFUZZ_UI_CONSOLE_SUMMARY_H
#define CFUZZ_UI_CONSOLE_SUMMARY_H

#include <stdio.h>

#include "control/snapshot.h"

/* Says so in one line if there is no stats.json to read. */
void summary_print(FILE *out, const char *output, int exit_status);

void summary_write(FILE *out, const struct snapshot *snapshot,
	const char *output, int exit_status);

/* One bug: what, where, how often, and its folder. */
void summary_finding(FILE *out, const struct snapshot_finding *finding,
	const char *output);

/* "cfuzz-tui: " and a text of maybe several lines, made harmless. */
void summary_complain(FILE *out, const char *text);

/* "1: something was found" */
const char *summary_status_words(int exit_status);

#endif
