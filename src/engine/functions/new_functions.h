/*
 * new_functions: functions that an input was the first to reach.
 *
 * For each edge hit for the first time, the symbols helper is asked in order:
 * which function is this, and into which is it inlined? The first edge of a
 * function reports the function. Edges of seeds are asked first and only
 * counted. That costs one question per edge and delays nothing.
 *
 * Without names, and in a deterministic run, where answers may come at any
 * time, a function is reported by the address of its entry.
 */
#ifndef CFUZZ_ENGINE_FUNCTIONS_NEW_FUNCTIONS_H
#define CFUZZ_ENGINE_FUNCTIONS_NEW_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "control/query.h"
#include "corpus/corpus.h"

struct engine;
struct new_functions;
struct worker_result;

/* A campaign that is over has none: for its engine, the functions below do
 * nothing. */
struct new_functions *new_functions_create(struct engine *e);
void new_functions_destroy(struct new_functions *r); /* NULL is fine */

/* Looks for new edges in the coverage log. entry: the input that hit them; NULL
 * if unknown. */
void new_functions_look(struct engine *e, const struct corpus_entry *entry);
/* Takes a PC table, and answers the queries that wait for it. */
void new_functions_on_table(struct engine *e, const struct worker_result *r);
/* All seeds have run. */
void new_functions_on_warm(struct engine *e);
/* Called each second; the first call permits questions for names. */
void new_functions_on_second(struct engine *e);
/* Call at the end, until it returns true: reports waiting functions. False:
 * their names are still to come. */
bool new_functions_settle(struct engine *e);

/* Copies the newest, oldest first; returns their number, at most
 * QUERY_NEW_FUNCTIONS_MAX. */
uint32_t new_functions_list(const struct engine *e,
	struct reply_new_function *list);
uint64_t new_functions_count(const struct engine *e); /* all of this run */

#endif
