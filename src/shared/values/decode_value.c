/*
 * decode_value: the value of one line of a corpus file.
 *
 * The line is parsed as an expression, then checked from the outside in: it
 * must be a call, of a known type, with an argument that this type takes. The
 * order of the checks decides which message a bad line gets.
 */

#include "shared/values/decode.h"

#include <string.h>

#include "shared/values/decimal.h"
#include "shared/values/expr.h"
#include "shared/values/number.h"
#include "shared/values/quote.h"

/* A message quotes this much of a bad number. */
#define DECODE_NUMBER_MAX 80

/* The argument of a call: a literal, or a word for a float. */
struct decode_argument {
	enum literal_kind kind;
	const char *text;
	size_t len;
	bool minus;
	bool is_word; /* NaN or Inf */
};

static enum status
decode_reject(struct error *err, const char *message)
{
	error_set(err, E_FORMAT, "%s", message);
	return E_FORMAT;
}

static enum status
decode_reject_operator(const struct expr *unary, struct error *err)
{
	error_set(err, E_FORMAT, "unsupported operation on int/float: %.*s",
		(int)unary->len, unary->text);
	return E_FORMAT;
}

static bool
decode_is_name(const struct expr *expr, const char *name)
{
	return expr->kind == EXPR_NAME &&
		expr_text_is(expr->text, expr->len, name);
}

/* A number that cannot be converted, in the words of Go's engine. */
static enum status
decode_bad_number(const char *function, const struct decode_argument *argument,
	enum number_result result, struct error *err)
{
	char text[4 * DECODE_NUMBER_MAX + 8];
	struct sink sink = { .data = text, .cap = sizeof(text) };
	char digits[DECODE_NUMBER_MAX + 2];
	size_t len = argument->len < DECODE_NUMBER_MAX ? argument->len
						       : DECODE_NUMBER_MAX;

	digits[0] = '-';
	memcpy(digits + argument->minus, argument->text, len);
	quote_bytes(&sink, (const uint8_t *)digits, len + argument->minus);
	return error_set(err, E_FORMAT, "strconv.%s: parsing %.*s: %s",
		function, (int)sink.len, text,
		result == NUMBER_RANGE ? "value out of range"
				       : "invalid syntax");
}

static enum status
decode_signed(const struct decode_argument *argument, unsigned bits,
	struct value *value, struct error *err)
{
	enum number_result result = number_parse_signed(argument->text,
		argument->len, argument->minus, bits, &value->i);

	if (result == NUMBER_OK)
		return OK;
	return decode_bad_number("ParseInt", argument, result, err);
}

static enum status
decode_unsigned(const struct decode_argument *argument, unsigned bits,
	struct value *value, struct error *err)
{
	enum number_result result = NUMBER_SYNTAX;

	if (!argument->minus)
		result = number_parse_unsigned(argument->text, argument->len,
			bits, &value->u);
	if (result == NUMBER_OK)
		return OK;
	return decode_bad_number("ParseUint", argument, result, err);
}

/* NaN, +Inf, -Inf: only the first one begins with 'N'. */
static void
decode_float_word(const struct decode_argument *argument, struct value *value)
{
	bool narrow = value->type == VALUE_FLOAT32;
	uint64_t bits =
		narrow ? UINT64_C(0x7f800000) : UINT64_C(0x7ff0000000000000);

	if (argument->text[0] == 'N')
		bits = narrow ? VALUE_NAN32 : VALUE_NAN64;
	else if (argument->minus)
		bits |= UINT64_C(1) << (narrow ? 31 : 63);
	value_set_bits(value, bits);
}

static enum status
decode_float(const struct decode_argument *argument, struct value *value,
	struct error *err)
{
	bool narrow = value->type == VALUE_FLOAT32;
	enum number_result result;
	double number;

	if (argument->kind != LITERAL_FLOAT && argument->kind != LITERAL_INT)
		return error_set(err, E_FORMAT,
			"float or integer literal required for %s type",
			value_type_name(value->type));
	if (argument->is_word) {
		decode_float_word(argument, value);
		return OK;
	}
	result = decimal_parse(argument->text, argument->len, narrow, &number);
	if (result != NUMBER_OK)
		return decode_bad_number("ParseFloat", argument, result, err);
	if (argument->minus)
		number = -number;
	if (narrow)
		value->f32 = (float)number;
	else
		value->f64 = number;
	return OK;
}

/* byte('c'), rune('c'), and both with an integer. */
static enum status
decode_character(const struct decode_argument *argument, struct value *value,
	struct error *err)
{
	bool is_byte = value->type == VALUE_UINT8;
	struct quoted quoted;

	if (argument->kind == LITERAL_INT)
		return is_byte ? decode_unsigned(argument, 8, value, err)
			       : decode_signed(argument, 32, value, err);
	if (argument->kind != LITERAL_CHAR)
		return decode_reject(err,
			"character literal required for byte/rune types");
	if (argument->minus ||
		quote_parse(argument->text + 1, argument->len - 2, '\'',
			&quoted))
		return decode_reject(err, "invalid syntax");
	if (is_byte && quoted.code > UINT8_MAX)
		return decode_reject(err,
			"can only encode single byte to a byte type");
	value->u = quoted.code;
	return OK;
}

static enum status
decode_string(const struct decode_argument *argument, struct value *value,
	uint8_t *room, struct error *err)
{
	if (argument->kind != LITERAL_STRING)
		return decode_reject(err,
			"string literal value required for type string");
	if (argument->minus)
		return decode_reject(err, "invalid syntax");
	value->data = room;
	value->len = quote_strip(argument->text, argument->len, room);
	return OK;
}

/* The number of bits of an integer type; 0 for other types. */
static unsigned
decode_width(enum value_type type, bool *is_signed)
{
	*is_signed = type >= VALUE_INT && type <= VALUE_INT64;
	if (!*is_signed && (type < VALUE_UINT || type > VALUE_UINT64))
		return 0;
	return 8 * (unsigned)value_width(type);
}

static enum status
decode_integer(const struct decode_argument *argument, struct value *value,
	struct error *err)
{
	bool is_signed;
	unsigned bits = decode_width(value->type, &is_signed);

	if (argument->kind != LITERAL_INT)
		return error_set(err, E_FORMAT,
			"integer literal required for %s types",
			is_signed ? "int" : "uint");
	return is_signed ? decode_signed(argument, bits, value, err)
			 : decode_unsigned(argument, bits, value, err);
}

/* math.Float32frombits(n) and math.Float64frombits(n). */
static enum status
decode_frombits(const struct expr *function,
	const struct decode_argument *argument, struct value *value,
	struct error *err)
{
	bool narrow =
		expr_text_is(function->text, function->len, "Float32frombits");
	struct value bits = { .type = narrow ? VALUE_UINT32 : VALUE_UINT64 };
	enum status status;

	if (argument->kind != LITERAL_INT)
		return error_set(err, E_FORMAT,
			"integer literal required for math.%.*s type",
			(int)function->len, function->text);
	status = decode_unsigned(argument, narrow ? 32 : 64, &bits, err);
	value_clear(value, narrow ? VALUE_FLOAT32 : VALUE_FLOAT64);
	value_set_bits(value, bits.u);
	return status;
}

/* A literal, a signed literal, NaN or a signed Inf. */
static enum status
decode_argument(const struct expr *expr, struct decode_argument *argument,
	struct error *err)
{
	const struct expr *literal = expr;

	*argument = (struct decode_argument){ .kind = LITERAL_FLOAT };
	if (expr->kind == EXPR_UNARY) {
		literal = expr->of;
		argument->minus = expr_text_is(expr->text, expr->len, "-");
		argument->is_word = decode_is_name(literal, "Inf");
		if (literal->kind != EXPR_LITERAL && !argument->is_word)
			return decode_reject(err,
				"expected operation on int or float type");
		if (!argument->is_word && !argument->minus)
			return decode_reject_operator(expr, err);
	} else {
		argument->is_word = decode_is_name(expr, "NaN");
		if (expr->kind != EXPR_LITERAL && !argument->is_word)
			return decode_reject(err,
				"literal value required for primitive type");
	}
	if (!argument->is_word)
		argument->kind = literal->literal;
	argument->text = literal->text;
	argument->len = literal->len;
	return OK;
}

static enum status
decode_bytes(const struct expr *call, struct value *value, uint8_t *room,
	struct error *err)
{
	const struct expr *array = call->of;
	struct decode_argument argument;
	enum status status;

	if (array->sized)
		return decode_reject(err, "expected []byte or primitive type");
	if (!decode_is_name(array->of, "byte"))
		return decode_reject(err, "expected []byte");
	if (call->arg->kind != EXPR_LITERAL ||
		call->arg->literal != LITERAL_STRING)
		return decode_reject(err,
			"string literal required for type []byte");
	status = decode_argument(call->arg, &argument, err);
	if (status != OK)
		return status;
	value_clear(value, VALUE_BYTES);
	return decode_string(&argument, value, room, err);
}

static enum status
decode_bool(const struct expr *arg, struct value *value, struct error *err)
{
	if (arg->kind != EXPR_NAME)
		return decode_reject(err, "malformed bool");
	value_clear(value, VALUE_BOOL);
	value->b = decode_is_name(arg, "true");
	if (!value->b && !decode_is_name(arg, "false"))
		return decode_reject(err,
			"true or false required for type bool");
	return OK;
}

/* A call of a type name, other than bool, with any argument. */
static enum status
decode_named(const struct expr *name, const struct decode_argument *argument,
	struct value *value, uint8_t *room, struct error *err)
{
	enum value_type type;

	if (!value_type_find(name->text, name->len, &type))
		return decode_reject(err, "expected []byte or primitive type");
	value_clear(value, type);
	if (type == VALUE_STRING)
		return decode_string(argument, value, room, err);
	if (type == VALUE_FLOAT32 || type == VALUE_FLOAT64)
		return decode_float(argument, value, err);
	if (decode_is_name(name, "byte") || decode_is_name(name, "rune"))
		return decode_character(argument, value, err);
	return decode_integer(argument, value, err);
}

static bool
decode_is_frombits(const struct expr *selector)
{
	return decode_is_name(selector->of, "math") &&
		(expr_text_is(selector->text, selector->len,
			 "Float32frombits") ||
			expr_text_is(selector->text, selector->len,
				"Float64frombits"));
}

static enum status
decode_call(const struct expr *call, struct value *value, uint8_t *room,
	struct error *err)
{
	const struct expr *function = call->of;
	struct decode_argument argument;
	enum status status;

	if (function->kind == EXPR_ARRAY)
		return decode_bytes(call, value, room, err);
	if (function->kind == EXPR_SELECTOR && !decode_is_frombits(function))
		return decode_reject(err, "invalid selector type");
	if (function->kind != EXPR_SELECTOR && function->kind != EXPR_NAME)
		return decode_reject(err, "expected []byte or primitive type");
	if (decode_is_name(function, "bool"))
		return decode_bool(call->arg, value, err);
	status = decode_argument(call->arg, &argument, err);
	if (status != OK)
		return status;
	if (function->kind == EXPR_SELECTOR)
		return decode_frombits(function, &argument, value, err);
	return decode_named(function, &argument, value, room, err);
}

enum status
decode_value(const char *line, size_t len, struct value *value, uint8_t *room,
	struct error *err)
{
	struct expr_parser parser;
	const struct expr *expr = expr_parse(&parser, line, len);

	*value = (struct value){ .type = VALUE_BYTES };
	if (!expr)
		return decode_reject(err, parser.wrong);
	if (expr->kind != EXPR_CALL)
		return decode_reject(err, "expected call expression");
	if (expr->args != 1)
		return error_set(err, E_FORMAT,
			"expected call expression with 1 argument; got %zu",
			expr->args);
	return decode_call(expr, value, room, err);
}
