/*
 * The handshakes and the runs of a fork server of AFL++. The test's own program
 * is the fork server: it says the words of its last argument, and `<` reads one.
 */

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapter/afl_program.h"
#include "adapter/afl_server.h"
#include "lib/fake_afl.h"
#include "lib/files.h"
#include "lib/rows.h"

#define FAKE "fake-fork-server"
#define HELLO_NEW "41464c01 <"

static struct afl_server server;
static size_t input_max = 100; /* of the next start */

/* ---- the fake ---- */

static uint32_t *
fake_memory(const char *variable)
{
	const char *name = getenv(variable);

	if (name[0] != '/')
		return shmat(atoi(name), NULL, 0);
	return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED,
		shm_open(name, O_RDWR, 0), 0);
}

/* Leaves in the map the last word that it has read, and its environment. */
static int
fake_main(char *script)
{
	uint32_t *map = fake_memory("__AFL_SHM_ID");
	uint32_t *input = fake_memory("__AFL_SHM_FUZZ_ID");
	char *save = NULL;

	for (char *word = strtok_r(script, " ", &save); word != NULL;
		word = strtok_r(NULL, " ", &save)) {
		uint32_t value = (uint32_t)strtoul(word, NULL, 16);

		if (strcmp(word, "<") == 0)
			map[1] = fake_afl_hear();
		else if (strcmp(word, "input") == 0)
			map[2] = input[0];
		else if (strcmp(word, "stop") == 0)
			_exit(5);
		else if (strcmp(word, "die") == 0)
			abort();
		else if (strcmp(word, "words") == 0)
			value = (uint32_t)write(199, "\003abc\002de", 7);
		else
			fake_afl_say((int32_t)value);
	}
	map[3] = getenv("__AFL_PERSISTENT") != NULL;
	map[4] = getenv("__AFL_DEFER_FORKSRV") != NULL;
	map[0] = 1;
	(void)fake_afl_hear();
	return 0;
}

/* ---- the tests ---- */

static enum status
start(const char *script, const struct afl_binary *binary, struct error *err)
{
	static const struct afl_binary none = { .is_afl = true };
	static char self[4096];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *argv[] = { self, (char *)FAKE, (char *)script, NULL };
	const struct afl_server_spec spec = { .argv = argv,
		.binary = binary != NULL ? binary : &none,
		.input_max = input_max };

	self[len > 0 ? len : 0] = '\0';
	error_clear(err);
	memset(&server, 0, sizeof(server));
	return afl_server_start(&server, &spec, err);
}

static void
end(void)
{
	afl_server_stop(&server);
	afl_memory_close(&server.map);
	afl_memory_close(&server.input);
}

static uint32_t
map_word(size_t at)
{
	uint32_t word;

	memcpy(&word, server.map.at + at * sizeof(word), sizeof(word));
	return word;
}

static void
wait_for_fake(void)
{
	for (int i = 0; i < 60000 && map_word(0) == 0; i++)
		usleep(2000);
	assert_int_equal(map_word(0), 1);
}

static void
good(void **state)
{
	static const struct {
		const char *script;
		uint32_t map_size, version, heard;
		bool shared_input;
		size_t words_len;
	} ROWS_OF[] = {
		{ "0", 65536, 0, 0, false, 0 },
		{ "c2000017", 12, 0, 0, false, 0 },
		{ "c300001f <", 16, 0, 0x81000001u, true, 0 },
		/* all bits of four: none of them counts */
		{ "cf00001f", 16, 0, 0, false, 0 },
		{ "d000001f < 7 words", 16, 0, 0x90000001u, false, 7 },
		{ HELLO_NEW " 1 40 41464c01", 64, 1, ~0x41464c01u, false, 0 },
		{ HELLO_NEW " 3 40 41464c01", 64, 1, ~0x41464c01u, true, 0 },
		{ HELLO_NEW " 803 40 7 words 41464c01", 64, 1, ~0x41464c01u,
			true, 7 },
	};
	struct error err;

	for (size_t i = 0; i < ROWS(ROWS_OF); i++) {
		row_check(start(ROWS_OF[i].script, NULL, &err) == OK,
			"row %zu: %s", i, err.text);
		wait_for_fake();
		row_check(server.map_size == ROWS_OF[i].map_size, "row %zu: %u",
			i, server.map_size);
		row_check(server.version == ROWS_OF[i].version, "row %zu", i);
		row_check(server.shared_input == ROWS_OF[i].shared_input,
			"row %zu", i);
		row_check(server.words_len == ROWS_OF[i].words_len, "row %zu",
			i);
		row_check(map_word(1) == ROWS_OF[i].heard, "row %zu: 0x%x", i,
			map_word(1));
		end();
	}
}

static void
bad(void **state)
{
	static const struct {
		const char *script, *want;
	} ROWS_OF[] = {
		{ "stop", "ended (exit status 5) before it answered" },
		{ "die", "ended (Aborted) before it answered" },
		{ "12345678", "answers 0x12345678, which no fork server" },
		{ "41464c00", "speaks version 0" },
		{ "41464c02", "speaks version 2" },
		{ "f800018f", "is larger than can be offered" },
		{ "f800088f", "cannot attach" },
		{ "f800638f", "reports error 99" },
		{ "effe0010", "cannot map" },
		{ HELLO_NEW " stop", "ended (exit status 5)" },
		{ HELLO_NEW " effe0004", "cannot open" },
		{ HELLO_NEW " 2", "answers 0x00000002" },
		{ HELLO_NEW " 1 0", "needs a map of 0 counters" },
		{ HELLO_NEW " 1 ffffffff", "needs a map of 4294967295" },
		{ HELLO_NEW " 1 40 41464c02", "answers 0x41464c02" },
		{ HELLO_NEW " 801 40 1", "a dictionary of 1 bytes" },
		{ HELLO_NEW " 801 40 ffffffff", "dictionary of 4294967295" },
		{ HELLO_NEW " 801 40 100 stop", "has ended" },
	};
	struct error err;

	for (size_t i = 0; i < ROWS(ROWS_OF); i++) {
		row_check(start(ROWS_OF[i].script, NULL, &err) == E_TARGET,
			"row %zu", i);
		row_check(strstr(err.text, ROWS_OF[i].want) != NULL,
			"row %zu: %s", i, err.text);
		row_check(waitpid(-1, NULL, WNOHANG) == -1,
			"row %zu: it still runs", i);
		row_check(server.map.at == NULL && server.command_fd == -1,
			"row %zu", i);
	}
}

static void
environment(void **state)
{
	const struct afl_binary binary = { .is_afl = true,
		.deferred = true,
		.persistent = true };
	struct error err;

	assert_int_equal(start("0", &binary, &err), OK);
	wait_for_fake();
	assert_int_equal(map_word(3), 1);
	assert_int_equal(map_word(4), 1);
	end();
}

/* Input in memory, then two runs: one ends, one stops. */
static void
runs(void **state)
{
	struct error err;
	int status;
	pid_t pid;

	assert_int_equal(start("c300001f < < 1234 input 0 < 1234 137f", NULL,
				 &err),
		OK);
	afl_server_put(&server, (const uint8_t *)"abcde", 5);
	assert_int_equal(afl_link_write(&server, false, &err), OK);
	assert_int_equal(afl_server_pid(&server, &pid, &err), OK);
	assert_int_equal(pid, 0x1234);
	assert_int_equal(afl_server_status(&server, &status, &err), OK);
	assert_int_equal(status, 0);
	assert_int_equal(map_word(2), 5);
	assert_memory_equal(server.input.at + 4, "abcde", 5);
	assert_int_equal(afl_link_write(&server, true, &err), OK);
	assert_int_equal(afl_server_pid(&server, &pid, &err), OK);
	assert_int_equal(afl_server_status(&server, &status, &err), OK);
	assert_true(WIFSTOPPED(status));
	wait_for_fake();
	assert_int_equal(map_word(1), 1);
	end();
}

/* A program with POSIX shared memory maps 1 MiB, whatever the memory's size: its
 * end must be no fault of an input. */
static void
long_input(void **state)
{
	static const struct {
		bool posix;
		size_t max;
		uint32_t want;
	} ROWS_OF[] = {
		{ false, 100, 1 << 20 },
		{ false, 3 << 20, 2 << 20 },
		{ true, 100, 1 << 20 },
		{ true, 3 << 20, 1 << 20 },
	};
	uint8_t *data = calloc(2, 1 << 20);
	struct error err;
	uint32_t len;

	assert_non_null(data);
	for (size_t i = 0; i < ROWS(ROWS_OF); i++) {
		const struct afl_binary binary = { .is_afl = true,
			.posix = ROWS_OF[i].posix };

		input_max = ROWS_OF[i].max;
		row_check(start("0", &binary, &err) == OK, "row %zu: %s", i,
			err.text);
		wait_for_fake();
		afl_server_put(&server, data, 2 << 20);
		memcpy(&len, server.input.at, sizeof(len));
		row_check(len == ROWS_OF[i].want, "row %zu: %u", i, len);
		end();
	}
	input_max = 100;
	free(data);
}

static void
lost(void **state)
{
	struct error err;
	pid_t pid;

	assert_int_equal(start("0 < stop", NULL, &err), OK);
	assert_int_equal(afl_link_write(&server, false, &err), OK);
	assert_int_equal(afl_server_pid(&server, &pid, &err), E_TARGET);
	assert_non_null(strstr(err.text, "has ended"));
	end();
	assert_int_equal(start("0 < ffffffff", NULL, &err), OK);
	assert_int_equal(afl_link_write(&server, false, &err), OK);
	assert_int_equal(afl_server_pid(&server, &pid, &err), E_TARGET);
	assert_non_null(strstr(err.text, "nonsense (-1)"));
	end();
}

static void
note_signal(int signo)
{
}

/* A signal while nothing is there yet is no answer. */
static void
a_signal(void **state)
{
	const struct itimerval soon = { .it_value.tv_usec = 10000 };
	struct sigaction old, note = { .sa_handler = note_signal };
	struct afl_server silent = { 0 };
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	silent.status_fd = fds[0];
	assert_int_equal(sigaction(SIGALRM, &note, &old), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
	assert_false(afl_link_wait(&silent, 100));
	assert_int_equal(write(fds[1], "x", 1), 1);
	assert_true(afl_link_wait(&silent, 100));
	assert_int_equal(sigaction(SIGALRM, &old, NULL), 0);
	close(fds[0]);
	close(fds[1]);
}

/* The program says whose process its run is; others must not be killed. */
static void
foreign_process(void **state)
{
	static char self[4096], script[64];
	char *argv[] = { self, (char *)FAKE, script, NULL };
	const struct afl_binary binary = { .is_afl = true };
	struct afl_program program = { .spec = { .argv = argv,
					       .binary = &binary } };
	pid_t other = fork(), pid;
	struct error err = { 0 };
	int status;

	if (other == 0)
		for (;;)
			pause();
	assert_true(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	(void)snprintf(script, sizeof(script), "0 < %x", (unsigned)other);
	assert_int_equal(afl_program_open(&program, &err), OK);
	assert_int_equal(afl_program_begin(&program, &pid, &err), OK);
	assert_int_equal(pid, other);
	assert_int_equal(afl_program_end(&program, 10, &status, &err),
		E_TARGET);
	assert_non_null(strstr(err.text, "names a process that is not its"));
	assert_true(program.run->lost);
	assert_int_equal(afl_program_take_over(&program, &err), E_TARGET);
	assert_int_equal(waitpid(other, &status, WNOHANG), 0);
	(void)kill(other, SIGKILL);
	assert_int_equal(waitpid(other, &status, 0), other);
	server = program.server;
	end();
}

/* A server that was stopped starts again with the memory that it had. */
static void
again(void **state)
{
	static char self[4096];
	char *argv[] = { self, (char *)FAKE, NULL, NULL };
	const struct afl_binary binary = { .is_afl = true };
	const struct afl_server_spec spec = { .argv = argv, .binary = &binary };
	const uint8_t *map;
	struct error err;

	assert_int_equal(start("0", NULL, &err), OK);
	map = server.map.at;
	afl_server_stop(&server);
	assert_true(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	argv[2] = (char *)"c2000017";
	assert_int_equal(afl_server_start(&server, &spec, &err), OK);
	assert_ptr_equal(server.map.at, map);
	assert_int_equal(server.map_size, 12);
	end();
}

/* Whoever reaps orphans may have reaped the server: its number can be that of
 * another process. One that is no child is left alone. */
static void
another_process(void **state)
{
	struct afl_server s = { .command_fd = -1, .status_fd = -1 };
	int fds[2], status;
	pid_t child, other;

	assert_int_equal(pipe(fds), 0);
	child = fork();
	if (child == 0) {
		other = fork();
		if (other == 0)
			for (;;)
				pause();
		if (write(fds[1], &other, sizeof(other)) < 0)
			_exit(1);
		assert_int_equal(waitpid(other, &status, 0), other);
		_exit(WIFSIGNALED(status) ? WTERMSIG(status) : 1);
	}
	assert_int_equal(read(fds[0], &s.pid, sizeof(s.pid)), sizeof(s.pid));
	other = s.pid;
	afl_server_stop(&s);
	assert_int_equal(kill(other, SIGTERM), 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(WEXITSTATUS(status), SIGTERM);
	close(fds[0]);
	close(fds[1]);
}

/* A program that has ended before its first run leaves no name of memory. */
static void
no_name(void **state)
{
	struct afl_server s = { .command_fd = -1, .status_fd = -1 };
	struct error err;
	int fd;

	assert_int_equal(afl_memory_open(&s.input, 100, true, &err), OK);
	fd = shm_open(s.input.name, O_RDWR, 0);
	assert_true(fd >= 0);
	close(fd);
	afl_server_stop(&s);
	assert_int_equal(shm_open(s.input.name, O_RDWR, 0), -1);
	afl_memory_close(&s.input);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good),
		cmocka_unit_test(bad),
		cmocka_unit_test(environment),
		cmocka_unit_test(runs),
		cmocka_unit_test(long_input),
		cmocka_unit_test(lost),
		cmocka_unit_test(a_signal),
		cmocka_unit_test(foreign_process),
		cmocka_unit_test(again),
		cmocka_unit_test(another_process),
		cmocka_unit_test(no_name),
	};

	if (argc > 2 && strcmp(argv[1], FAKE) == 0)
		return fake_main(argv[2]);
	if (!files_allow(256)) /* the protocol has 198 and 199 */
		return FILES_SKIP;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
