/*
 * number: see number.h.
 */

#include "shared/values/number.h"

/* A literal while it is scanned. */
struct number_scanner {
	const char *text;
	size_t len;
	size_t at;
	int base;
	char prefix; /* 'x', 'o', 'b'; '0': leading zero; 0: none */
	bool digits; /* some were seen */
	bool separators;
	bool bad_digit; /* a digit that the base lacks */
};

static inline char
number_lower(char c)
{
	return (char)(c | 0x20);
}

static inline bool
number_is_digit(char c, int base)
{
	return (c >= '0' && c <= '9') ||
		(base == 16 && number_lower(c) >= 'a' &&
			number_lower(c) <= 'f');
}

static inline int
number_digit(char c)
{
	return c <= '9' ? c - '0' : number_lower(c) - 'a' + 10;
}

static char
number_peek(const struct number_scanner *s)
{
	return s->at < s->len ? s->text[s->at] : '\0';
}

/* Skips digits and separators. Returns true if there was a digit. */
static bool
number_scan_digits(struct number_scanner *s, int base)
{
	bool any = false;

	for (; s->at < s->len; s->at++) {
		char c = s->text[s->at];

		if (c == '_') {
			s->separators = true;
		} else if (number_is_digit(c, base)) {
			any = true;
			if (number_digit(c) >= base)
				s->bad_digit = true;
		} else {
			break;
		}
	}
	return any;
}

static void
number_scan_prefix(struct number_scanner *s)
{
	s->base = 10;
	if (number_peek(s) != '0')
		return;
	s->at++;
	s->prefix = number_lower(number_peek(s));
	switch (s->prefix) {
	case 'x':
		s->base = 16;
		break;
	case 'o':
		s->base = 8;
		break;
	case 'b':
		s->base = 2;
		break;
	default:
		s->base = 8;
		s->prefix = '0';
		s->digits = true;
		return;
	}
	s->at++;
}

static const char *
number_scan_exponent(struct number_scanner *s, enum number_kind *kind)
{
	char e = number_lower(number_peek(s));

	if (e != 'e' && e != 'p') {
		if (s->prefix == 'x' && *kind == NUMBER_FLOAT)
			return "hexadecimal mantissa requires a 'p' exponent";
		return NULL;
	}
	if (e == 'e' && s->prefix != 0 && s->prefix != '0')
		return "'e' exponent requires decimal mantissa";
	if (e == 'p' && s->prefix != 'x')
		return "'p' exponent requires hexadecimal mantissa";
	*kind = NUMBER_FLOAT;
	s->at++;
	if (number_peek(s) == '+' || number_peek(s) == '-')
		s->at++;
	return number_scan_digits(s, 10) ? NULL : "exponent has no digits";
}

/* A "_" must be between digits; a prefix counts as a digit. */
static bool
number_separators_ok(const struct number_scanner *s)
{
	bool prefixed = s->prefix != 0 && s->prefix != '0';
	bool after_digit = prefixed;

	for (size_t i = prefixed ? 2 : 0; i < s->at; i++) {
		bool digit = number_is_digit(s->text[i], s->base);

		if (s->text[i] == '_') {
			if (!after_digit || i + 1 == s->at ||
				!number_is_digit(s->text[i + 1], s->base))
				return false;
		}
		after_digit = digit;
	}
	return true;
}

const char *
number_scan(const char *text, size_t len, enum number_kind *kind, size_t *used)
{
	struct number_scanner s = { .text = text, .len = len };
	const char *wrong;

	*kind = NUMBER_INT;
	number_scan_prefix(&s);
	if (number_scan_digits(&s, s.base))
		s.digits = true;
	if (number_peek(&s) == '.') {
		*kind = NUMBER_FLOAT;
		if (s.prefix == 'o' || s.prefix == 'b')
			return "invalid radix point in literal";
		s.at++;
		if (number_scan_digits(&s, s.base))
			s.digits = true;
	}
	if (!s.digits)
		return "literal has no digits";
	wrong = number_scan_exponent(&s, kind);
	if (wrong)
		return wrong;
	if (*kind == NUMBER_INT && s.bad_digit && number_peek(&s) != 'i')
		return "invalid digit in literal";
	if (s.separators && !number_separators_ok(&s))
		return "'_' must separate successive digits";
	if (number_peek(&s) == 'i') {
		*kind = NUMBER_IMAGINARY;
		s.at++;
	}
	*used = s.at;
	return NULL;
}

enum number_result
number_parse_unsigned(const char *text, size_t len, unsigned bits,
	uint64_t *value)
{
	struct number_scanner s = { .text = text, .len = len };
	uint64_t max = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
	uint64_t v = 0;

	number_scan_prefix(&s);
	if (s.at == len && !s.digits)
		return NUMBER_SYNTAX;
	for (; s.at < len; s.at++) {
		uint64_t digit;

		if (text[s.at] == '_')
			continue;
		if (!number_is_digit(text[s.at], s.base))
			return NUMBER_SYNTAX;
		digit = (uint64_t)number_digit(text[s.at]);
		if (digit >= (uint64_t)s.base)
			return NUMBER_SYNTAX;
		if (digit > max || v > (max - digit) / (uint64_t)s.base)
			return NUMBER_RANGE;
		v = v * (uint64_t)s.base + digit;
	}
	*value = v;
	return NUMBER_OK;
}

enum number_result
number_parse_signed(const char *text, size_t len, bool minus, unsigned bits,
	int64_t *value)
{
	uint64_t limit = UINT64_C(1) << (bits - 1);
	enum number_result result;
	uint64_t v;

	result = number_parse_unsigned(text, len, 64, &v);
	if (result != NUMBER_OK)
		return result;
	if (v > (minus ? limit : limit - 1))
		return NUMBER_RANGE;
	*value = minus ? (int64_t)(0 - v) : (int64_t)v;
	return NUMBER_OK;
}
