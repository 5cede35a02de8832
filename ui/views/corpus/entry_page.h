/*
 * entry_page: one entry of the corpus, or one finding: where it comes from,
 * what came of it, its bytes.
 *
 * What is shown stays until the answer about another one is there.
 */
#ifndef CFUZZ_UI_VIEWS_CORPUS_ENTRY_PAGE_H
#define CFUZZ_UI_VIEWS_CORPUS_ENTRY_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "control/query.h"
#include "ui/model/model.h"
#include "ui/widgets/bytes.h"
#include "ui/widgets/list.h"

struct entry_page {
	char name[24];          /* wanted */
	char error[160];        /* it cannot be told: why */
	struct reply_entry now; /* shown; bytes are in `bytes` */
	struct bytes bytes;
	struct list lineage; /* selected: an ancestor, or itself */
};

void entry_page_clear(struct entry_page *page);
void entry_page_open(struct entry_page *page, const char *name);

void entry_page_want(const struct entry_page *page, struct query *query);
void entry_page_reply(struct entry_page *page, const struct query *query,
	struct reply *reply);

void entry_page_draw(struct entry_page *page, const struct model *model,
	struct grid *grid, struct rect area);

/* Moves in lineage and bytes, "open" goes to the selected ancestor; false:
 * it is none of its commands, or "open" on the entry itself. */
bool entry_page_command(struct entry_page *page, const char *command);

#endif
