/*
 * expr: parses the Go expressions that a line of a corpus file can hold.
 *
 * The parser accepts calls, literals, names, signs, and enough of the rest of
 * the language to tell a well-formed line without a value from a malformed one.
 * It keeps only the parts that decide about a value: a small tree in a fixed
 * pool; its texts point into the line.
 */
#ifndef CFUZZ_SHARED_VALUES_EXPR_H
#define CFUZZ_SHARED_VALUES_EXPR_H

#include <stdbool.h>
#include <stddef.h>

/* Bounds the nesting, and so the stack. */
#define EXPR_NODES_MAX 48

enum expr_kind {
	EXPR_NAME,
	EXPR_LITERAL,
	EXPR_UNARY,    /* + - ! ^ & <- ~ before "of" */
	EXPR_CALL,     /* "of" is the called expression */
	EXPR_SELECTOR, /* "of", a point and this name */
	EXPR_ARRAY,    /* a type; "of" is the type of the elements */
	EXPR_OTHER,    /* well-formed, but never a part of a value */
};

enum literal_kind {
	LITERAL_INT,
	LITERAL_FLOAT,
	LITERAL_IMAGINARY,
	LITERAL_CHAR,
	LITERAL_STRING,
};

struct expr {
	enum expr_kind kind;
	enum literal_kind literal; /* EXPR_LITERAL */
	const char *text;          /* the name, the literal, the operator */
	size_t len;
	const struct expr *of;
	const struct expr *arg; /* EXPR_CALL: the first argument */
	size_t args;            /* EXPR_CALL: their number */
	bool sized;             /* EXPR_ARRAY: has a length */
};

struct expr_token {
	enum {
		EXPR_TOKEN_END,
		EXPR_TOKEN_NAME,
		EXPR_TOKEN_LITERAL,
		EXPR_TOKEN_OPERATOR,
	} kind;
	enum literal_kind literal;
	const char *text;
	size_t len;
};

struct expr_parser {
	const char *at; /* the end of the token */
	const char *end;
	struct expr_token token; /* the current one */
	const char *wrong;       /* the first error, or NULL */
	size_t nodes_n;
	struct expr nodes[EXPR_NODES_MAX];
};

/*
 * Parses a whole line. Returns its tree, which is part of the parser, or NULL
 * with the reason in parser->wrong.
 */
const struct expr *expr_parse(struct expr_parser *parser, const char *line,
	size_t len);

/* Moves to the next token; for expr_parse() only. See expr_scan.c. */
void expr_next(struct expr_parser *parser);

/* NULL if a source file of Go may contain the line, else what is wrong. */
const char *expr_check_text(const char *line, size_t len);

/* Is the text, of len bytes, this word? */
bool expr_text_is(const char *text, size_t len, const char *word);

#endif
