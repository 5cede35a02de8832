/* The records of CmpLog in each layout become pairs of operands. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "adapter/afl_cmplog.h"
#include "lib/rows.h"
#include "target/hooks/compare.h"

/* Where a version of AFL++ puts what, in bytes. */
struct layout {
	unsigned header, number, number_at[2], bytes, bytes_at[2], len_at[2];
};

static const struct layout LAYOUTS[] = {
	{ 8, 32, { 0, 8 }, 64, { 0, 32 }, { 31, 63 } },
	{ 2, 42, { 0, 8 }, 67, { 0, 33 }, { 32, 65 } },
	{ 2, 72, { 0, 32 }, 72, { 0, 32 }, { 64, 65 } },
};

static struct afl_cmplog cmplog;

static int
open_map(void **state)
{
	cmplog = (struct afl_cmplog){
		.map = mmap(NULL, AFL_CMPLOG_SIZE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
	};
	return cmplog.map == MAP_FAILED;
}

static int
close_map(void **state)
{
	return munmap(cmplog.map, AFL_CMPLOG_SIZE);
}

static void
put_header(const struct layout *l, uint32_t row, unsigned hits, unsigned shape,
	bool bytes, unsigned attribute)
{
	uint64_t header = l->header == 8
		? hits | (uint64_t)shape << 48 | (bytes ? 2ull : 1ull) << 53 |
			(uint64_t)attribute << 55
		: hits | shape << 6 | (unsigned)bytes << 11 | attribute << 12;

	memcpy(cmplog.map + (size_t)row * l->header, &header, l->header);
}

static uint8_t *
row_at(const struct layout *l, uint32_t row)
{
	return cmplog.map + (size_t)AFL_CMPLOG_ROWS * l->header +
		(size_t)row * 32 * l->number;
}

static void
put_number(const struct layout *l, uint32_t row, unsigned column, uint64_t a,
	uint64_t b)
{
	uint8_t *at = row_at(l, row) + (size_t)column * l->number;

	memcpy(at + l->number_at[0], &a, sizeof(a));
	memcpy(at + l->number_at[1], &b, sizeof(b));
}

static void
put_bytes(const struct layout *l, uint32_t row, const char *a, size_t a_len,
	const char *b, size_t b_len, uint8_t exact)
{
	uint8_t *at = row_at(l, row);

	memcpy(at + l->bytes_at[0], a, a_len);
	memcpy(at + l->bytes_at[1], b, b_len);
	at[l->len_at[0]] = (uint8_t)a_len | exact;
	at[l->len_at[1]] = (uint8_t)b_len | exact;
}

static uint32_t
read_map(void)
{
	compare_begin();
	afl_cmplog_read(&cmplog);
	return compare_end();
}

/* The pair whose first operand this is. */
static struct compare_pair
find_number(uint64_t first)
{
	struct compare_pair pair;

	for (uint32_t i = 0; compare_get(i, &pair); i++) {
		if ((pair.shape & COMPARE_WIDTH) != 0 &&
			pair.number[0] == first)
			return pair;
	}
	fail_msg("no pair begins with %#jx", (uintmax_t)first);
	return pair;
}

static struct compare_pair
find_bytes(void)
{
	struct compare_pair pair;

	for (uint32_t i = 0; compare_get(i, &pair); i++) {
		if ((pair.shape & COMPARE_WIDTH) == 0)
			return pair;
	}
	fail_msg("no pair of bytes");
	return pair;
}

static void
numbers(void **state)
{
	struct compare_pair pair;

	for (size_t i = 0; i < ROWS(LAYOUTS); i++) {
		const struct layout *l = &LAYOUTS[i];

		(void)open_map(NULL);
		put_header(l, 7, 2, 3, false, 0);
		put_number(l, 7, 0, 0x11111111 + i, 0x22222222);
		put_number(l, 7, 1, 0x33333333 + i, 0x44444444);
		put_header(l, 65535, 1, 7, false, 8);
		put_number(l, 65535, 0, 0x5555555555555555 + i, 6);
		put_header(l, 300, 1, 2, false, 0);
		put_number(l, 300, 0, 0xff00777777 + i, 8);
		row_check(read_map() == 4, "layout %zu: %u", i,
			compare_pairs_n());
		pair = find_number(0x33333333 + i);
		row_check(pair.shape == 4 && pair.number[1] == 0x44444444,
			"layout %zu", i);
		pair = find_number(0x5555555555555555 + i);
		row_check(pair.shape == (8 | COMPARE_FLOAT), "layout %zu", i);
		/* Three bytes are of four; the rest is cut. */
		pair = find_number(0x777777 + i);
		row_check(pair.shape == 4, "layout %zu", i);
		afl_cmplog_clear(&cmplog);
		row_check(read_map() == 0, "layout %zu", i);
		(void)close_map(NULL);
	}
}

static void
bytes(void **state)
{
	static const struct {
		const char *a, *b;
		size_t a_len, b_len, want[2];
		uint8_t exact;
		bool text;
	} ROWS_OF[] = {
		{ "word", "xyzw", 5, 5, { 4, 4 }, 0x80, true },
		{ "wo\0d", "xyzw", 4, 4, { 4, 4 }, 0x80, false },
		{ "wo\0d", "xyzw", 4, 4, { 2, 4 }, 0, true },
		{ "\0\1\2", "\3\4\5", 3, 3, { 3, 3 }, 0, false },
	};
	struct compare_pair pair;

	for (size_t i = 0; i < ROWS(ROWS_OF); i++) {
		const struct layout *l = &LAYOUTS[i % ROWS(LAYOUTS)];

		(void)open_map(NULL);
		put_header(l, 9, 1, 3, true, 0);
		put_bytes(l, 9, ROWS_OF[i].a, ROWS_OF[i].a_len, ROWS_OF[i].b,
			ROWS_OF[i].b_len, ROWS_OF[i].exact);
		row_check(read_map() == 1, "row %zu", i);
		pair = find_bytes();
		for (int k = 0; k < 2; k++)
			row_check(pair.len[k] == ROWS_OF[i].want[k],
				"row %zu: operand %d has %u", i, k,
				pair.len[k]);
		row_check(memcmp(pair.bytes[0], ROWS_OF[i].a, pair.len[0]) == 0,
			"row %zu", i);
		row_check(((pair.shape & COMPARE_TEXT) != 0) == ROWS_OF[i].text,
			"row %zu", i);
		(void)close_map(NULL);
	}
}

/* Anything may be in the map. */
static void
nonsense(void **state)
{
	assert_int_equal(open_map(NULL), 0);
	assert_int_equal(read_map(), 0);
	assert_null(cmplog.layout);
	for (size_t i = 0; i < 65536; i++)
		cmplog.map[i * 7] = (uint8_t)(i * 31);
	(void)read_map();
	for (size_t i = 0; i < ROWS(LAYOUTS); i++) {
		cmplog.layout = NULL;
		memset(cmplog.map, 0, AFL_CMPLOG_ROWS * 8);
		put_header(&LAYOUTS[i], 5, 1, 31, false, 15);
		put_number(&LAYOUTS[i], 5, 0, 1, 2);
		(void)read_map();
		assert_non_null(cmplog.layout);
		memset(cmplog.map, 0xff, 1u << 20);
		(void)read_map();
	}
	(void)close_map(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(bytes),
		cmocka_unit_test(nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
