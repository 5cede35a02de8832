/*
 * corpus_table: the corpus entries as rows, of which only those around the
 * visible ones are held.
 *
 * The engine sorts and filters. The table draws the held rows until new ones
 * arrive. The selection is kept by name, so the entry stays selected when other
 * entries move it.
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

/* The selection when entries come and go. */
enum corpus_choice {
	CORPUS_FIRST,    /* the first row, whichever entry it has */
	CORPUS_BY_PLACE, /* the row with that number */
	CORPUS_BY_NAME,
};

struct corpus_table {
	struct list list;
	struct sort sort;
	char filter[FILTER_SIZE]; /* filter of the query */
	enum corpus_choice choice;
	char selected[17]; /* an entry's name, for CORPUS_BY_NAME */
	char seek[17];     /* find this entry's row; "" = none */
	bool known;        /* the first reply is here */
	char error[160];   /* of the last reply */
	struct reply_corpus held;
	size_t shown; /* first drawn row */
};

void corpus_table_init(struct corpus_table *table);
void corpus_table_clear(struct corpus_table *table);

void corpus_table_query(struct corpus_table *table, const struct model *model,
	struct query *query);
void corpus_table_reply(struct corpus_table *table, const struct query *query,
	struct reply *reply);

/* Draws head and rows; the scroll bar goes on `box`, around the area. */
void corpus_table_draw(struct corpus_table *table, const struct model *model,
	struct grid *grid, struct rect area, struct rect box);
bool corpus_table_command(struct corpus_table *table, const char *command);

/* Selects the entry as soon as its row is known. */
void corpus_table_seek(struct corpus_table *table, const char *name);

/* Borrowed until the next reply. NULL: no row is selected, or the table does
 * not hold it yet. */
const struct reply_row *corpus_table_selected(const struct corpus_table *table);

/* Values as the views show them. The age is in seconds. */
double corpus_age(const struct model *model, const struct reply_row *row);
/* "-": not kept. */
const char *corpus_executions(const struct reply_row *row,
	char buf[TEXT_NUMBER_SIZE]);
const char *corpus_energy(const struct reply_row *row,
	char buf[TEXT_NUMBER_SIZE]);

#endif
