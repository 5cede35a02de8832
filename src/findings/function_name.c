/* function_name: see function_name.h. */
#include "findings/function_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define OPERATOR "operator"
#define LAMBDA "{lambda"
#define CLONE " [clone "
#define TAG "[abi:"

/* Suffixes that compilers add behind a '.'. */
static const char *const marks[] = { "isra", "constprop", "part", "cold",
	"lto_priv", "llvm", "localalias", "resolver", "clone", "warm",
	"unlikely", "__uniq" };

#define N(a) (sizeof(a) / sizeof((a)[0]))

struct out {
	char *buf;
	size_t size, n;
};

static void
put(struct out *out, const char *text, size_t len)
{
	while (len-- > 0 && out->n + 1 < out->size)
		out->buf[out->n++] = *text++;
}

static bool
starts(const char *text, const char *word)
{
	return strncmp(text, word, strlen(word)) == 0;
}

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Returns the end of the bracketed part; an unclosed bracket ends at '\0'. */
static const char *
behind(const char *at)
{
	const char open = *at;
	const char close = open == '<' ? '>' : open == '(' ? ')' : '}';
	size_t depth = 0;

	for (; *at != '\0'; at++) {
		if (*at == open)
			depth++;
		else if (*at == close && --depth == 0)
			return at + 1;
	}
	return at;
}

/* "operator<", "operator()", "operator->*": brackets that are a name. */
static size_t
operator_len(const char *at, bool inside)
{
	static const char *const signs[] = { "()", "[]", "->*", "->", "<=>",
		"<<=", ">>=", "<<", ">>", "<=", ">=", "<", ">" };
	size_t i, len = strlen(OPERATOR);

	if (inside || !starts(at, OPERATOR) || is_word(at[len]))
		return 0;
	for (i = 0; i < N(signs); i++)
		if (starts(at + len, signs[i]))
			return len + strlen(signs[i]);
	return len;
}

static bool
is_mark(const char *at)
{
	size_t i, len;

	if (*at != '.')
		return false;
	for (i = 0; i < N(marks); i++) {
		len = strlen(marks[i]);
		if (strncmp(at + 1, marks[i], len) == 0 &&
			(at[1 + len] == '.' || at[1 + len] == '\0' ||
				isdigit((unsigned char)at[1 + len])))
			return true;
	}
	return false;
}

/* "(anonymous namespace)" and "(anonymous class)" are part of the name. */
static const char *
skip_parentheses(const char *at, struct out *out)
{
	const char *end = behind(at);

	if (starts(at, "(anonymous"))
		put(out, at, (size_t)(end - at));
	return end;
}

/* All lambdas of a function are one: their numbers change with the code. */
static const char *
skip_lambda(const char *at, struct out *out)
{
	put(out, "{lambda}", 8);
	if (*at == '$')
		return at + 2 + strspn(at + 2, "0123456789");
	return behind(at);
}

/* Reads one piece of the name and writes its canonical form. */
static const char *
step(const char *at, const char *start, struct out *out)
{
	bool inside = at > start && is_word(at[-1]);
	size_t len = operator_len(at, inside);

	if (len > 0) {
		put(out, at, len);
		return at + len;
	}
	if (starts(at, LAMBDA) || starts(at, "<lambda") ||
		(*at == '$' && at[1] == '_' && isdigit((unsigned char)at[2])))
		return skip_lambda(at, out);
	if (*at == '<' && at > start)
		return behind(at);
	if (*at == '(')
		return skip_parentheses(at, out);
	if (starts(at, TAG))
		return at + strcspn(at, "]") + (strchr(at, ']') != NULL);
	put(out, at, 1);
	return at + 1;
}

void
function_name(const char *name, char *buf, size_t size)
{
	struct out out = { buf, size, 0 };
	const char *at = name;

	while (*at != '\0' && !starts(at, CLONE) && !(at > name && is_mark(at)))
		at = step(at, name, &out);
	while (out.n > 0 && buf[out.n - 1] == ' ')
		out.n--;
	buf[out.n] = '\0';
	if (out.n == 0)
		snprintf(buf, size, "%s", name);
}
