/*
 * test_budget: durations and counts as text, both ways.
 */

#include "control/budget.h"

#include <string.h>

#include "lib/rows.h"

#define S 1000u
#define M (60u * S)
#define H (60u * M)

static void
test_good(void **state)
{
	static const struct {
		const char *text;
		uint64_t ms, executions;
		const char *formatted;
	} rows[] = {
		{ "30s", 30 * S, 0, "30s" },
		{ "60s", M, 0, "1m" },
		{ "1h30m", 90 * M, 0, "1h30m" },
		{ "1h2m3s", H + 2 * M + 3 * S, 0, "1h2m3s" },
		{ "1h5s", H + 5 * S, 0, "1h5s" },
		{ "250ms", 250, 0, "250ms" },
		{ "1.5s", 1500, 0, "1.500s" },
		{ "1m1.5s", M + 1500, 0, "1m1.500s" },
		{ ".5s", 500, 0, "500ms" },
		{ "1.s", S, 0, "1s" },
		{ "2d", 48 * H, 0, "48h" },
		{ "1.5h", 90 * M, 0, "1h30m" },
		{ "5s1h", H + 5 * S, 0, "1h5s" },
		{ "1ns", 1, 0, "1ms" },
		{ "1us", 1, 0, "1ms" },
		{ "1µs", 1, 0, "1ms" },
		{ "1000001ns", 2, 0, "2ms" },
		{ "0", 0, 0, "none" },
		{ "0s", 0, 0, "none" },
		{ "0x", 0, 0, "none" },
		{ "none", 0, 0, "none" },
		{ "off", 0, 0, "none" },
		{ "1x", 0, 1, "1x" },
		{ "10000x", 0, 10000, "10000x" },
		{ "9223372036854775807x", 0, INT64_MAX,
			"9223372036854775807x" },
		{ "9223372036s", 9223372036000, 0, "2562047h47m16s" },
	};
	struct budget budget, again;
	struct error err = { 0 };
	char text[64];

	for (size_t i = 0; i < ROWS(rows); i++) {
		row_check(budget_parse(rows[i].text, &budget, &err) == OK,
			"%s: %s", rows[i].text, err.text);
		row_check(budget.duration_ms == rows[i].ms, "%s: %lu",
			rows[i].text, (unsigned long)budget.duration_ms);
		row_check(budget.executions == rows[i].executions, "%s",
			rows[i].text);
		budget_format(&budget, text, sizeof(text));
		row_check(strcmp(text, rows[i].formatted) == 0, "%s: %s",
			rows[i].text, text);
		row_check(budget_parse(text, &again, NULL) == OK &&
				memcmp(&budget, &again, sizeof(again)) == 0,
			"%s: %s", rows[i].text, text);
	}
}

static void
test_bad(void **state)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
		{ "", "invalid duration \"\": write a time" },
		{ "-1ms", "invalid duration \"-1ms\": write a time" },
		{ "-1x", "invalid count \"-1x\": write a number" },
		{ "x", "invalid count \"x\"" },
		{ "1.5x", "invalid count \"1.5x\"" },
		{ "0x10", "invalid duration \"0x10\"" },
		{ "1 x", "invalid count" },
		{ "1xx", "invalid count" },
		{ "9223372036854775808x", "invalid count" },
		{ "99999999999999999999x", "invalid count" },
		{ "5",
			"invalid duration \"5\": write 5s for seconds or 5x "
			"for executions" },
		{ "1.5", "invalid duration \"1.5\": write 1.5s for seconds" },
		{ "s", "invalid duration" },
		{ ".s", "invalid duration" },
		{ ".", "invalid duration" },
		{ "5y", "invalid duration \"5y\"" },
		{ "5 s", "invalid duration" },
		{ " 5s", "invalid duration" },
		{ "5s ", "invalid duration" },
		{ "1h30", "invalid duration" },
		{ "1h-5s", "invalid duration" },
		{ "+5s", "invalid duration" },
		{ "1e3s", "invalid duration" },
		{ "9223372037s", "invalid duration" },
		{ "99999999999999999999s", "invalid duration" },
		{ "106752d", "invalid duration" },
		{ "5s\x1b[31m", "invalid duration \"5s\\x1b[31m\"" },
	};
	for (size_t i = 0; i < ROWS(rows); i++) {
		struct budget budget = { 7, 7 };
		struct error err = { 0 };

		row_check(budget_parse(rows[i].text, &budget, &err) == E_FORMAT,
			"%s", rows[i].text);
		row_check(strncmp(err.text, rows[i].message,
				  strlen(rows[i].message)) == 0,
			"%s: %s", rows[i].text, err.text);
		row_check(budget.duration_ms == 7 && budget.executions == 7,
			"%s changed it", rows[i].text);
	}
}

static void
test_duration(void **state)
{
	struct error err = { 0 };
	uint64_t ms = 7;

	assert_int_equal(duration_parse("0", &ms, NULL), OK);
	assert_int_equal(ms, 0);
	assert_int_equal(duration_parse("10s", &ms, NULL), OK);
	assert_int_equal(ms, 10000);
	assert_int_equal(duration_parse("10", &ms, &err), E_FORMAT);
	assert_string_equal(err.text,
		"invalid duration \"10\": the unit is missing; write 10s for "
		"seconds");
	assert_int_equal(duration_parse("10x", &ms, NULL), E_FORMAT);
	assert_int_equal(ms, 10000);
}

static void
test_long_text_is_cut(void **state)
{
	struct error err = { 0 };
	struct budget budget;
	char text[5000];

	memset(text, '1', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(budget_parse(text, &budget, &err), E_FORMAT);
	assert_true(strlen(err.text) < 200);
	error_clear(&err);
	text[sizeof(text) - 2] = 'x';
	assert_int_equal(budget_parse(text, &budget, &err), E_FORMAT);
	assert_true(strlen(err.text) < 200);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_duration),
		cmocka_unit_test(test_long_text_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
