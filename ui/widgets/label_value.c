/*
 * label_value: names and values, one after the other.
 */
#include "ui/widgets/label_value.h"

#include "base/text.h"
#include "ui/term/row_writer.h"

#define FACTS_GAP 3

void
facts_add(struct facts *facts, const char *name, enum style style,
	const char *text)
{
	struct fact *fact;

	if (facts->n == FACTS_MAX || text[0] == '\0')
		return;
	fact = &facts->items[facts->n++];
	fact->name = name;
	fact->style = style;
	text_clean_string(text, fact->text, sizeof(fact->text));
}

static int
facts_width(const struct fact *fact)
{
	int name = (int)text_width(fact->name);

	return name + (name > 0) + (int)text_width(fact->text);
}

/* Where a fact stands, behind what is there already. */
static void
facts_place(const struct fact *fact, int columns, int *x, int *row)
{
	*x += *x > 0 ? FACTS_GAP : 0;
	if (*x > 0 && *x + facts_width(fact) > columns) {
		*x = 0;
		++*row;
	}
}

int
facts_rows(const struct facts *facts, int columns)
{
	int x = 0, row = 0;

	for (size_t i = 0; i < facts->n; i++) {
		facts_place(&facts->items[i], columns, &x, &row);
		x += facts_width(&facts->items[i]);
	}
	return facts->n > 0 ? row + 1 : 0;
}

void
facts_draw(const struct facts *facts, struct grid *grid, struct rect rect)
{
	int x = 0, row = 0;

	for (size_t i = 0; i < facts->n; i++) {
		const struct fact *fact = &facts->items[i];
		struct pen pen;
		int from;

		facts_place(fact, rect.w, &x, &row);
		pen = pen_at(grid, rect, row);
		pen_gap(&pen, x);
		from = pen.x;
		pen_text(&pen, STYLE_LABEL, fact->name);
		pen_gap(&pen, fact->name[0] != '\0');
		pen_clean(&pen, fact->style, fact->text);
		pen_mark(&pen, from,
			fact->name[0] != '\0' ? fact->name : fact->text);
		x += facts_width(fact);
	}
}
