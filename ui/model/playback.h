/*
 * playback: the console's position in a recording.
 */
#ifndef CFUZZ_UI_MODEL_PLAYBACK_H
#define CFUZZ_UI_MODEL_PLAYBACK_H

#include <stdbool.h>

#include <jansson.h>

struct playback {
	bool on;               /* a recording is shown */
	double at_s, length_s; /* seconds since the start of the recording */
	double speed;          /* 0: as fast as possible */
	bool paused, ended;
	char view[24]; /* the view shown while recording; "": unknown */
	bool past;     /* the next snapshots only fill the graphs */
};

/* Decodes a player's message; false: it is malformed. */
bool playback_decode(struct playback *playback, const json_t *json);

#endif
