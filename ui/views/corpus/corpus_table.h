/*
 * corpus_table: entries of the corpus as rows, of which only those around the
 * visible ones are here.
 *
 * The engine sorts and filters. The rows that are here are drawn until those
 * that are wanted come. The selection is kept by name: the entry stays
 * selected when others move it.
 */
#ifndef CFUZZ_UI_VIEWS_CORPUS_CORPUS_TABLE_H
#define CFUZZ_UI_VIEWS_CORPUS_CORPUS_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "control/query.h"
#include "ui/model/filter.h"
#include "ui/model/model.h"
#include "ui/widgets/list.h"
#include "ui/widgets/sort.h"

/* What is selected, when rows come and go. */
enum corpus_choice {
	CORPUS_FIRST,    /* the first row, whatever it is */
	CORPUS_BY_PLACE, /* the row that will be there */
	CORPUS_BY_NAME,
};

struct corpus_table {
	struct list list;
	struct sort sort;
	char filter[FILTER_SIZE]; /* that was asked for */
	enum corpus_choice choice;
	char selected[17]; /* BY_NAME */
	char seek[17];     /* its place is asked for, "" = of none */
	bool known;        /* an answer has come */
	char error[160];   /* of the last one */
	struct reply_corpus held;
	size_t shown; /* the first row that was drawn */
};

void corpus_table_init(struct corpus_table *table);
void corpus_table_clear(struct corpus_table *table);

void corpus_table_want(struct corpus_table *table, const struct model *model,
	struct query *query);
void corpus_table_reply(struct corpus_table *table, const struct query *query,
	struct reply *reply);

/* Head and rows; the box, for the scroll mark, is around the area. */
void corpus_table_draw(struct corpus_table *table, const struct model *model,
	struct grid *grid, struct rect area, struct rect box);
bool corpus_table_command(struct corpus_table *table, const char *command);

/* Selects the entry as soon as its place is known. */
void corpus_table_seek(struct corpus_table *table, const char *name);

/* NULL: there is none, or it is not here yet. */
const struct reply_row *corpus_table_selected(const struct corpus_table *table);

/* How a row's values are said. */
double corpus_age(const struct model *model, const struct reply_row *row);
const char *corpus_energy(const struct reply_row *row,
	char buf[TEXT_NUMBER_SIZE]);

#endif
