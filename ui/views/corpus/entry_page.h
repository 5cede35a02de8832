/*
 * entry_page: one corpus entry or finding: its origin, its results and its
 * bytes.
 *
 * The old entry stays on the screen until the reply about a new one arrives.
 */
#ifndef CFUZZ_UI_VIEWS_CORPUS_ENTRY_PAGE_H
#define CFUZZ_UI_VIEWS_CORPUS_ENTRY_PAGE_H

#include <stdbool.h>

#include "control/query.h"
#include "ui/model/model.h"
#include "ui/widgets/bytes.h"
#include "ui/widgets/list.h"

struct entry_page {
	char name[24];          /* entry to show */
	char error[160];        /* why it cannot be shown */
	struct reply_entry now; /* entry shown; its bytes are in `bytes` */
	struct bytes bytes;
	struct list lineage; /* selected: an ancestor or the entry itself */
};

void entry_page_clear(struct entry_page *page);
void entry_page_open(struct entry_page *page, const char *name);

void entry_page_query(const struct entry_page *page, struct query *query);
void entry_page_reply(struct entry_page *page, const struct query *query,
	struct reply *reply);

void entry_page_draw(struct entry_page *page, const struct model *model,
	struct grid *grid, struct rect area);

/* Moves in lineage and bytes; "open" goes to the selected ancestor. False:
 * another command, or "open" on the entry itself. */
bool entry_page_command(struct entry_page *page, const char *command);

#endif
