/*
 * minimization_phases: the phases of a minimization in a row.
 */
#ifndef CFUZZ_UI_VIEWS_MINIMIZATION_MINIMIZATION_PHASES_H
#define CFUZZ_UI_VIEWS_MINIMIZATION_MINIMIZATION_PHASES_H

#include <stdint.h>

#include "shared/minimize/minimize_phase.h"
#include "ui/term/row_writer.h"

/* The current phase alone. */
void minimization_phase_put(enum minimize_phase now, struct row_writer *out);

/*
 * `v blocks x tail > bytes ranges readable`, an optional phase only when it is
 * under way or skipped. The current phase alone if there is no room for all.
 * skipped: a bit for each phase.
 */
void minimization_phases_put(enum minimize_phase now, uint32_t skipped,
	struct row_writer *out);

#endif
