/* minimize_part: see minimize_part.h. */

#include "shared/minimize/minimize_part.h"

#include <string.h>

#define PART_FORMATS 5u /* of numbers */
#define PART_BEFORE 5u  /* bytes of a record before its length: 0 … 4 */
#define PART_SIDES 2u   /* a payload shrinks at its end or at its start */
#define PART_BEHIND 2u  /* a checksum of 0 or 4 bytes behind a record */

enum part_kind {
	PART_LINE,
	PART_BRACKET,
	PART_RECORD,
	PART_SHRINK = PART_RECORD + PART_FORMATS * PART_BEFORE * PART_BEHIND,
	PART_N = PART_SHRINK + PART_FORMATS * PART_SIDES,
};

_Static_assert(PART_N == MINIMIZE_PARTS_N, "as many as we say");

static const struct minimize_field PART_FORMAT[PART_FORMATS] = {
	{ .width = 1 },
	{ .width = 2 },
	{ .width = 2, .big = true },
	{ .width = 4 },
	{ .width = 4, .big = true },
};

/* The offset of the i-th byte of the number, the lowest byte first. */
static size_t
field_at(const struct minimize_field *field, unsigned i)
{
	return field->offset + (field->big ? field->width - 1u - i : (size_t)i);
}

static size_t
field_read(const uint8_t *data, const struct minimize_field *field)
{
	size_t value = 0;
	unsigned i;

	for (i = 0; i < field->width; i++)
		value |= (size_t)data[field_at(field, i)] << 8 * i;
	return value;
}

void
minimize_field_lower(uint8_t *data, const struct minimize_field *field,
	size_t less)
{
	size_t value = field_read(data, field) - less;
	unsigned i;

	for (i = 0; i < field->width; i++)
		data[field_at(field, i)] = (uint8_t)(value >> 8 * i);
}

/* A number of that format, which must fit in the bytes behind it. */
static bool
part_number(const uint8_t *data, size_t len, size_t place, unsigned format,
	struct minimize_field *field, size_t *value)
{
	*field = PART_FORMAT[format];
	field->offset = place;
	if (place >= len || field->width > len - place)
		return false;
	*value = field_read(data, field);
	return *value > 0 && *value <= len - place - field->width;
}

static bool
part_line(const uint8_t *data, size_t len, size_t place,
	struct minimize_part *part)
{
	const uint8_t *end;

	if (place > 0 && data[place - 1] != '\n')
		return false;
	end = memchr(data + place, '\n', len - place);
	if (end == NULL)
		return false;
	part->len = (size_t)(end - data) + 1 - place;
	return true;
}

static uint8_t
part_closing(uint8_t open)
{
	switch (open) {
	case '(':
		return ')';
	case '[':
		return ']';
	case '{':
		return '}';
	case '<':
		return '>';
	case '"':
	case '\'':
		return open;
	default:
		return 0;
	}
}

static bool
part_bracket(const uint8_t *data, size_t len, size_t place,
	struct minimize_part *part)
{
	uint8_t open = data[place], close = part_closing(open);
	size_t depth = 1, i;

	if (close == 0)
		return false;
	for (i = place + 1; i < len; i++) {
		if (data[i] == close)
			depth--;
		else if (data[i] == open)
			depth++;
		if (depth == 0)
			break;
	}
	part->len = i + 1 - place;
	return i < len;
}

static bool
part_record(const uint8_t *data, size_t len, size_t place, unsigned kind,
	struct minimize_part *part)
{
	unsigned format = kind % PART_FORMATS;
	size_t before = kind / PART_FORMATS % PART_BEFORE;
	size_t behind = kind / PART_FORMATS / PART_BEFORE * 4;
	struct minimize_field field;
	size_t value;

	if (!part_number(data, len, place + before, format, &field, &value))
		return false;
	part->len = before + field.width + value + behind;
	return part->len <= len - place;
}

static bool
part_payload(const uint8_t *data, size_t len, size_t place, unsigned kind,
	size_t step, struct minimize_part *part)
{
	size_t value;

	if (!part_number(data, len, place, kind % PART_FORMATS, &part->field,
		    &value))
		return false;
	part->len = step == 0 || step > value ? value : step;
	part->offset = place + part->field.width;
	if (kind < PART_FORMATS)
		part->offset += value - part->len;
	return true;
}

bool
minimize_part_guess(const uint8_t *data, size_t len, size_t place,
	unsigned kind, size_t step, struct minimize_part *part)
{
	*part = (struct minimize_part){ .offset = place };
	if (place >= len)
		return false;
	if (kind == PART_LINE)
		return part_line(data, len, place, part);
	if (kind == PART_BRACKET)
		return part_bracket(data, len, place, part);
	if (kind < PART_SHRINK)
		return part_record(data, len, place, kind - PART_RECORD, part);
	return kind < PART_N &&
		part_payload(data, len, place, kind - PART_SHRINK, step, part);
}

bool
minimize_part_shrinks(unsigned kind)
{
	return kind >= PART_SHRINK;
}
