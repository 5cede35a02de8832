/*
 * player_private: declarations shared by the files of the player.
 */
#ifndef CFUZZ_UI_CONSOLE_RECORDING_PLAYER_PRIVATE_H
#define CFUZZ_UI_CONSOLE_RECORDING_PLAYER_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include <event2/event.h>

#include "control/frame.h"
#include "ui/console/recording/player.h"
#include "ui/console/recording/player_state.h"
#include "ui/console/recording/recording.h"

struct player {
	struct event_base *base;
	struct frame_peer *peer; /* NULL: gone */
	struct event *tick;
	struct recording *recording;
	struct player_state state;
	struct recording_line next; /* not yet applied */
	double at_s, speed;         /* speed 0: as fast as possible */
	bool paused, greeted, changed;
	uint64_t ticked_ns, sent_ns;
	int exit_status;
	struct error *err;
};

bool player_at_end(const struct player *p);
/* Says goodbye to the console and ends the loop. */
void player_end(struct player *p, int exit_status, const char *text);
/* Goes to that time, clamped to the recording, and sends the state there. */
void player_seek(struct player *p, double to_s);

/* Runs a command line. Returns the answer; NULL: refused, err has the
 * reason. */
const char *player_obey(struct player *p, const char *line, struct error *err);

#endif
