/*
 * auto_dictionary: the automatic dictionary.
 *
 * Bytes that a comparison asked for, and that led to a find, are words that
 * the target knows: they are added to the campaign's dictionary, where all
 * workers draw from them.
 */
#ifndef CFUZZ_CORPUS_AUTO_DICTIONARY_H
#define CFUZZ_CORPUS_AUTO_DICTIONARY_H

#include "worker/campaign_memory.h"

#define AUTO_DICTIONARY_MAX \
	512u /* words; the user's own have the rest of the room */

/* Told of each new word. */
typedef void auto_dictionary_fn(void *arg, const uint8_t *word, size_t len);

/*
 * Takes the words from the trail and tape of a find, at most `room` of them.
 * Single bytes and words that are there already are no news. Returns how many
 * were added.
 */
uint32_t auto_dictionary_take(struct campaign_memory *memory,
	const struct find *find, uint32_t room, auto_dictionary_fn *tell,
	void *arg);

#endif
