/*
 * playback: where in a recording the console is.
 */
#ifndef CFUZZ_UI_MODEL_PLAYBACK_H
#define CFUZZ_UI_MODEL_PLAYBACK_H

#include <stdbool.h>

#include <jansson.h>

struct playback {
	bool on; /* what is seen is a recording */
	double at_s, length_s;
	double speed; /* 0: as fast as it goes */
	bool paused, ended;
	char view[24]; /* that was looked at; "": nobody knows */
	bool past;     /* snapshots that come now only fill the graphs */
};

/* What the player says; false: it makes no sense. */
bool playback_decode(struct playback *playback, const json_t *json);

#endif
