/* sieve: see sieve.h. */
#include "base/sieve.h"

#include <stdio.h>
#include <string.h>

void
sieve_parse(struct sieve *sieve, const char *text)
{
	char *save = NULL, *word;

	sieve->n = 0;
	snprintf(sieve->text, sizeof(sieve->text), "%s", text);
	for (word = strtok_r(sieve->text, " \t", &save);
		word != NULL && sieve->n < SIEVE_WORDS_MAX;
		word = strtok_r(NULL, " \t", &save))
		sieve->words[sieve->n++] = word;
}

uint32_t
sieve_seen(const struct sieve *sieve, const char *text)
{
	uint32_t seen = 0, i;

	for (i = 0; i < sieve->n; i++)
		if (strcasestr(text, sieve->words[i]) != NULL)
			seen |= UINT32_C(1) << i;
	return seen;
}

bool
sieve_all(const struct sieve *sieve, uint32_t seen)
{
	return seen == (sieve->n == 0 ? 0 : UINT32_MAX >> (32 - sieve->n));
}
