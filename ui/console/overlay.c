/*
 * overlay: see overlay.h.
 */
#include "ui/console/overlay.h"

#include <stdio.h>
#include <string.h>

#include "ui/widgets/draw.h"
#include "ui/widgets/list.h"

#define OVERLAY_QUESTION_W 58
#define OVERLAY_BYE_W 76

static void
overlay_choice(const struct model *model, struct grid *grid, struct rect inside,
	int row, size_t i)
{
	const struct choice *choice = &model->question.choices[i];
	bool selected = model->question.selected == i;
	struct row_writer out = row_put_at(grid, inside, row);

	row_text(&out, selected ? STYLE_KEY : STYLE_DIALOG,
		selected ? glyph(grid, GLYPH_HERE) : " ");
	row_gap(&out, 1);
	row_text(&out, STYLE_KEY, choice->key);
	row_gap(&out, 2);
	row_text(&out, STYLE_DIALOG, choice->label);
	draw_key_hot_spot(&out, inside.x, choice->key);
	if (selected)
		grid_restyle(grid,
			(struct rect){ inside.x, out.y, inside.w, 1 },
			STYLE_SELECTED);
}

/* The last rows of the box. If there are too few, those around the selected
 * choice, as Enter chooses it. */
static void
overlay_choices(const struct model *model, struct grid *grid,
	struct rect inside)
{
	const struct question *q = &model->question;
	struct list list = { .selected = q->selected };
	int row;

	list_fit(&list, q->choices_n, inside.h);
	row = inside.h - (int)list_seen(&list);
	for (size_t i = 0; i < list_seen(&list); i++)
		overlay_choice(model, grid, inside, row + (int)i, list.top + i);
}

static void
overlay_question(const struct model *model, struct grid *grid, struct rect body)
{
	const struct question *q = &model->question;
	struct draw_box box = { .title = q->title, .focus = true };
	int w = body.w < OVERLAY_QUESTION_W ? body.w : OVERLAY_QUESTION_W;
	int h = 3 + (int)q->choices_n + draw_words_rows(q->text, w - 4);
	struct rect rect = draw_middle(body, w, h);
	struct rect inside = draw_box(grid, rect, &box);
	struct rect text = inside;

	/* Clicks must not reach the view below. */
	grid_cover(grid,
		(struct rect){ 0, 0, grid_width(grid), body.y + body.h });
	text.h -= (int)q->choices_n;
	if (text.h > 0)
		draw_words(grid, text, STYLE_DIALOG, q->text);
	overlay_choices(model, grid, inside);
}

/* The number of rows of a text when wrapped at that width. */
static int
overlay_lines_height(const char *text, int w)
{
	int rows = 0;

	while (*text != '\0') {
		size_t len = strcspn(text, "\n");

		/* Wrapping at words leaves room at the ends of rows. */
		rows += 1 + (int)len * 9 / 8 / w;
		text += len + (text[len] == '\n');
	}
	return rows;
}

static void
overlay_lines(struct grid *grid, struct rect rect, const char *text)
{
	char line[MODEL_TEXT * 4];

	while (*text != '\0' && rect.h > 0) {
		size_t len = strcspn(text, "\n");

		snprintf(line, sizeof(line), "%.*s", (int)len, text);
		draw_cut_top(&rect, draw_words(grid, rect, STYLE_DIALOG, line));
		text += len + (text[len] == '\n');
	}
}

/* Why the campaign did not start; stays until a key is pressed. */
static void
overlay_bye(const struct model *model, struct grid *grid, struct rect body)
{
	struct draw_box box = { .title = "nothing ran",
		.below = "any key ends",
		.focus = true };
	int w = body.w < OVERLAY_BYE_W ? body.w : OVERLAY_BYE_W;
	int h = overlay_lines_height(model->bye, w > 14 ? w - 4 : 10) + 3;
	struct rect rect = draw_middle(body, w, h);

	overlay_lines(grid, draw_box(grid, rect, &box), model->bye);
}

void
overlay_draw(const struct model *model, struct grid *grid, struct rect body)
{
	if (model->question.open)
		overlay_question(model, grid, body);
	else if (model->link == LINK_ENDED && model->bye[0] != '\0')
		overlay_bye(model, grid, body);
}
