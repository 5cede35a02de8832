/* hot_spot: see hot_spot.h. */
#include "ui/term/hot_spot.h"

#include <stdio.h>
#include <string.h>

void
marks_add(struct marks *marks, enum mark_kind kind, int x, int y, int w, int h,
	const char *text)
{
	struct mark *mark = &marks->items[marks->n];

	if (marks->n == MARKS_MAX || w <= 0 || h <= 0 ||
		strlen(text) >= MARK_TEXT)
		return;
	*mark = (struct mark){ .kind = kind, .x = x, .y = y, .w = w, .h = h };
	snprintf(mark->text, sizeof(mark->text), "%s", text);
	marks->n++;
}

const struct mark *
marks_at(const struct marks *marks, enum mark_kind kind, int x, int y)
{
	for (size_t i = marks->n; i > 0; i--) {
		const struct mark *m = &marks->items[i - 1];

		if (m->kind == kind && x >= m->x && x < m->x + m->w &&
			y >= m->y && y < m->y + m->h)
			return m;
	}
	return NULL;
}

static bool
mark_touches(const struct mark *m, int x, int y, int w, int h)
{
	return x < m->x + m->w && m->x < x + w && y < m->y + m->h &&
		m->y < y + h;
}

void
marks_cover(struct marks *marks, int x, int y, int w, int h)
{
	size_t kept = 0;

	for (size_t i = 0; i < marks->n; i++)
		if (!mark_touches(&marks->items[i], x, y, w, h))
			marks->items[kept++] = marks->items[i];
	marks->n = kept;
}
