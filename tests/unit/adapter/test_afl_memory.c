/* Both kinds of shared memory are found by their names, and leave nothing. */

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include "adapter/afl_memory.h"
#include "lib/rows.h"

static void
posix(void **state)
{
	struct afl_memory memory;
	struct error err = { .code = OK };
	char name[AFL_MEMORY_NAME];
	uint8_t *at;
	char *other, byte = 0;
	int fd, fd_again;

	assert_int_equal(afl_memory_open(&memory, 8192, true, &err), OK);
	assert_true(memory.linked);
	memcpy(name, memory.name, sizeof(name));
	fd = shm_open(name, O_RDWR, 0);
	assert_true(fd >= 0);
	other = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(other, MAP_FAILED);
	other[8191] = 5;
	assert_int_equal(memory.at[8191], 5);
	afl_memory_unlink(&memory);
	assert_int_equal(shm_open(name, O_RDWR, 0), -1);
	at = memory.at;
	assert_int_equal(afl_memory_renew(&memory, &err), OK);
	assert_ptr_equal(memory.at, at);
	assert_int_equal(at[8191], 0);
	fd_again = shm_open(name, O_RDWR, 0);
	assert_true(fd_again >= 0);
	at[0] = 6;
	assert_int_equal(read(fd_again, &byte, 1), 1);
	assert_int_equal(byte, 6);
	/* Once more, while the name exists, and after others removed it. */
	assert_int_equal(afl_memory_renew(&memory, &err), OK);
	assert_int_equal(shm_unlink(name), 0);
	assert_int_equal(afl_memory_renew(&memory, &err), OK);
	afl_memory_close(&memory);
	assert_int_equal(shm_open(name, O_RDWR, 0), -1);
	assert_null(memory.at);
	close(fd_again);
	(void)munmap(other, 8192);
	close(fd);
}

static void
system_v(void **state)
{
	struct afl_memory memory;
	struct error err = { .code = OK };
	char *other;

	assert_int_equal(afl_memory_open(&memory, 8192, false, &err), OK);
	assert_false(memory.linked);
	other = shmat(atoi(memory.name), NULL, 0);
	assert_ptr_not_equal(other, (void *)-1);
	assert_int_equal(afl_memory_renew(&memory, &err), OK);
	other[1] = 7;
	assert_int_equal(memory.at[1], 7);
	afl_memory_close(&memory);
	(void)shmdt(other);
}

static void
refused(void **state)
{
	struct error err = { .code = OK };
	struct afl_memory memory;

	for (int posix_kind = 0; posix_kind < 2; posix_kind++) {
		assert_int_equal(afl_memory_open(&memory, SIZE_MAX / 2,
					 posix_kind != 0, &err),
			E_IO);
		assert_null(memory.at);
		assert_false(memory.linked);
		assert_non_null(strstr(err.text, "no shared memory of"));
		error_clear(&err);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(posix),
		cmocka_unit_test(system_v),
		cmocka_unit_test(refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
