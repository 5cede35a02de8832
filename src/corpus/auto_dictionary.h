/*
 * auto_dictionary: adds words to the campaign's dictionary automatically.
 *
 * Bytes that a comparison asked for, and that led to a new input, are words
 * that the target knows. They are added to the dictionary in campaign memory,
 * so that all workers use them.
 */
#ifndef CFUZZ_CORPUS_AUTO_DICTIONARY_H
#define CFUZZ_CORPUS_AUTO_DICTIONARY_H

#include "worker/memory/campaign_memory.h"

#define AUTO_DICTIONARY_MAX \
	512u /* words; the rest of the room is for the user's words */

/* Adds a word. False: it is known, no word, or there is no room. */
bool auto_dictionary_add(struct campaign_memory *memory, const uint8_t *word,
	size_t len);

/* Called for each new word. */
typedef void auto_dictionary_fn(void *arg, const uint8_t *word, size_t len);

/*
 * Takes words from the mutations and literal bytes of a new input, at most
 * `room` of them. Single bytes and known words are skipped. Returns the number
 * of words added.
 */
uint32_t auto_dictionary_take(struct campaign_memory *memory,
	const struct ring_input *input, uint32_t room, auto_dictionary_fn *tell,
	void *arg);

#endif
