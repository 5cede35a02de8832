/*
 * text: the text that people read, and the one sanitiser for it.
 *
 * All text from outside (targets, reports, file names, peers) passes
 * text_clean() before it is shown anywhere. The other functions write numbers
 * in the form that the console and the line reporter share.
 */
#ifndef CFUZZ_BASE_TEXT_H
#define CFUZZ_BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>

#define TEXT_NUMBER_SIZE 32 /* room for any number below */

/*
 * Copies len bytes of unknown origin as printable UTF-8. Anything that a
 * terminal could act on becomes visible: `\n \r \t`, `\x1b` for other control
 * characters and bytes that are not UTF-8, `\u202e` and `\u{e0001}` for C1,
 * direction, invisible, private and unassigned characters, and for combining
 * marks without a letter or beyond three on one. A backslash stays as it is.
 * The text is cut at size - 1 bytes, never inside a character or a visible
 * form. It is always terminated, unless size is 0. Returns the length. Cleaning
 * clean text changes nothing.
 */
size_t text_clean(const void *src, size_t len, char *dst, size_t size);
size_t text_clean_string(const char *src, char *dst, size_t size);

/* The same, as a new string of any length, which the caller frees. */
char *text_clean_dup(const void *src, size_t len);

/* The same line by line: newlines stay, and each tab becomes one blank. */
char *text_clean_lines(const void *src, size_t len);

/* Columns of cleaned text; a byte that is not UTF-8 counts as one. */
size_t text_width(const char *text);

/* Bytes of the longest prefix of cleaned text that fits into the columns. */
size_t text_fit(const char *text, size_t columns);

/*
 * Writes a word of a command line, quoted for a shell if necessary. A word that
 * does not fit is cut, up to 5 bytes before the end of dst, but its closing
 * quote is there. Returns the length; 0 and "" if size is below 3.
 */
size_t text_quote(const char *word, char *dst, size_t size);
/* The same for people: $'...' if text_clean() would change the word, for shells
 * that know it. */
size_t text_quote_shown(const char *word, char *dst, size_t size);

/* All functions below write into buf and return it. */

/* `1 234 567` */
const char *text_count(uint64_t value, char buf[TEXT_NUMBER_SIZE]);
/* Up to three digits and a letter, units of 1000: `870`, `1.2 k`, `49.9 M`. A
 * negative value and NaN are 0. */
const char *text_short(double value, char buf[TEXT_NUMBER_SIZE]);
/* The same per second: `870 /s`, `1.2 k/s`. */
const char *text_rate(double per_s, char buf[TEXT_NUMBER_SIZE]);
/* Bytes, in units of 1024: `212 B`, `1.1 k`, `64.0 M`. */
const char *text_bytes(uint64_t len, char buf[TEXT_NUMBER_SIZE]);
/* `00:04:12`, `1d 02:03:04`; whole seconds, rounded down. Negative: 0. */
const char *text_clock(double seconds, char buf[TEXT_NUMBER_SIZE]);
/* The same if it fits into `width` columns, at least 8. Else, from one day on,
 * `1d02:03`, without seconds; if that does not fit either, it is `1234d`. */
const char *text_clock_fit(double seconds, int width,
	char buf[TEXT_NUMBER_SIZE]);
/* `0s`, `59s`, `1m0s`, `1h2m3s`; rounded to whole seconds. */
const char *text_elapsed(uint64_t ns, char buf[TEXT_NUMBER_SIZE]);

#endif
