/*
 * auto_dictionary: adds words to the campaign's dictionary automatically.
 *
 * Bytes that a comparison asked for, and that led to a new input, are words
 * that the target knows. They are added to the dictionary in campaign memory,
 * so that all workers use them. A word has 2 to 128 bytes, which are not all
 * equal.
 */
#ifndef CFUZZ_CORPUS_AUTO_DICTIONARY_H
#define CFUZZ_CORPUS_AUTO_DICTIONARY_H

#include "worker/memory/campaign_memory.h"

/* Words; the rest of the room is for the user's words. The callers count. */
#define AUTO_DICTIONARY_MAX 512u

/* Adds a word. False: it is known, not a word, or the dictionary is full. */
bool auto_dictionary_add(struct campaign_memory *memory, const uint8_t *word,
	size_t len);

/* Called for each new word; the bytes are borrowed during the call. */
typedef void auto_dictionary_fn(void *arg, const uint8_t *word, size_t len);

/*
 * Takes words from the mutations and literal bytes of a new input, at most
 * `room` of them. Known words and bytes that are not a word are skipped.
 * Returns the number of words added.
 */
uint32_t auto_dictionary_take(struct campaign_memory *memory,
	const struct ring_input *input, uint32_t room, auto_dictionary_fn *tell,
	void *arg);

#endif
