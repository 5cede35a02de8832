/*
 * labels: states, times and shares as every view says them.
 *
 * A state is a word, a symbol and a style together, so that it is understood
 * without colour. All functions that take buf write into it and return it.
 */
#ifndef CFUZZ_UI_WIDGETS_LABELS_H
#define CFUZZ_UI_WIDGETS_LABELS_H

#include <stddef.h>

#include "base/text.h"
#include "control/snapshot.h"
#include "ui/model/model.h"
#include "ui/term/row_writer.h"

#define LABEL_SIZE 192

/* "warming up 120/530", "stopping: interrupt in 0.6 s". */
const char *label_state(const struct model *model, char buf[LABEL_SIZE]);
enum style label_state_style(const struct model *model);
/* The symbol and the words above. */
void label_put_state(const struct model *model, struct row_writer *pen);

const char *label_worker_state(const struct snapshot_worker *worker);
enum style label_worker_style(const struct snapshot_worker *worker);

/* `closed > interrupt in 0.6 s > kill`: done, next, to come. */
void label_put_ladder(struct row_writer *pen, enum stop_step step,
	double next_s);

/* How far the next step is, as a bar that shrinks; step_s as below. */
void label_put_countdown(struct row_writer *pen, double next_s, double step_s);
/* Seconds between the steps of a stop, a limit; 0: not known. */
double label_step_s(const struct snapshot *snapshot);

/* The key that gives a command, "" if none does. */
const char *label_key(const char *command);

/* As label_seconds(), with tenths below ten: `0.6 s`. */
const char *label_tenths(double seconds, char buf[TEXT_NUMBER_SIZE]);
/* Seconds: `41 s`, `4m12s`, `1h2m3s`. */
const char *label_seconds(double seconds, char buf[TEXT_NUMBER_SIZE]);

/* Microseconds: `31 us`, `4.2 ms`, `1.3 s`; nothing measured: `-`. */
const char *label_micros(double us, char buf[TEXT_NUMBER_SIZE]);

/* `34 %`, `<1 %`, `0 %`; of nothing: `-`. */
const char *label_percent(uint64_t part, uint64_t whole,
	char buf[TEXT_NUMBER_SIZE]);

/* How long the campaign has run, earlier runs included. */
double label_campaign_s(const struct snapshot *s);

/* Findings; and those of them that are a reason to worry: not ignored, and not
 * of an earlier build of the target alone. */
uint64_t label_findings(const struct snapshot *s);
uint64_t label_findings_open(const struct snapshot *s);

/* "crash" and "crashes": 1 is one. */
const char *label_plural(uint64_t n, const char *one, const char *many);

/* Dims an area whose numbers are too old to be believed. */
void label_dim_stale(const struct model *model, struct grid *grid,
	struct rect area);

/* For a list that has rows, but none that the filter lets through. */
void label_no_rows(struct grid *grid, struct rect rect,
	enum key_context context);

#endif
