/* instruction: lengths, kinds and targets of instructions by their bytes. */

#include "lib/rows.h"
#include "target/traps/instruction.h"

#define NONE 1000 /* no target */

/* clang-format off */
static const struct row {
	const char *name;
	uint8_t bytes[16];
	uint8_t len; /* 0: invalid */
	enum instruction_kind kind;
	int target; /* from the start */
} CASES[] = {
	{ "push", { 0x55 }, 1, INSTRUCTION_PLAIN, NONE },
	{ "mov register", { 0x48, 0x89, 0xe5 }, 3, INSTRUCTION_PLAIN, NONE },
	{ "mov 64-bit immediate", { 0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8 }, 10,
		INSTRUCTION_PLAIN, NONE },
	{ "mov 16-bit immediate", { 0x66, 0xb8, 1, 2 }, 4, INSTRUCTION_PLAIN, NONE },
	{ "stack with displacement", { 0x48, 0x8b, 0x84, 0x24, 1, 2, 3, 4 }, 8,
		INSTRUCTION_PLAIN, NONE },
	{ "index without base", { 0x8b, 0x04, 0x85, 1, 2, 3, 4 }, 7,
		INSTRUCTION_PLAIN, NONE },
	{ "relative", { 0x48, 0x8d, 0x3d, 1, 2, 3, 4 }, 7, INSTRUCTION_PLAIN, NONE },
	{ "test with immediate", { 0xf6, 0xc1, 1 }, 3, INSTRUCTION_PLAIN, NONE },
	{ "neg", { 0xf7, 0xd8 }, 2, INSTRUCTION_PLAIN, NONE },
	{ "long nop", { 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0 }, 10,
		INSTRUCTION_PLAIN, NONE },
	{ "endbr64", { 0xf3, 0x0f, 0x1e, 0xfa }, 4, INSTRUCTION_PLAIN, NONE },
	{ "shufps", { 0x0f, 0xc6, 0xc1, 1 }, 4, INSTRUCTION_PLAIN, NONE },
	{ "pshufb", { 0x66, 0x0f, 0x38, 0x00, 0xc1 }, 5, INSTRUCTION_PLAIN, NONE },
	{ "palignr", { 0x66, 0x0f, 0x3a, 0x0f, 0xc1, 8 }, 6, INSTRUCTION_PLAIN,
		NONE },
	{ "vzeroupper", { 0xc5, 0xf8, 0x77 }, 3, INSTRUCTION_PLAIN, NONE },
	{ "vpermq", { 0xc4, 0xe3, 0xfd, 0x00, 0xc0, 0xd8 }, 6, INSTRUCTION_PLAIN,
		NONE },
	{ "evex load", { 0x62, 0xf1, 0x7c, 0x48, 0x10, 0x47, 1 }, 7,
		INSTRUCTION_PLAIN, NONE },
	{ "short branch", { 0x74, 0xfe }, 2, INSTRUCTION_BRANCH, 0 },
	{ "near branch", { 0x0f, 0x85, 0x10, 0, 0, 0 }, 6, INSTRUCTION_BRANCH, 22 },
	{ "loop", { 0xe2, 2 }, 2, INSTRUCTION_BRANCH, 4 },
	{ "short jump", { 0xeb, 5 }, 2, INSTRUCTION_JUMP, 7 },
	{ "near jump", { 0xe9, 0xfb, 0xff, 0xff, 0xff }, 5, INSTRUCTION_JUMP, 0 },
	{ "call", { 0xe8, 1, 0, 0, 0 }, 5, INSTRUCTION_CALL, 6 },
	{ "call of TLS", { 0x66, 0x66, 0x48, 0xe8, 0, 0, 0, 0 }, 8,
		INSTRUCTION_CALL, 8 },
	{ "indirect call", { 0xff, 0xd0 }, 2, INSTRUCTION_CALL, NONE },
	{ "indirect jump", { 0x3e, 0xff, 0xe0 }, 3, INSTRUCTION_INDIRECT, NONE },
	{ "return", { 0xf3, 0xc3 }, 2, INSTRUCTION_END, NONE },
	{ "ud2", { 0x0f, 0x0b }, 2, INSTRUCTION_END, NONE },
	{ "ud1 of UBSan", { 0x67, 0x0f, 0xb9, 0x40, 1 }, 5, INSTRUCTION_END, NONE },
	{ "port", { 0xec }, 0, INSTRUCTION_PLAIN, NONE },
	{ "no instruction", { 0x06 }, 0, INSTRUCTION_PLAIN, NONE },
	{ "undefined group", { 0xff, 0xff }, 0, INSTRUCTION_PLAIN, NONE },
	{ "jump of unclear length", { 0x66, 0xe9, 0, 0, 0, 0 }, 0,
		INSTRUCTION_PLAIN, NONE },
	{ "only prefixes", { 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66,
		0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66 }, 0, INSTRUCTION_PLAIN,
		NONE },
};
/* clang-format on */

static void
test_decode(void **state)
{
	const struct row *row = *state;
	struct instruction code;
	bool valid = instruction_decode(row->bytes, sizeof(row->bytes), &code);

	assert_int_equal(valid, row->len > 0);
	if (!valid)
		return;
	assert_int_equal(code.len, row->len);
	assert_int_equal(code.kind, row->kind);
	if (row->target != NONE)
		assert_int_equal(code.target,
			(uintptr_t)row->bytes + (uintptr_t)row->target);
	else
		assert_int_equal(code.target, 0);
}

/* A byte less, and the instruction is cut off. */
static void
test_cut(void **state)
{
	const struct row *row = *state;
	struct instruction code;

	for (size_t size = 0; size < row->len; size++)
		assert_false(instruction_decode(row->bytes, size, &code));
}

static void
test_tables(void **state)
{
	static const uint8_t NEAR[] = { 0x48, 0x8d, 0x15, 9, 0, 0, 0 };
	static const uint8_t FAR[] = { 0xff, 0x24, 0xc5, 0, 0x10, 0x40, 0 };
	static const uint8_t PLAIN[] = { 0x48, 0x8b, 0x15, 9, 0, 0, 0 };
	struct instruction code;

	assert_true(instruction_decode(NEAR, sizeof(NEAR), &code));
	assert_int_equal(code.table, INSTRUCTION_TABLE_NEAR);
	assert_int_equal(code.at, (uintptr_t)NEAR + 16);
	assert_true(instruction_decode(FAR, sizeof(FAR), &code));
	assert_int_equal(code.table, INSTRUCTION_TABLE_FAR);
	assert_int_equal(code.at, 0x401000);
	assert_int_equal(code.kind, INSTRUCTION_INDIRECT);
	assert_true(instruction_decode(PLAIN, sizeof(PLAIN), &code));
	assert_int_equal(code.table, INSTRUCTION_NO_TABLE);
}

int
main(void)
{
	static struct CMUnitTest tests[2 * ROWS(CASES) + 1];
	size_t n = 0;

	if (!instruction_is_known())
		return 0;
	for (size_t i = 0; i < ROWS(CASES); i++) {
		tests[n++] = (struct CMUnitTest){ CASES[i].name, test_decode,
			NULL, NULL, (void *)(uintptr_t)&CASES[i] };
		tests[n++] = (struct CMUnitTest){ CASES[i].name, test_cut, NULL,
			NULL, (void *)(uintptr_t)&CASES[i] };
	}
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_tables);
	return _cmocka_run_group_tests("instruction", tests, n, NULL, NULL);
}
