/*
 * finding_page: everything about one finding, on several tabs.
 *
 * The tabs are: values with the stack, the stack alone, the report, the bytes
 * of the input and of the minimized input, the call of a typed target, and the
 * input sequence. A finding has only some of them. The values are in the
 * snapshot; the engine sends the rest, and a report in pieces.
 */
#ifndef CFUZZ_UI_VIEWS_FINDINGS_FINDING_PAGE_H
#define CFUZZ_UI_VIEWS_FINDINGS_FINDING_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text_lines.h"
#include "control/query.h"
#include "ui/model/model.h"
#include "ui/term/grid.h"
#include "ui/views/findings/finding_stack.h"
#include "ui/widgets/bytes.h"
#include "ui/widgets/list.h"

enum finding_tab {
	FINDING_TAB_SUMMARY,
	FINDING_TAB_STACK,
	FINDING_TAB_REPORT,
	FINDING_TAB_INPUT,
	FINDING_TAB_MINIMIZED,
	FINDING_TAB_CALL,     /* call of a typed target */
	FINDING_TAB_SEQUENCE, /* inputs that must run in a row */
	FINDING_TAB_COUNT
};

struct finding_page {
	char id[24]; /* finding to ask about, or "" */
	enum finding_tab tab;
	bool known;               /* `now` is a reply about it */
	struct reply_finding now; /* without frames and report */
	bool note_old;            /* a note was sent after `now` came */
	char error[160];          /* of the last reply, or "" */
	struct list values;       /* of the values tab; `selected` is on top */
	int values_h;             /* rows that they had */
	struct finding_stack stack;
	char *report; /* received so far; owned */
	size_t report_n;
	struct text_lines lines;   /* of the report */
	struct finding_row {       /* a part of a line that fits into a row */
		uint32_t line, at; /* `at`: byte of the cleaned line */
	} * wrapped;               /* owned; made for … */
	int columns;               /* … this width; 0: not made */
	struct list rows;          /* of `wrapped` */
	struct bytes bytes;        /* of one tab's input … */
	char bytes_name[24];       /* … with this name in the query */
	char bytes_error[160];     /* in their place, or "" */
};

void finding_page_clear(struct finding_page *page);

/* Switches to another finding; the open tab stays. */
void finding_page_open(struct finding_page *page, const char *id);

/* Fills in at most two queries; `shown`: the page needs more than values. */
size_t finding_page_query(const struct finding_page *page, bool shown,
	struct query *queries);
void finding_page_reply(struct finding_page *page, const struct query *query,
	struct reply *reply);

/* f: in the snapshot. Draws with a frame. */
void finding_page_draw(struct finding_page *page, const struct model *model,
	const struct snapshot_finding *f, struct grid *grid, struct rect rect);

/* "left", "right", "tab N" (enum finding_tab), "hex", and commands of the open
 * tab. False: another command. */
bool finding_page_command(struct finding_page *page,
	const struct snapshot_finding *f, const char *command);

#endif
