/*
 * playback_bar: the position in a recording, in the header.
 */
#ifndef CFUZZ_UI_CONSOLE_PLAYBACK_BAR_H
#define CFUZZ_UI_CONSOLE_PLAYBACK_BAR_H

#include "ui/model/playback.h"
#include "ui/term/row_writer.h"

/* Writes "playing 2x 1:12 / 4:30" and a bar at the right end of the row. */
void playback_bar_put(const struct playback *playback, struct row_writer *out);

#endif
