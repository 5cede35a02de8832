/*
 * filter: the words that a list's rows must contain.
 */
#include "ui/model/filter.h"

#include <stdio.h>
#include <string.h>

#include "base/sieve.h"
#include "base/text.h"

#define FILTER_SHOWN 24 /* columns of the filter's text in a title */

void
filter_set(struct filter *filter, const char *text)
{
	size_t len;

	text += strspn(text, " ");
	len = text_clean_string(text, filter->text, sizeof(filter->text));
	while (len > 0 && filter->text[len - 1] == ' ')
		filter->text[--len] = '\0';
}

bool
filter_on(const struct filter *filter)
{
	return filter->text[0] != '\0';
}

bool
filter_match(const struct filter *filter, const char *const *texts, size_t n)
{
	struct sieve sieve;
	uint32_t seen = 0;

	if (!filter_on(filter))
		return true;
	sieve_parse(&sieve, filter->text);
	for (size_t i = 0; i < n; i++)
		seen |= sieve_seen(&sieve, texts[i]);
	return sieve_all(&sieve, seen);
}

const char *
filter_title(const struct filter *filter, size_t shown, size_t total,
	char buf[FILTER_TITLE])
{
	char a[TEXT_NUMBER_SIZE], b[TEXT_NUMBER_SIZE];
	size_t fit = text_fit(filter->text, FILTER_SHOWN);

	buf[0] = '\0';
	if (!filter_on(filter))
		return buf;
	snprintf(buf, FILTER_TITLE, "filter: %.*s  %s of %s", (int)fit,
		filter->text, text_count(shown, a), text_count(total, b));
	return buf;
}
