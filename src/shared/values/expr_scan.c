/*
 * expr_scan: the tokens of a line, see expr.h. The scanner checks literals, so
 * that users of their text need no checks.
 */

#include "shared/values/expr.h"

#include <stdint.h>
#include <string.h>

#include "shared/utf8.h"
#include "shared/values/number.h"
#include "shared/values/quote.h"

#define EXPR_BYTE_ORDER_MARK 0xfeffu

/* Longer operators first: the longest match is the token. */
static const char *const EXPR_OPERATORS[] = { "<<=", ">>=", "&^=", "...", "&&",
	"||", "<-", "++", "--", "==", "!=", "<=", ">=", ":=", "+=", "-=", "*=",
	"/=", "%=", "&=", "|=", "^=", "<<", ">>", "&^", "+", "-", "*", "/", "%",
	"&", "|", "^", "<", ">", "=", "!", "~", "(", ")", "[", "]", "{", "}",
	",", ".", ";", ":" };

#define EXPR_OPERATORS_N (sizeof(EXPR_OPERATORS) / sizeof(EXPR_OPERATORS[0]))

bool
expr_text_is(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && memcmp(text, word, len) == 0;
}

const char *
expr_check_text(const char *line, size_t len)
{
	uint32_t code;

	for (size_t i = 0, n; i < len; i += n) {
		n = utf8_decode((const uint8_t *)line + i, len - i, &code);
		if (n == 0)
			return "illegal UTF-8 encoding";
		if (code == 0)
			return "illegal character NUL";
		if (code == EXPR_BYTE_ORDER_MARK && i > 0)
			return "illegal byte order mark";
	}
	return NULL;
}

static size_t
expr_left(const struct expr_parser *parser)
{
	return (size_t)(parser->end - parser->at);
}

static bool
expr_starts_with(const struct expr_parser *parser, const char *word)
{
	size_t len = strlen(word);

	return len <= expr_left(parser) && memcmp(parser->at, word, len) == 0;
}

static void
expr_skip_comment(struct expr_parser *parser)
{
	const char *close;

	if (parser->at[1] == '/') {
		parser->at = parser->end;
		return;
	}
	parser->at += 2;
	close = memmem(parser->at, expr_left(parser), "*/", 2);
	parser->at = close ? close + 2 : parser->end;
	if (!close)
		parser->wrong = "comment not terminated";
}

static void
expr_skip_space(struct expr_parser *parser)
{
	while (parser->at < parser->end && !parser->wrong) {
		if (memchr(" \t\r", *parser->at, 3))
			parser->at++;
		else if (expr_starts_with(parser, "//") ||
			expr_starts_with(parser, "/*"))
			expr_skip_comment(parser);
		else
			break;
	}
}

static bool
expr_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
expr_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void
expr_scan_name(struct expr_parser *parser)
{
	parser->token.kind = EXPR_TOKEN_NAME;
	while (parser->at < parser->end &&
		(expr_is_letter(*parser->at) || expr_is_digit(*parser->at)))
		parser->at++;
}

static void
expr_scan_number(struct expr_parser *parser)
{
	/* clang-format off */
	static const enum literal_kind kinds[] = {
		[NUMBER_INT] = LITERAL_INT,
		[NUMBER_FLOAT] = LITERAL_FLOAT,
		[NUMBER_IMAGINARY] = LITERAL_IMAGINARY,
	};
	/* clang-format on */
	enum number_kind kind;
	size_t used = 0;

	parser->wrong =
		number_scan(parser->at, expr_left(parser), &kind, &used);
	parser->token.kind = EXPR_TOKEN_LITERAL;
	parser->token.literal = kinds[kind];
	parser->at += used;
}

/* A literal in ' or "; its escapes are checked. */
static void
expr_scan_quoted(struct expr_parser *parser, char quote)
{
	struct quoted quoted;
	size_t characters = 0;

	parser->at++;
	while (parser->at < parser->end && *parser->at != quote) {
		parser->wrong = quote_parse(parser->at, expr_left(parser),
			quote, &quoted);
		if (parser->wrong)
			return;
		parser->at += quoted.used;
		characters++;
	}
	if (parser->at == parser->end)
		parser->wrong = "literal not terminated";
	else if (quote == '\'' && characters != 1)
		parser->wrong = "illegal character literal";
	else
		parser->at++;
	parser->token.kind = EXPR_TOKEN_LITERAL;
	parser->token.literal = quote == '\'' ? LITERAL_CHAR : LITERAL_STRING;
}

static void
expr_scan_raw(struct expr_parser *parser)
{
	const char *close = memchr(parser->at + 1, '`', expr_left(parser) - 1);

	if (!close)
		parser->wrong = "raw string literal not terminated";
	parser->at = close ? close + 1 : parser->end;
	parser->token.kind = EXPR_TOKEN_LITERAL;
	parser->token.literal = LITERAL_STRING;
}

static void
expr_scan_operator(struct expr_parser *parser)
{
	parser->token.kind = EXPR_TOKEN_OPERATOR;
	for (size_t i = 0; i < EXPR_OPERATORS_N; i++) {
		if (!expr_starts_with(parser, EXPR_OPERATORS[i]))
			continue;
		parser->at += strlen(EXPR_OPERATORS[i]);
		return;
	}
	parser->wrong = "illegal character";
}

static void
expr_scan(struct expr_parser *parser)
{
	char c = *parser->at;
	char next = expr_left(parser) > 1 ? parser->at[1] : '\0';

	if (expr_is_letter(c))
		expr_scan_name(parser);
	else if (expr_is_digit(c) || (c == '.' && expr_is_digit(next)))
		expr_scan_number(parser);
	else if (c == '"' || c == '\'')
		expr_scan_quoted(parser, c);
	else if (c == '`')
		expr_scan_raw(parser);
	else
		expr_scan_operator(parser);
}

void
expr_next(struct expr_parser *parser)
{
	if (!parser->wrong)
		expr_skip_space(parser);
	parser->token = (struct expr_token){ .text = parser->at };
	if (parser->wrong || parser->at == parser->end)
		return;
	expr_scan(parser);
	if (parser->wrong)
		parser->token.kind = EXPR_TOKEN_END;
	parser->token.len = (size_t)(parser->at - parser->token.text);
}
