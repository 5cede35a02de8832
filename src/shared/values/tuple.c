/* tuple: see tuple.h. */

#include "shared/values/tuple.h"

#include <endian.h>
#include <string.h>

/* ---- numbers ---- */

/* Loads a whole word: every execution of a typed target reads scalars. */
static inline uint64_t
tuple_load_scalar(const uint8_t *at)
{
	uint64_t number;

	memcpy(&number, at, sizeof(number));
	return le64toh(number);
}

static inline uint32_t
tuple_load_length(const uint8_t *at)
{
	uint32_t number;

	memcpy(&number, at, sizeof(number));
	return le32toh(number);
}

static void
tuple_store(uint8_t *at, size_t width, uint64_t number)
{
	for (size_t i = 0; i < width; i++) {
		at[i] = (uint8_t)number;
		number >>= 8;
	}
}

/* ---- reading ---- */

/* Parses the field at `at`. Returns the end of the field; 0: no field. */
static size_t
tuple_parse_field(const uint8_t *data, size_t len, size_t at,
	struct tuple_field *field)
{
	size_t left;

	if (at >= len || data[at] >= VALUE_TYPE_N)
		return 0;
	field->type = (enum value_type)data[at++];
	field->len = TUPLE_SCALAR_LEN;
	left = len - at;
	if (value_type_is_bytes(field->type)) {
		if (left < TUPLE_LENGTH_LEN)
			return 0;
		field->len = tuple_load_length(data + at);
		at += TUPLE_LENGTH_LEN;
		left -= TUPLE_LENGTH_LEN;
	}
	if (field->len > left)
		return 0;
	field->offset = at;
	return at + field->len;
}

bool
tuple_parse(const uint8_t *data, size_t len, struct tuple *tuple)
{
	size_t at = 0;

	tuple->n = 0;
	do {
		if (tuple->n == TUPLE_MAX)
			return false;
		at = tuple_parse_field(data, len, at,
			&tuple->fields[tuple->n++]);
	} while (at > 0 && at < len);
	return at > 0;
}

bool
tuple_parse_as(const uint8_t *data, size_t len, const struct tuple_types *types,
	struct tuple *tuple)
{
	if (!tuple_parse(data, len, tuple) || tuple->n != types->n)
		return false;
	for (uint32_t i = 0; i < tuple->n; i++)
		if (tuple->fields[i].type != types->types[i])
			return false;
	return true;
}

uint64_t
tuple_bits(const uint8_t *data, const struct tuple_field *field)
{
	return tuple_load_scalar(data + field->offset);
}

struct value
tuple_value(const uint8_t *data, const struct tuple_field *field)
{
	struct value value = { .type = field->type };

	if (!value_type_is_bytes(field->type)) {
		value_set_bits(&value, tuple_bits(data, field));
		return value;
	}
	value.data = (uint8_t *)(uintptr_t)data + field->offset;
	value.len = field->len;
	return value;
}

/* ---- writing ---- */

size_t
tuple_size(const struct value *values, size_t n)
{
	size_t size = 0;

	for (size_t i = 0; i < n; i++)
		size += 1 +
			(value_type_is_bytes(values[i].type)
					? TUPLE_LENGTH_LEN + values[i].len
					: TUPLE_SCALAR_LEN);
	return size;
}

static uint8_t *
tuple_pack_value(const struct value *value, uint8_t *out)
{
	*out++ = (uint8_t)value->type;
	if (!value_type_is_bytes(value->type)) {
		tuple_store(out, TUPLE_SCALAR_LEN, value_get_bits(value));
		return out + TUPLE_SCALAR_LEN;
	}
	tuple_store(out, TUPLE_LENGTH_LEN, value->len);
	if (value->len > 0)
		memcpy(out + TUPLE_LENGTH_LEN, value->data, value->len);
	return out + TUPLE_LENGTH_LEN + value->len;
}

void
tuple_pack(const struct value *values, size_t n, uint8_t *out)
{
	for (size_t i = 0; i < n; i++)
		out = tuple_pack_value(&values[i], out);
}

size_t
tuple_zero(const struct tuple_types *types, uint8_t *out)
{
	struct value zeros[TUPLE_MAX] = { { .u = 0 } };

	for (uint32_t i = 0; i < types->n; i++)
		value_clear(&zeros[i], types->types[i]);
	tuple_pack(zeros, types->n, out);
	return tuple_size(zeros, types->n);
}

void
tuple_set_bits(uint8_t *data, const struct tuple_field *field, uint64_t bits)
{
	tuple_store(data + field->offset, TUPLE_SCALAR_LEN, bits);
}

/* True if all n bytes are inside the field. */
static bool
tuple_field_has(const struct tuple_field *field, size_t offset, size_t n)
{
	return offset >= field->offset &&
		offset - field->offset <= field->len &&
		n <= field->len - (offset - field->offset);
}

bool
tuple_replace(uint8_t *data, size_t *len, size_t offset, size_t removed,
	const uint8_t *bytes, size_t n)
{
	const struct tuple_field *field;
	struct tuple tuple;
	uint32_t i = 0;
	size_t behind;

	if (!tuple_parse(data, *len, &tuple))
		return false;
	while (i < tuple.n &&
		!tuple_field_has(&tuple.fields[i], offset, removed))
		i++;
	if (i == tuple.n)
		return false;
	field = &tuple.fields[i];
	if (value_type_is_bytes(field->type)) {
		if (n > UINT32_MAX - (field->len - removed))
			return false;
		tuple_store(data + field->offset - TUPLE_LENGTH_LEN,
			TUPLE_LENGTH_LEN, field->len - removed + n);
	} else if (n != removed) {
		return false;
	}
	behind = offset + removed;
	memmove(data + offset + n, data + behind, *len - behind);
	if (n > 0)
		memcpy(data + offset, bytes, n);
	*len = *len - removed + n;
	return true;
}
