/*
 * tiles: the demonstration target, a reader of a small picture format.
 *
 * A picture is the letters "TILE", a width and a height, then chunks: a
 * letter, a length, and so many bytes.
 *
 *	P	palette: three bytes per colour
 *	T	tile: x, y, width, height, then runs of (count, colour)
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

static int
read_palette(struct picture *p, struct reader *r)
{
	unsigned i;

	for (i = 0; i < COLOURS_MAX && r->end - r->at >= 3; i++) {
		memcpy(p->palette[i], r->at, 3);
		r->at += 3;
	}
	p->colours_n = i;
	return 1;
}

static int
read_comment(struct picture *p, struct reader *r)
{
	size_t i, len = (size_t)(r->end - r->at);
	char *text;

	if (len == 0)
		return 1;
	text = malloc(len);
	if (text == NULL)
		return 0;
	memcpy(text, r->at, len);
	/* BUG 1: without a full stop the comment is read past its end. */
	for (i = 0; text[i] != '.'; i++)
		p->brightness += (unsigned char)text[i];
	free(text);
	return 1;
}

static void
fill_run(const struct picture *p, struct tile *t, unsigned *at, uint8_t count,
	uint8_t colour)
{
	unsigned i;

	if (colour >= p->colours_n)
		return;
	/* BUG 2: the last run may be longer than what is left of the tile. */
	for (i = 0; i < count; i++)
		t->pixels[(*at)++] = colour;
}

static int
read_runs(const struct picture *p, struct tile *t, struct reader *r)
{
	unsigned at = 0, size = (unsigned)t->width * t->height;
	uint8_t count, colour;

	while (at < size) {
		if (!read_byte(r, &count) || !read_byte(r, &colour))
			return 0;
		fill_run(p, t, &at, count, colour);
	}
	return 1;
}

static int
read_tile(struct picture *p, struct reader *r)
{
	struct tile *t;

	if (p->colours_n == 0 || p->tiles_n == TILES_MAX)
		return 0;
	t = calloc(1, sizeof(*t));
	if (t == NULL)
		return 0;
	if (!read_byte(r, &t->x) || !read_byte(r, &t->y) ||
		!read_byte(r, &t->width) || !read_byte(r, &t->height) ||
		t->width == 0 || t->width > SIDE_MAX || t->height == 0 ||
		t->height > SIDE_MAX) {
		free(t);
		return 0;
	}
	t->pixels = calloc(t->width, t->height);
	p->tiles[p->tiles_n++] = t;
	return read_runs(p, t, r);
}

static void
free_tile(struct tile *t)
{
	free(t->pixels);
	free(t);
}

static int
delete_tile(struct picture *p, struct reader *r)
{
	uint8_t number;

	if (!read_byte(r, &number) || number >= p->tiles_n)
		return 0;
	free_tile(p->tiles[number]);
	/* BUG 3: the last tile moves into the gap, and stays where it was. */
	if (number + 1u < p->tiles_n)
		p->tiles[number] = p->tiles[p->tiles_n - 1];
	else
		p->tiles_n--;
	return 1;
}

static int
move_tiles(struct picture *p, struct reader *r)
{
	uint8_t number, dx;

	while (read_byte(r, &number) && read_byte(r, &dx)) {
		if (number >= p->tiles_n)
			return 0;
		p->tiles[number]->x = (uint8_t)(p->tiles[number]->x + dx);
		if (p->tiles[number]->x > p->width)
			p->tiles[number]->x = p->width;
	}
	return 1;
}

static int
read_chunk(struct picture *p, uint8_t kind, struct reader *r)
{
	switch (kind) {
	case 'P':
		return read_palette(p, r);
	case 'T':
		return read_tile(p, r);
	case 'D':
		return delete_tile(p, r);
	case 'M':
		return move_tiles(p, r);
	case 'C':
		return read_comment(p, r);
	default:
		return 0;
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
		if (!read_chunk(p, kind, &chunk))
			return 0;
		r->at += len;
	}
	return 1;
}

static int
is_first(const struct picture *p, unsigned i)
{
	unsigned k;

	for (k = 0; k < i; k++)
		if (p->tiles[k] == p->tiles[i])
			return 0;
	return 1;
}

static void
clear_picture(struct picture *p)
{
	unsigned i;

	for (i = 0; i < p->tiles_n; i++)
		if (is_first(p, i))
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
