/*
 * trail_page: the mutations that made an entry or a finding, one per row,
 * oldest at the top.
 */
#ifndef CFUZZ_UI_VIEWS_CORPUS_TRAIL_PAGE_H
#define CFUZZ_UI_VIEWS_CORPUS_TRAIL_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "control/query.h"
#include "ui/model/model.h"
#include "ui/widgets/list.h"

struct trail_page {
	char name[24];          /* entry to show */
	char error[160];        /* why it cannot be shown */
	struct reply_trail now; /* entry shown */
	struct list list;
	bool text; /* bytes as text, not as hex */
};

void trail_page_clear(struct trail_page *page);
void trail_page_open(struct trail_page *page, const char *name);

void trail_page_want(const struct trail_page *page, struct query *query);
void trail_page_reply(struct trail_page *page, const struct query *query,
	struct reply *reply);

void trail_page_draw(struct trail_page *page, const struct model *model,
	struct grid *grid, struct rect area);
bool trail_page_command(struct trail_page *page, const char *command);

/* The entry that the selected mutation helped to make; "": none. */
const char *trail_page_selected(const struct trail_page *page);

#endif
