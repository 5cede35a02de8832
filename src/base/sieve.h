/*
 * sieve: the words that a user types to see less of a list.
 *
 * Words stand between spaces and may be in any order; a line matches when all
 * of them are somewhere in it. Case counts for nothing in ASCII. Of a long
 * filter what does not fit is not looked for.
 */
#ifndef CFUZZ_BASE_SIEVE_H
#define CFUZZ_BASE_SIEVE_H

#include <stdbool.h>
#include <stdint.h>

#define SIEVE_SIZE 128u
#define SIEVE_WORDS_MAX 32u

struct sieve {
	char text[SIEVE_SIZE]; /* the words, each ended by a 0 */
	const char *words[SIEVE_WORDS_MAX];
	uint32_t n;
};

/* `sieve` refers to itself: it must not be copied. */
void sieve_parse(struct sieve *sieve, const char *text);

/*
 * Which of the words stand in this text: a bit for each. A line of several
 * texts has what any of them has.
 */
uint32_t sieve_seen(const struct sieve *sieve, const char *text);
/* Are these bits all of the words? */
bool sieve_all(const struct sieve *sieve, uint32_t seen);

#endif
