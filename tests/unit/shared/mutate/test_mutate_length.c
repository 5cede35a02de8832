/* test_mutate_length: results of mutations of length fields. */

#include "lib/reach.h"

#define A50 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define A255 A50 A50 A50 A50 A50 "aaaaa"
#define F16 "\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377"

/* clang-format off */
static const struct reach_row ROWS[] = {
	{ "a byte that tells the rest", MUTATE_LENGTH_GROW, BYTES("\3abc"), BYTES("\5abcab"), NOTHING, 0 },
	{ "a byte that tells all", MUTATE_LENGTH_GROW, BYTES("\4abc"), BYTES("\6abcab"), NOTHING, 0 },
	{ "two bytes, the greater first", MUTATE_LENGTH_GROW, BYTES("x\0\3abc"), BYTES("x\0\5ababc"), NOTHING, 0 },
	{ "two bytes, the lesser first", MUTATE_LENGTH_GROW, BYTES("\3\0abc"), BYTES("\5\0abcbc"), NOTHING, 0 },
	{ "four bytes from themselves on", MUTATE_LENGTH_GROW, BYTES("\0\0\0\7abc"), BYTES("\0\0\0\11aabbc"), NOTHING, 0 },
	{ "a carry", MUTATE_LENGTH_GROW, BYTES("\377\0" A255), BYTES("\0\1" A255 "a"), NOTHING, 0 },
	{ "what a byte cannot tell", MUTATE_LENGTH_GROW, BYTES(F16 F16 F16 F16 F16 F16 F16 F16 F16 F16 F16 F16 F16 F16 F16 F16), NOTHING, NOTHING, 0 },
	{ "a piece inside", MUTATE_LENGTH_GROW, BYTES("ab\2cdef"), BYTES("ab\3ccdef"), NOTHING, 0 },
	{ "digits", MUTATE_LENGTH_GROW, BYTES("3:abc,"), BYTES("4:aabc,"), NOTHING, 0 },
	{ "digits that become more", MUTATE_LENGTH_GROW, BYTES("9:aaaaaaaaa,"), BYTES("10:aaaaaaaaaa,"), NOTHING, 0 },
	{ "digits and an empty line", MUTATE_LENGTH_GROW, BYTES("n: 2\r\n\r\nab"), BYTES("n: 4\r\n\r\nabab"), NOTHING, 0 },
	{ "hexadecimal digits", MUTATE_LENGTH_GROW, BYTES("0x9\naaaaaaaaa"), BYTES("0xa\naaaaaaaaaa"), NOTHING, 0 },
	{ "no room", MUTATE_LENGTH_GROW, BYTES("\3abc"), NOTHING, NOTHING, 5 },
	{ "no field", MUTATE_LENGTH_GROW, BYTES("zzzz"), NOTHING, NOTHING, 0 },

	{ "less of the rest", MUTATE_LENGTH_SHRINK, BYTES("\3abc"), BYTES("\1c"), NOTHING, 0 },
	{ "nothing left", MUTATE_LENGTH_SHRINK, BYTES("\0\3abc"), BYTES("\0\0"), NOTHING, 0 },
	{ "less of a piece", MUTATE_LENGTH_SHRINK, BYTES("ab\3cdefg"), BYTES("ab\1cfg"), NOTHING, 0 },
	{ "less digits", MUTATE_LENGTH_SHRINK, BYTES("10:abcdefghij,"), BYTES("9:abdefghij,"), NOTHING, 0 },
	{ "the width of digits stays", MUTATE_LENGTH_SHRINK, BYTES("010:abcdefghij,"), BYTES("009:abdefghij,"), NOTHING, 0 },
	{ "full is no matter", MUTATE_LENGTH_SHRINK, BYTES("\3abc"), BYTES("\2ab"), NOTHING, 1 },

	{ "one more than there is", MUTATE_LENGTH_CHANGE, BYTES("\3abc"), BYTES("\4abc"), NOTHING, 0 },
	{ "one less", MUTATE_LENGTH_CHANGE, BYTES("\0\3abc"), BYTES("\0\2abc"), NOTHING, 0 },
	{ "nothing", MUTATE_LENGTH_CHANGE, BYTES("\0\0\0\3abc"), BYTES("\0\0\0\0abc"), NOTHING, 0 },
	{ "all there could be", MUTATE_LENGTH_CHANGE, BYTES("\0\0\0\3abc"), BYTES("\377\377\377\377abc"), NOTHING, 0 },
	{ "all with a sign", MUTATE_LENGTH_CHANGE, BYTES("\3\0abc"), BYTES("\377\177abc"), NOTHING, 0 },
	{ "digits of 32 bits", MUTATE_LENGTH_CHANGE, BYTES("3:abc"), BYTES("4294967295:abc"), NOTHING, 0 },

	{ "a byte", MUTATE_LENGTH_SET, BYTES("zabc"), BYTES("\3abc"), NOTHING, 0 },
	{ "two bytes, the greater first", MUTATE_LENGTH_SET, BYTES("zzabc"), BYTES("\0\3abc"), NOTHING, 0 },
	{ "two bytes, the lesser first", MUTATE_LENGTH_SET, BYTES("zzabc"), BYTES("\3\0abc"), NOTHING, 0 },
	{ "four bytes", MUTATE_LENGTH_SET, BYTES("zzzzzabc"), BYTES("\4\0\0\0zabc"), NOTHING, 0 },
	{ "four bytes behind others", MUTATE_LENGTH_SET, BYTES("zzzzzzzzabc"), BYTES("zzzz\0\0\0\3abc"), NOTHING, 0 },
	{ "where it is not aligned", MUTATE_LENGTH_SET, BYTES("zzzabc"), BYTES("z\0\3abc"), NOTHING, 0 },
	{ "all of it", MUTATE_LENGTH_SET, BYTES("zzabc"), BYTES("\0\5abc"), NOTHING, 0 },
	{ "with itself", MUTATE_LENGTH_SET, BYTES("yyzzabc"), BYTES("yy\0\5abc"), NOTHING, 0 },
	{ "less a trailer", MUTATE_LENGTH_SET, BYTES("zzabcdef"), BYTES("\0\2abcdef"), NOTHING, 0 },
	{ "digits", MUTATE_LENGTH_SET, BYTES("0:abcdefghijkl"), BYTES("12:abcdefghijkl"), NOTHING, 0 },
	{ "nothing to be one", MUTATE_LENGTH_SET, BYTES(""), NOTHING, NOTHING, 0 },
};
/* clang-format on */

int
main(void)
{
	return reach_run("mutate_length", ROWS, sizeof(ROWS) / sizeof(ROWS[0]));
}
