/*
 * set_cover: finds few inputs that together reach all features of many.
 *
 * The greedy algorithm of afl-cmin: features are taken in ascending order of
 * the number of inputs that reach them. For each feature not covered yet, the
 * smallest input that reaches it is chosen, with all its other features. Then
 * superfluous inputs are removed, the largest first.
 *
 * A feature is a number made of an edge counter and a hit-count bucket. Only
 * inputs that are the smallest for some feature are kept, so the memory grows
 * with the coverage and not with the number of inputs.
 */
#ifndef CFUZZ_CORPUS_SET_COVER_H
#define CFUZZ_CORPUS_SET_COVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct set_cover;

struct set_cover *set_cover_create(void);
void set_cover_destroy(struct set_cover *cover); /* NULL is fine */

/* Add each input once, the preferred ones first, which are usually the smallest;
 * features in ascending order. */
void set_cover_add(struct set_cover *cover, uint32_t input,
	const uint32_t *features, size_t n);
/* Number of features reached by any input. */
uint64_t set_cover_features(const struct set_cover *cover);
bool set_cover_has(const struct set_cover *cover, uint32_t feature);

/* Returns the chosen inputs in the order of adding; the caller owns the
 * array. */
size_t set_cover_solve(const struct set_cover *cover, uint32_t **inputs);

#endif
