/*
 * dictionary: word lists in the syntax of AFL and libFuzzer.
 *
 * A line is `"value"` or `name="value"` or `name@level="value"`; blank lines
 * and lines that start with # do not count. In a value \\ \" and \xAB stand
 * for one byte. `FILE@2` takes the words up to level 2; without it all words
 * without a level are taken.
 */
#ifndef CFUZZ_ENGINE_DICTIONARY_H
#define CFUZZ_ENGINE_DICTIONARY_H

#include "engine/campaign_memory.h"

/*
 * Reads one file into the campaign's dictionary. E_USAGE names file, line
 * and column of the first bad line, or the file that cannot be read; then
 * words before it may have been added.
 */
enum status dictionary_load(const char *file, struct campaign_memory *memory,
	struct error *err) MUST_CHECK;

/*
 * Reads one line. *len is 0 for a line without a word. On E_FORMAT *column
 * (from 1) is where it went wrong; the message does not repeat it.
 */
enum status dictionary_parse_line(const char *line, size_t line_len,
	uint8_t word[MEMORY_WORD_LEN_MAX], size_t *len, unsigned *level,
	size_t *column, struct error *err) MUST_CHECK;

#endif
