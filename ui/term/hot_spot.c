/* hot_spot: see hot_spot.h. */
#include "ui/term/hot_spot.h"

#include <stdio.h>
#include <string.h>

void
hot_spots_add(struct hot_spots *spots, enum hot_spot_kind kind, int x, int y,
	int w, int h, const char *text)
{
	struct hot_spot *spot = &spots->items[spots->n];

	if (spots->n == HOT_SPOTS_MAX || w <= 0 || h <= 0 ||
		strlen(text) >= HOT_SPOT_TEXT)
		return;
	*spot = (struct hot_spot){ .kind = kind,
		.x = x,
		.y = y,
		.w = w,
		.h = h };
	snprintf(spot->text, sizeof(spot->text), "%s", text);
	spots->n++;
}

const struct hot_spot *
hot_spots_at(const struct hot_spots *spots, enum hot_spot_kind kind, int x,
	int y)
{
	for (size_t i = spots->n; i > 0; i--) {
		const struct hot_spot *m = &spots->items[i - 1];

		if (m->kind == kind && x >= m->x && x < m->x + m->w &&
			y >= m->y && y < m->y + m->h)
			return m;
	}
	return NULL;
}

static bool
hot_spot_touches(const struct hot_spot *m, int x, int y, int w, int h)
{
	return x < m->x + m->w && m->x < x + w && y < m->y + m->h &&
		m->y < y + h;
}

void
hot_spots_cover(struct hot_spots *spots, int x, int y, int w, int h)
{
	size_t kept = 0;

	for (size_t i = 0; i < spots->n; i++)
		if (!hot_spot_touches(&spots->items[i], x, y, w, h))
			spots->items[kept++] = spots->items[i];
	spots->n = kept;
}
