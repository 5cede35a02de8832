/* playback_bar: see playback_bar.h. */
#include "ui/console/playback_bar.h"

#include <stdio.h>

#include "base/text.h"
#include "ui/widgets/draw.h"

#define PLAYBACK_TEXT 64
#define PLAYBACK_BAR_MIN 8
#define PLAYBACK_BAR_MAX 32
#define PLAYBACK_HOUR 3600u

/* "1:12", "1:02:03" */
static void
playback_time(double seconds, char buf[TEXT_NUMBER_SIZE])
{
	unsigned s = seconds > 0 && seconds < 1e9 ? (unsigned)seconds : 0;

	if (s >= PLAYBACK_HOUR)
		snprintf(buf, TEXT_NUMBER_SIZE, "%u:%02u:%02u",
			s / PLAYBACK_HOUR, s / 60 % 60, s % 60);
	else
		snprintf(buf, TEXT_NUMBER_SIZE, "%u:%02u", s / 60, s % 60);
}

static void
playback_speed(double speed, char buf[TEXT_NUMBER_SIZE])
{
	if (speed <= 0)
		snprintf(buf, TEXT_NUMBER_SIZE, "max");
	else if (speed < 1)
		snprintf(buf, TEXT_NUMBER_SIZE, "1/%.0fx", 1 / speed);
	else
		snprintf(buf, TEXT_NUMBER_SIZE, "%.3gx", speed);
}

static enum glyph
playback_symbol(const struct playback *p)
{
	if (p->ended)
		return GLYPH_ENDED;
	return p->paused ? GLYPH_PAUSED : GLYPH_PLAY;
}

static const char *
playback_words(const struct playback *p, const struct grid *grid,
	char buf[PLAYBACK_TEXT])
{
	char speed[TEXT_NUMBER_SIZE], at[TEXT_NUMBER_SIZE],
		length[TEXT_NUMBER_SIZE];

	playback_speed(p->speed, speed);
	playback_time(p->at_s, at);
	playback_time(p->length_s, length);
	snprintf(buf, PLAYBACK_TEXT, "%s %.12s %.12s / %.12s",
		glyph(grid, playback_symbol(p)), p->ended ? "the end" : speed,
		at, length);
	return buf;
}

/* The minimum number of columns. */
static int
playback_bar_width(const struct playback *p, const struct grid *grid)
{
	char text[PLAYBACK_TEXT];

	return (int)text_width(playback_words(p, grid, text));
}

void
playback_bar_put(const struct playback *p, struct row_writer *out)
{
	double part = p->length_s > 0 ? p->at_s / p->length_s : 1;
	int width = playback_bar_width(p, out->grid);
	int bar = row_room(out) - width - 2;
	char text[PLAYBACK_TEXT];

	if (bar > PLAYBACK_BAR_MAX)
		bar = PLAYBACK_BAR_MAX;
	if (bar < PLAYBACK_BAR_MIN)
		bar = 0;
	if (!row_flush(out, width + (bar > 0 ? bar + 1 : 0)))
		return;
	row_text(out, p->ended || p->paused ? STYLE_PAUSED : STYLE_RUNNING,
		playback_words(p, out->grid, text));
	if (bar > 0)
		draw_bar(out->grid, out->x + 1, out->y, bar, part, STYLE_SIZE);
}
