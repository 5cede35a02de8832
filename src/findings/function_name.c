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

/* Suffixes that compilers add name_behind a '.'. */
static const char *const marks[] = { "isra", "constprop", "part", "cold",
	"lto_priv", "llvm", "localalias", "resolver", "clone", "warm",
	"unlikely", "__uniq" };

#define N(a) (sizeof(a) / sizeof((a)[0]))

struct out {
	char *buf;
	size_t size, n;
};

static void
name_put(struct out *out, const char *text, size_t len)
{
	while (len-- > 0 && out->n + 1 < out->size)
		out->buf[out->n++] = *text++;
}

static bool
name_starts(const char *text, const char *word)
{
	return strncmp(text, word, strlen(word)) == 0;
}

static bool
name_is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Returns the end of the bracketed part; an unclosed bracket ends at '\0'. */
static const char *
name_behind(const char *at)
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
name_operator_len(const char *at, bool inside)
{
	static const char *const signs[] = { "()", "[]", "->*", "->", "<=>",
		"<<=", ">>=", "<<", ">>", "<=", ">=", "<", ">" };
	size_t i, len = strlen(OPERATOR);

	if (inside || !name_starts(at, OPERATOR) || name_is_word(at[len]))
		return 0;
	for (i = 0; i < N(signs); i++)
		if (name_starts(at + len, signs[i]))
			return len + strlen(signs[i]);
	return len;
}

static bool
name_is_mark(const char *at)
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
name_skip_parentheses(const char *at, struct out *out)
{
	const char *end = name_behind(at);

	if (name_starts(at, "(anonymous"))
		name_put(out, at, (size_t)(end - at));
	return end;
}

/* All lambdas of a function are one: their numbers change with the code. */
static const char *
name_skip_lambda(const char *at, struct out *out)
{
	name_put(out, "{lambda}", 8);
	if (*at == '$')
		return at + 2 + strspn(at + 2, "0123456789");
	return name_behind(at);
}

/* Reads one piece of the name and writes its canonical form. */
static const char *
name_step(const char *at, const char *start, struct out *out)
{
	bool inside = at > start && name_is_word(at[-1]);
	size_t len = name_operator_len(at, inside);

	if (len > 0) {
		name_put(out, at, len);
		return at + len;
	}
	if (name_starts(at, LAMBDA) || name_starts(at, "<lambda") ||
		(*at == '$' && at[1] == '_' && isdigit((unsigned char)at[2])))
		return name_skip_lambda(at, out);
	if (*at == '<' && at > start)
		return name_behind(at);
	if (*at == '(')
		return name_skip_parentheses(at, out);
	if (name_starts(at, TAG))
		return at + strcspn(at, "]") + (strchr(at, ']') != NULL);
	name_put(out, at, 1);
	return at + 1;
}

void
function_name(const char *name, char *buf, size_t size)
{
	struct out out = { buf, size, 0 };
	const char *at = name;

	while (*at != '\0' && !name_starts(at, CLONE) &&
		!(at > name && name_is_mark(at)))
		at = name_step(at, name, &out);
	while (out.n > 0 && buf[out.n - 1] == ' ')
		out.n--;
	buf[out.n] = '\0';
	if (out.n == 0)
		snprintf(buf, size, "%s", name);
}
