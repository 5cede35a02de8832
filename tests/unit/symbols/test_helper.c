/*
 * test_helper: the helper process: names and tables of this program's code, and
 * the end of a helper that gets nonsense.
 */
#include "lib/own_code.h"
#include "symbols/helper.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/xmalloc.h"
#include "lib/late_library.h"
#include "symbols/helper_process.h"
#include "symbols/source.h"
#include "symbols/symbol.h"

static volatile int sink;

static __attribute__((noinline)) void
to_be_found(int value)
{
	sink = value; /* the line of the excerpt */
}

static const uint32_t found_line = __LINE__ - 3;

static void
self_path(char path[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);

	assert_true(n > 0);
	path[n] = '\0';
}

/* A helper by fork() alone, so that it shares the counters of coverage. */
static struct symbols_process
start_helper(void)
{
	struct symbols_process process = { .fd = -1 };
	char name[] = "cfuzz", option[] = SYMBOLS_HELPER_OPTION;
	int fds[2], status;

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0,
				 fds),
		0);
	process.pid = fork();
	assert_true(process.pid >= 0);
	if (process.pid == 0) {
		dup2(fds[1], STDIN_FILENO);
		close(fds[0]);
		close(fds[1]);
		if (!symbols_helper_main(2, (char *[]){ name, option, NULL },
			    &status))
			status = 99;
		_exit(status);
	}
	close(fds[1]);
	process.fd = fds[0];
	return process;
}

/* Closes the socket; the helper ends by itself. */
static int
end_helper(struct symbols_process *process)
{
	int status;

	close(process->fd);
	assert_int_equal(waitpid(process->pid, &status, 0), process->pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void
ask_name(const struct symbols_process *process,
	const struct symbols_request *request, struct symbols_reply *reply)
{
	ssize_t n;

	assert_int_equal(send(process->fd, request, sizeof(*request), 0),
		sizeof(*request));
	n = recv(process->fd, reply, sizeof(*reply), 0);
	assert_true(n > 0);
	assert_true(symbols_reply_check(reply, (size_t)n));
	assert_int_equal(reply->seq, request->seq);
}

static void
test_names(void **state)
{
	struct symbols_process process = start_helper();
	struct symbols_request request = { .seq = 7,
		.offset = own_code_offset(to_be_found) };
	struct symbols_reply *reply = xmalloc(sizeof(*reply));

	to_be_found(sink);
	self_path(request.path);
	ask_name(&process, &request, reply);
	assert_int_equal(reply->blind, 0);
	assert_int_equal(reply->n, 1);
	assert_string_equal(reply->symbols[0].function, "to_be_found");
	assert_int_equal(reply->lines_n, 0);
	/* With the lines around it, if there is debug information. */
	request.seq++;
	request.source = 1;
	ask_name(&process, &request, reply);
	if (reply->symbols[0].line != 0) {
		assert_string_equal(reply->symbols[0].file, "test_helper.c");
		assert_in_range(reply->symbols[0].line, found_line - 4,
			found_line);
		assert_int_equal(reply->lines_n, SYMBOL_LINES_MAX);
	}
	/* A file of another build has no names. */
	request.seq++;
	strcpy(request.id, "00");
	ask_name(&process, &request, reply);
	assert_int_equal(reply->n, 0);
	assert_int_equal(reply->lines_n, 0);
	assert_int_equal(end_helper(&process), 0);
	free(reply);
}

/* Sends a request for a table; fd -1: without a descriptor. */
static void
ask_table(const struct symbols_process *process,
	const struct source_request *request, int fd)
{
	char control[CMSG_SPACE(sizeof(int))]
		__attribute__((aligned(8))) = { 0 };
	struct iovec iov = { (void *)(uintptr_t)request, sizeof(*request) };
	struct msghdr message = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *head = (struct cmsghdr *)(void *)control;

	if (fd >= 0) {
		message.msg_control = control;
		message.msg_controllen = sizeof(control);
		head->cmsg_level = SOL_SOCKET;
		head->cmsg_type = SCM_RIGHTS;
		head->cmsg_len = CMSG_LEN(sizeof(fd));
		memcpy(CMSG_DATA(head), &fd, sizeof(fd));
	}
	assert_int_equal(sendmsg(process->fd, &message, 0), sizeof(*request));
}

static int
memory_of(const void *data, size_t len)
{
	int fd = memfd_create("pcs", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, len), len);
	return fd;
}

static void
test_table(void **state)
{
	const uint64_t pcs[] = { own_code_offset(to_be_found) | SOURCE_ENTRY };
	struct symbols_process process = start_helper();
	struct source_request request = { .n = 1 };
	struct source_table table = { 0 };
	char *packet = xmalloc(SOURCE_PACKET_MAX);
	int fd = memory_of(pcs, sizeof(pcs));
	bool done = false;
	ssize_t n;

	self_path(request.path);
	ask_table(&process, &request, fd);
	while (!done) {
		n = recv(process.fd, packet, SOURCE_PACKET_MAX, 0);
		assert_true(n > 0);
		assert_int_equal(source_table_take(&table, 1, packet, (size_t)n,
					 &done, NULL),
			OK);
	}
	assert_int_equal(table.end.found, 1);
	assert_int_equal(table.locations_n, 1);
	if (table.end.debug) {
		assert_in_range(table.locations[0].line, found_line - 4,
			found_line);
		assert_string_equal(
			table.functions[table.locations[0].function].name,
			"to_be_found");
	}
	source_table_clear(&table);
	assert_int_equal(end_helper(&process), 0);
	close(fd);
	free(packet);
}

/* Requests that no client makes: the helper ends without an answer. */
static void
test_nonsense(void **state)
{
	static const struct {
		const char *name;
		size_t len; /* of a packet of zeros; 0: a table */
		uint32_t n;
		bool with_fd;
	} rows[] = {
		{ "a short packet", 3, 0, false },
		{ "a table without descriptor", 0, 1, false },
		{ "more counters than a module has", 0, SOURCE_COUNTERS_MAX + 1,
			true },
		{ "fewer addresses than counters", 0, 2, true },
	};
	const uint64_t pc = 1;
	char byte;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct symbols_process process = start_helper();
		struct source_request request = { .n = rows[i].n };
		int fd = memory_of(&pc, sizeof(pc));

		print_message("         %s\n", rows[i].name);
		if (rows[i].len > 0)
			assert_int_equal(send(process.fd, &request, rows[i].len,
						 0),
				rows[i].len);
		else
			ask_table(&process, &request,
				rows[i].with_fd ? fd : -1);
		assert_int_equal(recv(process.fd, &byte, 1, 0), 0);
		assert_int_equal(end_helper(&process), 0);
		close(fd);
	}
}

/* A user who types the option gets a message; other options are not ours. */
static void
test_by_hand(void **state)
{
	char name[] = "cfuzz", option[] = SYMBOLS_HELPER_OPTION, run[] = "run";
	char *ours[] = { name, option, NULL }, *other[] = { name, run, NULL };
	int status = 0, saved[2], null = open("/dev/null", O_RDWR | O_CLOEXEC);

	assert_false(symbols_helper_main(2, other, &status));
	assert_false(symbols_helper_main(1, ours, &status));
	assert_int_equal(status, 0);
	saved[0] = dup(STDIN_FILENO);
	saved[1] = dup(STDERR_FILENO);
	dup2(null, STDIN_FILENO);
	dup2(null, STDERR_FILENO);
	assert_true(symbols_helper_main(2, ours, &status));
	dup2(saved[0], STDIN_FILENO);
	dup2(saved[1], STDERR_FILENO);
	close(saved[0]);
	close(saved[1]);
	close(null);
	assert_int_equal(status, 2);
}

/* This program started again; killed helpers are reaped. */
static void
test_processes(void **state)
{
	struct symbols_process process = { .fd = -1 };
	struct symbols_request request = { .offset = own_code_offset(
						   to_be_found) };
	struct symbols_reply *reply = xmalloc(sizeof(*reply));

	for (int i = 0; i < SYMBOLS_DYING_MAX + 2; i++) {
		assert_int_equal(symbols_process_start(&process, NULL, NULL),
			0);
		symbols_process_kill(&process);
		assert_int_equal(process.fd, -1);
	}
	while (symbols_process_reap(&process))
		usleep(1000);
	assert_int_equal(symbols_process_start(&process, NULL, NULL), 0);
	self_path(request.path);
	ask_name(&process, &request, reply);
	assert_string_equal(reply->symbols[0].function, "to_be_found");
	symbols_process_clear(&process);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	free(reply);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_nonsense),
		cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_processes),
	};
	int status;

	if (symbols_helper_main(argc, argv, &status))
		return status;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
