/*
 * call: see call.h.
 *
 * Bytes outside ASCII are written in octal with all three digits: in any other
 * form, a digit that follows would become part of the byte. Numbers are
 * decimal, which is exact here and needs no later standard than the rest. NaN
 * and infinities are written by their bits.
 */

#include "shared/values/call.h"

#include <inttypes.h>
#include <stdio.h>

#include "shared/values/decimal.h"

#define CALL_NUMBER_MAX 64 /* longest scalar */

/* ---- bytes ---------------------------------------------------------------- */

/* The letter after the backslash for this byte; 0: none. */
static char
call_escape(uint8_t byte)
{
	switch (byte) {
	case '\n':
		return 'n';
	case '\r':
		return 'r';
	case '\t':
		return 't';
	case '"':
	case '\\':
		return (char)byte;
	default:
		return '\0';
	}
}

static void
call_print_byte(struct sink *sink, uint8_t byte, uint8_t before)
{
	char letter = call_escape(byte);

	/* Two question marks may begin a trigraph. */
	if (byte == '?' && before == '?')
		letter = '?';
	if (letter == '\0' && byte >= ' ' && byte <= '~') {
		sink_char(sink, (char)byte);
		return;
	}
	sink_char(sink, '\\');
	if (letter != '\0') {
		sink_char(sink, letter);
		return;
	}
	for (int shift = 6; shift >= 0; shift -= 3)
		sink_char(sink, (char)('0' + ((byte >> shift) & 7)));
}

static void
call_print_bytes(struct sink *sink, const struct value *value)
{
	char size[CALL_NUMBER_MAX];
	uint8_t before = 0;

	sink_text(sink,
		value->type == VALUE_BYTES ? "cfuzz_bytes_of(\""
					   : "cfuzz_string_of(\"");
	for (size_t i = 0; i < value->len; i++) {
		call_print_byte(sink, value->data[i], before);
		before = value->data[i];
	}
	(void)snprintf(size, sizeof(size), "\", %zu)", value->len);
	sink_text(sink, size);
}

/* ---- numbers -------------------------------------------------------------- */

static void
call_print_float(struct sink *sink, const struct value *value)
{
	bool narrow = value->type == VALUE_FLOAT32;
	uint64_t bits = value_get_bits(value);
	uint64_t limit =
		narrow ? UINT64_C(0x7f800000) : UINT64_C(0x7ff0000000000000);
	char text[CALL_NUMBER_MAX];
	struct sink digits = { .data = text, .cap = sizeof(text) };

	if ((bits & limit) == limit) {
		(void)snprintf(text, sizeof(text),
			narrow ? "cfuzz_float32_of(UINT32_C(0x%08" PRIx64 "))"
			       : "cfuzz_float64_of(UINT64_C(0x%016" PRIx64 "))",
			bits);
		sink_text(sink, text);
		return;
	}
	decimal_format(&digits, narrow ? (double)value->f32 : value->f64,
		narrow);
	sink_put(sink, text, digits.len);
	if (memchr(text, '.', digits.len) == NULL &&
		memchr(text, 'e', digits.len) == NULL)
		sink_text(sink, ".0");
	if (narrow)
		sink_char(sink, 'f');
}

/* The smallest numbers are written by name: their digits would overflow. */
static void
call_print_signed(struct sink *sink, const struct value *value, int width)
{
	char text[CALL_NUMBER_MAX];

	if (width >= 32 && value->i == (width == 32 ? INT32_MIN : INT64_MIN))
		(void)snprintf(text, sizeof(text), "INT%d_MIN", width);
	else
		(void)snprintf(text, sizeof(text), "INT%d_C(%" PRId64 ")",
			width, value->i);
	sink_text(sink, text);
}

static void
call_print_unsigned(struct sink *sink, const struct value *value, int width)
{
	char text[CALL_NUMBER_MAX];

	(void)snprintf(text, sizeof(text), "UINT%d_C(%" PRIu64 ")", width,
		value->u);
	sink_text(sink, text);
}

/* ---- a call --------------------------------------------------------------- */

static void
call_print_value(struct sink *sink, const struct value *value)
{
	int width = 8 * (int)value_width(value->type);

	switch (value->type) {
	case VALUE_BYTES:
	case VALUE_STRING:
		call_print_bytes(sink, value);
		break;
	case VALUE_BOOL:
		sink_text(sink, value->b ? "true" : "false");
		break;
	case VALUE_FLOAT32:
	case VALUE_FLOAT64:
		call_print_float(sink, value);
		break;
	default:
		if (value_type_is_signed(value->type))
			call_print_signed(sink, value, width);
		else
			call_print_unsigned(sink, value, width);
		break;
	}
}

void
call_print(struct sink *sink, const char *name, const struct value *values,
	size_t n)
{
	sink_text(sink, name);
	sink_char(sink, '(');
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			sink_text(sink, ", ");
		call_print_value(sink, &values[i]);
	}
	sink_text(sink, ");");
}
