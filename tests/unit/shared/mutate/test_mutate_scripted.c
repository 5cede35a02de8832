/*
 * test_mutate_scripted: each mutator with known random numbers.
 *
 * The source is a list: a bounded draw is the next number of it modulo the
 * bound, a bool is false, true, false … The linker leads every draw here.
 * FLAGS: -Wl,--wrap=prng_u32,--wrap=prng_u32n,--wrap=prng_intn
 * FLAGS: -Wl,--wrap=prng_bool,--wrap=prng_choose_len
 */

#include "shared/mutate/mutate.h"

#include <string.h>

#include "lib/rows.h"
#include "lib/vectors.h"

static struct {
	uint32_t numbers[8];
	size_t n;
	size_t at;
	bool next_bool;
} script;

uint32_t __wrap_prng_u32(struct prng *p);
uint32_t __wrap_prng_u32n(struct prng *p, uint32_t n);
size_t __wrap_prng_intn(struct prng *p, size_t n);
bool __wrap_prng_bool(struct prng *p);
size_t __wrap_prng_choose_len(struct prng *p, size_t n);

uint32_t
__wrap_prng_u32(struct prng *p)
{
	return script.numbers[script.at++ % script.n];
}

uint32_t
__wrap_prng_u32n(struct prng *p, uint32_t n)
{
	return __wrap_prng_u32(p) % n;
}

size_t
__wrap_prng_intn(struct prng *p, size_t n)
{
	return __wrap_prng_u32(p) % n;
}

bool
__wrap_prng_bool(struct prng *p)
{
	bool b = script.next_bool;

	script.next_bool = !b;
	return b;
}

size_t
__wrap_prng_choose_len(struct prng *p, size_t n)
{
	size_t x = __wrap_prng_intn(p, 100);
	size_t most = x < 90 ? 8 : x < 99 ? 32 : n;

	return __wrap_prng_intn(p, n < most ? n : most) + 1;
}

struct scripted_row {
	const char *name;
	enum mutate_op op;
	size_t cap;
	const char *in, *out;
	uint32_t numbers[8];
	size_t n;
};

#define COUNTING { 0, 1, 2, 3, 4, 5 }, 6

/* clang-format off */
static struct scripted_row ROWS[] = {
	{ "B20 remove bytes", MUTATE_REMOVE, 4,
		"01020304", "04", COUNTING },
	{ "B21 insert random", MUTATE_INSERT_RANDOM, 8,
		"00000000", "03040500000000", COUNTING },
	{ "B22 duplicate", MUTATE_DUPLICATE, 13,
		"01020304", "0101020304020304", COUNTING },
	{ "B23 overwrite", MUTATE_OVERWRITE, 4,
		"01020304", "01010304", COUNTING },
	{ "B24 bit flip", MUTATE_BIT_FLIP, 4,
		"01020304", "03020304", COUNTING },
	{ "B25 xor", MUTATE_XOR, 4,
		"01020304", "03020304", COUNTING },
	{ "B26 swap byte", MUTATE_SWAP_BYTES, 4,
		"01020304", "02010304", COUNTING },
	{ "B27 arithmetic 8", MUTATE_ARITHMETIC_8, 4,
		"01020304", "ff020304", COUNTING },
	{ "B28 arithmetic 16", MUTATE_ARITHMETIC_16, 4,
		"01020304", "01030304", COUNTING },
	{ "B29 arithmetic 32", MUTATE_ARITHMETIC_32, 4,
		"01020304", "02020304", COUNTING },
	{ "B30 arithmetic 64", MUTATE_ARITHMETIC_64, 8,
		"0102030405060708", "0202030405060708", COUNTING },
	{ "B31 interesting 8", MUTATE_INTERESTING_8, 4,
		"01020304", "ff020304", COUNTING },
	{ "B32 interesting 16", MUTATE_INTERESTING_16, 4,
		"01020304", "ff7f0304", COUNTING },
	{ "B33 interesting 32", MUTATE_INTERESTING_32, 4,
		"01020304", "fa0000fa", COUNTING },
	{ "B34 insert constant", MUTATE_INSERT_CONSTANT, 8,
		"01020304", "03030301020304", COUNTING },
	{ "B35 overwrite constant", MUTATE_OVERWRITE_CONSTANT, 4,
		"01020304", "03030304", COUNTING },
	{ "B36 shuffle", MUTATE_SHUFFLE, 4,
		"01020304", "02030104", COUNTING },
	{ "B37 swap chunks", MUTATE_SWAP_CHUNKS, 9,
		"01020304", "03020104", { 0, 2, 0, 2 }, 4 },
};
/* clang-format on */

static void
test_row(void **state)
{
	const struct scripted_row *row = *state;
	uint8_t data[16], want[16];
	struct mutable m = { .data = data, .cap = row->cap };
	struct mutation done;
	struct prng unused = { 0, 0 };
	size_t len = vectors_hex(row->out, want, sizeof(want));

	memcpy(script.numbers, row->numbers, sizeof(script.numbers));
	script.n = row->n;
	script.at = 0;
	script.next_bool = false;
	m.len = vectors_hex(row->in, data, sizeof(data));
	assert_true(mutate_apply(row->op, &m, &unused, &done));
	assert_int_equal(m.len, len);
	assert_memory_equal(data, want, len);
	assert_int_equal(done.op, row->op);
}

int
main(void)
{
	return rows_run("mutate_scripted", ROWS_OF(ROWS, name, test_row));
}
