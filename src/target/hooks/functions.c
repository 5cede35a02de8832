/* functions: see functions.h. */

#include "target/hooks/functions.h"

#include <string.h>

#include "shared/search.h"

#define FUNCTIONS_HEAD 12u      /* bytes before the rows */
#define FUNCTIONS_ROW 8u        /* two offsets */
#define FUNCTIONS_ENCODING 0x3b /* signed, 4 bytes, relative to the head */

/* DWARF pointer formats, in the low bits of an encoding. */
enum {
	WIDTH_WORD = 0x00,
	WIDTH_U2 = 0x02,
	WIDTH_U4 = 0x03,
	WIDTH_U8 = 0x04,
	WIDTH_S2 = 0x0a,
	WIDTH_S4 = 0x0b,
	WIDTH_S8 = 0x0c,
	WIDTH_MASK = 0x0f,
};

/* DWARF call frame instructions. */
enum {
	FRAME_OFFSET = 0x80, /* in the highest two bits */
	FRAME_DEF_CFA = 0x0c,
	FRAME_DEF_CFA_REGISTER = 0x0d,
	FRAME_DEF_CFA_OFFSET = 0x0e,
};

/* Reads forward; past the end it returns zeros. */
struct frame_reader {
	const uint8_t *at, *end;
};

static uint8_t
frame_byte(struct frame_reader *r)
{
	return r->at < r->end ? *r->at++ : 0;
}

static uint32_t
frame_word(struct frame_reader *r)
{
	uint32_t word = 0;

	if ((size_t)(r->end - r->at) < sizeof(word)) {
		r->at = r->end;
		return 0;
	}
	memcpy(&word, r->at, sizeof(word));
	r->at += sizeof(word);
	return word;
}

static uint64_t
frame_uleb(struct frame_reader *r)
{
	uint64_t value = 0;
	uint8_t byte = 0x80;

	for (unsigned shift = 0; (byte & 0x80) && shift < 63; shift += 7) {
		byte = frame_byte(r);
		value |= (uint64_t)(byte & 0x7f) << shift;
	}
	return value;
}

static void
frame_skip(struct frame_reader *r, uint64_t n)
{
	r->at = n < (uint64_t)(r->end - r->at) ? r->at + n : r->end;
}

/* Bytes of a pointer; 0: unknown format. */
static size_t
frame_width(uint8_t encoding)
{
	switch (encoding & WIDTH_MASK) {
	case WIDTH_WORD:
		return sizeof(uintptr_t);
	case WIDTH_U2:
	case WIDTH_S2:
		return 2;
	case WIDTH_U4:
	case WIDTH_S4:
		return 4;
	case WIDTH_U8:
	case WIDTH_S8:
		return 8;
	default:
		return 0;
	}
}

/* The width of addresses in entries with this CIE; 0: unknown. */
static size_t
frame_address_width(struct frame_reader common)
{
	const uint8_t *letters;
	uint8_t version, encoding;

	(void)frame_word(&common); /* length */
	if (frame_word(&common) != 0)
		return 0; /* not a CIE */
	version = frame_byte(&common);
	letters = common.at;
	while (common.at < common.end && frame_byte(&common) != 0)
		continue;
	if (common.at == common.end || *letters++ != 'z')
		return 0;
	(void)frame_uleb(&common);
	(void)frame_uleb(&common);
	if (version == 1)
		(void)frame_byte(&common);
	else
		(void)frame_uleb(&common);
	(void)frame_uleb(&common);
	for (; *letters != '\0'; letters++) {
		encoding = *letters == 'S' || *letters == 'B'
			? 0
			: frame_byte(&common);
		if (*letters == 'R')
			return frame_width(encoding);
		if (*letters == 'P')
			frame_skip(&common, frame_width(encoding));
	}
	return 0;
}

/* Does the entry's code begin with a stack frame in place? */
static bool
frame_is_part(const struct functions *f, const uint8_t *entry)
{
	struct frame_reader r = { entry, (const uint8_t *)f->end };
	const uint8_t *id;
	uint32_t back;
	size_t width;
	uint8_t op;

	(void)frame_word(&r); /* length */
	id = r.at;
	back = frame_word(&r);
	if (back == 0 || back > (uintptr_t)id - f->start)
		return false;
	width = frame_address_width((struct frame_reader){ id - back, r.end });
	if (width == 0)
		return false;
	frame_skip(&r, 2 * width);
	frame_skip(&r, frame_uleb(&r));
	op = frame_byte(&r);
	return (op & 0xc0) == FRAME_OFFSET || op == FRAME_DEF_CFA ||
		op == FRAME_DEF_CFA_REGISTER || op == FRAME_DEF_CFA_OFFSET;
}

bool
functions_open(struct functions *f, const uint8_t *head, size_t size,
	uintptr_t start, uintptr_t end)
{
	uint32_t n;

	if (size < FUNCTIONS_HEAD || (uintptr_t)head < start ||
		(uintptr_t)head > end || size > end - (uintptr_t)head)
		return false;
	if (head[0] != 1 || frame_width(head[1]) != 4 || head[2] != WIDTH_U4 ||
		head[3] != FUNCTIONS_ENCODING)
		return false;
	memcpy(&n, head + 8, sizeof(n));
	if (n == 0 || n > (size - FUNCTIONS_HEAD) / FUNCTIONS_ROW)
		return false;
	*f = (struct functions){ .head = head,
		.rows = head + FUNCTIONS_HEAD,
		.n = n,
		.start = start,
		.end = end };
	return true;
}

/* Column 0: the start of the function; 1: its entry. */
static uintptr_t
functions_cell(const struct functions *f, uint32_t row, uint32_t column)
{
	int32_t offset;

	memcpy(&offset, f->rows + (size_t)row * FUNCTIONS_ROW + 4 * column,
		sizeof(offset));
	return (uintptr_t)f->head + (uintptr_t)(intptr_t)offset;
}

uintptr_t
functions_begin(const struct functions *f, uintptr_t code)
{
	uintptr_t entry;
	uint32_t i;

	/* The first row behind code. */
	SEARCH_FIRST(i, f->n, functions_cell(f, i, 0) <= code);
	if (i == 0)
		return 0;
	entry = functions_cell(f, i - 1, 1);
	if (entry < f->start || entry >= f->end ||
		frame_is_part(f, (const uint8_t *)entry))
		return 0;
	return functions_cell(f, i - 1, 0);
}

bool
functions_range(const struct functions *f, uint32_t row, uintptr_t *start,
	uintptr_t *end)
{
	uintptr_t entry = functions_cell(f, row, 1);
	struct frame_reader r = { (const uint8_t *)entry,
		(const uint8_t *)f->end };
	const uint8_t *id;
	uint32_t back, len;
	size_t width;

	if (entry < f->start || entry >= f->end)
		return false;
	(void)frame_word(&r); /* length */
	id = r.at;
	back = frame_word(&r);
	if (back == 0 || back > (uintptr_t)id - f->start)
		return false;
	width = frame_address_width((struct frame_reader){ id - back, r.end });
	if (width < sizeof(len))
		return false;
	frame_skip(&r, width);
	len = frame_word(&r);
	*start = functions_cell(f, row, 0);
	*end = *start + len;
	return len > 0 && *end > *start;
}
