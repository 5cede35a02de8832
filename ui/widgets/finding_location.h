/*
 * finding_location: a finding's location in the code, cut to the given columns.
 *
 * Users look for file and line, so the function's name is cut first, then the
 * failure's text. A name of which no more than two letters would stay is left
 * out: its columns serve the failure's text.
 */
#ifndef CFUZZ_UI_WIDGETS_FINDING_LOCATION_H
#define CFUZZ_UI_WIDGETS_FINDING_LOCATION_H

#include "control/snapshot.h"
#include "ui/term/grid.h"

#define FINDING_LOCATION_SIZE 512
#define FINDING_LOCATION_TITLE_SIZE 640

/* Columns for file and line, which must not be cut. */
int finding_location_least(const struct snapshot_finding *finding);

/* Columns for the whole location, with the function's name. */
int finding_location_whole(const struct snapshot_finding *finding);

/* "ini_s… ini.c:118" */
const char *finding_location_fit(const struct grid *grid,
	const struct snapshot_finding *finding, int columns,
	char buf[FINDING_LOCATION_SIZE]);

/* "crash: SIGSEGV in ini_s… ini.c:118", for a class of findings or "". */
const char *finding_location_title(const struct grid *grid, const char *class,
	const struct snapshot_finding *finding, int columns,
	char buf[FINDING_LOCATION_TITLE_SIZE]);

#endif
