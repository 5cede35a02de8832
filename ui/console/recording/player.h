/*
 * player: plays a recorded campaign in place of an engine.
 *
 * It speaks the engine's protocol on the control socket: snapshots and answers
 * are the recorded ones. A message with the position precedes each snapshot:
 * {"playback": {"at", "length", "speed", "paused", "ended", "past"}}. While
 * "past" is true, the snapshots are coarse and fill the graphs after a jump;
 * the last of them is whole.
 *
 * The player has the commands `pause`, `resume`, `speed X|slower|faster|max`,
 * `seek TIME|+TIME|-TIME|start|end` and `quit`.
 */
#ifndef CFUZZ_UI_CONSOLE_RECORDING_PLAYER_H
#define CFUZZ_UI_CONSOLE_RECORDING_PLAYER_H

#include "shared/status.h"

#define PLAYER_SPEED_MIN 0.125
#define PLAYER_SPEED_MAX 64.0 /* the next one is 0, without limit */

/*
 * Plays the file to the console on the socket, which is taken, until the
 * console ends or sends `quit`. Returns the exit status: 0, 2 if the file is
 * not a recording, or 3 if it has changed meanwhile; err and the console get
 * the reason.
 */
int player_run(const char *path, int control_fd, struct error *err);

/* Parses `1m30s`, `90s`, `1:30`, `1:02:03` or `90` into seconds. E_FORMAT:
 * it is none of these. */
enum status player_parse_time(const char *text, double *seconds,
	struct error *err) MUST_CHECK;

#endif
