/*
 * labels: words for states, times and shares, the same in all views.
 *
 * A state is a word, a symbol and a style, so it is clear without colour.
 * Functions that take buf write into it and return it.
 */
#ifndef CFUZZ_UI_WIDGETS_LABELS_H
#define CFUZZ_UI_WIDGETS_LABELS_H

#include "base/text.h"
#include "control/snapshot.h"
#include "ui/model/model.h"
#include "ui/term/row_writer.h"

#define LABEL_SIZE 192

/* "warming up 120/530", "stopping: interrupt in 0.6 s". */
const char *label_state(const struct model *model, char buf[LABEL_SIZE]);
enum style label_state_style(const struct model *model);
/* Writes the symbol and the words of the campaign's state. */
void label_put_state(const struct model *model, struct row_writer *out);

const char *label_worker_state(const struct snapshot_worker *worker);
enum style label_worker_style(const struct snapshot_worker *worker);

/* `asked to stop > interrupt in 0.6 s > kill`: steps done, next, later. */
void label_put_ladder(struct row_writer *out, enum stop_step step,
	double next_s);

/* A shrinking bar: the time until the next step, of step_s seconds. */
void label_put_countdown(struct row_writer *out, double next_s, double step_s);
/* Seconds between the steps of a stop, from the limits; 0: unknown. */
double label_step_s(const struct snapshot *snapshot);

/* As label_seconds(), with tenths below ten seconds: `0.6 s`. */
const char *label_tenths(double seconds, char buf[TEXT_NUMBER_SIZE]);
/* "-" in place of a number that a campaign without stats.json has not kept. */
const char *label_kept(const struct snapshot *snapshot, const char *text);
/* Seconds: `41 s`, `4m12s`, `1h2m3s`. */
const char *label_seconds(double seconds, char buf[TEXT_NUMBER_SIZE]);

/* Microseconds: `31 us`, `4.2 ms`, `1.3 s`; not measured: `-`. */
const char *label_micros(double us, char buf[TEXT_NUMBER_SIZE]);

/* `34 %`, `<1 %`, `0 %`, `>99 %` unless it is all; whole == 0: `-`. */
const char *label_percent(uint64_t part, uint64_t whole,
	char buf[TEXT_NUMBER_SIZE]);

/* Duration of the campaign, with earlier runs. */
double label_campaign_s(const struct snapshot *s);

/* "crash" or "crashes": n == 1 takes the first. */
const char *label_plural(uint64_t n, const char *one, const char *many);

/* Dims an area if its numbers are too old to be trusted. */
void label_dim_stale(const struct model *model, struct grid *grid,
	struct rect area);

/* An empty list because no row passes the filter. */
void label_no_rows(struct grid *grid, struct rect rect,
	enum key_context context);

/* A list that the engine has not sent. begins: how rows get into it. */
void label_no_reply(const struct model *model, struct grid *grid,
	struct rect rect, const char *begins);

#endif
