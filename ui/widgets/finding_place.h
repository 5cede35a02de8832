/*
 * finding_place: where a finding is, in the columns that there are.
 *
 * The file and the line are what people look for: the function's name gives
 * way first, then the words of the failure.
 */
#ifndef CFUZZ_UI_WIDGETS_FINDING_PLACE_H
#define CFUZZ_UI_WIDGETS_FINDING_PLACE_H

#include "control/snapshot.h"
#include "ui/term/grid.h"

#define FINDING_PLACE_SIZE 512
#define FINDING_PLACE_TITLE_SIZE 640

/* Columns that must not be cut: those of the file and the line. */
int finding_place_least(const struct snapshot_finding *finding);

/* "ini_s… ini.c:118" */
const char *finding_place_fit(const struct grid *grid,
	const struct snapshot_finding *finding, int columns,
	char buf[FINDING_PLACE_SIZE]);

/* "crash: SIGSEGV in ini_s… ini.c:118", of a class of findings, or "". */
const char *finding_place_title(const struct grid *grid, const char *class,
	const struct snapshot_finding *finding, int columns,
	char buf[FINDING_PLACE_TITLE_SIZE]);

#endif
