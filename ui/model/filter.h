/*
 * filter: the words that the rows of a list must have.
 *
 * Each view with a list has one, in model.filters, by its context; it is
 * typed behind `/` and stays until it is taken away, whatever view is shown.
 * A view whose rows are in memory asks filter_match() of each; one whose rows
 * the engine has puts filter->text into its query. Both say so in the title
 * of the list with filter_title().
 */
#ifndef CFUZZ_UI_MODEL_FILTER_H
#define CFUZZ_UI_MODEL_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#define FILTER_SIZE 96 /* as in struct query */
#define FILTER_TITLE 160

struct filter {
	char text[FILTER_SIZE]; /* "" = none; printable UTF-8 */
};

/* Cleans the text, cuts it, and takes blanks off its ends. */
void filter_set(struct filter *filter, const char *text);

bool filter_on(const struct filter *filter);

/* Has a row with these texts all the words? See base/sieve.h. */
bool filter_match(const struct filter *filter, const char *const *texts,
	size_t n);

/* "filter: heap  3 of 41"; without a filter "" */
const char *filter_title(const struct filter *filter, size_t shown,
	size_t total, char buf[FILTER_TITLE]);

#endif
