/*
 * counts: executions, new inputs and the other sums of a run.
 */
#ifndef CFUZZ_ENGINE_STATISTICS_COUNTS_H
#define CFUZZ_ENGINE_STATISTICS_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct engine;
struct rate;
struct snapshot;

/* Executions of finished calls that count for a limit. rejected: inputs on
 * which the target returned -1. */
uint64_t counts_executions(const struct engine *e);
void counts_add_executions(struct engine *e, uint64_t executions,
	uint64_t rejected);
/* Executions that do not count for a limit. */
void counts_add_replays(struct engine *e, uint64_t executions);

uint64_t counts_new_inputs(const struct engine *e);
/* unstable: its second execution was different. */
void counts_add_new_input(struct engine *e, bool unstable);

/* A new finding ends the idle time; counts_add_new_input() also ends it. */
void counts_note_news(struct engine *e);
/* Seconds without a new input or finding, pauses not counted. */
double counts_idle_s(const struct engine *e);

/* Words that were added to the automatic dictionary. */
uint64_t counts_auto_dictionary(const struct engine *e);
void counts_add_words(struct engine *e, uint64_t n);

/* Corpus entries that are kept for the value profile alone, and the bytes of
 * their inputs. */
uint64_t counts_value_entries(const struct engine *e);
size_t counts_value_bytes(const struct engine *e);
void counts_add_value_entry(struct engine *e, size_t bytes);

struct rate *counts_rate(const struct engine *e); /* of all workers */

/* last_s: campaign time of the last new input of earlier runs. gap_s: the
 * longest time between two. Both in seconds. */
void counts_resume(struct engine *e, double last_s, double gap_s);
void counts_view(const struct engine *e, struct snapshot *snapshot);

#endif
