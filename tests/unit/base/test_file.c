/*
 * test_file: reading refuses odd files, writing is all or nothing.
 *
 * FLAGS: -Wl,--wrap=write -Wl,--wrap=fsync -Wl,--wrap=close
 * FLAGS: -Wl,--wrap=renameat
 */

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/xmalloc.h"
#include "lib/scratch.h"

/* ---- system calls that fail on demand ----------------------------------- */

enum call {
	CALL_NONE,
	CALL_WRITE,
	CALL_SHORT_WRITE,
	CALL_FSYNC,
	CALL_CLOSE,
	CALL_RENAME
};

static struct {
	enum call fails;
	int errnum;
	int fsyncs;
} fault;

ssize_t __real_write(int fd, const void *buf, size_t len);
ssize_t __wrap_write(int fd, const void *buf, size_t len);
int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __real_close(int fd);
int __wrap_close(int fd);
int __real_renameat(int from_fd, const char *from, int to_fd, const char *to);
int __wrap_renameat(int from_fd, const char *from, int to_fd, const char *to);

static bool
fault_hits(enum call call)
{
	if (fault.fails != call)
		return false;
	errno = fault.errnum;
	return true;
}

ssize_t
__wrap_write(int fd, const void *buf, size_t len)
{
	if (fault_hits(CALL_WRITE))
		return -1;
	if (fault.fails == CALL_SHORT_WRITE && len > 1) {
		static int turn;

		errno = EINTR;
		return turn++ % 2 ? -1 : __real_write(fd, buf, 1);
	}
	return __real_write(fd, buf, len);
}

int
__wrap_fsync(int fd)
{
	fault.fsyncs++;
	return fault_hits(CALL_FSYNC) ? -1 : __real_fsync(fd);
}

int
__wrap_close(int fd)
{
	int result = __real_close(fd);

	return fault_hits(CALL_CLOSE) ? -1 : result;
}

int
__wrap_renameat(int from_fd, const char *from, int to_fd, const char *to)
{
	if (fault_hits(CALL_RENAME))
		return -1;
	return __real_renameat(from_fd, from, to_fd, to);
}

/* ---- reading ------------------------------------------------------------ */

static void
put(const struct scratch *scratch, const char *name, const char *text)
{
	int fd = openat(scratch->dirfd, name, O_WRONLY | O_CREAT | O_TRUNC,
		0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static void
make_socket(const struct scratch *scratch, const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/%s",
		scratch->path, name);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)),
		0);
	close(fd);
}

static void
make_odd_files(const struct scratch *scratch)
{
	int dirfd = scratch->dirfd;

	put(scratch, "empty", "");
	put(scratch, "plain", "hello");
	assert_int_equal(mkfifoat(dirfd, "fifo", 0600), 0);
	assert_int_equal(mkdirat(dirfd, "folder", 0700), 0);
	assert_int_equal(symlinkat("plain", dirfd, "link"), 0);
	assert_int_equal(symlinkat("nowhere", dirfd, "dangling"), 0);
	assert_int_equal(symlinkat("/dev/zero", dirfd, "zero"), 0);
	make_socket(scratch, "socket");
}

static void
test_read(void **state)
{
	static const struct {
		const char *name;
		enum status status;
		const char *content, *message;
	} rows[] = {
		{ "empty", OK, "", NULL },
		{ "plain", OK, "hello", NULL },
		{ "fifo", E_FORMAT, NULL, "cannot read fifo: it is a FIFO" },
		{ "folder", E_FORMAT, NULL,
			"cannot read folder: it is a folder" },
		{ "link", E_FORMAT, NULL,
			"cannot read link: it is a symbolic link" },
		{ "zero", E_FORMAT, NULL,
			"cannot read zero: it is a symbolic link" },
		{ "dangling", E_FORMAT, NULL,
			"cannot read dangling: it is a symbolic link" },
		{ "socket", E_FORMAT, NULL,
			"cannot read socket: it is a socket" },
		{ "/dev/zero", E_FORMAT, NULL,
			"cannot read /dev/zero: it is a device" },
		{ "missing", E_NOT_FOUND, NULL,
			"cannot read missing: No such file or directory" },
	};
	struct scratch *scratch = *state;

	make_odd_files(scratch);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct error err = { 0 };
		uint8_t *data;
		size_t len;

		row_check(file_read_at(scratch->dirfd, rows[i].name, 100, &data,
				  &len, &err) == rows[i].status,
			"%s: %s", rows[i].name, err.text);
		if (rows[i].status == OK) {
			assert_string_equal((char *)data, rows[i].content);
			assert_int_equal(len, strlen(rows[i].content));
		} else {
			assert_null(data);
			assert_string_equal(err.text, rows[i].message);
		}
		free(data);
	}
}

static void
test_read_size_cap(void **state)
{
	struct scratch *scratch = *state;
	struct error err = { 0 };
	uint8_t *data;
	size_t len;
	int fd;

	put(scratch, "five", "12345");
	assert_int_equal(file_read_at(scratch->dirfd, "five", 5, &data, &len,
				 NULL),
		OK);
	free(data);
	assert_int_equal(file_read_at(scratch->dirfd, "five", 4, &data, &len,
				 &err),
		E_RANGE);
	assert_string_equal(err.text,
		"cannot read five: it has 5 bytes, more than 4");
	error_clear(&err);
	fd = openat(scratch->dirfd, "sparse", O_WRONLY | O_CREAT, 0600);
	assert_int_equal(ftruncate(fd, (off_t)10 << 30), 0);
	close(fd);
	assert_int_equal(file_read_at(scratch->dirfd, "sparse", 1 << 20, &data,
				 &len, &err),
		E_RANGE);
}

static void
test_read_path_follows_links(void **state)
{
	struct scratch *scratch = *state;
	struct error err = { 0 };
	uint8_t *data;
	size_t len;
	char *path;

	make_odd_files(scratch);
	path = xasprintf("%s/link", scratch->path);
	assert_int_equal(file_read(path, 100, &data, &len, &err), OK);
	assert_string_equal((char *)data, "hello");
	free(data);
	free(path);
	path = xasprintf("%s/dangling", scratch->path);
	assert_int_equal(file_read(path, 100, &data, &len, &err), E_NOT_FOUND);
	assert_non_null(strstr(err.text, "a symbolic link to a missing file"));
	free(path);
}

/* ---- writing ------------------------------------------------------------ */

static void
check_content(const struct scratch *scratch, const char *name, const char *want)
{
	uint8_t *data;
	size_t len;

	assert_int_equal(file_read_at(scratch->dirfd, name, 1000, &data, &len,
				 NULL),
		OK);
	assert_string_equal((char *)data, want);
	free(data);
}

static size_t
count_names(const struct scratch *scratch)
{
	struct dir_names names;
	size_t n;

	assert_int_equal(dir_list(scratch->dirfd, &names, NULL), OK);
	n = names.n;
	dir_names_clear(&names);
	return n;
}

static void
test_write_creates_and_replaces(void **state)
{
	struct scratch *scratch = *state;
	struct stat st;

	umask(0);
	fault.fsyncs = 0;
	assert_int_equal(file_write_atomic_at(scratch->dirfd, "a", "one", 3, 0,
				 NULL),
		OK);
	assert_int_equal(fault.fsyncs, 0);
	check_content(scratch, "a", "one");
	assert_int_equal(file_write_atomic_at(scratch->dirfd, "a", "second", 6,
				 FILE_FSYNC | FILE_FSYNC_DIR, NULL),
		OK);
	assert_int_equal(fault.fsyncs, 2);
	check_content(scratch, "a", "second");
	assert_int_equal(file_write_atomic_at(scratch->dirfd, "b", NULL, 0, 0,
				 NULL),
		OK);
	check_content(scratch, "b", "");
	assert_int_equal(fstatat(scratch->dirfd, "a", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(count_names(scratch), 2);
}

static void
test_write_in_a_folder(void **state)
{
	struct scratch *scratch = *state;

	assert_int_equal(mkdirat(scratch->dirfd, "sub", 0700), 0);
	umask(0777); /* the strictest umask */
	assert_int_equal(file_write_atomic_at(scratch->dirfd, "sub/a", "x", 1,
				 FILE_FSYNC_DIR, NULL),
		OK);
	umask(022);
	check_content(scratch, "sub/a", "x");
	assert_int_equal(count_names(scratch), 1);
}

static void
test_write_replaces_a_link_not_its_target(void **state)
{
	struct scratch *scratch = *state;

	put(scratch, "precious", "old");
	assert_int_equal(symlinkat("precious", scratch->dirfd, "a"), 0);
	assert_int_equal(file_write_atomic_at(scratch->dirfd, "a", "new", 3, 0,
				 NULL),
		OK);
	check_content(scratch, "precious", "old");
	check_content(scratch, "a", "new");
}

static void
test_write_survives_short_writes(void **state)
{
	struct scratch *scratch = *state;

	fault.fails = CALL_SHORT_WRITE;
	assert_int_equal(file_write_atomic_at(scratch->dirfd, "a",
				 "a longer text", 13, 0, NULL),
		OK);
	fault.fails = CALL_NONE;
	check_content(scratch, "a", "a longer text");
}

static void
test_write_fails_whole(void **state)
{
	static const struct {
		const char *name;
		enum call call;
		int errnum;
		enum status status;
	} rows[] = {
		{ "write, no space", CALL_WRITE, ENOSPC, E_FULL },
		{ "write, quota", CALL_WRITE, EDQUOT, E_FULL },
		{ "write, broken disk", CALL_WRITE, EIO, E_IO },
		{ "fsync", CALL_FSYNC, EIO, E_IO },
		{ "fsync, no space", CALL_FSYNC, ENOSPC, E_FULL },
		{ "close", CALL_CLOSE, EDQUOT, E_FULL },
		{ "rename", CALL_RENAME, EACCES, E_IO },
	};
	struct scratch *scratch = *state;

	put(scratch, "a", "old");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct error err = { 0 };
		enum status status;

		fault.fails = rows[i].call;
		fault.errnum = rows[i].errnum;
		status = file_write_atomic_at(scratch->dirfd, "a", "new", 3,
			FILE_FSYNC, &err);
		fault.fails = CALL_NONE;
		row_check(status == rows[i].status, "%s: %d", rows[i].name,
			(int)status);
		row_check(err.code == status &&
				strstr(err.text, "cannot write a: ") ==
					err.text,
			"%s: %s", rows[i].name, err.text);
		check_content(scratch, "a", "old");
		row_check(count_names(scratch) == 1, "%s", rows[i].name);
	}
	assert_int_equal(file_write_atomic_at(scratch->dirfd, "no/such", "x", 1,
				 0, NULL),
		E_NOT_FOUND);
}

/* A path that a user named: only a regular file is replaced. */
static void
test_write_path(void **state)
{
	static const struct {
		const char *name, *path, *file; /* file: what is written */
	} rows[] = {
		{ "a new file", "new", "new" },
		{ "a file", "old", "old" },
		{ "a link to a file", "link", "old" },
		{ "a link to a missing file", "dangling", "missing" },
	};
	struct scratch *scratch = *state;
	char buf[4] = "";
	struct stat st;
	int fd;

	assert_int_equal(chdir(scratch->path), 0);
	put(scratch, "old", "old");
	assert_int_equal(symlink("old", "link"), 0);
	assert_int_equal(symlink("missing", "dangling"), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		row_check(file_write(rows[i].path, rows[i].name,
				  strlen(rows[i].name), 0, NULL) == OK,
			"%s", rows[i].name);
		check_content(scratch, rows[i].file, rows[i].name);
	}
	assert_int_equal(readlink("link", buf, sizeof(buf)), 3);
	assert_int_equal(mkfifo("fifo", 0600), 0);
	fd = open("fifo", O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(file_write("fifo", "abc", 3, FILE_FSYNC, NULL), OK);
	assert_int_equal(read(fd, buf, sizeof(buf)), 3);
	assert_memory_equal(buf, "abc", 3);
	assert_int_equal(lstat("fifo", &st), 0);
	assert_true(S_ISFIFO(st.st_mode));
	close(fd);
	assert_int_equal(file_write(".", "abc", 3, 0, NULL), E_IO);
	assert_int_equal(count_names(scratch), 6);
	assert_int_equal(chdir("/"), 0);
}

/* What a write leaves that never ends; nothing else has such a name. */
static void
test_left_over(void **state)
{
	static const struct row {
		const char *name;
		bool is;
	} rows[] = {
		{ ".tmp-0123456789abcdef", true },
		{ ".tmp-0000000000000000", true },
		{ ".tmp-0123456789abcde", false },
		{ ".tmp-0123456789abcdef0", false },
		{ ".tmp-0123456789abcdeF", false },
		{ ".tmp-0123456789abcdeg", false },
		{ ".tmp-", false },
		{ "tmp-0123456789abcdef", false },
		{ "a/.tmp-0123456789abcdef", false },
		{ "0123456789abcdef", false },
		{ "", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (file_is_left_over(rows[i].name) != rows[i].is)
			fail_msg("%s", rows[i].name);
}

int
main(void)
{
#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, scratch_open, scratch_close)
	const struct CMUnitTest tests[] = {
		TEST(test_read),
		TEST(test_read_size_cap),
		TEST(test_read_path_follows_links),
		TEST(test_write_creates_and_replaces),
		TEST(test_write_in_a_folder),
		TEST(test_write_replaces_a_link_not_its_target),
		TEST(test_write_survives_short_writes),
		TEST(test_write_fails_whole),
		TEST(test_write_path),
		cmocka_unit_test(test_left_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
