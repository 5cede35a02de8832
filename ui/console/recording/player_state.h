/*
 * player_state: the state of a campaign at one time of a recording.
 *
 * Input: lines in the order of time. Output: the snapshot, and replies to the
 * console's queries. Replies are the recorded ones; those for corpus and
 * journal are rebuilt from parts, since their recorded queries differ. Memory
 * is limited for any file.
 */
#ifndef CFUZZ_UI_CONSOLE_RECORDING_PLAYER_STATE_H
#define CFUZZ_UI_CONSOLE_RECORDING_PLAYER_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "control/query.h"
#include "ui/console/recording/recording.h"

#define PLAYER_REPLIES 64
#define PLAYER_REPLIES_BYTES (32u << 20)
#define PLAYER_EVENTS 4096u

struct player_state {
	json_t *snapshot; /* NULL: none yet */
	json_t *view;     /* name of the current view; or NULL */
	json_t *place;    /* in that view; or NULL */
	struct player_reply {
		struct query query;
		json_t *reply;
		size_t bytes;  /* about */
		uint64_t used; /* clock when it was last used */
	} replies[PLAYER_REPLIES];
	uint64_t clock; /* counts uses of replies */
	/* Entries of the corpus, by the newest list without a filter. */
	uint64_t corpus_total;
	/* The coverage map: a full reply, with the changes since. */
	struct reply coverage;
	json_t *journal; /* rows, newest last; PLAYER_EVENTS at most */
	uint64_t events; /* number after the last row */
};

void player_state_clear(struct player_state *state);

/* The number of the oldest event in the journal. */
uint64_t player_state_oldest(const struct player_state *state);

/* Applies a line; false: it is inconsistent with those before. */
bool player_state_take(struct player_state *state, const json_t *line);

/* {"id", "kind", …}, with an error if there is no reply; a new reference. */
json_t *player_state_answer(struct player_state *state,
	struct recording *recording, const struct query *query, uint64_t id);

#endif
