/*
 * new_functions: functions that an input came to as the first one.
 *
 * Each counter that is reached for the first time is asked about, in order:
 * which function is that, and into which is it inlined? The first counter of
 * a function is where that function was reached. What the seeds come to is
 * asked first, and only counted. So it costs one question for each counter
 * that is ever reached, put to the symbols helper, and holds up nothing.
 *
 * Where there are no names, and where a campaign is to be the same each time,
 * which answers that come when they come are not, functions are told of by
 * the addresses at which they begin.
 */
#ifndef CFUZZ_ENGINE_NEW_FUNCTIONS_H
#define CFUZZ_ENGINE_NEW_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "control/query.h"
#include "corpus/corpus.h"
#include "worker/pc_table.h"

struct engine;
struct new_functions;

struct new_functions *new_functions_create(struct engine *e);
void new_functions_destroy(struct new_functions *reached); /* NULL is fine */

/* Looks at what the log of the coverage tells that is new: entry did it. */
void new_functions_look(struct engine *e, const struct corpus_entry *entry);
/* Numbers of this module are known now, from this one on. */
void new_functions_on_places(struct engine *e,
	const struct pc_table_module *module, uint32_t from);
/* The seeds have been run. */
void new_functions_on_warm(struct engine *e);
/* Names are asked for from the second second on. */
void new_functions_on_second(struct engine *e);
/* Tells what waits, as a campaign ends. False: names are still to come. */
bool new_functions_settle(struct engine *e);

/* The newest ones, oldest first; returns how many: at most
 * QUERY_REACHED_MAX. */
uint32_t new_functions_list(const struct engine *e, struct reply_reached *list);

#endif
