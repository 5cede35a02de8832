/*
 * set_cover: few inputs that reach together all that many reach.
 *
 * The set cover is that of afl-cmin: places in the order of how few inputs
 * reach them, the rarest first; for each that is not covered yet, the smallest
 * input that reaches it, with all else that it reaches. Then whatever turns
 * out to be superfluous goes again, the largest first.
 *
 * A place is a number: of a counter and a hit-count bucket. What the smallest
 * input for no place reaches is not kept, so the memory that this takes grows
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

/* Inputs come smallest first, each once; so do the places of each. */
void set_cover_add(struct set_cover *cover, uint32_t input,
	const uint32_t *places, size_t n);
uint64_t set_cover_places(
	const struct set_cover *cover); /* that any input reaches */
bool set_cover_has(const struct set_cover *cover, uint32_t place);

/* The chosen inputs, in the order they came; the array is the caller's. */
size_t set_cover_solve(const struct set_cover *cover, uint32_t **inputs);

#endif
