/*
 * test_resolver: names in this program, with debug information, stripped, and
 * damaged.
 */
#include "lib/own_code.h"
#include "symbols/resolver.h"

#include <fcntl.h>
#include <setjmp.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/xmalloc.h"
#include "lib/late_library.h"

extern char **environ;

struct stage {
	struct resolver *resolver;
	char folder[64], self[PATH_MAX];
	uint8_t *file; /* this program's */
	size_t len;
	bool debug; /* … has debug information */
	struct symbol symbols[SYMBOL_DEPTH_MAX];
};

/* ---- code to be found ---- */

static volatile int sink;

static inline __attribute__((always_inline)) void
inner(int value)
{
	sink = value;
	sink = value + 1;
}

static const uint32_t inner_line = __LINE__ - 5;

static __attribute__((noinline)) void
outer(int value)
{
	inner(value);
}

static const uint32_t outer_line = __LINE__ - 5;

/* ---- the stage ---- */

static void
read_self(struct stage *s)
{
	ssize_t n = readlink("/proc/self/exe", s->self, sizeof(s->self) - 1);
	struct stat st;
	int fd;

	assert_true(n > 0);
	fd = open(s->self, O_RDONLY);
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	s->len = (size_t)st.st_size;
	s->file = xmalloc(s->len);
	assert_int_equal(read(fd, s->file, s->len), s->len);
	close(fd);
	s->debug = memmem(s->file, s->len, ".debug_info", 11) != NULL;
}

static int
open_stage(void **state)
{
	struct stage *s = xcalloc(1, sizeof(*s));

	outer(sink);
	s->resolver = resolver_create();
	snprintf(s->folder, sizeof(s->folder), "/tmp/cfuzz-test-XXXXXX");
	assert_non_null(mkdtemp(s->folder));
	read_self(s);
	*state = s;
	return 0;
}

static const char *
path_of(const struct stage *s, const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", s->folder, name);
	return path;
}

static int
close_stage(void **state)
{
	struct stage *s = *state;

	resolver_destroy(s->resolver);
	unlink(path_of(s, "file"));
	assert_int_equal(rmdir(s->folder), 0);
	free(s->file);
	free(s);
	return 0;
}

static void
write_file(struct stage *s, const void *data, size_t len)
{
	int fd = open(path_of(s, "file"), O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, len), len);
	close(fd);
}

static uint32_t
find(struct stage *s, const char *path, uint64_t offset)
{
	return resolver_find(s->resolver, path, "", offset, s->symbols,
		SYMBOL_DEPTH_MAX);
}

static bool
strip_self(struct stage *s, char *option)
{
	char program[] = "objcopy", to[128];
	char *argv[] = { program, option, s->self, to, NULL };
	int status = -1;
	pid_t pid;

	snprintf(to, sizeof(to), "%s", path_of(s, "file"));
	return posix_spawnp(&pid, program, NULL, NULL, argv, environ) == 0 &&
		waitpid(pid, &status, 0) == pid && status == 0;
}

/* ---- tests ---- */

static void
test_names(void **state)
{
	struct stage *s = *state;
	uint64_t at = own_code_offset(outer);
	uint32_t n = find(s, s->self, at), i, line = 0;

	if (!s->debug)
		skip();
	assert_true(n >= 1);
	assert_string_equal(s->symbols[n - 1].function, "outer");
	assert_string_equal(s->symbols[n - 1].file, "test_resolver.c");
	assert_int_equal(s->symbols[n - 1].path[0], '/');
	assert_string_equal(strrchr(s->symbols[n - 1].path, '/'),
		"/test_resolver.c");
	assert_in_range(s->symbols[n - 1].line, outer_line, outer_line + 3);
	/* The inlined function is at some offset in it. */
	for (i = 0; i < 64 && line == 0; i++) {
		n = find(s, s->self, at + i);
		if (n == 2 && strcmp(s->symbols[0].function, "inner") == 0)
			line = s->symbols[0].line;
	}
	assert_in_range(line, inner_line - 2, inner_line + 2);
	assert_string_equal(s->symbols[1].function, "outer");
	assert_int_equal(s->symbols[1].line, outer_line + 2);
}

/* Where functions begin. */
static void
test_declared(void **state)
{
	struct stage *s = *state;
	uint32_t n = find(s, s->self, own_code_offset(outer));

	if (!s->debug)
		skip();
	assert_in_range(s->symbols[n - 1].declared, outer_line - 1, outer_line);
}

static void
test_few(void **state)
{
	struct stage *s = *state;
	uint64_t at = own_code_offset(outer);
	uint32_t i;

	for (i = 0; i < 64; i++)
		assert_true(resolver_find(s->resolver, s->self, "", at + i,
				    s->symbols, 1) <= 1);
	assert_int_equal(resolver_find(s->resolver, s->self, "", at, s->symbols,
				 0),
		0);
}

static void
test_no_debug_information(void **state)
{
	struct stage *s = *state;
	char option[] = "--strip-debug";
	uint64_t at = own_code_offset(outer);

	if (!strip_self(s, option))
		skip();
	assert_int_equal(find(s, path_of(s, "file"), at), 1);
	assert_string_equal(s->symbols[0].function, "outer");
	assert_string_equal(s->symbols[0].file, "");
	assert_int_equal(s->symbols[0].offset, 0);
	assert_int_equal(find(s, path_of(s, "file"), at + 1), 1);
	assert_int_equal(s->symbols[0].offset, 1);
}

static void
test_stripped(void **state)
{
	struct stage *s = *state;
	char option[] = "--strip-all";

	if (!strip_self(s, option))
		skip();
	/*
	 * Nothing, or the contents of a separate file with the same build-id.
	 */
	assert_int_equal(find(s, path_of(s, "file"), own_code_offset(outer)),
		0);
}

static void
test_other_build(void **state)
{
	struct stage *s = *state;

	assert_int_equal(resolver_find(s->resolver, s->self, "0123456789abcdef",
				 own_code_offset(outer), s->symbols, 1),
		0);
	assert_int_equal(resolver_find(s->resolver, s->self, "zz",
				 own_code_offset(outer), s->symbols, 1),
		0);
}

static void
test_far_away(void **state)
{
	static const uint64_t offsets[] = { 0, 1, 63, UINT32_MAX, 1ull << 47,
		INT64_MAX, UINT64_MAX - 1, UINT64_MAX };
	struct stage *s = *state;
	size_t i;

	for (i = 3; i < sizeof(offsets) / sizeof(offsets[0]); i++)
		assert_int_equal(find(s, s->self, offsets[i]), 0);
	for (i = 0; i < 3; i++)
		assert_true(find(s, s->self, offsets[i]) <= 1);
}

static void
test_no_elf(void **state)
{
	struct stage *s = *state;
	char garbage[4096];
	char long_path[2 * PATH_MAX];
	size_t i;

	assert_int_equal(find(s, "/nonexistent/file", 16), 0);
	assert_int_equal(find(s, "", 16), 0);
	assert_int_equal(find(s, "/", 16), 0);
	assert_int_equal(find(s, "/dev/zero", 16), 0);
	assert_int_equal(find(s, "/proc/self/maps", 16), 0);
	unlink(path_of(s, "file"));
	assert_int_equal(mkfifo(path_of(s, "file"), 0600), 0);
	assert_int_equal(find(s, path_of(s, "file"), 16), 0);
	unlink(path_of(s, "file"));
	write_file(s, "", 0);
	assert_int_equal(find(s, path_of(s, "file"), 16), 0);
	for (i = 0; i < sizeof(garbage); i++)
		garbage[i] = (char)(i * 131 + i / 7);
	write_file(s, garbage, sizeof(garbage));
	assert_int_equal(find(s, path_of(s, "file"), 16), 0);
	memcpy(garbage, s->file, 16); /* a good start */
	write_file(s, garbage, sizeof(garbage));
	assert_true(find(s, path_of(s, "file"), 16) <= SYMBOL_DEPTH_MAX);
	memset(long_path, '/', sizeof(long_path) - 1);
	long_path[sizeof(long_path) - 1] = '\0';
	assert_int_equal(find(s, long_path, 16), 0);
}

static void
test_cut(void **state)
{
	struct stage *s = *state;
	uint64_t at = own_code_offset(outer);
	size_t len, step = s->len / 97 + 1;
	uint32_t n, i;

	for (len = 1; len < s->len; len += len < 1024 ? 61 : step) {
		write_file(s, s->file, len);
		n = find(s, path_of(s, "file"), at);
		assert_true(n <= SYMBOL_DEPTH_MAX);
		for (i = 0; i < n; i++)
			assert_non_null(memchr(s->symbols[i].function, '\0',
				SYMBOL_FUNCTION_MAX));
	}
}

/* A path whose file is replaced, and more files than may stay open. */
static void
test_replaced(void **state)
{
	struct stage *s = *state;
	uint64_t at = own_code_offset(outer);
	int round;

	for (round = 0; round < 10; round++) {
		write_file(s, s->file, s->len);
		assert_true(find(s, path_of(s, "file"), at) > 0);
		write_file(s, s->file, 1000);
		assert_int_equal(find(s, path_of(s, "file"), at), 0);
		unlink(path_of(s, "file"));
		assert_int_equal(find(s, path_of(s, "file"), at), 0);
		assert_true(find(s, s->self, at) > 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_declared),
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_no_debug_information),
		cmocka_unit_test(test_stripped),
		cmocka_unit_test(test_other_build),
		cmocka_unit_test(test_far_away),
		cmocka_unit_test(test_no_elf),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_replaced),
	};

	return cmocka_run_group_tests(tests, open_stage, close_stage);
}
