/*
 * test_own_code: the size of a program's own code: of this test program, and of
 * damaged copies.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "findings/own_code.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK (1u << 20)
#define DAMAGES 400u

/* A writable copy in memory. */
static int
copy_self(size_t *size)
{
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int to = memfd_create("program", MFD_CLOEXEC);
	char *block = malloc(BLOCK);
	ssize_t n;

	assert_true(from >= 0 && to >= 0 && block != NULL);
	*size = 0;
	while ((n = read(from, block, BLOCK)) > 0) {
		assert_int_equal(write(to, block, (size_t)n), n);
		*size += (size_t)n;
	}
	free(block);
	close(from);
	return to;
}

static void
test_this_program(void **state)
{
	struct own_code code;
	size_t size;
	int fd = copy_self(&size);

	own_code_read(fd, &code);
	assert_true(code.bytes > 4096 && code.bytes < size);
	assert_true(code.has_main && !code.has_function);
	/* The C library and the like do not count as own. */
	assert_null(strstr(code.library, "libc.so"));
	assert_non_null(strstr(code.library, ".so"));
	close(fd);
}

static void
test_no_program(void **state)
{
	struct own_code code = { .bytes = 7, .library = "x" };
	int fd = memfd_create("empty", MFD_CLOEXEC);

	own_code_read(fd, &code);
	assert_true(code.bytes == 0 && code.library[0] == '\0');
	own_code_read(-1, &code);
	assert_true(code.bytes == 0);
	close(fd);
}

/* Impossible numbers in the section headers, and truncated files. */
static void
test_damaged(void **state)
{
	struct own_code code;
	uint64_t offset, bad[] = { UINT64_MAX, 0, 1, 0x7fffffffffffffff };
	size_t size, at;
	char old[8];
	int fd = copy_self(&size);

	assert_int_equal(pread(fd, &offset, sizeof(offset), 40), 8);
	for (unsigned i = 0; i < DAMAGES; i++) {
		at = i < 8 ? i * 8 : offset + (i - 8) * 8;
		if (at + sizeof(old) > size)
			break;
		assert_int_equal(pread(fd, old, sizeof(old), (off_t)at), 8);
		assert_int_equal(pwrite(fd, &bad[i % 4], 8, (off_t)at), 8);
		own_code_read(fd, &code);
		assert_int_equal(pwrite(fd, old, sizeof(old), (off_t)at), 8);
		assert_true(code.bytes < size);
	}
	for (at = size; at > 0; at /= 2) {
		assert_int_equal(ftruncate(fd, (off_t)at - 1), 0);
		own_code_read(fd, &code);
		assert_true(code.bytes < size);
	}
	close(fd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_this_program),
		cmocka_unit_test(test_no_program),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
