/*
 * program_input: an input is whole, whatever the run before it did to the file.
 */

#include "target/program/program_input.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/scratch.h"

/* Reads the descriptor from its start. */
static void
assert_holds(int fd, const char *text)
{
	char b[64];
	ssize_t n = pread(fd, b, sizeof(b), 0);

	assert_int_equal(n, strlen(text));
	assert_memory_equal(b, text, (size_t)n);
}

static void
put(struct program_input *input, const char *text)
{
	assert_int_equal(program_input_put(input, (const uint8_t *)text,
				 strlen(text)),
		0);
}

static void
assert_file_holds(struct program_input *input, const char *text)
{
	struct stat st;
	int fd;

	put(input, text);
	assert_int_equal(lstat(input->path, &st), 0);
	assert_int_equal(st.st_mode, S_IFREG | 0600);
	assert_int_equal(st.st_nlink, 1);
	fd = open(input->path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_holds(fd, text);
	close(fd);
}

static void
test_stdin(void **state)
{
	int old_fd = dup(STDIN_FILENO);
	struct program_input input;
	struct error err = { .code = OK };
	char c;

	assert_int_equal(program_input_open(&input, NULL, &err), OK);
	put(&input, "a longer one");
	assert_holds(STDIN_FILENO, "a longer one");
	assert_int_equal(read(STDIN_FILENO, &c, 1), 1);
	assert_int_equal(c, 'a');
	put(&input, "short");
	assert_holds(STDIN_FILENO, "short");
	/* The next reader begins at the start. */
	assert_int_equal(read(STDIN_FILENO, &c, 1), 1);
	assert_int_equal(c, 's');
	put(&input, "");
	assert_int_equal(read(STDIN_FILENO, &c, 1), 0);
	/* Nobody but us writes there. */
	assert_true(write(STDIN_FILENO, "x", 1) < 0);
	dup2(old_fd, STDIN_FILENO);
	close(old_fd);
	close(input.fd);
}

/* Another process has written a longer input than this one knows. */
static void
test_forget(void **state)
{
	int old_fd = dup(STDIN_FILENO);
	struct program_input input, other;
	struct error err = { .code = OK };

	assert_int_equal(program_input_open(&input, NULL, &err), OK);
	other = input;
	put(&other, "another process's");
	program_input_forget(&input);
	put(&input, "ours");
	assert_holds(STDIN_FILENO, "ours");
	dup2(old_fd, STDIN_FILENO);
	close(old_fd);
	close(input.fd);
}

static void
file_removed(const char *path)
{
	assert_int_equal(unlink(path), 0);
}

static void
file_shortened(const char *path)
{
	assert_int_equal(truncate(path, 1), 0);
}

static void
file_longer(const char *path)
{
	assert_int_equal(truncate(path, 5000), 0);
}

static void
file_replaced(const char *path)
{
	int fd;

	assert_int_equal(unlink(path), 0);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(write(fd, "other bytes", 11), 11);
	close(fd);
}

static void
file_is_folder(const char *path)
{
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkdir(path, 0700), 0);
}

static void
file_is_link(const char *path)
{
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink("nowhere", path), 0);
}

static void
file_is_fifo(const char *path)
{
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
}

/* Only root could read it still. */
static void
file_locked(const char *path)
{
	assert_int_equal(chmod(path, 0), 0);
}

/* Under the other name it would change with each input. */
static void
file_linked(const char *path)
{
	char other[160];

	snprintf(other, sizeof(other), "%s.other", path);
	assert_int_equal(link(path, other), 0);
}

static void
file_kept(const char *path)
{
}

static void
test_file(void **state)
{
	static void (*const damages[])(const char *path) = { file_kept,
		file_removed, file_shortened, file_longer, file_replaced,
		file_is_folder, file_is_link, file_is_fifo, file_locked,
		file_linked };
	const struct scratch *scratch = *state;
	struct program_input input;
	struct error err = { .code = OK };
	char path[128];

	snprintf(path, sizeof(path), "%s/input", scratch->path);
	assert_int_equal(program_input_open(&input, path, &err), OK);
	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		assert_file_holds(&input, "the first");
		damages[i](path);
		assert_file_holds(&input, "second");
	}
	close(input.fd);
}

/* Old content under the name is no part of an input. */
static void
test_old_file(void **state)
{
	const struct scratch *scratch = *state;
	struct program_input input;
	struct error err = { .code = OK };
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/old", scratch->path);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0400);
	assert_int_equal(ftruncate(fd, 100), 0);
	close(fd);
	assert_int_equal(program_input_open(&input, path, &err), OK);
	assert_file_holds(&input, "new");
	close(input.fd);
}

static void
test_no_folder(void **state)
{
	struct program_input input;
	struct error err = { .code = OK };

	assert_int_equal(program_input_open(&input, "/no such folder/x", &err),
		E_IO);
	assert_non_null(strstr(err.text, "/no such folder/x"));
	assert_non_null(strstr(err.text, "No such file"));
}

/* The folder goes away under the campaign. */
static void
test_folder_goes(void **state)
{
	const struct scratch *scratch = *state;
	struct program_input input;
	struct error err = { .code = OK };
	char folder[96], path[128];

	snprintf(folder, sizeof(folder), "%s/folder", scratch->path);
	snprintf(path, sizeof(path), "%s/input", folder);
	assert_int_equal(mkdir(folder, 0700), 0);
	assert_int_equal(program_input_open(&input, path, &err), OK);
	unlink(path);
	rmdir(folder);
	assert_int_not_equal(program_input_put(&input, (const uint8_t *)"x", 1),
		0);
	close(input.fd);
}

/* The limit holds for the program, not for what it is given. */
static void
test_file_limit(void **state)
{
	const struct scratch *scratch = *state;
	int old_fd = dup(STDIN_FILENO);
	struct rlimit old, now;
	struct error err = { .code = OK };
	char path[96];

	snprintf(path, sizeof(path), "%s/input", scratch->path);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	for (int i = 0; i < 4; i++) {
		struct rlimit small = { .rlim_cur = i & 1 ? 0 : 4,
			.rlim_max = old.rlim_max };
		struct program_input input;

		assert_int_equal(program_input_open(&input, i & 2 ? path : NULL,
					 &err),
			OK);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
		put(&input, "a longer one");
		assert_int_equal(getrlimit(RLIMIT_FSIZE, &now), 0);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
		assert_holds(input.fd, "a longer one");
		assert_int_equal(now.rlim_cur, small.rlim_cur);
		assert_int_equal(now.rlim_max, small.rlim_max);
		close(input.fd);
	}
	dup2(old_fd, STDIN_FILENO);
	close(old_fd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stdin),
		cmocka_unit_test(test_forget),
		cmocka_unit_test_setup_teardown(test_file_limit, scratch_open,
			scratch_close),
		cmocka_unit_test_setup_teardown(test_file, scratch_open,
			scratch_close),
		cmocka_unit_test_setup_teardown(test_old_file, scratch_open,
			scratch_close),
		cmocka_unit_test(test_no_folder),
		cmocka_unit_test_setup_teardown(test_folder_goes, scratch_open,
			scratch_close),
	};

	return cmocka_run_group_tests_name("target/program_input", tests, NULL,
		NULL);
}
