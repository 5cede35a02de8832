/*
 * encode: see encode.h.
 */

#include "shared/values/encode.h"

#include <inttypes.h>
#include <stdio.h>

#include "shared/utf8.h"
#include "shared/values/decimal.h"
#include "shared/values/quote.h"

/* Longer than any line of a scalar. */
#define ENCODE_LINE_MAX 64

static void
encode_integer(struct sink *sink, const struct value *value, bool is_signed)
{
	char line[ENCODE_LINE_MAX];

	if (is_signed)
		snprintf(line, sizeof(line), "%s(%" PRId64 ")",
			value_type_name(value->type), value->i);
	else
		snprintf(line, sizeof(line), "%s(%" PRIu64 ")",
			value_type_name(value->type), value->u);
	sink_text(sink, line);
}

static void
encode_float(struct sink *sink, const struct value *value)
{
	bool narrow = value->type == VALUE_FLOAT32;
	uint64_t bits = value_get_bits(value);
	double number = narrow ? (double)value->f32 : value->f64;
	char line[ENCODE_LINE_MAX];

	if (number != number && bits != (narrow ? VALUE_NAN32 : VALUE_NAN64)) {
		snprintf(line, sizeof(line),
			"math.Float%dfrombits(0x%" PRIx64 ")", narrow ? 32 : 64,
			bits);
		sink_text(sink, line);
		return;
	}
	sink_text(sink, value_type_name(value->type));
	sink_char(sink, '(');
	decimal_format(sink, number, narrow);
	sink_char(sink, ')');
}

static void
encode_character(struct sink *sink, const char *type, uint32_t code)
{
	sink_text(sink, type);
	sink_char(sink, '(');
	quote_code(sink, code);
	sink_char(sink, ')');
}

static void
encode_bytes(struct sink *sink, const struct value *value)
{
	sink_text(sink, value->type == VALUE_BYTES ? "[]byte" : "string");
	sink_char(sink, '(');
	quote_bytes(sink, value->data, value->len);
	sink_char(sink, ')');
}

void
encode_value(struct sink *sink, const struct value *value)
{
	switch (value->type) {
	case VALUE_BYTES:
	case VALUE_STRING:
		encode_bytes(sink, value);
		break;
	case VALUE_BOOL:
		sink_text(sink, value->b ? "bool(true)" : "bool(false)");
		break;
	case VALUE_UINT8:
		encode_character(sink, "byte", (uint8_t)value->u);
		break;
	case VALUE_INT32:
		if (value->i >= 0 && utf8_is_code((uint32_t)value->i))
			encode_character(sink, "rune", (uint32_t)value->i);
		else
			encode_integer(sink, value, true);
		break;
	case VALUE_FLOAT32:
	case VALUE_FLOAT64:
		encode_float(sink, value);
		break;
	default:
		encode_integer(sink, value, value_type_is_signed(value->type));
		break;
	}
}

size_t
encode_bound(const struct value *values, size_t n)
{
	size_t bound = sizeof(ENCODE_VERSION);

	for (size_t i = 0; i < n; i++) {
		/* A byte takes at most four: \xNN. */
		if (value_type_is_bytes(values[i].type))
			bound += 4 * values[i].len;
		bound += ENCODE_LINE_MAX;
	}
	return bound;
}

enum status
encode_values(const struct value *values, size_t n, char *out, size_t cap,
	size_t *len, struct error *err)
{
	struct sink sink = { .data = out, .cap = cap };

	*len = 0;
	if (n == 0)
		return error_set(err, E_RANGE,
			"must have at least one value to marshal");
	sink_text(&sink, ENCODE_VERSION "\n");
	for (size_t i = 0; i < n; i++) {
		encode_value(&sink, &values[i]);
		sink_char(&sink, '\n');
	}
	*len = sink.len;
	if (sink.len > cap)
		return error_set(err, E_FULL,
			"the text of the values takes %zu bytes, "
			"there is room for %zu",
			sink.len, cap);
	return OK;
}
