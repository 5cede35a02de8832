/*
 * finding_stack: see finding_stack.h.
 *
 * An inlined frame comes before its caller and has the same number. The first
 * frame in the target's own code is selected, because the bug is likely there.
 */
#include "ui/views/findings/finding_stack.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ui/widgets/draw.h"

#define STACK_SIDE_W 130     /* minimum columns for source beside frames */
#define STACK_SIDE_FRAMES 50 /* columns of the frames, if beside */
#define STACK_SOURCE_H 5     /* minimum rows of source */
#define STACK_NUMBER 4
#define STACK_LINE_W 5         /* digits of a line number */
#define STACK_FUNCTION_LEAST 8 /* minimum columns of a function */
#define STACK_INLINED "  inlined"

void
finding_stack_clear(struct finding_stack *stack)
{
	free(stack->frames);
	text_lines_clear(&stack->source);
	*stack = (struct finding_stack){ 0 };
}

/* The first frame outside of libraries, if possible with a known line. */
static size_t
stack_own_frame(const struct finding_stack *stack)
{
	size_t own = SIZE_MAX;

	for (size_t i = 0; i < stack->list.n; i++) {
		const struct reply_frame *frame = &stack->frames[i];

		if (frame->library)
			continue;
		if (frame->line > 0)
			return i;
		if (own == SIZE_MAX)
			own = i;
	}
	return own != SIZE_MAX ? own : 0;
}

void
finding_stack_take(struct finding_stack *stack, struct reply_finding *reply)
{
	bool same = stack->list.n == reply->frames_n && reply->frames_n > 0 &&
		memcmp(stack->frames, reply->frames,
			reply->frames_n * sizeof(*reply->frames)) == 0;

	free(stack->frames);
	stack->frames = reply->frames;
	stack->list.n = reply->frames_n;
	reply->frames = NULL;
	reply->frames_n = 0;
	if (same)
		return;
	stack->list.top = 0;
	stack->scroll = 0;
	list_select(&stack->list, stack_own_frame(stack));
}

/* ---- frames ---- */

static const char *
stack_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

static void
stack_draw_location(struct row_writer *out, const struct reply_frame *frame,
	enum style style)
{
	if (frame->file[0] != '\0') {
		row_text(out, STYLE_LABEL, "  ");
		row_clean(out, style, stack_base(frame->file));
		if (frame->line > 0)
			row_printf(out, style, ":%" PRIu32, frame->line);
	} else if (frame->module[0] != '\0') {
		row_text(out, STYLE_LABEL, "  ");
		row_clean(out, STYLE_DIM, frame->module);
		row_printf(out, STYLE_DIM, "+0x%" PRIx64, frame->offset);
	}
}

/* Cuts the function's name to make room for file and line, unless too little of
 * the name would be left. */
static void
stack_draw_function(struct row_writer *out, const struct reply_frame *frame)
{
	enum style style = frame->library ? STYLE_DIM : STYLE_STRONG;
	const char *name = frame->function[0] != '\0' ? frame->function : "?";
	int location_w =
		2 + 1 + STACK_LINE_W + (int)text_width(stack_base(frame->file));
	int room = row_room(out) - location_w;

	if (frame->file[0] == '\0' || room < STACK_FUNCTION_LEAST ||
		(int)text_width(name) <= room)
		row_clean(out, style, name);
	else
		row_field(out, room, style, name);
}

static void
stack_draw_frame(const struct finding_stack *stack, struct grid *grid,
	struct rect rect, int row)
{
	size_t at = stack->list.top + (size_t)row;
	const struct reply_frame *frame = &stack->frames[at];
	bool inlined = at + 1 < stack->list.n && frame[1].depth == frame->depth;
	enum style style = frame->library ? STYLE_DIM : STYLE_VALUE;
	struct row_writer out = row_put_at(grid, rect, row);
	char number[24];

	snprintf(number, sizeof(number), "#%" PRIu32, frame->depth);
	row_field(&out, STACK_NUMBER, STYLE_DIM,
		at > 0 && frame[-1].depth == frame->depth ? "" : number);
	stack_draw_function(&out, frame);
	stack_draw_location(&out, frame, style);
	/* Leave the word out if it does not fit. */
	if (inlined && row_room(&out) >= (int)strlen(STACK_INLINED))
		row_text(&out, STYLE_DIM, STACK_INLINED);
	else if (frame->library)
		row_text(&out, STYLE_DIM, "  library");
	if (at == stack->list.selected)
		list_highlight(grid, rect, row);
}

static void
stack_draw_frames(struct finding_stack *stack, struct grid *grid,
	struct rect rect)
{
	stack->list.inert = true;
	list_fit(&stack->list, stack->list.n, rect.h);
	grid_add_hot_spot(grid,
		(struct rect){ rect.x, rect.y, rect.w, rect.h > 0 },
		HOT_SPOT_FIELD, "frame");
	for (size_t i = 0; i < list_seen(&stack->list); i++)
		stack_draw_frame(stack, grid, rect, (int)i);
	list_finish(&stack->list, grid, rect, (struct rect){ 0 });
}

/* ---- source ---- */

/* The file may be any that the engine names. */
static void
stack_read_source(struct finding_stack *stack, const struct reply_frame *frame,
	bool foreign)
{
	if (strcmp(stack->path, frame->file) == 0)
		return;
	snprintf(stack->path, sizeof(stack->path), "%s", frame->file);
	text_lines_clear(&stack->source);
	stack->why[0] = '\0';
	if (frame->file[0] != '/')
		snprintf(stack->why, sizeof(stack->why),
			frame->file[0] == '\0'
				? "No source is known: build the target with -g."
				: "The location of this file is unknown.");
	else if (foreign)
		snprintf(stack->why, sizeof(stack->why),
			"This is the campaign of another user: files that it "
			"names are not opened.");
	else if (text_lines_read_source(&stack->source, frame->file, stack->why,
			 sizeof(stack->why)) != OK)
		text_lines_clear(&stack->source);
}

/* The first line to draw: the frame's line in the middle, plus scrolling. */
static size_t
stack_top(struct finding_stack *stack, const struct reply_frame *frame,
	int rows)
{
	long last = (long)stack->source.n - rows;
	long middle = (long)frame->line - 1 - rows / 2;
	long top;

	if (middle > last)
		middle = last;
	if (middle < 0)
		middle = 0;
	top = middle + stack->scroll;
	if (top > last)
		top = last;
	if (top < 0)
		top = 0;
	stack->scroll = top - middle;
	return (size_t)top;
}

static void
stack_draw_lines(struct finding_stack *stack, const struct reply_frame *frame,
	struct grid *grid, struct rect rect)
{
	size_t top = stack_top(stack, frame, rect.h);
	char text[TEXT_LINES_BYTES];

	stack->page = rect.h;
	for (int row = 0; row < rect.h && top + (size_t)row < stack->source.n;
		row++) {
		size_t line = top + (size_t)row;
		bool here = line + 1 == frame->line;
		struct row_writer out = row_put_at(grid, rect, row);

		row_text(&out, STYLE_BAD, here ? glyph(grid, GLYPH_HERE) : " ");
		row_printf(&out, STYLE_DIM, "%5zu ", line + 1);
		text_lines_get(&stack->source, line, text);
		row_clean(&out, here ? STYLE_STRONG : STYLE_VALUE, text);
	}
}

/* Draws the file's name, then the lines around the frame's line. */
static void
stack_draw_source(struct finding_stack *stack, struct grid *grid,
	struct rect rect, bool foreign)
{
	const struct reply_frame *frame;
	struct row_writer out;

	stack->page = 0;
	if (stack->list.n == 0 || rect.h <= 1 || rect.w <= 0)
		return;
	frame = &stack->frames[stack->list.selected];
	stack_read_source(stack, frame, foreign);
	out = row_put_at(grid, draw_cut_top(&rect, 1), 0);
	row_text(&out, STYLE_LABEL, "source ");
	row_clean(&out, STYLE_LABEL, frame->file);
	row_add_hot_spot(&out, rect.x, "source");
	if (stack->source.n > 0 && frame->line > 0)
		stack_draw_lines(stack, frame, grid, rect);
	else
		draw_words(grid, rect, STYLE_DIM,
			stack->why[0] != '\0' ? stack->why
					      : "The line is unknown.");
}

void
finding_stack_draw(struct finding_stack *stack, struct grid *grid,
	struct rect rect, bool foreign)
{
	struct rect frames;
	int rows = (int)stack->list.n;

	if (stack->list.n == 0) {
		draw_words(grid, rect, STYLE_DIM, "This failure has no stack.");
		return;
	}
	if (rect.w >= STACK_SIDE_W) {
		frames = draw_cut_left(&rect, STACK_SIDE_FRAMES);
		draw_cut_left(&rect, 2);
	} else {
		if (rows > rect.h / 2)
			rows = rect.h / 2;
		frames = draw_cut_top(&rect,
			rect.h - rows >= STACK_SOURCE_H ? rows : rect.h);
		if (rect.h > STACK_SOURCE_H + 1)
			draw_cut_top(&rect, 1);
	}
	stack_draw_frames(stack, grid, frames);
	stack_draw_source(stack, grid, rect, foreign);
}

bool
finding_stack_command(struct finding_stack *stack, const char *command)
{
	bool up = strcmp(command, "page-up") == 0;
	size_t selected = stack->list.selected;

	if (up || strcmp(command, "page-down") == 0) {
		stack->scroll += up ? -stack->page : stack->page;
		return true;
	}
	if (!list_command(&stack->list, command))
		return false;
	if (stack->list.selected != selected)
		stack->scroll = 0;
	return true;
}
