/*
 * player: a recorded campaign in place of an engine.
 *
 * It speaks the engine's protocol on the control socket: snapshots as they
 * were recorded, answers as they were given. Before each snapshot it says
 * where it stands: {"playback": {"at", "length", "speed", "paused", "ended",
 * "past"}}; while "past" is true the snapshots are those of a coarse past,
 * which fills the graphs after a jump. Its commands: `pause`, `resume`,
 * `speed X|slower|faster|max`, `seek TIME|+TIME|-TIME|start|end`, `quit`.
 */
#ifndef CFUZZ_UI_CONSOLE_PLAYER_H
#define CFUZZ_UI_CONSOLE_PLAYER_H

#include "shared/status.h"

#define PLAYER_SPEED_MIN 0.125
#define PLAYER_SPEED_MAX 64.0 /* and then as fast as it goes: 0 */

/*
 * Plays the file to the console at the other end of the socket, which is
 * taken, until that goes or says `quit`. Returns the exit status: 0, or 2 if
 * the file is no recording; the console is told why, and err.
 */
int player_run(const char *path, int control_fd, struct error *err);

/* `1m30s`, `90s`, `1:30`, `1:02:03`, `90`; in seconds. */
enum status player_parse_time(const char *text, double *seconds,
	struct error *err) MUST_CHECK;

#endif
