/*
 * label_value: names and values in a row.
 */
#include "ui/widgets/label_value.h"

#include "base/text.h"
#include "ui/term/row_writer.h"

#define LABEL_VALUES_GAP 3

void
label_values_add(struct label_values *facts, const char *name, enum style style,
	const char *text)
{
	struct label_value *fact;

	if (facts->n == LABEL_VALUES_MAX || text[0] == '\0')
		return;
	fact = &facts->items[facts->n++];
	fact->name = name;
	fact->style = style;
	text_clean_string(text, fact->text, sizeof(fact->text));
}

static int
label_values_width(const struct label_value *fact)
{
	int name = (int)text_width(fact->name);

	return name + (name > 0) + (int)text_width(fact->text);
}

/* The position of a pair after the ones before it. */
static void
label_values_place(const struct label_value *fact, int columns, int *x,
	int *row)
{
	*x += *x > 0 ? LABEL_VALUES_GAP : 0;
	if (*x > 0 && *x + label_values_width(fact) > columns) {
		*x = 0;
		++*row;
	}
}

int
label_values_rows(const struct label_values *facts, int columns)
{
	int x = 0, row = 0;

	for (size_t i = 0; i < facts->n; i++) {
		label_values_place(&facts->items[i], columns, &x, &row);
		x += label_values_width(&facts->items[i]);
	}
	return facts->n > 0 ? row + 1 : 0;
}

void
label_values_draw(const struct label_values *facts, struct grid *grid,
	struct rect rect)
{
	int x = 0, row = 0;

	for (size_t i = 0; i < facts->n; i++) {
		const struct label_value *fact = &facts->items[i];
		struct row_writer pen;
		int from;

		label_values_place(fact, rect.w, &x, &row);
		pen = row_put_at(grid, rect, row);
		row_gap(&pen, x);
		from = pen.x;
		row_text(&pen, STYLE_LABEL, fact->name);
		row_gap(&pen, fact->name[0] != '\0');
		row_clean(&pen, fact->style, fact->text);
		row_mark(&pen, from,
			fact->name[0] != '\0' ? fact->name : fact->text);
		x += label_values_width(fact);
	}
}
