/*
 * label_value: names and values in a row.
 */
#include "ui/widgets/label_value.h"

#include "base/text.h"
#include "ui/term/row_writer.h"

#define LABEL_VALUES_GAP 3

void
label_values_add(struct label_values *values, const char *name,
	enum style style, const char *text)
{
	struct label_value *value;

	if (values->n == LABEL_VALUES_MAX || text[0] == '\0')
		return;
	value = &values->items[values->n++];
	value->name = name;
	value->style = style;
	text_clean_string(text, value->text, sizeof(value->text));
}

static int
label_values_width(const struct label_value *value)
{
	int name = (int)text_width(value->name);

	return name + (name > 0) + (int)text_width(value->text);
}

/* The position of a pair after the ones before it. */
static void
label_values_position(const struct label_value *value, int columns, int *x,
	int *row)
{
	*x += *x > 0 ? LABEL_VALUES_GAP : 0;
	if (*x > 0 && *x + label_values_width(value) > columns) {
		*x = 0;
		++*row;
	}
}

int
label_values_rows(const struct label_values *values, int columns)
{
	int x = 0, row = 0;

	for (size_t i = 0; i < values->n; i++) {
		label_values_position(&values->items[i], columns, &x, &row);
		x += label_values_width(&values->items[i]);
	}
	return values->n > 0 ? row + 1 : 0;
}

void
label_values_draw(const struct label_values *values, struct grid *grid,
	struct rect rect)
{
	int x = 0, row = 0;

	for (size_t i = 0; i < values->n; i++) {
		const struct label_value *value = &values->items[i];
		struct row_writer out;
		int from;

		label_values_position(value, rect.w, &x, &row);
		out = row_put_at(grid, rect, row);
		row_gap(&out, x);
		from = out.x;
		row_text(&out, STYLE_LABEL, value->name);
		row_gap(&out, value->name[0] != '\0');
		row_clean(&out, value->style, value->text);
		row_add_hot_spot(&out, from,
			value->name[0] != '\0' ? value->name : value->text);
		x += label_values_width(value);
	}
}
