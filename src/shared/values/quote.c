/*
 * quote: see quote.h. Printable characters are written as they are. Others are
 * escaped in the shortest form that Go uses: file names are hashes of this
 * text, so each value has exactly one text.
 */

#include "shared/values/quote.h"

#include "shared/utf8.h"
#include "shared/values/printable.h"

static const char QUOTE_HEX[] = "0123456789abcdef";

/* The letters of the short escapes, and the characters they stand for. */
static const char QUOTE_LETTERS[] = "abfnrtv";
static const char QUOTE_CONTROLS[] = "\a\b\f\n\r\t\v";

static void
quote_hex(struct sink *sink, char letter, uint32_t code, int digits)
{
	sink_char(sink, '\\');
	sink_char(sink, letter);
	for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
		sink_char(sink, QUOTE_HEX[(code >> shift) & 0xf]);
}

static void
quote_escape(struct sink *sink, uint32_t code)
{
	const char *control = NULL;

	if (code < 0x80)
		control = memchr(QUOTE_CONTROLS, (int)code,
			sizeof(QUOTE_CONTROLS) - 1);
	if (control) {
		sink_char(sink, '\\');
		sink_char(sink, QUOTE_LETTERS[control - QUOTE_CONTROLS]);
	} else if (code < 0x20 || code == 0x7f) {
		quote_hex(sink, 'x', code, 2);
	} else if (code <= 0xffff) {
		quote_hex(sink, 'u', code, 4);
	} else {
		quote_hex(sink, 'U', code, 8);
	}
}

/* Writes one code point; bytes is its encoding. */
static void
quote_one(struct sink *sink, uint32_t code, const uint8_t *bytes, size_t n,
	char quote)
{
	if (code == (uint8_t)quote || code == '\\') {
		sink_char(sink, '\\');
		sink_char(sink, (char)code);
	} else if (printable_code(code)) {
		sink_put(sink, (const char *)bytes, n);
	} else {
		quote_escape(sink, code);
	}
}

void
quote_bytes(struct sink *sink, const uint8_t *data, size_t len)
{
	sink_char(sink, '"');
	for (size_t i = 0, n; i < len; i += n) {
		uint32_t code;

		n = utf8_decode(data + i, len - i, &code);
		if (n > 0) {
			quote_one(sink, code, data + i, n, '"');
		} else {
			quote_hex(sink, 'x', data[i], 2);
			n = 1;
		}
	}
	sink_char(sink, '"');
}

void
quote_code(struct sink *sink, uint32_t code)
{
	uint8_t bytes[UTF8_LEN_MAX];
	size_t n = utf8_encode(bytes, code);

	sink_char(sink, '\'');
	quote_one(sink, code, bytes, n, '\'');
	sink_char(sink, '\'');
}

static int
quote_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

/* Parses exactly this many digits of an escape. */
static const char *
quote_parse_digits(const char *text, size_t len, int base, size_t digits,
	struct quoted *quoted)
{
	quoted->code = 0;
	if (len < digits)
		return "escape sequence not terminated";
	for (size_t i = 0; i < digits; i++) {
		int digit = quote_digit(text[i]);

		if (digit >= base)
			return "illegal character in escape sequence";
		quoted->code = quoted->code * (uint32_t)base + (uint32_t)digit;
	}
	quoted->used += digits;
	if (quoted->is_byte ? quoted->code > 0xff : !utf8_is_code(quoted->code))
		return "escape sequence is invalid Unicode code point";
	return NULL;
}

/* Parses an escape; text starts behind the backslash. */
static const char *
quote_parse_escape(const char *text, size_t len, char quote,
	struct quoted *quoted)
{
	const char *letter;

	if (len == 0)
		return "escape sequence not terminated";
	quoted->used = 2;
	quoted->is_byte = text[0] == 'x' || (text[0] >= '0' && text[0] <= '7');
	switch (text[0]) {
	case 'x':
		return quote_parse_digits(text + 1, len - 1, 16, 2, quoted);
	case 'u':
		return quote_parse_digits(text + 1, len - 1, 16, 4, quoted);
	case 'U':
		return quote_parse_digits(text + 1, len - 1, 16, 8, quoted);
	default:
		break;
	}
	if (quoted->is_byte) {
		quoted->used = 1;
		return quote_parse_digits(text, len, 8, 3, quoted);
	}
	letter = memchr(QUOTE_LETTERS, text[0], sizeof(QUOTE_LETTERS) - 1);
	if (letter)
		quoted->code = (uint8_t)QUOTE_CONTROLS[letter - QUOTE_LETTERS];
	else if (text[0] == '\\' || text[0] == quote)
		quoted->code = (uint8_t)text[0];
	else
		return "unknown escape sequence";
	return NULL;
}

const char *
quote_parse(const char *text, size_t len, char quote, struct quoted *quoted)
{
	if (text[0] == '\\')
		return quote_parse_escape(text + 1, len - 1, quote, quoted);
	quoted->is_byte = false;
	quoted->used = utf8_decode((const uint8_t *)text, len, &quoted->code);
	return quoted->used > 0 ? NULL : "illegal UTF-8 encoding";
}

/* Between back quotes nothing is escaped; carriage returns are dropped. */
static size_t
quote_strip_raw(const char *text, size_t len, uint8_t *out)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		if (text[i] != '\r')
			out[n++] = (uint8_t)text[i];
	}
	return n;
}

size_t
quote_strip(const char *literal, size_t len, uint8_t *out)
{
	struct quoted quoted;
	size_t n = 0;

	if (literal[0] == '`')
		return quote_strip_raw(literal + 1, len - 2, out);
	for (size_t i = 1; i + 1 < len; i += quoted.used) {
		if (quote_parse(literal + i, len - 1 - i, '"', &quoted))
			break;
		if (quoted.is_byte)
			out[n++] = (uint8_t)quoted.code;
		else
			n += utf8_encode(out + n, quoted.code);
	}
	return n;
}
