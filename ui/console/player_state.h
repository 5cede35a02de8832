/*
 * player_state: how the campaign stood at one time of a recording.
 *
 * Lines go in, in the order of time; what comes out are the snapshot and the
 * answers to what a console asks. Answers are those that were recorded; for
 * the corpus and the journal, which were asked for in another way, parts of
 * them are made anew. Memory is bounded whatever the file holds.
 */
#ifndef CFUZZ_UI_CONSOLE_PLAYER_STATE_H
#define CFUZZ_UI_CONSOLE_PLAYER_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "control/query.h"
#include "ui/console/recording.h"

#define PLAYER_REPLIES 64
#define PLAYER_REPLIES_BYTES (32u << 20)

struct player_state {
	json_t *snapshot; /* NULL: none yet */
	json_t *view;     /* name of the one that was looked at; or NULL */
	struct player_reply {
		struct query query;
		json_t *reply;
		size_t bytes; /* about */
		uint64_t used;
	} replies[PLAYER_REPLIES];
	uint64_t clock;
	/* The map: a whole answer, and what has changed since. */
	struct reply coverage;
	json_t *journal; /* rows, the newest last */
	uint64_t events; /* number of the row behind the last */
};

void player_state_clear(struct player_state *state);

/* False: the line makes no sense after those before. */
bool player_state_take(struct player_state *state, const json_t *line);

/* {"id", "kind", …}, with an error if there is no answer; a new reference. */
json_t *player_state_answer(struct player_state *state,
	struct recording *recording, const struct query *query, uint64_t id);

#endif
