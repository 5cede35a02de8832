/*
 * chrome: what stands around every view.
 *
 * The header says what is being done, or calls something out; the footer
 * has the keys that matter now, or the answer to the last command, or the
 * prompt. What lies above the view is overlay.h's.
 */
#ifndef CFUZZ_UI_CHROME_H
#define CFUZZ_UI_CHROME_H

#include "ui/grid.h"
#include "ui/model.h"

/* The room between header and footer; a tiny terminal has neither. */
struct rect chrome_body(const struct grid *grid);

void chrome_draw(const struct model *model, struct grid *grid);

#endif
