/*
 * Programs of AFL++ are known by the strings in them, wherever these lie.
 */

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "adapter/afl_binary.h"
#include "lib/rows.h"

#define SIZE 200000u

static void
read_with(const char *const *words, size_t at, struct afl_binary *binary)
{
	int fd = memfd_create("binary", 0);

	assert_int_equal(ftruncate(fd, SIZE), 0);
	for (; *words != NULL; words++, at += 100)
		assert_int_equal(pwrite(fd, *words, strlen(*words), (off_t)at),
			strlen(*words));
	afl_binary_read(fd, SIZE, binary);
	close(fd);
}

static void
kinds(void **state)
{
	static const struct {
		const char *words[5];
		struct afl_binary want;
	} ROWS_OF[] = {
		{ { "shmat" }, { .is_afl = false } },
		{ { "__AFL_SHM_ID", "shmat" }, { .is_afl = true } },
		{ { "__AFL_SHM_ID_ELSE" }, { .is_afl = false } },
		{ { "AFL_SHM_ID" }, { .is_afl = false } },
		{ { "__AFL_SHM_ID", "##SIG_AFL_DEFER_FORKSRV##" },
			{ .is_afl = true, .deferred = true } },
		{ { "__AFL_SHM_ID", "##SIG_AFL_PERSISTENT##" },
			{ .is_afl = true, .persistent = true } },
		{ { "__AFL_SHM_ID", "__AFL_SHM_FUZZ_ID" },
			{ .is_afl = true, .shared_input = true } },
		{ { "__AFL_SHM_ID", "shm_open" },
			{ .is_afl = true, .posix = true } },
		{ { "__AFL_SHM_ID", "shm_open", "shmat" }, { .is_afl = true } },
		{ { "__AFL_SHM_ID", "__asan_init@@V1" },
			{ .is_afl = true, .sanitizer = "address" } },
		{ { "__AFL_SHM_ID", "__msan_init" },
			{ .is_afl = true, .sanitizer = "memory" } },
		{ { "__AFL_SHM_ID", "__lsan_init" },
			{ .is_afl = true, .sanitizer = "leak" } },
		{ { "__AFL_SHM_ID", "libubsan.so.1" },
			{ .is_afl = true, .sanitizer = "undefined" } },
		{ { "__AFL_SHM_ID", "libasan.so" }, { .is_afl = true } },
		{ { "__AFL_SHM_ID", "libasan.so.8" },
			{ .is_afl = true, .asan_library = true } },
	};

	for (size_t i = 0; i < ROWS(ROWS_OF); i++) {
		struct afl_binary got, want = ROWS_OF[i].want;

		read_with(ROWS_OF[i].words, 70000, &got);
		row_check(got.is_afl == want.is_afl, "row %zu", i);
		row_check(got.deferred == want.deferred, "row %zu", i);
		row_check(got.persistent == want.persistent, "row %zu", i);
		row_check(got.shared_input == want.shared_input, "row %zu", i);
		row_check(got.posix == want.posix, "row %zu", i);
		row_check(got.asan_library == want.asan_library, "row %zu", i);
		row_check(strcmp(got.sanitizer,
				  want.sanitizer != NULL ? want.sanitizer
							 : "") == 0,
			"row %zu: %s", i, got.sanitizer);
	}
}

/* Also where a block of the reader ends, and at the end of the file. */
static void
places(void **state)
{
	static const char *const WORD[] = { "__AFL_SHM_ID", NULL };
	struct afl_binary binary;

	for (size_t at = 65300; at < 65700; at++) {
		read_with(WORD, at, &binary);
		row_check(binary.is_afl, "at %zu", at);
	}
	read_with(WORD, SIZE - strlen(WORD[0]), &binary);
	assert_true(binary.is_afl);
}

static void
unreadable(void **state)
{
	struct afl_binary binary;

	afl_binary_read(-1, SIZE, &binary);
	assert_false(binary.is_afl);
	assert_string_equal(binary.sanitizer, "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds),
		cmocka_unit_test(places),
		cmocka_unit_test(unreadable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
