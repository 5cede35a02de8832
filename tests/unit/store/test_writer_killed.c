/*
 * test_writer_killed: the sudden death of a process loses nothing that was
 * acknowledged.
 */
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/hash.h"
#include "lib/tree.h"
#include "store/writer.h"

#define KILLS 50
#define WAITING_MAX 500 /* files: of more, a slow disk would be refused some */

static int ack_fd;

static void
ack_cb(void *arg, enum status status)
{
	if (status != OK || write(ack_fd, arg, 65) != 65)
		abort();
}

/* Writes until it is killed; reports each acknowledged file. */
static _Noreturn void
write_for_ever(const char *path, unsigned seed)
{
	struct event_base *base = event_base_new();
	int dirfd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct writer *writer = writer_create(base, dirfd, NULL);
	struct writer_status status;
	uint32_t x = seed * 2654435761u + 1;
	static char names[100000][65];
	uint8_t data[60000];
	size_t i, len;
	unsigned n;

	for (n = 0; n < 100000; n++) {
		for (i = 0; i < sizeof(data); i++) {
			x = x * 1664525 + 1013904223;
			data[i] = (uint8_t)(x >> 24);
		}
		len = x % sizeof(data);
		sha256_name(data, len, names[n]);
		writer_add(writer,
			&(struct writer_file){
				.kind = n % 3 ? WRITER_ENTRY : WRITER_FINDING,
				.folder = n % 3 ? "corpus" : "crashes",
				.name = names[n],
				.keep = true,
				.data = data,
				.len = len,
				.done = ack_cb,
				.arg = names[n],
			});
		event_base_loop(base, EVLOOP_NONBLOCK);
		writer_get_status(writer, &status);
		while (status.waiting > WAITING_MAX) {
			event_base_loop(base, EVLOOP_ONCE);
			writer_get_status(writer, &status);
		}
	}
	_exit(1);
}

static void
check_whole(const struct tree *tree, const char *folder)
{
	char path[512], hex[SHA256_HEX_SIZE], *data;
	DIR *dir = opendir(tree_path(tree, folder));
	struct dirent *entry;
	size_t len;

	while (dir && (entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		data = tree_read(tree, path, &len);
		sha256_name(data, len, hex);
		row_check(strcmp(hex, entry->d_name) == 0, "%s", path);
		free(data);
	}
	if (dir)
		closedir(dir);
}

static unsigned
check_acknowledged(const struct tree *tree, int fd)
{
	char name[65], path[2][80];
	unsigned n = 0;

	while (read(fd, name, sizeof(name)) == sizeof(name)) {
		snprintf(path[0], sizeof(path[0]), "corpus/%s", name);
		snprintf(path[1], sizeof(path[1]), "crashes/%s", name);
		row_check(tree_has(tree, path[0]) || tree_has(tree, path[1]),
			"%s", name);
		n++;
	}
	return n;
}

static void
test_killed(void **state)
{
	const struct tree *tree = *state;
	unsigned i, acknowledged = 0;
	char fd[16], seed[16];
	int fds[2];
	pid_t pid;

	for (i = 0; i < KILLS; i++) {
		assert_int_equal(fd_pipe(fds, NULL), OK);
		assert_int_equal(fcntl(fds[1], F_SETPIPE_SZ, 1 << 20), 1 << 20);
		pid = fork();
		assert_true(pid >= 0);
		if (pid == 0) {
			snprintf(fd, sizeof(fd), "%d", dup(fds[1]));
			snprintf(seed, sizeof(seed), "%u", i);
			execl("/proc/self/exe", "test_writer_killed",
				tree->path, fd, seed, NULL);
			_exit(1);
		}
		close(fds[1]);
		/* At least one gets so far, however slow the machine is. */
		if (i == 0)
			(void)poll(&(struct pollfd){ .fd = fds[0],
					   .events = POLLIN },
				1, -1);
		usleep(2000 + i * 7919 % 60 * 1000);
		assert_int_equal(kill(pid, SIGKILL), 0);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		acknowledged += check_acknowledged(tree, fds[0]);
		close(fds[0]);
	}
	check_whole(tree, "corpus");
	check_whole(tree, "crashes");
	assert_true(acknowledged > 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_open, tree_close)

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TEST(test_killed),
	};

	if (argc == 4) { /* started by test_killed() */
		ack_fd = atoi(argv[2]);
		write_for_ever(argv[1], (unsigned)atoi(argv[3]));
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
