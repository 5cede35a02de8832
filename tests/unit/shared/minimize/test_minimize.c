/*
 * test_minimize: every candidate of the reference's traces, in order, and the
 * guarantees of the state machine for callers that step through it.
 */

#include "shared/minimize/minimize.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "lib/vectors.h"

#define ROOM 4096

/* The calls that the vectors list one by one. */
#define FIRST_CALLS 40
#define FIRST_LEN_MAX 64

static size_t
count_byte(const uint8_t *data, size_t len, uint8_t byte)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += data[i] == byte;
	return n;
}

static bool
is_bytes(const uint8_t *data, size_t len, const void *want, size_t n)
{
	return len == n && memcmp(data, want, n) == 0;
}

/* True if the target, a named predicate, fails on this input. */
static bool
fails(const char *name, const uint8_t *data, size_t len)
{
	unsigned number;

	if (sscanf(name, "count_eq_3:%x", &number) == 1)
		return count_byte(data, len, (uint8_t)number) == 3;
	if (sscanf(name, "len_eq:%u", &number) == 1)
		return len == number;
	if (sscanf(name, "len_ge:%u", &number) == 1)
		return len >= number;
	if (strncmp(name, "contains:", 9) == 0)
		return memmem(data, len, name + 9, strlen(name + 9)) != NULL;
	if (strcmp(name, "always") == 0)
		return true;
	if (strcmp(name, "single_bytes") == 0)
		return len >= 2 && !is_bytes(data, len, "\1\2", 2);
	if (strcmp(name, "set_of_bytes") == 0)
		return is_bytes(data, len, "\0\1\2\3\4\5", 6) ||
			is_bytes(data, len, "\0\4\5", 3);
	if (strcmp(name, "eq_tilde5") == 0)
		return is_bytes(data, len, "~~~~~", 5);
	if (strcmp(name, "empty_or_abcd") == 0)
		return len == 0 || is_bytes(data, len, "abcd", 4);
	if (strcmp(name, "first_last_Q") == 0)
		return len >= 2 && data[0] == 'Q' && data[len - 1] == 'Q';
	if (strcmp(name, "letter_first") == 0)
		return len > 0 && data[0] < 0x80 &&
			strchr("abcdefghijklmnopqrstuvwxyz", data[0] | 0x20) !=
			NULL;
	assert_string_equal(name, "never");
	return false;
}

/* All executed inputs, as lines "n:hex". */
struct trace {
	char *text;
	size_t len, size;
	size_t calls;
	const json_t *first; /* the short ones among the first calls */
	size_t first_at;
};

static void
trace_add(struct trace *trace, const uint8_t *data, size_t len)
{
	const json_t *want = NULL;
	char *line;

	if (trace->len + 2 * len + 32 > trace->size) {
		trace->size = 2 * trace->size + 2 * len + 32;
		trace->text = realloc(trace->text, trace->size);
		assert_non_null(trace->text);
	}
	if (trace->calls++ < FIRST_CALLS && len <= FIRST_LEN_MAX)
		want = json_array_get(trace->first, trace->first_at++);
	trace->len +=
		(size_t)sprintf(trace->text + trace->len, "%zu:", trace->calls);
	line = trace->text + trace->len;
	for (size_t i = 0; i < len; i++)
		trace->len += (size_t)sprintf(trace->text + trace->len, "%02x",
			data[i]);
	trace->text[trace->len] = '\0';
	row_check(!want || strcmp(line, json_string_value(want)) == 0,
		"call %zu is %s", trace->calls, line);
	trace->text[trace->len++] = '\n';
}

/* True if the reference would check its limit now. */
static bool
reference_looks(const struct minimizer *m)
{
	return m->s.phase != MINIMIZE_READABLE || m->s.readable == 0;
}

/* Like the reference: verify, then candidates until done or the limit. */
static bool
minimize(const char *predicate, uint8_t *best, size_t *len, size_t limit,
	struct trace *trace)
{
	uint8_t candidate[ROOM];
	struct minimizer m;

	trace_add(trace, best, *len);
	if (!fails(predicate, best, *len))
		return false;
	minimizer_init(&m, best, *len, candidate, MINIMIZE_TAIL);
	for (;;) {
		bool accepted;

		if (reference_looks(&m) && limit > 0 && trace->calls >= limit)
			break;
		if (!minimizer_next(&m))
			break;
		trace_add(trace, m.candidate, m.candidate_len);
		accepted = fails(predicate, m.candidate, m.candidate_len);
		minimizer_verdict(&m, accepted);
		assert_true(fails(predicate, m.best, m.s.best_len));
	}
	assert_int_equal(m.s.tries + 1, trace->calls);
	*len = m.s.best_len;
	return true;
}

static void
check_trace(size_t i, const json_t *row)
{
	uint8_t best[ROOM], want[ROOM];
	struct trace trace = { .first = json_object_get(row, "first_calls") };
	size_t len = vectors_hex(vectors_text(row, "in"), best, ROOM);
	size_t limit = vectors_number(row, "limit"), want_len = len;
	bool success;
	char hex[65];

	success = minimize(vectors_text(row, "predicate"), best, &len, limit,
		&trace);
	row_check(success == json_is_true(json_object_get(row, "success")),
		"trace %zu", i);
	if (success)
		want_len = vectors_hex(vectors_text(row, "out"), want, ROOM);
	row_check(!success || is_bytes(best, len, want, want_len), "trace %zu",
		i);
	row_check(trace.calls == vectors_number(row, "calls"),
		"trace %zu: %zu calls", i, trace.calls);
	row_check(trace.first_at >= json_array_size(trace.first), "trace %zu",
		i);
	sha256_name(trace.text, trace.len, hex);
	row_check(strcmp(hex, vectors_text(row, "calls_sha256")) == 0,
		"trace %zu", i);
	free(trace.text);
}

static void
test_traces(void **state)
{
	size_t i;
	json_t *row;

	assert_int_equal(json_array_size(vectors_get("minimize")), 18);
	json_array_foreach((json_t *)vectors_get("minimize"), i, row)
		check_trace(i, row);
}

struct minimize_row {
	const char *name, *predicate, *in, *out;
	size_t calls;
	const char *product; /* the result of fork server and `cfuzz min` */
};

/* clang-format off */
static struct minimize_row ROWS[] = {
	{ "B8 ones, bytes", "count_eq_3:01",
		"000001000100000001000000000000000000000000000000000000",
		"010101", 114, "010101" },
	{ "B9 single bytes", "single_bytes", "0102030405", "3030", 10, "3030" },
	{ "B10 set of bytes", "set_of_bytes", "000102030405", "000405", 113, "000405" },
	{ "B11 non-ASCII bytes", "len_eq:3", "e0b897", "303030", 11, "303030" },
	{ "B12 ones, string", "count_eq_3:31",
		"303031303130303031303030303030303030303030303030303030",
		"313131", 24, "313131" },
	{ "B13 string length", "len_eq:5", "7a7a7a7a7a", "3030303030", 23, "3030303030" },
	{ "B14 string with letter", "letter_first", "5a5a5a5a5a", "41", 9, "41" },
	{ "contains ab", "contains:ab", "78787878616278787878", "6162", 39, "6162" },
	{ "always", "always", "68656c6c6f", "30", 3, "30" },
	{ "always, empty", "always", "", "", 1, "" },
	{ "empty or abcd", "empty_or_abcd", "61626364", "", 7, "" },
	{ "never", "never", "61", "61", 1, "61" },
};
/* clang-format on */

#define ROWS_N (sizeof(ROWS) / sizeof(ROWS[0]))

static void
test_row(void **state)
{
	const struct minimize_row *row = *state;
	uint8_t best[ROOM], want[ROOM];
	size_t len = vectors_hex(row->in, best, ROOM);
	size_t want_len = vectors_hex(row->out, want, ROOM);
	struct trace trace = { .first = NULL };

	minimize(row->predicate, best, &len, 0, &trace);
	assert_int_equal(len, want_len);
	assert_memory_equal(best, want, len);
	assert_int_equal(trace.calls, row->calls);
	free(trace.text);
}

/*
 * Like the product: large blocks first, then all phases again from the start;
 * the better result counts.
 */
static void
test_product(void **state)
{
	const struct minimize_row *row = *state;
	uint8_t best[ROOM], candidate[ROOM], other[ROOM], want[ROOM];
	size_t len = vectors_hex(row->in, best, ROOM);
	size_t want_len = vectors_hex(row->product, want, ROOM);
	struct minimizer m;

	if (!fails(row->predicate, best, len)) {
		assert_string_equal(row->in, row->product);
		return;
	}
	minimizer_init(&m, best, len, candidate, MINIMIZE_BLOCKS);
	minimizer_again(&m, other);
	while (minimizer_next(&m))
		minimizer_verdict(&m,
			fails(row->predicate, m.candidate, m.candidate_len));
	assert_int_equal(m.s.best_len, want_len);
	assert_memory_equal(m.best, want, want_len);
}

/* The cost of an input that cannot become smaller. */
static void
test_work(void **state)
{
	static const struct {
		size_t n, calls;
	} rows[] = { { 5, 178 }, { 8, 295 }, { 64, 4134 }, { 256, 41096 },
		{ 1000, 532510 } };
	uint8_t best[1000], candidate[1000];

	memset(best, '~', sizeof(best));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct minimizer m;

		minimizer_init(&m, best, rows[i].n, candidate, MINIMIZE_TAIL);
		while (minimizer_next(&m))
			minimizer_verdict(&m, false);
		row_check(m.s.tries + 1 == rows[i].calls, "length %zu",
			rows[i].n);
		assert_int_equal(m.s.accepted, 0);
		assert_int_equal(m.s.phase, MINIMIZE_DONE);
	}
}

/*
 * B113: the executions of one argument count against the common limit, and only
 * once. Two arguments of 10 bytes that cannot become smaller.
 */
static size_t
minimize_arguments(size_t limit)
{
	uint8_t args[2][10], candidate[10];
	size_t total = 0;

	memset(args, '~', sizeof(args));
	for (size_t arg = 0; arg < 2; arg++) {
		size_t left = limit > total ? limit - total : 0;
		size_t count = 1;
		struct minimizer m;

		if (limit > 0 && left == 0)
			break;
		minimizer_init(&m, args[arg], 10, candidate, MINIMIZE_TAIL);
		while (!(reference_looks(&m) && limit > 0 && count >= left) &&
			minimizer_next(&m)) {
			count++;
			minimizer_verdict(&m, false);
		}
		total += count;
	}
	return total;
}

static void
test_two_arguments(void **state)
{
	assert_int_equal(minimize_arguments(0), 758);
	assert_int_equal(minimize_arguments(1000), 758);
	assert_int_equal(minimize_arguments(758), 758);
	assert_in_range(minimize_arguments(500), 500, 531);
	assert_in_range(minimize_arguments(100), 100, 131);
}

/* A second call builds the same candidate, whole, in any buffer. */
static void
test_next_is_idempotent(void **state)
{
	uint8_t best[40], first[40], candidate[40];
	struct minimizer m;
	struct prng p;

	prng_init(&p, 4, 1);
	for (size_t i = 0; i < sizeof(best); i++)
		best[i] = (uint8_t)prng_intn(&p, 256);
	minimizer_init(&m, best, sizeof(best), candidate, MINIMIZE_TAIL);
	while (minimizer_next(&m)) {
		size_t len = m.candidate_len;

		memcpy(first, candidate, len);
		memset(candidate, 0xee, sizeof(candidate));
		assert_true(minimizer_next(&m));
		assert_int_equal(m.candidate_len, len);
		assert_memory_equal(candidate, first, len);
		minimizer_verdict(&m, prng_intn(&p, 20) == 0);
	}
}

/* The candidate is best without the cut, or with another byte in its place. */
static void
test_cut_is_told(void **state)
{
	uint8_t best[40], candidate[40];
	struct minimizer m;
	struct prng p;

	prng_init(&p, 4, 1);
	memset(best, '~', sizeof(best));
	minimizer_init(&m, best, sizeof(best), candidate, MINIMIZE_TAIL);
	while (minimizer_next(&m)) {
		size_t behind = m.cut_offset + m.cut_len;
		size_t kept = m.candidate_len - m.cut_offset;

		assert_true(m.cut_len > 0 && behind <= m.s.best_len);
		assert_memory_equal(candidate, best, m.cut_offset);
		if (m.s.phase == MINIMIZE_READABLE) {
			assert_int_equal(m.cut_len, 1);
			assert_int_equal(m.candidate_len, m.s.best_len);
			kept--;
		} else {
			assert_int_equal(m.candidate_len + m.cut_len,
				m.s.best_len);
		}
		assert_memory_equal(candidate + m.candidate_len - kept,
			best + behind, kept);
		minimizer_verdict(&m, prng_intn(&p, 30) == 0);
	}
}

/* A copy of struct and bytes is a point to return to. */
static void
test_copy_is_history(void **state)
{
	uint8_t best[32], candidate[32], kept[32], other[32];
	struct minimizer m, copy;
	struct prng p;
	uint64_t tries;

	prng_init(&p, 21, 1);
	memset(best, 'x', sizeof(best));
	minimizer_init(&m, best, sizeof(best), candidate, MINIMIZE_TAIL);
	for (int i = 0; i < 50 && minimizer_next(&m); i++)
		minimizer_verdict(&m, i == 3);
	copy = m;
	copy.best = kept;
	copy.candidate = other;
	memcpy(kept, best, m.s.best_len);
	while (minimizer_next(&m))
		minimizer_verdict(&m, true);
	tries = copy.s.tries;
	while (minimizer_next(&copy))
		minimizer_verdict(&copy, true);
	assert_true(copy.s.tries > tries);
	assert_int_equal(copy.s.tries, m.s.tries);
	assert_int_equal(copy.s.best_len, m.s.best_len);
	assert_memory_equal(kept, best, m.s.best_len);
}

static void
test_skip_phase(void **state)
{
	uint8_t best[] = "\1bcdefgh", candidate[8], other[8];
	enum minimize_phase phase = MINIMIZE_BLOCKS;
	struct minimizer m;

	minimizer_init(&m, best, 8, candidate, MINIMIZE_BLOCKS);
	minimizer_again(&m, other);
	minimizer_blank(&m, ' ');
	for (; phase != MINIMIZE_DONE; phase = minimize_phase_after(phase)) {
		/* Nothing has become shorter, and there are no arguments. */
		if (phase == MINIMIZE_AGAIN || phase == MINIMIZE_VALUE)
			continue;
		assert_true(minimizer_next(&m));
		assert_int_equal(m.s.phase, phase);
		minimizer_skip_phase(&m);
		minimizer_verdict(&m, true); /* nothing is pending */
		assert_int_equal(m.s.best_len, 8);
	}
	assert_false(minimizer_next(&m));
	minimizer_skip_phase(&m);
	assert_int_equal(m.s.phase, MINIMIZE_DONE);
	assert_int_equal(m.s.tries, 0);
}

/* The numbers are on the wire; people see the order. */
static void
test_phases(void **state)
{
	static const struct {
		enum minimize_phase phase;
		const char *name;
		bool optional;
	} order[] = {
		{ 0, "blocks", false },
		{ 1, "tail", false },
		{ 2, "bytes", false },
		{ 8, "parts", true },
		{ 9, "zeros", true },
		{ 3, "ranges", false },
		{ 7, "again", true },
		{ 6, "blank", true },
		{ 4, "readable", false },
		{ 10, "value", true },
		{ 5, "done", false },
	};
	enum minimize_phase phase = MINIMIZE_BLOCKS;

	for (unsigned i = 0; i < MINIMIZE_PHASES; i++) {
		assert_int_equal(phase, order[i].phase);
		assert_int_equal(minimize_phase_order(phase), i);
		assert_string_equal(minimize_phase_name(phase), order[i].name);
		assert_int_equal(minimize_phase_is_optional(phase),
			order[i].optional);
		phase = minimize_phase_after(phase);
	}
	assert_int_equal(phase, MINIMIZE_DONE);
	phase = (enum minimize_phase)77;
	assert_string_equal(minimize_phase_name(phase), "?");
	assert_int_equal(minimize_phase_after(phase), MINIMIZE_DONE);
	assert_false(minimize_phase_is_optional(phase));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_traces),
		cmocka_unit_test(test_work),
		cmocka_unit_test(test_two_arguments),
		cmocka_unit_test(test_next_is_idempotent),
		cmocka_unit_test(test_cut_is_told),
		cmocka_unit_test(test_copy_is_history),
		cmocka_unit_test(test_skip_phase),
		cmocka_unit_test(test_phases),
	};
	struct CMUnitTest rows[ROWS_N], product[ROWS_N];
	int failed;

	for (size_t i = 0; i < ROWS_N; i++) {
		rows[i] = (struct CMUnitTest){ .name = ROWS[i].name,
			.test_func = test_row,
			.initial_state = &ROWS[i] };
		product[i] = rows[i];
		product[i].test_func = test_product;
	}
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	failed += _cmocka_run_group_tests("as the reference", rows, ROWS_N,
		NULL, NULL);
	return failed +
		_cmocka_run_group_tests("as the product", product, ROWS_N, NULL,
			NULL);
}
