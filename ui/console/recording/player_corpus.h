/*
 * player_corpus: rows of a recorded list of the corpus in another order, or
 * filtered, as the engine would give them.
 */
#ifndef CFUZZ_UI_CONSOLE_RECORDING_PLAYER_CORPUS_H
#define CFUZZ_UI_CONSOLE_RECORDING_PLAYER_CORPUS_H

#include <stdint.h>

#include <jansson.h>

#include "control/query.h"

/* Those of the rows that match the query's filter, in the query's order: a new
 * array, which shares the rows. */
json_t *player_corpus_rows(const json_t *rows, const struct query *query);

/* The place of the entry of that name, from 1; 0: none, or no name. */
uint64_t player_corpus_place(const json_t *rows, const char *name);

#endif
