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

#define SPOT_SIZE 512
#define SPOT_TITLE_SIZE 640

/* Columns that must not be cut: those of the file and the line. */
int spot_least(const struct snapshot_finding *finding);

/* "ini_s… ini.c:118" */
const char *spot_fit(const struct grid *grid,
	const struct snapshot_finding *finding, int columns,
	char buf[SPOT_SIZE]);

/* "crash: SIGSEGV in ini_s… ini.c:118", of a class of findings, or "". */
const char *spot_title(const struct grid *grid, const char *class,
	const struct snapshot_finding *finding, int columns,
	char buf[SPOT_TITLE_SIZE]);

#endif
