/*
 * dictionary: reads dictionaries in the syntax of AFL and libFuzzer.
 *
 * A line is `"value"` or `name="value"` or `name@level="value"`; blank lines
 * and lines that start with # are ignored. In a value \\ \" and \xAB stand for
 * one byte. A word has at most MEMORY_WORD_LEN_MAX bytes. `FILE@2` takes the
 * words up to level 2; FILE alone takes those of level 0, or without one. In a
 * folder, the content of each file is a word.
 *
 * Errors in a dictionary are reported, and the rest of it is used.
 */
#ifndef CFUZZ_CORPUS_DICTIONARY_H
#define CFUZZ_CORPUS_DICTIONARY_H

#include "worker/memory/campaign_memory.h"

/* Maximum number of bad lines that are reported; the others are counted. */
#define DICTIONARY_SAID_MAX 10u

/* Receives the error messages: file, line, column and reason. */
typedef void dictionary_say_fn(void *arg, const char *text);

/*
 * Adds the words of a file or folder to the campaign's dictionary, except those
 * already there. E_USAGE: there is no usable word, or a level for a folder;
 * other errors: see file_read() and dir_list().
 */
enum status dictionary_load(const char *file, struct campaign_memory *memory,
	dictionary_say_fn *say, void *arg, struct error *err) MUST_CHECK;

/*
 * Reads one line. *len is 0 for a line without a word. On E_FORMAT *column
 * (bytes, from 1) is the place of the error; the message does not repeat it.
 * *level is at most 1000, and 0 if the line has none.
 */
enum status dictionary_parse_line(const char *line, size_t line_len,
	uint8_t word[MEMORY_WORD_LEN_MAX], size_t *len, unsigned *level,
	size_t *column, struct error *err) MUST_CHECK;

#endif
