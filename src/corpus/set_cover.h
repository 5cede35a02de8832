/*
 * set_cover: finds few inputs that together reach all features of many.
 *
 * The greedy algorithm of afl-cmin: features are taken in ascending order of
 * the number of inputs that reach them. For each feature not covered yet, the
 * first input that reaches it is chosen, with all its other features. Then
 * superfluous inputs are removed, the last first.
 *
 * A feature is a number made of an edge counter and a hit-count bucket. Only
 * inputs that are the first for some feature are kept, so the memory grows with
 * the coverage and not with the number of inputs.
 */
#ifndef CFUZZ_CORPUS_SET_COVER_H
#define CFUZZ_CORPUS_SET_COVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct set_cover;

struct set_cover *set_cover_create(void);
void set_cover_destroy(struct set_cover *cover); /* NULL is fine */

/* Adds the input with this number and copies its n features, all different. Add
 * each input once, in the order of preference, usually the smallest first. */
void set_cover_add(struct set_cover *cover, uint32_t input,
	const uint32_t *features, size_t n);
/* Number of features reached by any input. */
uint64_t set_cover_features(const struct set_cover *cover);
bool set_cover_has(const struct set_cover *cover, uint32_t feature);

/* Sets *inputs to the numbers of the chosen inputs, in the order of adding, and
 * returns how many there are. The caller frees the array. */
size_t set_cover_solve(const struct set_cover *cover, uint32_t **inputs);

#endif
