/* test_mutate_part: results of mutations of tokens, lines and groups. */

#include "lib/reach.h"

/* clang-format off */
static const struct reach_row ROWS[] = {
	{ "a word over a word", MUTATE_TOKEN_OVERWRITE, BYTES("if x then y"), BYTES("if then then y"), NOTHING, 0 },
	{ "a sign over a word", MUTATE_TOKEN_OVERWRITE, BYTES("a1=b2;"), BYTES("a1==;"), NOTHING, 0 },
	{ "a string over a number", MUTATE_TOKEN_OVERWRITE, BYTES("[\"a b\",10]"), BYTES("[\"a b\",\"a b\"]"), NOTHING, 0 },
	{ "a string with a quote in it", MUTATE_TOKEN_OVERWRITE, BYTES("\"a\\\"b\"+c"), BYTES("\"a\\\"b\"+\"a\\\"b\""), NOTHING, 0 },
	{ "bytes beyond ASCII are words", MUTATE_TOKEN_OVERWRITE, BYTES("\xc3\xa4=b"), BYTES("\xc3\xa4=\xc3\xa4"), NOTHING, 0 },
	{ "one token has no other", MUTATE_TOKEN_OVERWRITE, BYTES("word"), NOTHING, NOTHING, 0 },
	{ "no room", MUTATE_TOKEN_OVERWRITE, BYTES("ab=ab"), BYTES("ab=="), NOTHING, 6 },

	{ "before another", MUTATE_TOKEN_INSERT, BYTES("f(x)"), BYTES("f(f(x)"), NOTHING, 0 },
	{ "behind another with a comma", MUTATE_TOKEN_INSERT, BYTES("f(x)"), BYTES("f(x,x)"), NOTHING, 0 },
	{ "with what separates it", MUTATE_TOKEN_INSERT, BYTES("a+b"), BYTES("a+b+b"), NOTHING, 0 },
	{ "no room", MUTATE_TOKEN_INSERT, BYTES("a+b"), NOTHING, NOTHING, 4 },

	{ "two words", MUTATE_TOKEN_SWAP, BYTES("one = three"), BYTES("three = one"), NOTHING, 0 },
	{ "neighbours", MUTATE_TOKEN_SWAP, BYTES("a("), BYTES("(a"), NOTHING, 0 },
	{ "full is no matter", MUTATE_TOKEN_SWAP, BYTES("a(bc"), BYTES("bc(a"), NOTHING, 2 },
	{ "two that are equal", MUTATE_TOKEN_SWAP, BYTES("aa"), NOTHING, NOTHING, 0 },

	{ "a word", MUTATE_TOKEN_REMOVE, BYTES("x, yy"), BYTES("x, "), NOTHING, 0 },
	{ "a word and its comma", MUTATE_TOKEN_REMOVE, BYTES("x, yy"), BYTES(" yy"), NOTHING, 0 },
	{ "not the only one", MUTATE_TOKEN_REMOVE, BYTES("word"), NOTHING, NOTHING, 0 },
	{ "nothing", MUTATE_TOKEN_REMOVE, BYTES(""), NOTHING, NOTHING, 0 },

	{ "once more", MUTATE_TOKEN_REPEAT, BYTES("-x"), BYTES("--x"), NOTHING, 0 },
	{ "four times more with commas", MUTATE_TOKEN_REPEAT, BYTES("(12)"), BYTES("(12,12,12,12,12)"), NOTHING, 0 },
	{ "with what stands before it", MUTATE_TOKEN_REPEAT, BYTES("a.b"), BYTES("a.b.b.b"), NOTHING, 0 },
	{ "as often as there is room", MUTATE_TOKEN_REPEAT, BYTES("ab"), BYTES("ababab"), NOTHING, 7 },

	{ "a line over a line", MUTATE_LINE_OVERWRITE, BYTES("a: 1\nb: 2\n"), BYTES("b: 2\nb: 2\n"), NOTHING, 0 },
	{ "one line is none", MUTATE_LINE_OVERWRITE, BYTES("a: 1\n"), NOTHING, NOTHING, 0 },
	{ "a line more", MUTATE_LINE_INSERT, BYTES("a\nbc\nd"), BYTES("a\nbc\na\nd"), NOTHING, 0 },
	{ "lines change places", MUTATE_LINE_SWAP, BYTES("a\nbc\nd\n"), BYTES("d\nbc\na\n"), NOTHING, 0 },
	{ "a line less", MUTATE_LINE_REMOVE, BYTES("a\nbc\nd\n"), BYTES("a\nd\n"), NOTHING, 0 },
	{ "the last line less", MUTATE_LINE_REMOVE, BYTES("a\nbc\nd"), BYTES("a\nbc\n"), NOTHING, 0 },
	{ "a line again and again", MUTATE_LINE_REPEAT, BYTES("a\nb\n"), BYTES("a\nb\nb\nb\nb\n"), NOTHING, 0 },

	{ "a group over a group", MUTATE_GROUP_OVERWRITE, BYTES("f(x)+[1,(2)]"), BYTES("f[1,(2)]+[1,(2)]"), NOTHING, 0 },
	{ "a group into itself", MUTATE_GROUP_OVERWRITE, BYTES("{a{}}"), BYTES("{a{a{}}}"), NOTHING, 0 },
	{ "a group becomes what it held", MUTATE_GROUP_OVERWRITE, BYTES("{a{}}"), BYTES("{}"), NOTHING, 0 },
	{ "no group", MUTATE_GROUP_OVERWRITE, BYTES("a,b)"), NOTHING, NOTHING, 0 },
	{ "a member of a list", MUTATE_GROUP_INSERT, BYTES("[{1},{2}]"), BYTES("[{1},{2},{1}]"), NOTHING, 0 },
	{ "groups change places", MUTATE_GROUP_SWAP, BYTES("(1)-[22]"), BYTES("[22]-(1)"), NOTHING, 0 },
	{ "not one that holds the other", MUTATE_GROUP_SWAP, BYTES("([22])"), NOTHING, NOTHING, 0 },
	{ "a group less", MUTATE_GROUP_REMOVE, BYTES("[{1},{2}]"), BYTES("[{2}]"), NOTHING, 0 },
	{ "an element less", MUTATE_GROUP_REMOVE, BYTES("<a> <b>x</b></a>"), BYTES("<a> </a>"), NOTHING, 0 },
	{ "groups in a row", MUTATE_GROUP_REPEAT, BYTES("[{1}]"), BYTES("[{1},{1},{1}]"), NOTHING, 0 },
	{ "an element twice", MUTATE_GROUP_REPEAT, BYTES(" <a> <b>x</b></a>"), BYTES(" <a> <b>x</b><b>x</b></a>"), NOTHING, 0 },
	{ "an element with its like inside", MUTATE_GROUP_REPEAT, BYTES(" <b><b>x</b></b>"), BYTES(" <b><b>x</b></b><b><b>x</b></b>"), NOTHING, 0 },
	{ "a tag twice", MUTATE_GROUP_REPEAT, BYTES("<br/>"), BYTES("<br/><br/>"), NOTHING, 0 },
	{ "a word into brackets", MUTATE_GROUP_WRAP, BYTES("a=bc"), BYTES("a=[bc]"), NOTHING, 0 },
	{ "a group into brackets", MUTATE_GROUP_WRAP, BYTES("a[1]"), BYTES("a{[1]}"), NOTHING, 0 },
	{ "a word into quotes", MUTATE_GROUP_WRAP, BYTES("a=bc"), BYTES("a=\"bc\""), NOTHING, 0 },
	{ "deeper", MUTATE_GROUP_WRAP, BYTES("7"), BYTES("[[[[[7]]]]]"), NOTHING, 0 },
	{ "as deep as there is room", MUTATE_GROUP_WRAP, BYTES("7"), BYTES("((7))"), NOTHING, 6 },
	{ "no room", MUTATE_GROUP_WRAP, BYTES("7"), NOTHING, NOTHING, 3 },
	{ "out of brackets", MUTATE_GROUP_UNWRAP, BYTES("f(x, y)"), BYTES("fx, y"), NOTHING, 0 },
	{ "out of quotes", MUTATE_GROUP_UNWRAP, BYTES("{\"a\":1}"), BYTES("{a:1}"), NOTHING, 0 },
	{ "out of tags", MUTATE_GROUP_UNWRAP, BYTES(" <a><b>x</b></a>"), BYTES(" <b>x</b>"), NOTHING, 0 },
	{ "empty brackets", MUTATE_GROUP_UNWRAP, BYTES("f()"), NOTHING, NOTHING, 0 },

	{ "a count of groups", MUTATE_PART_COUNT, BYTES("f((1))"), BYTES("f((1)(1)(1)(1))"), NOTHING, 0 },
	{ "a count of members", MUTATE_PART_COUNT, BYTES("[{1}]"), BYTES("[{1},{1},{1},{1}]"), NOTHING, 0 },
	{ "a count of words", MUTATE_PART_COUNT, BYTES("-x"), BYTES("-xxxx"), NOTHING, 0 },
	{ "a count of lines", MUTATE_PART_COUNT, BYTES("a\nb\n"), BYTES("a\nb\nb\nb\nb\n"), NOTHING, 0 },
	{ "a count of brackets, one in the other", MUTATE_PART_COUNT, BYTES("f[1]"), BYTES("f[[[[1]]]]"), NOTHING, 0 },
	{ "a count of quotes", MUTATE_PART_COUNT, BYTES("'1'"), BYTES("''''1''''"), NOTHING, 0 },
	{ "all of a count", MUTATE_PART_COUNT, BYTES("ab"), BYTES("abababab"), NOTHING, 9 },
	{ "no room for all of it", MUTATE_PART_COUNT, BYTES("ab"), NOTHING, NOTHING, 8 },
	{ "no room for all brackets", MUTATE_PART_COUNT, BYTES("()"), NOTHING, NOTHING, 5 },
	{ "a count of nothing", MUTATE_PART_COUNT, BYTES(""), NOTHING, NOTHING, 0 },

	{ "over another", MUTATE_CHARACTER, BYTES("abc"), BYTES("a,c"), NOTHING, 0 },
	{ "beside another", MUTATE_CHARACTER, BYTES("abc"), BYTES("ab\"c"), NOTHING, 0 },
	{ "one that is there", MUTATE_CHARACTER, BYTES("\x01\x02"), BYTES("\x02\x02"), NOTHING, 0 },
	{ "a zero is none of them", MUTATE_CHARACTER, BYTES("x"), BYTES("n"), NOTHING, 2 },
	{ "nothing", MUTATE_CHARACTER, BYTES(""), NOTHING, NOTHING, 0 },
};
/* clang-format on */

int
main(void)
{
	return reach_run("mutate_part", ROWS, sizeof(ROWS) / sizeof(ROWS[0]));
}
