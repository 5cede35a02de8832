/*
 * functions: function starts from made-up unwind tables: valid ones, those of
 * split-off parts, and damaged ones.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "target/hooks/functions.h"

#define CODE 0x8000 /* offset of the first function */
#define STEP 0x100  /* to the next one */

struct image {
	uint8_t *bytes; /* head, rows, CIE, entries */
	size_t size, head_size;
};

static void
put(struct image *image, const void *data, size_t len)
{
	memcpy(image->bytes + image->size, data, len);
	image->size += len;
}

static void
put_word(struct image *image, int64_t n)
{
	uint32_t word = (uint32_t)n;

	put(image, &word, sizeof(word));
}

/* "zR": addresses of 4 bytes, relative to their own position. */
static const uint8_t COMMON[] = { 0x14, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1,
	0x78, 0x10, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0, 0 };

/* Makes a function for each first instruction. */
static void
make(struct image *image, const uint8_t *ops, uint32_t n)
{
	const uint8_t start[] = { 1, 0x1b, 3, 0x3b, 0, 0, 0, 0 };
	size_t common, rows = sizeof(start) + 4;

	image->bytes = calloc(1, 4096);
	image->size = 0;
	assert_non_null(image->bytes);
	put(image, start, sizeof(start));
	put_word(image, n);
	image->head_size = rows + 8 * (size_t)n;
	common = image->head_size;
	image->size = common;
	put(image, COMMON, sizeof(COMMON));
	for (uint32_t i = 0; i < n; i++) {
		size_t entry = image->size;
		const uint8_t rest[] = { 0, ops[i], 0, 0 };

		image->size = rows + 8 * (size_t)i;
		put_word(image, CODE + STEP * (int64_t)i);
		put_word(image, (int64_t)entry);
		image->size = entry;
		put_word(image, 16);
		put_word(image, (int64_t)(entry + 4 - common));
		put_word(image, 0);
		put_word(image, STEP);
		put(image, rest, sizeof(rest));
	}
}

static bool
open_image(const struct image *image, struct functions *f)
{
	uintptr_t start = (uintptr_t)image->bytes;

	return functions_open(f, image->bytes, image->head_size, start,
		start + image->size);
}

/* clang-format off */
static const struct begin_case {
	const char *name;
	int64_t code; /* from the head */
	int64_t begin; /* 0: none */
} BEGIN_CASES[] = {
	{ "before all",       CODE - 1, 0 },
	{ "the first byte",   CODE, CODE },
	{ "inside",           CODE + STEP - 1, CODE },
	{ "the next one",     CODE + STEP, CODE + STEP },
	{ "a part",           CODE + 2 * STEP, 0 },
	{ "another part",     CODE + 3 * STEP + 5, 0 },
	{ "a saved register", CODE + 4 * STEP + 5, 0 },
	{ "behind all",       CODE + 5 * STEP + 0x10000, CODE + 5 * STEP },
};
/* clang-format on */

static void
test_begin(void **state)
{
	/* advance, nop, def_cfa_offset, def_cfa, offset, advance */
	static const uint8_t OPS[] = { 0x41, 0, 0x0e, 0x0c, 0x86, 0x44 };
	const struct begin_case *row = *state;
	struct functions f;
	struct image image;
	uintptr_t base;

	make(&image, OPS, sizeof(OPS));
	assert_true(open_image(&image, &f));
	base = (uintptr_t)image.bytes;
	assert_int_equal(functions_begin(&f, base + (uintptr_t)row->code),
		row->begin != 0 ? base + (uintptr_t)row->begin : 0);
	free(image.bytes);
}

/* clang-format off */
static const struct damage {
	size_t at;
	uint8_t value;
	const char *name;
} DAMAGES[] = {
	{ 0, 2, "version" },
	{ 1, 0x1c, "width of the pointer" },
	{ 2, 0x04, "width of the number" },
	{ 3, 0x1b, "kind of the table" },
	{ 3, 0xff, "no table" },
	{ 8, 0, "no rows" },
	{ 11, 0x80, "too many rows" },
};
/* clang-format on */

static void
test_damaged_head(void **state)
{
	static const uint8_t OPS[] = { 0x41 };

	for (size_t i = 0; i < sizeof(DAMAGES) / sizeof(*DAMAGES); i++) {
		struct functions f;
		struct image image;

		make(&image, OPS, 1);
		image.bytes[DAMAGES[i].at] = DAMAGES[i].value;
		if (open_image(&image, &f))
			fail_msg("%s: it is opened", DAMAGES[i].name);
		for (size_t len = 0; len < image.head_size; len++)
			assert_false(functions_open(&f, image.bytes, len,
				(uintptr_t)image.bytes,
				(uintptr_t)image.bytes + image.size));
		free(image.bytes);
	}
}

/* Any byte may be damaged: there is a result, and no access out of bounds. */
static void
test_damaged_entries(void **state)
{
	static const uint8_t OPS[] = { 0x41, 0x0e, 0x0c };
	static const uint8_t VALUES[] = { 0, 1, 0x7f, 0x80, 0xff };

	for (size_t at = 12; at < 12 + 24 + sizeof(COMMON) + 60; at++) {
		for (size_t v = 0; v < sizeof(VALUES); v++) {
			struct functions f;
			struct image image, exact;

			make(&image, OPS, sizeof(OPS));
			image.bytes[at] = VALUES[v];
			/* An exact copy, so that a sanitizer sees its end. */
			exact = image;
			exact.bytes = malloc(image.size);
			assert_non_null(exact.bytes);
			memcpy(exact.bytes, image.bytes, image.size);
			assert_true(open_image(&exact, &f));
			for (int64_t code = 0; code < 4; code++)
				(void)functions_begin(&f,
					(uintptr_t)exact.bytes + CODE +
						(uintptr_t)(code * STEP));
			free(exact.bytes);
			free(image.bytes);
		}
	}
}

int
main(void)
{
	enum {
		N = sizeof(BEGIN_CASES) / sizeof(BEGIN_CASES[0])
	};
	const struct CMUnitTest more[] = {
		cmocka_unit_test(test_damaged_head),
		cmocka_unit_test(test_damaged_entries),
	};
	struct CMUnitTest tests[N] = { 0 };
	int failed;

	for (size_t i = 0; i < N; i++) {
		tests[i].name = BEGIN_CASES[i].name;
		tests[i].test_func = test_begin;
		tests[i].initial_state = (void *)(uintptr_t)&BEGIN_CASES[i];
	}
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	return failed + cmocka_run_group_tests(more, NULL, NULL);
}
