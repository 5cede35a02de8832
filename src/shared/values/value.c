/*
 * value: typed values, see value.h.
 */

#include "shared/values/value.h"

#include <string.h>

#include "shared/sink.h"

static const struct {
	const char *name;
	enum value_type type;
	uint8_t width; /* see value_width() */
} VALUE_NAMES[] = {
	/* The first names are in the order of the types: those in messages. */
	{ "[]uint8", VALUE_BYTES, 0 },
	{ "string", VALUE_STRING, 0 },
	{ "bool", VALUE_BOOL, 1 },
	{ "int", VALUE_INT, 8 },
	{ "int8", VALUE_INT8, 1 },
	{ "int16", VALUE_INT16, 2 },
	{ "int32", VALUE_INT32, 4 },
	{ "int64", VALUE_INT64, 8 },
	{ "uint", VALUE_UINT, 8 },
	{ "uint8", VALUE_UINT8, 1 },
	{ "uint16", VALUE_UINT16, 2 },
	{ "uint32", VALUE_UINT32, 4 },
	{ "uint64", VALUE_UINT64, 8 },
	{ "float32", VALUE_FLOAT32, 4 },
	{ "float64", VALUE_FLOAT64, 8 },
	{ "[]byte", VALUE_BYTES, 0 },
	{ "byte", VALUE_UINT8, 1 },
	{ "rune", VALUE_INT32, 4 },
};

#define VALUE_NAMES_N (sizeof(VALUE_NAMES) / sizeof(VALUE_NAMES[0]))

const char *
value_type_name(enum value_type type)
{
	if ((unsigned)type >= VALUE_TYPE_N)
		return "?";
	return VALUE_NAMES[type].name;
}

bool
value_type_find(const char *name, size_t len, enum value_type *type)
{
	for (size_t i = 0; i < VALUE_NAMES_N; i++) {
		if (strlen(VALUE_NAMES[i].name) != len ||
			memcmp(VALUE_NAMES[i].name, name, len) != 0)
			continue;
		*type = VALUE_NAMES[i].type;
		return true;
	}
	return false;
}

size_t
value_width(enum value_type type)
{
	return (unsigned)type < VALUE_TYPE_N ? VALUE_NAMES[type].width : 0;
}

void
value_clear(struct value *value, enum value_type type)
{
	value->type = type;
	value->u = 0;
	value->len = 0;
}

uint64_t
value_get_bits(const struct value *value)
{
	uint32_t narrow;

	switch (value->type) {
	case VALUE_BYTES:
	case VALUE_STRING:
		return 0;
	case VALUE_BOOL:
		return value->b;
	case VALUE_FLOAT32:
		memcpy(&narrow, &value->f32, sizeof(narrow));
		return narrow;
	default:
		return value->u;
	}
}

void
value_set_bits(struct value *value, uint64_t bits)
{
	size_t unused = 64 - 8 * value_width(value->type);
	uint32_t narrow = (uint32_t)bits;

	if (unused == 64)
		return;
	/* Bits from outside may exceed the type: cut them to its width. */
	if (value->type == VALUE_BOOL)
		value->b = bits != 0;
	else if (value->type == VALUE_FLOAT32)
		memcpy(&value->f32, &narrow, sizeof(narrow));
	else if (value_type_is_signed(value->type))
		value->i = (int64_t)(bits << unused) >> unused;
	else
		value->u = bits << unused >> unused;
}

bool
value_equal(const struct value *a, const struct value *b)
{
	if (a->type != b->type)
		return false;
	if (!value_type_is_bytes(a->type))
		return value_get_bits(a) == value_get_bits(b);
	return a->len == b->len &&
		(a->len == 0 || memcmp(a->data, b->data, a->len) == 0);
}

/* "[string int]", as far as it fits. */
static void
values_list_types(struct sink *sink, const struct value *values,
	const enum value_type *types, size_t n)
{
	sink_char(sink, '[');
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			sink_char(sink, ' ');
		sink_text(sink,
			value_type_name(values ? values[i].type : types[i]));
	}
	sink_char(sink, ']');
	if (sink->len > sink->cap)
		sink->len = sink->cap;
}

enum status
values_check(const struct value *values, size_t n, const enum value_type *types,
	size_t types_n, struct error *err)
{
	char got_text[ERROR_TEXT_MAX / 3], want_text[ERROR_TEXT_MAX / 3];
	struct sink got = { .data = got_text, .cap = sizeof(got_text) };
	struct sink want = { .data = want_text, .cap = sizeof(want_text) };
	size_t same = 0;

	if (n != types_n)
		return error_set(err, E_FORMAT,
			"wrong number of values in corpus entry: %zu, want %zu",
			n, types_n);
	while (same < n && values[same].type == types[same])
		same++;
	if (same == n)
		return OK;
	values_list_types(&got, values, NULL, n);
	values_list_types(&want, NULL, types, n);
	return error_set(err, E_FORMAT,
		"mismatched types in corpus entry: %.*s, want %.*s",
		(int)got.len, got.data, (int)want.len, want.data);
}
