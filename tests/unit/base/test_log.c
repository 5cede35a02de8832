/*
 * test_log: clocks and the debug log.
 */

#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/xmalloc.h"
#include "lib/files.h"
#include "lib/scratch.h"

/* FLAGS: -Wl,--wrap=clock_gettime */
int __real_clock_gettime(clockid_t id, struct timespec *now);
int __wrap_clock_gettime(clockid_t id, struct timespec *now);

static bool is_fixed;

static uint64_t
fixed_time(void)
{
	return 1785587696789000000u; /* 2026-08-01 12:34:56.789 UTC */
}

int
__wrap_clock_gettime(clockid_t id, struct timespec *now)
{
	if (!is_fixed)
		return __real_clock_gettime(id, now);
	*now = (struct timespec){ (time_t)(fixed_time() / CLOCK_NS_PER_S),
		(long)(fixed_time() % CLOCK_NS_PER_S) };
	return 0;
}

static void
test_clocks(void **state)
{
	char text[CLOCK_ISO_SIZE];
	uint64_t before = clock_now_ns(), after = clock_now_ns();

	assert_true(before > 0 && after >= before);
	clock_wall_iso(text);
	assert_int_equal(strlen(text), 24);
	is_fixed = true;
	assert_int_equal(clock_now_ns(), fixed_time());
	assert_int_equal(clock_wall_ns(), fixed_time());
	clock_wall_iso(text);
	assert_string_equal(text, "2026-08-01T12:34:56.789Z");
	is_fixed = false;
	assert_true(clock_now_ns() >= after);
}

static void
test_log_lines(void **state)
{
	struct scratch *scratch = *state;
	char *path = xasprintf("%s/log", scratch->path);
	char *text;

	setenv("TZ", "UTC", 1);
	tzset();
	is_fixed = true;
	log_debug("before it is open: %s", "nothing");
	assert_false(log_is_open());
	assert_int_equal(log_open(path, NULL), OK);
	assert_true(log_is_open());
	errno = EDOM;
	log_debug("worker %d: %s", 3, "busy --timeout--> stopping");
	assert_int_equal(errno, EDOM);
	log_debug("foreign \x1b[31m\ntext");
	log_close();
	log_debug("after it is closed");
	assert_int_equal(log_open(path, NULL), OK);
	log_debug("appended");
	log_close();
	is_fixed = false;
	text = files_read(path, NULL);
	assert_non_null(text);
	assert_string_equal(text,
		"2026-08-01 12:34:56.789 DEBUG worker 3: busy --timeout--> "
		"stopping\n"
		"2026-08-01 12:34:56.789 DEBUG foreign \\x1b[31m\\ntext\n"
		"2026-08-01 12:34:56.789 DEBUG appended\n");
	free(text);
	free(path);
}

static void
test_log_long_line(void **state)
{
	struct scratch *scratch = *state;
	char *path = xasprintf("%s/log", scratch->path);
	char *text, *long_text = xmalloc(100001);

	memset(long_text, 0x1b, 100000);
	long_text[100000] = '\0';
	assert_int_equal(log_open(path, NULL), OK);
	log_debug("%s", long_text);
	log_debug("next");
	log_close();
	text = files_read(path, NULL);
	assert_non_null(text);
	assert_true(strlen(text) < 10000);
	assert_non_null(strstr(text, "\\x1b\n"));
	assert_non_null(strstr(text, "DEBUG next\n"));
	free(text);
	free(long_text);
	free(path);
}

static void
test_log_refuses(void **state)
{
	struct scratch *scratch = *state;
	struct error err = { 0 };

	assert_int_not_equal(log_open(scratch->path, &err), OK);
	assert_false(log_is_open());
	error_clear(&err);
	assert_int_equal(log_open("/no/such/folder/log", &err), E_NOT_FOUND);
	error_clear(&err);
	if (open("/dev/ptmx", O_RDWR | O_NOCTTY) >= 0) {
		assert_int_equal(log_open("/dev/ptmx", &err), E_USAGE);
		assert_non_null(strstr(err.text, "not a terminal"));
	}
}

int
main(void)
{
#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, scratch_open, scratch_close)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clocks),
		TEST(test_log_lines),
		TEST(test_log_long_line),
		TEST(test_log_refuses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
