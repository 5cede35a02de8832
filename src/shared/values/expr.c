/*
 * expr: a recursive descent parser, see expr.h.
 *
 * Each level of recursion takes its node from the pool before it goes deeper,
 * so the size of the pool bounds the depth. After the first error every token
 * is the end of the line, which ends every loop.
 */

#include "shared/values/expr.h"

#include <string.h>

static const char *const EXPR_BINARY[] = { "||", "&&", "==", "!=", "<",
	"<=", ">", ">=", "+", "-", "|", "^", "*", "/", "%", "<<", ">>", "&",
	"&^" };
static const char *const EXPR_SIGNS[] = { "+", "-", "!", "^", "&", "<-", "~" };

/* Words that cannot be names. No value begins with one of them. */
static const char *const EXPR_KEYWORDS[] = { "break", "case", "chan", "const",
	"continue", "default", "defer", "else", "fallthrough", "for", "func",
	"go", "goto", "if", "import", "interface", "map", "package", "range",
	"return", "select", "struct", "switch", "type", "var" };

#define EXPR_COUNT(table) (sizeof(table) / sizeof((table)[0]))

static struct expr *expr_parse_any(struct expr_parser *parser);
static struct expr *expr_parse_type(struct expr_parser *parser);

/* A node to write to, even if the pool is used up. */
static struct expr *
expr_node(struct expr_parser *parser, enum expr_kind kind)
{
	struct expr *node;

	if (parser->nodes_n == EXPR_NODES_MAX) {
		if (!parser->wrong)
			parser->wrong = "expression nested too deeply";
		parser->token.kind = EXPR_TOKEN_END;
		parser->nodes_n--;
	}
	node = &parser->nodes[parser->nodes_n++];
	*node = (struct expr){ .kind = kind,
		.text = parser->token.text,
		.len = parser->token.len };
	return node;
}

static void
expr_fail(struct expr_parser *parser, const char *wrong)
{
	if (!parser->wrong)
		parser->wrong = wrong;
	parser->token.kind = EXPR_TOKEN_END;
}

static bool
expr_is_one_of(const struct expr_parser *parser, const char *const *words,
	size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (expr_text_is(parser->token.text, parser->token.len,
			    words[i]))
			return true;
	}
	return false;
}

static bool
expr_is(const struct expr_parser *parser, const char *op)
{
	return parser->token.kind == EXPR_TOKEN_OPERATOR &&
		expr_text_is(parser->token.text, parser->token.len, op);
}

/* Skips an operator if it is the current token. */
static bool
expr_take(struct expr_parser *parser, const char *op)
{
	if (!expr_is(parser, op))
		return false;
	expr_next(parser);
	return true;
}

static void
expr_expect(struct expr_parser *parser, const char *op, const char *wrong)
{
	if (!expr_take(parser, op))
		expr_fail(parser, wrong);
}

/* Skips everything up to the bracket that closes the last one. */
static void
expr_skip_brackets(struct expr_parser *parser)
{
	static const char *const openers[] = { "(", "[", "{" };
	static const char *const closers[] = { ")", "]", "}" };

	for (size_t depth = 1; depth > 0; expr_next(parser)) {
		if (parser->token.kind == EXPR_TOKEN_END) {
			expr_fail(parser, "bracket not closed");
			return;
		}
		if (parser->token.kind != EXPR_TOKEN_OPERATOR)
			continue;
		if (expr_is_one_of(parser, openers, EXPR_COUNT(openers)))
			depth++;
		if (expr_is_one_of(parser, closers, EXPR_COUNT(closers)))
			depth--;
	}
}

static struct expr *
expr_parse_name(struct expr_parser *parser)
{
	struct expr *node = expr_node(parser, EXPR_NAME);

	if (parser->token.kind != EXPR_TOKEN_NAME)
		expr_fail(parser, "expected a name");
	else if (expr_is_one_of(parser, EXPR_KEYWORDS,
			 EXPR_COUNT(EXPR_KEYWORDS)))
		expr_fail(parser, "expected a value, found a keyword");
	else
		expr_next(parser);
	return node;
}

/* The name behind the point of a selector. */
static struct expr *
expr_parse_selector(struct expr_parser *parser, const struct expr *of)
{
	struct expr *node = expr_parse_name(parser);

	node->kind = EXPR_SELECTOR;
	node->of = of;
	return node;
}

/* The rest of a type behind its "[". */
static struct expr *
expr_parse_array(struct expr_parser *parser)
{
	struct expr *node = expr_node(parser, EXPR_ARRAY);

	if (!expr_take(parser, "]")) {
		node->sized = true;
		if (!expr_take(parser, "..."))
			expr_parse_any(parser);
		expr_expect(parser, "]", "expected ']'");
	}
	node->of = expr_parse_type(parser);
	return node;
}

static struct expr *
expr_parse_type(struct expr_parser *parser)
{
	struct expr *node;

	if (expr_take(parser, "["))
		return expr_parse_array(parser);
	if (expr_is(parser, "*") || expr_is(parser, "(")) {
		bool bracket = expr_is(parser, "(");

		node = expr_node(parser, EXPR_OTHER);
		expr_next(parser);
		expr_parse_type(parser);
		if (bracket)
			expr_expect(parser, ")", "expected ')'");
		return node;
	}
	node = expr_parse_name(parser);
	if (expr_take(parser, "."))
		node = expr_parse_selector(parser, node);
	return node;
}

static struct expr *
expr_parse_operand(struct expr_parser *parser)
{
	struct expr *node;

	if (parser->token.kind == EXPR_TOKEN_LITERAL) {
		node = expr_node(parser, EXPR_LITERAL);
		node->literal = parser->token.literal;
		expr_next(parser);
	} else if (parser->token.kind == EXPR_TOKEN_NAME) {
		node = expr_parse_name(parser);
	} else if (expr_take(parser, "(")) {
		node = expr_node(parser, EXPR_OTHER);
		expr_parse_any(parser);
		expr_expect(parser, ")", "expected ')'");
	} else if (expr_take(parser, "[")) {
		node = expr_parse_array(parser);
	} else {
		node = expr_node(parser, EXPR_OTHER);
		expr_fail(parser, "expected a value");
	}
	return node;
}

/* The rest of a call behind its "(". Only the first argument is kept. */
static struct expr *
expr_parse_call(struct expr_parser *parser, const struct expr *of)
{
	struct expr *node = expr_node(parser, EXPR_CALL);

	node->of = of;
	while (!expr_is(parser, ")") && !parser->wrong) {
		size_t kept = parser->nodes_n;
		const struct expr *arg = expr_parse_any(parser);

		if (node->args++ == 0)
			node->arg = arg;
		else
			parser->nodes_n = kept;
		expr_take(parser, "...");
		if (!expr_take(parser, ","))
			break;
	}
	expr_expect(parser, ")", "expected ')'");
	return node;
}

static struct expr *
expr_parse_primary(struct expr_parser *parser)
{
	struct expr *node = expr_parse_operand(parser);

	for (;;) {
		if (expr_take(parser, "(")) {
			node = expr_parse_call(parser, node);
		} else if (expr_take(parser, ".")) {
			node = expr_parse_selector(parser, node);
		} else if (expr_take(parser, "[") || expr_take(parser, "{")) {
			expr_skip_brackets(parser);
			node->kind = EXPR_OTHER;
		} else {
			return node;
		}
	}
}

static struct expr *
expr_parse_unary(struct expr_parser *parser)
{
	bool sign = parser->token.kind == EXPR_TOKEN_OPERATOR &&
		expr_is_one_of(parser, EXPR_SIGNS, EXPR_COUNT(EXPR_SIGNS));
	struct expr *node;

	if (!sign && !expr_is(parser, "*"))
		return expr_parse_primary(parser);
	node = expr_node(parser, sign ? EXPR_UNARY : EXPR_OTHER);
	expr_next(parser);
	node->of = expr_parse_unary(parser);
	return node;
}

/* Precedence does not matter: the result is not a value. */
static struct expr *
expr_parse_any(struct expr_parser *parser)
{
	struct expr *node = expr_parse_unary(parser);

	while (parser->token.kind == EXPR_TOKEN_OPERATOR &&
		expr_is_one_of(parser, EXPR_BINARY, EXPR_COUNT(EXPR_BINARY))) {
		size_t kept = parser->nodes_n;

		node->kind = EXPR_OTHER;
		expr_next(parser);
		expr_parse_unary(parser);
		parser->nodes_n = kept;
	}
	return node;
}

const struct expr *
expr_parse(struct expr_parser *parser, const char *line, size_t len)
{
	const struct expr *node;

	parser->wrong = expr_check_text(line, len);
	parser->nodes_n = 0;
	parser->at = line;
	parser->end = line + len;
	if (len >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0)
		parser->at += 3;
	expr_next(parser);
	node = expr_parse_any(parser);
	if (parser->token.kind != EXPR_TOKEN_END)
		expr_fail(parser, "unexpected text behind the value");
	return parser->wrong ? NULL : node;
}
