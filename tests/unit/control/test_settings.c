/*
 * test_settings: the table, and valid and invalid values of each option.
 */

#include "control/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/refuse.h"
#include "lib/rows.h"

static void
test_table_is_sound(void **state)
{
	for (int i = 0; i < OPT_COUNT_; i++) {
		const struct option *row = settings_option((enum option_id)i);

		row_check(row->name && row->help && row->def, "row %d", i);
		row_check((int)row->id == i, "%s", row->name);
		row_check(settings_find(row->name) == row, "%s", row->name);
		row_check(row->min <= row->max, "%s", row->name);
		row_check((row->type == OPTION_WORD) == (row->words != NULL),
			"%s", row->name);
		row_check((row->type == OPTION_FLAG) == (row->arg == NULL),
			"%s", row->name);
		row_check(row->type != OPTION_FLAG || row->bare, "%s",
			row->name);
		row_check(row->help[strlen(row->help) - 1] == '.' ||
				row->help[strlen(row->help) - 1] == ')',
			"%s", row->name);
		for (int j = 0; j < i; j++) {
			const struct option *other =
				settings_option((enum option_id)j);

			row_check(!row->letter || row->letter != other->letter,
				"%s", row->name);
			row_check(row->offset != other->offset, "%s",
				row->name);
		}
	}
	assert_null(settings_find("no-such-option"));
	assert_null(settings_find(""));
}

static void
test_defaults(void **state)
{
	static const struct {
		const char *name, *value;
	} rows[] = {
		{ "fuzztime", "none" },
		{ "minimizetime", "1m" },
		{ "timeout", "1s" },
		{ "rss-limit", "2G" },
		{ "max-len", "1M" },
		{ "chain", "5" },
		{ "verify", "5" },
		{ "schedule", "energy" },
		{ "minimize-rule", "same-bucket" },
		{ "start-timeout", "10s" },
		{ "stop-step", "1s" },
		{ "finish-time", "1s" },
		{ "seed", "0" },
		{ "dict", "" },
		{ "seeds", "" },
		{ "output", "" },
		{ "corpus-mem", "512M" },
		{ "stop-on-crash", "off" },
		{ "debug", "" },
		{ "theme", "" },
	};
	struct settings settings;
	char value[64];

	settings_init(&settings);
	for (size_t i = 0; i < ROWS(rows); i++) {
		settings_format(&settings, settings_find(rows[i].name)->id,
			value, sizeof(value));
		row_check(strcmp(value, rows[i].value) == 0, "%s: %s",
			rows[i].name, value);
	}
	for (int i = 0; i < OPT_COUNT_; i++)
		assert_int_equal(settings.origin[i], ORIGIN_DEFAULT);
	assert_in_range(settings.parallel, 1, 256);
	assert_int_equal(settings.timeout_ms, 1000);
	assert_int_equal(settings.rss_limit_mb, 2048);
	assert_int_equal(settings.max_len, 1048576);
	assert_int_equal(settings.minimizetime.duration_ms, 60000);
	settings_clear(&settings);
}

/* Where the kernel may have more processors than a cpu_set_t has room for. */
static void
test_many_processors(void **state)
{
	uint64_t n = settings_processors();
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		refuse_call(SYS_sched_getaffinity, 1, sizeof(cpu_set_t),
			EINVAL);
		_exit(settings_processors() != n);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void
test_good_values(void **state)
{
	static const struct {
		const char *name, *value, *formatted;
	} rows[] = {
		{ "parallel", "1", "1" },
		{ "parallel", "256", "256" },
		{ "parallel", "007", "7" },
		{ "fuzztime", "30s", "30s" },
		{ "fuzztime", "10000x", "10000x" },
		{ "fuzztime", "none", "none" },
		{ "minimizetime", "0", "off" },
		{ "minimizetime", "0x", "off" },
		{ "minimizetime", "0s", "off" },
		{ "minimizetime", "off", "off" },
		{ "minimizetime", "1000x", "1000x" },
		{ "timeout", "1", "1ms" },
		{ "timeout", "1000", "1s" },
		{ "timeout", "250ms", "250ms" },
		{ "timeout", "1m", "1m" },
		{ "timeout", "3600000", "1h" },
		{ "rss-limit", "0", "0" },
		{ "rss-limit", "100", "100M" },
		{ "rss-limit", "2g", "2G" },
		{ "rss-limit", "512M", "512M" },
		{ "rss-limit", "512MB", "512M" },
		{ "rss-limit", "2GiB", "2G" },
		{ "rss-limit", "2048K", "2M" },
		{ "max-len", "1", "1" },
		{ "max-len", "4096", "4K" },
		{ "max-len", "1M", "1M" },
		{ "max-len", "100M", "100M" },
		{ "max-len", "1000", "1000" },
		{ "chain", "64", "64" },
		{ "verify", "0", "0" },
		{ "schedule", "fifo", "fifo" },
		{ "minimize-rule", "same-kind", "same-kind" },
		{ "minimize-rule", "any-failure", "any-failure" },
		{ "start-timeout", "60s", "1m" },
		{ "stop-step", "50", "50ms" },
		{ "seed", "0", "0" },
		{ "seed", "0x2a", "42" },
		{ "seed", "0XFF", "255" },
		{ "seed", "18446744073709551615", "18446744073709551615" },
		{ "seed", "0xffffffffffffffff", "18446744073709551615" },
		{ "output", "some dir", "some dir" },
		{ "corpus-mem", "1G", "1G" },
		{ "stop-on-crash", "on", "on" },
		{ "stop-on-crash", "yes", "on" },
		{ "stop-on-crash", "true", "on" },
		{ "stop-on-crash", "1", "on" },
		{ "stop-on-crash", "off", "off" },
		{ "stop-on-crash", "no", "off" },
		{ "theme", "dark", "dark" },
	};
	struct error err = { 0 };
	struct settings settings;
	char value[64];

	settings_init(&settings);
	for (size_t i = 0; i < ROWS(rows); i++) {
		const struct option *row = settings_find(rows[i].name);

		row_check(settings_set(&settings, rows[i].name, rows[i].value,
				  ORIGIN_FLAG, &err) == OK,
			"%s %s: %s", rows[i].name, rows[i].value, err.text);
		settings_format(&settings, row->id, value, sizeof(value));
		row_check(strcmp(value, rows[i].formatted) == 0, "%s %s: %s",
			rows[i].name, rows[i].value, value);
		row_check(settings.origin[row->id] == ORIGIN_FLAG, "%s",
			rows[i].name);
		row_check(settings_set(&settings, rows[i].name, value,
				  ORIGIN_FLAG, NULL) == OK,
			"%s %s: %s is not taken back", rows[i].name,
			rows[i].value, value);
	}
	settings_clear(&settings);
}

static void
test_bad_values(void **state)
{
	static const struct {
		const char *name, *value;
		enum status status;
		const char *message;
	} rows[] = {
		{ "parallel", "0", E_RANGE,
			"--parallel: \"0\" is out of range, which is 1 to "
			"256" },
		{ "parallel", "257", E_RANGE, "--parallel: \"257\"" },
		{ "parallel", "", E_FORMAT, "--parallel: \"\" is not a whole" },
		{ "parallel", "-1", E_FORMAT, "--parallel: \"-1\"" },
		{ "parallel", " 1", E_FORMAT, "--parallel: \" 1\"" },
		{ "parallel", "4x", E_FORMAT, "--parallel: \"4x\"" },
		{ "parallel", "1e9", E_FORMAT, "--parallel: \"1e9\"" },
		{ "parallel", "nan", E_FORMAT, "--parallel: \"nan\"" },
		{ "parallel", "9223372036854775808", E_RANGE, "--parallel" },
		{ "parallel", "99999999999999999999999", E_FORMAT,
			"--parallel" },
		{ "fuzztime", "0x", E_FORMAT,
			"--fuzztime: invalid count \"0x\": it must be more" },
		{ "fuzztime", "0s", E_FORMAT,
			"--fuzztime: invalid duration \"0s\"" },
		{ "fuzztime", "0", E_FORMAT,
			"--fuzztime: invalid duration \"0\"" },
		{ "fuzztime", "off", E_FORMAT,
			"--fuzztime: invalid duration \"off\"" },
		{ "fuzztime", "-1ms", E_FORMAT,
			"--fuzztime: invalid duration \"-1ms\"" },
		{ "fuzztime", "-1x", E_FORMAT,
			"--fuzztime: invalid count \"-1x\"" },
		{ "fuzztime", "5", E_FORMAT,
			"--fuzztime: invalid duration \"5\": write 5s for "
			"seconds or 5x for executions" },
		{ "minimizetime", "-1ms", E_FORMAT,
			"--minimizetime: invalid duration" },
		{ "minimizetime", "-1x", E_FORMAT,
			"--minimizetime: invalid count" },
		{ "timeout", "0", E_RANGE,
			"--timeout: \"0\" is out of range, which is 1ms to "
			"1h" },
		{ "timeout", "2h", E_RANGE, "--timeout: \"2h\" is out of" },
		{ "timeout", "fast", E_FORMAT,
			"--timeout: \"fast\" is not a time; write "
			"milliseconds or a unit, such as 250, 250ms or 2s" },
		{ "timeout", "5x", E_FORMAT, "--timeout: \"5x\"" },
		{ "rss-limit", "1K", E_FORMAT,
			"--rss-limit: \"1K\" is not a whole number of "
			"megabytes" },
		{ "rss-limit", "2X", E_FORMAT, "--rss-limit: \"2X\" is not a" },
		{ "rss-limit", "2Gi", E_FORMAT, "--rss-limit: \"2Gi\"" },
		{ "rss-limit", "-1", E_FORMAT, "--rss-limit: \"-1\"" },
		{ "rss-limit", "1.5G", E_FORMAT, "--rss-limit: \"1.5G\"" },
		{ "rss-limit", "18446744073709551615T", E_RANGE,
			"--rss-limit: " },
		{ "max-len", "0", E_RANGE,
			"--max-len: \"0\" is out of range, which is 1 to "
			"100M" },
		{ "max-len", "101M", E_RANGE, "--max-len" },
		{ "chain", "0", E_RANGE, "--chain" },
		{ "chain", "65", E_RANGE, "--chain" },
		{ "schedule", "fastest", E_FORMAT,
			"--schedule: \"fastest\" is not known; choose one of "
			"energy|fast|even|fifo" },
		{ "schedule", "fif", E_FORMAT, "--schedule" },
		{ "schedule", "", E_FORMAT, "--schedule" },
		{ "minimize-rule", "same", E_FORMAT,
			"--minimize-rule: \"same\" is not known; choose one "
			"of same-bucket|same-kind|any-failure" },
		{ "minimize-rule", "same-bucket|same-kind", E_FORMAT,
			"--minimize-rule" },
		{ "stop-step", "49", E_RANGE, "--stop-step" },
		{ "seed", "x", E_FORMAT, "--seed: \"x\" is not a 64-bit" },
		{ "seed", "0x", E_FORMAT, "--seed" },
		{ "seed", "0x-1", E_FORMAT, "--seed" },
		{ "seed", "-1", E_FORMAT, "--seed" },
		{ "seed", "18446744073709551616", E_FORMAT, "--seed" },
		{ "dict", "", E_FORMAT, "--dict: the name is empty" },
		{ "stop-on-crash", "maybe", E_FORMAT,
			"--stop-on-crash: \"maybe\" is neither on nor off" },
		{ "timout", "5", E_NOT_FOUND,
			"there is no option \"timout\"; did you mean "
			"timeout?" },
		{ "zzzzzz", "5", E_NOT_FOUND, "there is no option \"zzzzzz\"" },
		{ "timeout", "\x1b]0;x\x07", E_FORMAT,
			"--timeout: \"\\x1b]0;x\\x07\" is not" },
	};
	struct settings settings;
	char before[64], after[64];

	settings_init(&settings);
	for (size_t i = 0; i < ROWS(rows); i++) {
		const struct option *row = settings_find(rows[i].name);
		struct error err = { 0 };

		if (row)
			settings_format(&settings, row->id, before,
				sizeof(before));
		row_check(settings_set(&settings, rows[i].name, rows[i].value,
				  ORIGIN_FLAG, &err) == rows[i].status,
			"%s %s: %s", rows[i].name, rows[i].value, err.text);
		row_check(err.code == rows[i].status, "%s %s", rows[i].name,
			rows[i].value);
		row_check(strncmp(err.text, rows[i].message,
				  strlen(rows[i].message)) == 0,
			"%s %s: %s", rows[i].name, rows[i].value, err.text);
		if (!row)
			continue;
		settings_format(&settings, row->id, after, sizeof(after));
		row_check(strcmp(before, after) == 0, "%s %s changed it",
			rows[i].name, rows[i].value);
		row_check(settings.origin[row->id] == ORIGIN_DEFAULT, "%s",
			rows[i].name);
	}
	settings_clear(&settings);
}

static void
test_keys_change_live_options_only(void **state)
{
	struct error err = { 0 };
	struct settings settings;

	settings_init(&settings);
	assert_int_equal(settings_set(&settings, "timeout", "50", ORIGIN_KEY,
				 &err),
		OK);
	assert_int_equal(settings.timeout_ms, 50);
	assert_int_equal(settings.origin[OPT_TIMEOUT], ORIGIN_KEY);
	assert_int_equal(settings_set(&settings, "seed", "5", ORIGIN_KEY, &err),
		E_STATE);
	assert_string_equal(err.text,
		"seed cannot be changed while a campaign runs");
	error_clear(&err);
	assert_int_equal(settings_set(&settings, "timeout", "x", ORIGIN_KEY,
				 &err),
		E_FORMAT);
	assert_memory_equal(err.text, "timeout: ", 9);
	assert_int_equal(settings.seed, 0);
	settings_clear(&settings);
}

static void
test_copy_owns_its_texts(void **state)
{
	struct settings a, b;
	char value[64];

	settings_init(&a);
	settings_init(&b);
	assert_int_equal(settings_set(&b, "dict", "old", ORIGIN_FLAG, NULL),
		OK);
	assert_int_equal(settings_set(&a, "dict", "one", ORIGIN_FLAG, NULL),
		OK);
	assert_int_equal(settings_set(&a, "dict", "two", ORIGIN_FLAG, NULL),
		OK);
	assert_int_equal(settings_set(&a, "output", "here", ORIGIN_FLAG, NULL),
		OK);
	settings_copy(&b, &a);
	settings_copy(&b, &b);
	assert_int_equal(settings_set(&a, "dict", "three", ORIGIN_FLAG, NULL),
		OK);
	settings_clear(&a);
	settings_clear(&a);
	settings_format(&b, OPT_DICT, value, sizeof(value));
	assert_string_equal(value, "one, two");
	assert_string_equal(b.output, "here");
	assert_string_equal(b.schedule, "energy");
	assert_int_equal(b.origin[OPT_OUTPUT], ORIGIN_FLAG);
	settings_format(&b, OPT_DICT, value, 6);
	assert_string_equal(value, "one, ");
	assert_int_equal(settings_set(&b, "output", b.output, ORIGIN_FLAG,
				 NULL),
		OK);
	assert_string_equal(b.output, "here");
	settings_clear(&b);
}

/* Paths below the output directory are shown without a double slash. */
static void
test_output(void **state)
{
	static const struct {
		const char *option, *output;
	} rows[] = {
		{ NULL, "target.cfuzz" },
		{ "", "target.cfuzz" },
		{ "out", "out" },
		{ "a/out//", "a/out" },
		{ "/", "/" },
		{ "//", "/" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct settings settings = { .output = (char *)rows[i].option };
		char *output = settings_output(&settings, "build/target");

		assert_string_equal(output, rows[i].output);
		free(output);
	}
}

/* The output directory may be named by its target. */
static void
test_named_output(void **state)
{
	static const struct {
		const char *name, *path, *output;
	} cases[] = {
		{ "a directory", "b.cfuzz", "b.cfuzz" },
		{ "a target with a campaign", "./b", "b.cfuzz" },
		{ "a target in another folder", "c/b", "b.cfuzz" },
		{ "a target without a campaign", "a", "a" },
		{ "a target beside a file of that name", "f", "f" },
		{ "a folder with a folder of that name", "c", "c" },
		{ "nothing", "x", "x" },
	};
	static const char *const files[] = { "a", "b", "f", "f.cfuzz", "c/b" },
				 *const folders[] = { "c", "b.cfuzz",
					 "c.cfuzz" };
	char folder[] = "/tmp/cfuzz-test-XXXXXX", *output;
	int back = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	size_t i;

	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	for (i = 0; i < ROWS(folders); i++)
		assert_int_equal(mkdir(folders[i], 0700), 0);
	for (i = 0; i < ROWS(files); i++)
		close(open(files[i], O_CREAT | O_WRONLY, 0600));
	for (i = 0; i < ROWS(cases); i++) {
		output = settings_named_output(cases[i].path);
		row_check(strcmp(output, cases[i].output) == 0, "%s: %s",
			cases[i].name, output);
		free(output);
	}
	for (i = 0; i < ROWS(files); i++)
		(void)unlink(files[i]);
	for (i = 0; i < ROWS(folders); i++)
		assert_int_equal(rmdir(folders[i]), 0);
	assert_int_equal(fchdir(back), 0);
	assert_int_equal(rmdir(folder), 0);
	close(back);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table_is_sound),
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_many_processors),
		cmocka_unit_test(test_good_values),
		cmocka_unit_test(test_bad_values),
		cmocka_unit_test(test_keys_change_live_options_only),
		cmocka_unit_test(test_copy_owns_its_texts),
		cmocka_unit_test(test_output),
		cmocka_unit_test(test_named_output),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
