/*
 * sieve: the words that a user types to filter a list.
 *
 * Words are separated by blanks and may be in any order; a line matches if it
 * contains all of them. ASCII case is ignored. A filter is cut after 127 bytes,
 * and after 32 words.
 */
#ifndef CFUZZ_BASE_SIEVE_H
#define CFUZZ_BASE_SIEVE_H

#include <stdbool.h>
#include <stdint.h>

#define SIEVE_SIZE 128u /* bytes of a filter */
#define SIEVE_WORDS_MAX 32u

struct sieve {
	char text[SIEVE_SIZE]; /* the words, each ends with a zero byte */
	const char *words[SIEVE_WORDS_MAX];
	uint32_t n;
};

/* `sieve` refers to itself: it must not be copied. */
void sieve_parse(struct sieve *sieve, const char *text);

/*
 * One bit for each of the words that the text contains. For a line of several
 * texts, OR their bits.
 */
uint32_t sieve_seen(const struct sieve *sieve, const char *text);
/* Does `seen` have the bits of all words? True for a filter without words. */
bool sieve_all(const struct sieve *sieve, uint32_t seen);

#endif
