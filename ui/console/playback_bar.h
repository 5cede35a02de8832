/*
 * playback_bar: where a recording stands, in the header.
 */
#ifndef CFUZZ_UI_CONSOLE_PLAYBACK_BAR_H
#define CFUZZ_UI_CONSOLE_PLAYBACK_BAR_H

#include "ui/model/playback.h"
#include "ui/term/row_writer.h"

/* "playing 2x  1:12 / 4:30" and a bar, on the right of the pen's room. */
void playback_bar_put(const struct playback *playback, struct row_writer *pen);

#endif
