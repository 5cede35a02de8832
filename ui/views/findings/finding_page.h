/*
 * finding_page: all that is known of one finding, on several pages.
 *
 * Facts with the stack, the stack alone, the report, the bytes of its input
 * and of the minimized one. The facts are in the snapshot, all else is asked
 * for; a report comes in pieces.
 */
#ifndef CFUZZ_UI_VIEWS_FINDINGS_FINDING_PAGE_H
#define CFUZZ_UI_VIEWS_FINDINGS_FINDING_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "control/query.h"
#include "ui/model/model.h"
#include "ui/term/grid.h"
#include "ui/views/findings/finding_stack.h"
#include "ui/widgets/bytes.h"
#include "ui/widgets/list.h"
#include "ui/widgets/text_lines.h"

enum finding_tab {
	FINDING_TAB_FACTS,
	FINDING_TAB_STACK,
	FINDING_TAB_REPORT,
	FINDING_TAB_INPUT,
	FINDING_TAB_MINIMIZED,
	FINDING_TAB_CALL,     /* of a typed target */
	FINDING_TAB_SEQUENCE, /* where several inputs have to run in a row */
	FINDING_TAB_COUNT
};

struct finding_page {
	char id[24]; /* that is asked for; "" = none */
	enum finding_tab tab;
	bool known;               /* `now` is an answer about it */
	struct reply_finding now; /* without frames and report */
	char error[160];          /* why there is no answer, "" = none */
	struct finding_stack stack;
	char *report; /* as much of it as came; owned */
	size_t report_n;
	struct text_lines lines;   /* of it */
	struct finding_row {       /* a part of a line that has room */
		uint32_t line, at; /* a byte of it, as it is shown */
	} * wrapped;               /* owned; made for … */
	int columns;               /* … so many, 0: not yet */
	struct list rows;          /* of these */
	struct bytes bytes;        /* of the input, the minimized … */
	char bytes_name[24];       /* … as it was asked for */
	char bytes_error[160];
};

void finding_page_clear(struct finding_page *page);

/* About another finding; the page that is shown stays. */
void finding_page_open(struct finding_page *page, const char *id);

/* At most two queries; shown: more than the facts is of interest. */
size_t finding_page_want(const struct finding_page *page, bool shown,
	struct query *queries);
void finding_page_reply(struct finding_page *page, const struct query *query,
	struct reply *reply);

/* f is in the snapshot. With a frame. */
void finding_page_draw(struct finding_page *page, const struct model *model,
	const struct snapshot_finding *f, struct grid *grid, struct rect rect);

/* "left", "right", "tab N", "hex", and those of the page that is shown. */
bool finding_page_command(struct finding_page *page,
	const struct snapshot_finding *f, const char *command);

#endif
