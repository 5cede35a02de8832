/* test_mutate_block: results of mutations of blocks, and of splices. */

#include "lib/reach.h"

/* clang-format off */
static const struct reach_row ROWS[] = {
	{ "one byte twice", MUTATE_BLOCK_REPEAT, BYTES("abc"), BYTES("abbc"), NOTHING, 0 },
	{ "a block four times more", MUTATE_BLOCK_REPEAT, BYTES("abc"), BYTES("abababababc"), NOTHING, 0 },
	{ "all of it", MUTATE_BLOCK_REPEAT, BYTES("abc"), BYTES("abcabc"), NOTHING, 0 },
	{ "as often as there is room", MUTATE_BLOCK_REPEAT, BYTES("a"), BYTES("aaa"), NOTHING, 4 },
	{ "no room", MUTATE_BLOCK_REPEAT, BYTES("a"), NOTHING, NOTHING, 2 },
	{ "nothing", MUTATE_BLOCK_REPEAT, BYTES(""), NOTHING, NOTHING, 0 },
	{ "forward", MUTATE_BLOCK_MOVE, BYTES("abcdef"), BYTES("adebcf"), NOTHING, 0 },
	{ "backward", MUTATE_BLOCK_MOVE, BYTES("abcdef"), BYTES("defabc"), NOTHING, 0 },
	{ "full is no matter", MUTATE_BLOCK_MOVE, BYTES("ab"), BYTES("ba"), NOTHING, 1 },
	{ "nowhere to go", MUTATE_BLOCK_MOVE, BYTES("a"), NOTHING, NOTHING, 0 },
	{ "some bytes", MUTATE_BLOCK_REVERSE, BYTES("abcdef"), BYTES("aedcbf"), NOTHING, 0 },
	{ "the same from both ends", MUTATE_BLOCK_REVERSE, BYTES("aaaa"), NOTHING, NOTHING, 0 },

	{ "a piece between", MUTATE_SPLICE_INSERT, BYTES("abc"), BYTES("a23bc"), BYTES("1234"), 0 },
	{ "a piece behind", MUTATE_SPLICE_INSERT, BYTES("abc"), BYTES("abc4"), BYTES("1234"), 0 },
	{ "into nothing", MUTATE_SPLICE_INSERT, BYTES(""), BYTES("1234"), BYTES("1234"), 0 },
	{ "as much as there is room", MUTATE_SPLICE_INSERT, BYTES("abc"), BYTES("abc12"), BYTES("1234"), 6 },
	{ "no room", MUTATE_SPLICE_INSERT, BYTES("abc"), NOTHING, BYTES("1234"), 4 },
	{ "no partner", MUTATE_SPLICE_INSERT, BYTES("abc"), NOTHING, NOTHING, 0 },
	{ "over others", MUTATE_SPLICE_OVERWRITE, BYTES("abcdef"), BYTES("abc12f"), BYTES("1234"), 0 },
	{ "at the same offset", MUTATE_SPLICE_OVERWRITE, BYTES("abcdef"), BYTES("ab3def"), BYTES("1234"), 0 },
	{ "cut off at the end", MUTATE_SPLICE_OVERWRITE, BYTES("abc"), BYTES("a12"), BYTES("1234"), 3 },
	{ "a partner that is the same", MUTATE_SPLICE_OVERWRITE, BYTES("aaa"), NOTHING, BYTES("aaaaa"), 0 },
	{ "its tail", MUTATE_SPLICE_TAIL, BYTES("abcdef"), BYTES("abc234"), BYTES("1234"), 0 },
	{ "its tail at the same offset", MUTATE_SPLICE_TAIL, BYTES("abcdef"), BYTES("ab34"), BYTES("1234"), 0 },
	{ "its head", MUTATE_SPLICE_TAIL, BYTES("abcdef"), BYTES("12ef"), BYTES("1234"), 0 },
	{ "longer than both", MUTATE_SPLICE_TAIL, BYTES("abcdef"), BYTES("abcde234"), BYTES("1234"), 0 },
	{ "a token of it", MUTATE_SPLICE_TOKEN, BYTES("if x"), BYTES("while x"), BYTES("while (1)"), 0 },
	{ "a token of it more", MUTATE_SPLICE_TOKEN, BYTES("if x"), BYTES("if x1"), BYTES("while (1)"), 0 },
	{ "a line of it", MUTATE_SPLICE_LINE, BYTES("a\nb\n"), BYTES("a\nc\n"), BYTES("c\nd\n"), 0 },
	{ "a line of it more", MUTATE_SPLICE_LINE, BYTES("a\nb\n"), BYTES("a\nc\nb\n"), BYTES("c\nd\n"), 0 },
	{ "a group of it", MUTATE_SPLICE_GROUP, BYTES("f(x)"), BYTES("f[2, 3]"), BYTES("g[2, 3]"), 0 },
	{ "a partner without groups", MUTATE_SPLICE_GROUP, BYTES("f(x)"), NOTHING, BYTES("g2, 3"), 0 },
};
/* clang-format on */

int
main(void)
{
	return reach_run("mutate_block", ROWS, sizeof(ROWS) / sizeof(ROWS[0]));
}
