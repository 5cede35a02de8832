/*
 * dictionary: word lists in the syntax of AFL and libFuzzer.
 *
 * A line is `"value"` or `name="value"` or `name@level="value"`; blank lines
 * and lines that start with # do not count. In a value \\ \" and \xAB stand
 * for one byte. `FILE@2` takes the words up to level 2; without it all words
 * without a level are taken. A folder holds a word in each file, as it is.
 *
 * What is wrong with a dictionary is said, and the rest of it used.
 */
#ifndef CFUZZ_CORPUS_DICTIONARY_H
#define CFUZZ_CORPUS_DICTIONARY_H

#include "worker/campaign_memory.h"

/* So many bad lines of a dictionary are said; of the others, how many. */
#define DICTIONARY_SAID_MAX 10u

/* Told what cannot be used: file, line, column, and why. */
typedef void dictionary_say_fn(void *arg, const char *text);

/*
 * Reads a file or folder into the campaign's dictionary; a word that is there
 * already is not added again. E_USAGE or what reading failed with: it cannot
 * be read, or no word of it can be used.
 */
enum status dictionary_load(const char *file, struct campaign_memory *memory,
	dictionary_say_fn *say, void *arg, struct error *err) MUST_CHECK;

/*
 * Reads one line. *len is 0 for a line without a word. On E_FORMAT *column
 * (from 1) is where it went wrong; the message does not repeat it.
 */
enum status dictionary_parse_line(const char *line, size_t line_len,
	uint8_t word[MEMORY_WORD_LEN_MAX], size_t *len, unsigned *level,
	size_t *column, struct error *err) MUST_CHECK;

#endif
