/*
 * tiles: the demonstration target, a reader of a small picture format.
 *
 * A picture is the letters "TILE", a width and a height, then chunks: a
 * letter, a length, and so many bytes. One that makes no sense is passed over.
 *
 *	P	palette: three bytes per colour
 *	T	tile: x, y, width, height, then runs of (count, colour);
 *		a count of 0 fills what is left
 *	D	delete the tile with this number
 *	M	move: for each pair (number, dx), shift that tile
 *	C	comment, ends with a full stop
 *
 * The reader has three bugs on purpose, at three depths: any picture with a
 * certain comment reaches the first; the second needs a palette and a tile
 * whose runs are too long; the third needs tiles that are made, deleted and
 * then moved. They are marked, so that a class can look for them first.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cfuzz.h"

#define TILES_MAX 8
#define COLOURS_MAX 64
#define SIDE_MAX 32

struct reader {
	const uint8_t *at, *end;
};

struct tile {
	uint8_t x, y, width, height;
	uint8_t *pixels; /* width x height colours */
};

struct picture {
	uint8_t width, height;
	uint8_t palette[COLOURS_MAX][3];
	unsigned colours_n;
	struct tile *tiles[TILES_MAX];
	unsigned tiles_n;
	unsigned deleted; /* a bit for each tile */
	unsigned long brightness;
};

static int
read_byte(struct reader *r, uint8_t *byte)
{
	if (r->at == r->end)
		return 0;
	*byte = *r->at++;
	return 1;
}

static int
read_magic(struct reader *r)
{
	uint8_t c;

	/* One letter after the other, so that each is a step forward. */
	if (!read_byte(r, &c) || c != 'T')
		return 0;
	if (!read_byte(r, &c) || c != 'I')
		return 0;
	if (!read_byte(r, &c) || c != 'L')
		return 0;
	return read_byte(r, &c) && c == 'E';
}

static void
read_palette(struct picture *p, struct reader *r)
{
	unsigned i;

	for (i = 0; i < COLOURS_MAX && r->end - r->at >= 3; i++) {
		memcpy(p->palette[i], r->at, 3);
		r->at += 3;
	}
	p->colours_n = i;
}

static void
read_comment(struct picture *p, struct reader *r)
{
	size_t i, len = (size_t)(r->end - r->at);
	char *text;

	if (len == 0)
		return;
	text = malloc(len);
	if (text == NULL)
		return;
	memcpy(text, r->at, len);
	/* BUG 1: without a full stop the comment is read past its end. */
	for (i = 0; text[i] != '.'; i++)
		p->brightness += (unsigned char)text[i];
	free(text);
}

static void
fill_run(struct tile *t, unsigned *at, unsigned count, uint8_t colour)
{
	unsigned i;

	/* BUG 2: the last run may be longer than what is left of the tile. */
	for (i = 0; i < count; i++)
		t->pixels[(*at)++] = colour;
}

static void
read_runs(const struct picture *p, struct tile *t, struct reader *r)
{
	unsigned at = 0, size = (unsigned)t->width * t->height;
	uint8_t count, colour;

	while (at < size) {
		if (!read_byte(r, &count) || !read_byte(r, &colour))
			return;
		if (colour >= p->colours_n)
			return;
		if (count > 0)
			fill_run(t, &at, count, colour);
		else
			fill_run(t, &at, size - at, colour);
	}
}

static void
read_tile(struct picture *p, struct reader *r)
{
	struct tile *t;

	if (p->colours_n == 0 || p->tiles_n == TILES_MAX)
		return;
	t = calloc(1, sizeof(*t));
	if (t == NULL)
		return;
	if (!read_byte(r, &t->x) || !read_byte(r, &t->y) ||
		!read_byte(r, &t->width) || !read_byte(r, &t->height) ||
		t->width == 0 || t->width > SIDE_MAX || t->height == 0 ||
		t->height > SIDE_MAX) {
		free(t);
		return;
	}
	t->pixels = calloc(t->width, t->height);
	p->tiles[p->tiles_n++] = t;
	read_runs(p, t, r);
}

static void
free_tile(struct tile *t)
{
	free(t->pixels);
	free(t);
}

static int
is_deleted(const struct picture *p, unsigned number)
{
	return (p->deleted >> number & 1) != 0;
}

static void
delete_tile(struct picture *p, struct reader *r)
{
	uint8_t number;

	if (!read_byte(r, &number) || number >= p->tiles_n ||
		is_deleted(p, number))
		return;
	free_tile(p->tiles[number]);
	p->deleted |= 1u << number;
}

static void
move_tiles(struct picture *p, struct reader *r)
{
	uint8_t number, dx;

	while (read_byte(r, &number) && read_byte(r, &dx)) {
		/* BUG 3: nobody asks whether the tile is still there. */
		if (number >= p->tiles_n)
			return;
		p->tiles[number]->x = (uint8_t)(p->tiles[number]->x + dx);
		if (p->tiles[number]->x > p->width)
			p->tiles[number]->x = p->width;
	}
}

static void
read_chunk(struct picture *p, uint8_t kind, struct reader *r)
{
	switch (kind) {
	case 'P':
		read_palette(p, r);
		break;
	case 'T':
		read_tile(p, r);
		break;
	case 'D':
		delete_tile(p, r);
		break;
	case 'M':
		move_tiles(p, r);
		break;
	case 'C':
		read_comment(p, r);
		break;
	default:
		break;
	}
}

static int
read_picture(struct picture *p, struct reader *r)
{
	struct reader chunk;
	uint8_t kind, len;

	if (!read_magic(r) || !read_byte(r, &p->width) ||
		!read_byte(r, &p->height) || p->width == 0 || p->height == 0)
		return 0;
	while (read_byte(r, &kind) && read_byte(r, &len)) {
		if (len > r->end - r->at)
			return 0;
		chunk = (struct reader){ r->at, r->at + len };
		read_chunk(p, kind, &chunk);
		r->at += len;
	}
	return 1;
}

static void
clear_picture(struct picture *p)
{
	unsigned i;

	for (i = 0; i < p->tiles_n; i++)
		if (!is_deleted(p, i))
			free_tile(p->tiles[i]);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct picture picture = { 0 };
	struct reader reader = { data, data + size };

	read_picture(&picture, &reader);
	clear_picture(&picture);
	return 0;
}
