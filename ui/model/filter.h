/*
 * filter: the words that a list's rows must contain.
 *
 * Each view with a list has one filter, model.filters[context]. The user types
 * it after `/`; it stays until the user removes it, even if another view is
 * shown. A view that holds its rows calls filter_match() for each row; a view
 * that asks the engine for rows sends filter->text in its query. Both show the
 * filter in the list's title with filter_title().
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

/* Cleans the text, trims spaces at both ends and cuts it to fit. */
void filter_set(struct filter *filter, const char *text);

bool filter_on(const struct filter *filter);

/* Do the n texts of a row together contain all words? True without a filter.
 * See base/sieve.h. */
bool filter_match(const struct filter *filter, const char *const *texts,
	size_t n);

/* "filter: heap  3 of 41", or "" without a filter. */
const char *filter_title(const struct filter *filter, size_t shown,
	size_t total, char buf[FILTER_TITLE]);

#endif
