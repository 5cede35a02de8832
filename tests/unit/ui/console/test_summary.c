/*
 * test_summary: a campaign in a few lines.
 */
#include "ui/console/summary.h"

#include <unistd.h>

#include "lib/check.h"

static struct snapshot_finding findings[20];

static char *
summary_of(struct snapshot *s, const char *output, int status)
{
	char *text = NULL;
	size_t len;
	FILE *file = open_memstream(&text, &len);

	summary_write(file, s, output, status);
	fclose(file);
	return text;
}

static void
finding(size_t i, const char *what, const char *where, uint64_t count)
{
	snprintf(findings[i].what, sizeof(findings[i].what), "%s", what);
	snprintf(findings[i].where, sizeof(findings[i].where), "%s", where);
	snprintf(findings[i].folder, sizeof(findings[i].folder), "crashes/%zu",
		i);
	findings[i].count = count;
}

static void
test_text(void **state)
{
	struct snapshot s = {
		.target = "./t\033[2J",
		.ended_why = "stopped by the user",
		.elapsed_s = 252,
		.execs = 99812345,
		.execs_per_sec_avg = 398000,
		.coverage_bits = 4812,
		.corpus = 580,
		.progress_inputs = 50,
		.findings = findings,
		.findings_n = 2,
	};
	char *text;

	finding(0, "SIGSEGV", "f", 1);
	finding(1, "exit 3", "", 14);
	text = summary_of(&s, "out\033", 1);
	assert_string_equal(text,
		"cfuzz ./t\\x1b[2J: 00:04:12, stopped by the user\n"
		"  99 812 345 executions (398 k/s), 4 812 coverage bits, "
		"530 inputs in the corpus\n"
		"  SIGSEGV in f, once\n    out\\x1b/crashes/0\n"
		"  exit 3, 14 times\n    out\\x1b/crashes/1\n"
		"  everything is in out\\x1b\n"
		"exit status 1: something was found\n");
	free(text);
}

static void
test_one_of_each(void **state)
{
	struct snapshot s = { .execs = 1, .coverage_bits = 1, .corpus = 1 };
	char *text;

	text = summary_of(&s, "out", 0);
	assert_non_null(strstr(text,
		"  1 execution (0 /s), 1 coverage bit, 1 input in the "
		"corpus\n"));
	free(text);
}

/* One of several runs: shows the totals of the campaign. */
static void
test_past(void **state)
{
	struct snapshot s = { .target = "./t",
		.elapsed_s = 60,
		.execs = 1000,
		.runs = 3,
		.past_s = 3600,
		.past_execs = 2000 };
	char *text;

	text = summary_of(&s, "out", 0);
	assert_non_null(strstr(text,
		"  run 3 of a campaign of 01:01:00 and 3 000 executions\n"));
	free(text);
	s.past_execs = 0;
	text = summary_of(&s, "out", 0);
	assert_null(strstr(text, "of a campaign"));
	free(text);
}

static void
test_many(void **state)
{
	struct snapshot s = { .findings = findings,
		.findings_n = 20,
		.crashes = 240,
		.hangs = 10 };
	char *text;

	for (size_t i = 0; i < 20; i++)
		finding(i, "SIGSEGV", "f", i);
	text = summary_of(&s, "out", 1);
	assert_non_null(strstr(text, "crashes/11\n"));
	assert_null(strstr(text, "crashes/12\n"));
	assert_non_null(strstr(text, "  and 238 more\n"));
	free(text);
}

/* The stats.json of a run that has found something. */
static void
write_stats(const char *path, enum run_state state, uint64_t runs)
{
	struct snapshot s;
	json_t *json;

	snapshot_init(&s);
	s.state = state;
	s.runs = runs;
	s.exit_status = 1;
	json = snapshot_encode(&s);
	assert_int_equal(json_dump_file(json, path, 0), 0);
	json_decref(json);
	snapshot_clear(&s);
}

/* The numbers of another run say nothing of this one. */
static void
test_runs(void **state)
{
	static const struct {
		const char *name;
		uint64_t shown, runs; /* by the console, of stats.json */
		bool numbers;
		const char *end;
	} rows[] = {
		{ "this run", 2, 2, true, "nothing was found\n" },
		{ "the console has shown none", 0, 2, true,
			"nothing was found\n" },
		{ "the next run", 1, 2, false,
			"nothing was found in this run; another one has begun "
			"since\n" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		char dir[] = "/tmp/test-summary-XXXXXX", path[64], *text = NULL;
		size_t len;
		FILE *file = open_memstream(&text, &len);

		assert_non_null(mkdtemp(dir));
		snprintf(path, sizeof(path), "%s/stats.json", dir);
		write_stats(path, RUN_ENDED, rows[i].runs);
		summary_print(file, dir, rows[i].shown, 0);
		fclose(file);
		check((strstr(text, "everything is in") != NULL) ==
				rows[i].numbers,
			"%s: %s", rows[i].name, text);
		check(strstr(text, rows[i].end) != NULL, "%s: %s", rows[i].name,
			text);
		unlink(path);
		rmdir(dir);
		free(text);
	}
}

/* Only what is of the wanted run, and has ended, is printed. */
static void
test_ended(void **state)
{
	static const struct {
		const char *name;
		enum run_state state;
		uint64_t runs;
		bool printed;
	} rows[] = {
		{ "ended", RUN_ENDED, 2, true },
		{ "it was killed", RUN_FUZZING, 2, false },
		{ "of the run before", RUN_ENDED, 1, false },
		{ "of the next run", RUN_ENDED, 3, false },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		char dir[] = "/tmp/test-summary-XXXXXX", path[64], *text = NULL;
		size_t len;
		FILE *file = open_memstream(&text, &len);
		int status = 254;

		assert_non_null(mkdtemp(dir));
		snprintf(path, sizeof(path), "%s/stats.json", dir);
		write_stats(path, rows[i].state, rows[i].runs);
		check(summary_print_ended(file, dir, 2, &status) ==
				rows[i].printed,
			"%s", rows[i].name);
		fclose(file);
		check((strstr(text, "exit status 1") != NULL) ==
				rows[i].printed,
			"%s: %s", rows[i].name, text);
		assert_int_equal(status, rows[i].printed ? 1 : 254);
		unlink(path);
		rmdir(dir);
		free(text);
	}
}

/* A missing stats.json is reported. */
static void
test_missing(void **state)
{
	static const struct {
		int status;
		const char *want;
	} rows[] = {
		{ 0, "exit status 0: nothing was found\n" },
		{ 1, "exit status 1: something was found\n" },
		{ 2, "exit status 2: nothing ran\n" },
		{ 3, "exit status 3: something could not be saved or done\n" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		char *text = NULL;
		size_t len;
		FILE *file = open_memstream(&text, &len);

		summary_print(file, "/nonexistent", 1, rows[i].status);
		fclose(file);
		check_text(text, rows[i].want, "missing");
		free(text);
	}
}

static void
test_complain(void **state)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "one", "cfuzz-tui: one\n" },
		{ "one\ntwo\n", "cfuzz-tui: one\n  two\n" },
		{ "a\n\n\033[1mb", "cfuzz-tui: a\n  \\x1b[1mb\n" },
		{ "", "" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		char *text = NULL;
		size_t len;
		FILE *file = open_memstream(&text, &len);

		summary_complain(file, rows[i].text);
		fclose(file);
		check_text(text, rows[i].want, rows[i].text);
		free(text);
	}
}

/* The bytes of an input are one line. */
static void
test_long_line(void **state)
{
	static char line[20001];
	size_t len;
	char *text = NULL;
	FILE *file = open_memstream(&text, &len);

	memset(line, 'e', sizeof(line) - 1);
	summary_complain(file, line);
	fclose(file);
	assert_int_equal(len, strlen("cfuzz-tui: ") + sizeof(line));
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_one_of_each),
		cmocka_unit_test(test_past),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_ended),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_complain),
		cmocka_unit_test(test_long_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
