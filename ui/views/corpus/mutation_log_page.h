/*
 * mutation_log_page: the mutations that made an entry or a finding, one per row,
 * oldest at the top.
 */
#ifndef CFUZZ_UI_VIEWS_CORPUS_MUTATION_LOG_PAGE_H
#define CFUZZ_UI_VIEWS_CORPUS_MUTATION_LOG_PAGE_H

#include <stdbool.h>

#include "control/query.h"
#include "ui/model/model.h"
#include "ui/widgets/list.h"

struct mutation_log_page {
	char name[24];                 /* entry to show */
	char error[160];               /* why it cannot be shown */
	struct reply_mutation_log now; /* entry shown */
	struct list list;
	bool text; /* bytes as text, not as hex */
};

void mutation_log_page_clear(struct mutation_log_page *page);
void mutation_log_page_open(struct mutation_log_page *page, const char *name);

void mutation_log_page_query(const struct mutation_log_page *page,
	struct query *query);
void mutation_log_page_reply(struct mutation_log_page *page,
	const struct query *query, struct reply *reply);

void mutation_log_page_draw(struct mutation_log_page *page,
	const struct model *model, struct grid *grid, struct rect area);
bool mutation_log_page_command(struct mutation_log_page *page,
	const char *command);

/* Does the page show mutations? Not those of the log before, after an error. */
bool mutation_log_page_any(const struct mutation_log_page *page);
/* The entry that the selected mutation helped to make; "": none. */
const char *mutation_log_page_selected(const struct mutation_log_page *page);

#endif
