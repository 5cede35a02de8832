/*
 * The target function that runs a program of AFL++. The test's own program is
 * that program, with a fork server that does what the input says. The adapter
 * ends its process like the run, so each row has a process of its own.
 * FLAGS: -Wl,--wrap=worker_opened -Wl,--wrap=serve_give_up -Wl,-u,LLVMFuzzerTestOneInput
 * FLAGS: -Wl,--wrap=afl_cmplog_clear -Wl,--wrap=afl_link_wait
 */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapter/afl_cmplog.h"
#include "adapter/afl_link.h"
#include "lib/fake_afl.h"
#include "lib/files.h"
#include "lib/rows.h"
#include "lib/scratch.h"
#include "shared/file_stamp.h"
#include "shared/wire/memory.h"
#include "target/abi.h"
#include "target/child/worker.h"
#include "target/hooks/compare.h"
#include "target/hooks/counters.h"
#include "target/hooks/hooks_cmp.h"

#define FAKE "fake-fork-server"
#define GAVE_UP 99
#define TEXT_SIZE 4096 /* the names of programs may be long */
#define INPUT_MAX 64

int LLVMFuzzerInitialize(int *argc, char ***argv);

static struct worker worker;
static struct worker *opened = &worker;
static int words_fd = -1; /* takes the text of serve_give_up() */

struct worker *__wrap_worker_opened(void);
void __wrap_serve_give_up(const char *text) __attribute__((noreturn));

struct worker *
__wrap_worker_opened(void)
{
	return opened;
}

void
__wrap_serve_give_up(const char *text)
{
	if (write(words_fd, text, strlen(text)) < 0)
		_exit(1);
	_exit(GAVE_UP);
}

/* ---- time ---- */

static const uint64_t *recorded; /* 0: no comparison is, in the run under way */
static bool run_hangs;

void __real_afl_cmplog_clear(struct afl_cmplog *cmplog);
void __wrap_afl_cmplog_clear(struct afl_cmplog *cmplog);
bool __real_afl_link_wait(struct afl_server *server, int limit_ms);
bool __wrap_afl_link_wait(struct afl_server *server, int limit_ms);

void
__wrap_afl_cmplog_clear(struct afl_cmplog *cmplog)
{
	__real_afl_cmplog_clear(cmplog);
	recorded = (const uint64_t *)(cmplog->map + 8);
}

/* The limit of a run with CmpLog is over when it hangs, and no earlier on a
 * machine that is busy. */
bool
__wrap_afl_link_wait(struct afl_server *server, int limit_ms)
{
	while (run_hangs && __atomic_load_n(recorded, __ATOMIC_ACQUIRE) == 0)
		usleep(1000);
	return __real_afl_link_wait(server, run_hangs ? 0 : -1);
}

/* ---- the fake ---- */

static void *
fake_attach(const char *name)
{
	const char *id = getenv(name);
	void *at = id != NULL ? shmat(atoi(id), NULL, 0) : (void *)-1;

	return at == (void *)-1 ? NULL : at;
}

/* One unequal number, as CmpLog records it. */
static void
fake_compare(uint8_t *records)
{
	uint64_t header = 1 | 3ull << 48 | 1ull << 53;
	uint64_t number[2] = { 0xabcd1234, 5 };

	memcpy(records + 8 * 65536 + 1024, number, sizeof(number));
	__atomic_store_n((uint64_t *)(records + 8), header, __ATOMIC_RELEASE);
}

static void
fake_run(const char *path, uint8_t *map)
{
	char text[INPUT_MAX] = "";
	uint8_t *records = fake_attach("__AFL_CMPLOG_SHM_ID");
	ssize_t n;

	if (path != NULL && freopen(path, "r", stdin) == NULL)
		_exit(1);
	n = read(STDIN_FILENO, text, sizeof(text) - 1);
	map[n]++;
	if (records != NULL)
		fake_compare(records);
	switch (text[0]) {
	case 'A':
		abort();
	case 'T':
		/* From now on, a signal stops the process. */
		map[101] = ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0;
		abort();
	case 'E':
		_exit(3);
	case 'S':
		(void)fputs("==1==ERROR: AddressSanitizer: SEGV on unknown "
			    "address\n",
			stderr);
		_exit(77);
	case 'N':
		(void)fputs("==1==WARNING: AddressSanitizer failed to allocate "
			    "0x1000 bytes\n",
			stderr);
		_exit(77);
	case 'L':
		if (records != NULL)
			(void)kill(getppid(), SIGKILL);
		_exit(0);
	case 'W':
		/* Only the run without CmpLog ends. */
		if (records != NULL)
			pause();
		_exit(0);
	default:
		_exit(0);
	}
}

static int
fake_main(const char *hello, const char *path)
{
	uint8_t *map = fake_attach("__AFL_SHM_ID");
	int status = 0;
	pid_t pid;

	fake_afl_say((int32_t)strtoul(hello, NULL, 16));
	for (;;) {
		uint32_t was_killed = fake_afl_hear();

		if (map[0] == 1)
			return 0; /* dies in the run */
		map[100] = (uint8_t)was_killed;
		pid = fork();
		if (pid == 0)
			fake_run(path, map);
		fake_afl_say(pid);
		if (waitpid(pid, &status, 0) != pid)
			return 1;
		fake_afl_say(map[1] == 1 ? 0x137f : status);
	}
}

/* ---- the tests ---- */

struct session {
	const char *hello; /* NULL: none */
	const char *argv0; /* NULL: the test's own program */
	const char *cmplog;
	const char *path; /* of the input */
	bool fail_on_exit;
	void (*run)(void); /* in the process of the row */
};

static char self[4096];
/* What the engine saw of both programs; NULL: nothing. */
static const char *program_stamp, *cmplog_stamp;

static void
give(const char *name, const char *value)
{
	if (value != NULL)
		(void)setenv(name, value, 1);
	else
		(void)unsetenv(name);
}

static void
begin_worker(const struct session *session)
{
	FILE *err = tmpfile();

	worker = (struct worker){ .input_path = session->path,
		.memory_fd = -1,
		.fail_on_exit = session->fail_on_exit };
	worker.layout.value_size = INPUT_MAX;
	worker.head = mmap(NULL, sizeof(*worker.head), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (err == NULL || dup2(fileno(err), STDERR_FILENO) < 0)
		_exit(1);
	give(WORKER_CMPLOG, session->cmplog);
	give(WORKER_PROGRAM_STAMP, program_stamp);
	give(WORKER_CMPLOG_STAMP, cmplog_stamp);
}

static void __attribute__((noreturn)) run_session(const struct session *session)
{
	char *argv[] = { (char *)"cfuzz-adapter",
		(char *)(session->argv0 != NULL ? session->argv0 : self),
		(char *)FAKE, (char *)session->hello, (char *)session->path,
		NULL };
	char **at = argv;
	int argc = 4;

	begin_worker(session);
	if (LLVMFuzzerInitialize(&argc, &at) != 0)
		_exit(1);
	session->run();
	_exit(0);
}

/* The wait status of the row's process; text is what serve_give_up() got. */
static int
play(const struct session *session, char text[TEXT_SIZE])
{
	int pipes[2], status = 0;
	ssize_t n;
	pid_t pid;

	assert_int_equal(pipe(pipes), 0);
	words_fd = pipes[1];
	pid = fork();
	if (pid == 0)
		run_session(session);
	close(pipes[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	n = read(pipes[0], text, TEXT_SIZE - 1);
	text[n > 0 ? n : 0] = '\0';
	close(pipes[0]);
	return status;
}

static void
input(const char *text)
{
	if (LLVMFuzzerTestOneInput((const uint8_t *)text, strlen(text)) != 0)
		_exit(1);
}

static void
expect(bool fine, int line)
{
	if (!fine)
		_exit(line % 60 + 2);
}

static uint8_t *
map(void)
{
	const struct counters *counters = counters_get();

	return counters->regions[counters->n - 1].start;
}

static void
run_plain(void)
{
	input("abc");
	expect(map()[3] == 1, __LINE__);
	input("abcde");
	input("ab");
	expect(map()[5] == 1 && map()[2] == 1, __LINE__);
	input("E");
	expect(worker.head->child_pid == getpid(), __LINE__);
	expect(strcmp(worker.kind, "AFL++") == 0, __LINE__);
	expect(worker.foreign->sanitizer != NULL, __LINE__);
}

static void
run_abort(void)
{
	input("abc");
	input("Abc");
}

static void
run_exit(void)
{
	input("Exit");
}

static void
run_report(void)
{
	input("Some report");
}

static void
run_warning(void)
{
	input("No report");
}

/* The wait status of a new child that runs the input. */
static int
input_in_a_child(const char *text)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		input(text);
		_exit(0);
	}
	expect(waitpid(pid, &status, 0) == pid, __LINE__);
	return status;
}

/*
 * The program ends in a run; the worker's fork server starts it again. The test
 * lists the modules that the new process would list, for the children after it.
 */
static void
run_lost(void)
{
	struct worker_head *head = worker.head;
	int status;

	input("abc");
	map()[0] = 1;
	status = input_in_a_child("abc");
	expect(WIFEXITED(status) && WEXITSTATUS(status) == WORKER_EXIT_LOST,
		__LINE__);
	expect(strstr(worker.foreign->why, "has ended") != NULL, __LINE__);
	map()[0] = 0;
	worker.foreign->stop();
	head->map_n = 1;
	head->map[0].start = 0x1000;
	worker.foreign->start();
	expect(head->reviving == 1, __LINE__);
	head->map_n = 0;
	head->map[0].start = 0;
	expect(input_in_a_child("abc") == 0, __LINE__);
	expect(head->reviving == 2, __LINE__); /* one start, which is over */
	expect(head->map_n == 1 && head->map[0].start == 0x1000, __LINE__);
	worker.foreign->stop();
}

/* A child that dies in the middle of a run leaves the run to the next one. */
static void
run_taken_over(void)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		map()[1] = 1; /* the fake says that the run has stopped */
		input("ab");
		_exit(0);
	}
	expect(waitpid(pid, &status, 0) == pid && status == 0, __LINE__);
	map()[1] = 0;
	pid = fork();
	if (pid == 0) {
		input("abcd");
		_exit(map()[100]); /* the first run after it was killed */
	}
	expect(waitpid(pid, &status, 0) == pid, __LINE__);
	expect(WIFEXITED(status) && WEXITSTATUS(status) == 1, __LINE__);
}

/* A signal stops a traced run, which is killed before the next one. */
static void
run_traced(void)
{
	int status = input_in_a_child("Traced");

	expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, __LINE__);
	expect(input_in_a_child("abc") == 0, __LINE__);
	/* Unless nothing may be traced here. */
	expect(map()[100] == map()[101], __LINE__);
}

static void
run_cmplog(void)
{
	struct compare_pair pair;

	worker.head->comparing = 1;
	input("abc");
	expect(worker.head->comparing == 0, __LINE__);
	expect(compare_pairs_n() == 0, __LINE__);
	hooks_cmp_begin();
	input("abc");
	expect(hooks_cmp_end() == 1, __LINE__);
	expect(worker.head->comparing == 1, __LINE__);
	expect(compare_get(0, &pair) && pair.number[0] == 0xabcd1234, __LINE__);
	expect(map()[3] == 2, __LINE__);
	/* A run with CmpLog that hangs is ended, and its records count. */
	hooks_cmp_begin();
	run_hangs = true;
	input("Wait");
	run_hangs = false;
	expect(hooks_cmp_end() == 1, __LINE__);
	worker.foreign->stop();
	worker.foreign->start();
	hooks_cmp_begin();
	input("abc");
	expect(hooks_cmp_end() == 1, __LINE__);
}

/* The program with CmpLog ends: there are no comparisons any more. */
static void
run_no_cmplog(void)
{
	hooks_cmp_begin();
	input("Last");
	expect(hooks_cmp_end() == 0, __LINE__);
	hooks_cmp_begin();
	input("abc");
	expect(hooks_cmp_end() == 0, __LINE__);
}

static void
sessions(void **state)
{
	const struct scratch *scratch = *state;
	char file[96];
	const struct {
		struct session session;
		int exit_status, signo;
	} ROWS_OF[] = {
		{ { "0", NULL, NULL, NULL, false, run_plain }, 0, 0 },
		{ { "0", NULL, NULL, file, false, run_plain }, 0, 0 },
		{ { "0", NULL, NULL, NULL, false, run_abort }, 0, SIGABRT },
		{ { "0", NULL, NULL, NULL, false, run_exit }, 0, 0 },
		{ { "0", NULL, NULL, NULL, true, run_exit }, 3, 0 },
		{ { "0", NULL, NULL, NULL, false, run_report }, 77, 0 },
		{ { "0", NULL, NULL, NULL, false, run_warning }, 0, 0 },
		{ { "0", NULL, NULL, NULL, false, run_lost }, 0, 0 },
		{ { "0", NULL, NULL, NULL, false, run_taken_over }, 0, 0 },
		{ { "0", NULL, NULL, NULL, false, run_traced }, 0, 0 },
		{ { "0", NULL, self, NULL, false, run_cmplog }, 0, 0 },
		{ { "0", NULL, self, NULL, false, run_no_cmplog }, 0, 0 },
	};
	char text[TEXT_SIZE];

	snprintf(file, sizeof(file), "%s/input", scratch->path);
	for (size_t i = 0; i < ROWS(ROWS_OF); i++) {
		int status = play(&ROWS_OF[i].session, text);

		if (ROWS_OF[i].signo != 0)
			row_check(WIFSIGNALED(status) &&
					WTERMSIG(status) == ROWS_OF[i].signo,
				"row %zu: 0x%x %s", i, status, text);
		else
			row_check(WIFEXITED(status) &&
					WEXITSTATUS(status) ==
						ROWS_OF[i].exit_status,
				"row %zu: 0x%x %s", i, status, text);
	}
}

static void
refused(void **state)
{
	const struct {
		struct session session;
		const char *want;
	} ROWS_OF[] = {
		{ { "12345678", NULL, NULL, NULL, false, run_plain },
			"answers 0x12345678" },
		{ { "0", "/no/such", NULL, NULL, false, run_plain },
			"/no/such cannot be read" },
		{ { "0", NULL, "/no/such", NULL, false, run_plain },
			"/no/such cannot be read" },
		{ { "0", NULL, "/bin/true", NULL, false, run_plain },
			"/bin/true is no program of AFL++" },
		{ { "0", NULL, NULL, "/no/such/file", false, run_plain },
			"cannot be written" },
	};
	char text[TEXT_SIZE];

	for (size_t i = 0; i < ROWS(ROWS_OF); i++) {
		int status = play(&ROWS_OF[i].session, text);

		row_check(WIFEXITED(status) && WEXITSTATUS(status) == GAVE_UP,
			"row %zu: 0x%x", i, status);
		row_check(strstr(text, ROWS_OF[i].want) != NULL, "row %zu: %s",
			i, text);
	}
	opened = NULL;
	(void)play(&ROWS_OF[0].session, text);
	assert_non_null(strstr(text, "is started by cfuzz"));
	opened = &worker;
}

/* Each program must be the file that the engine saw, also at a later start. */
static void
stamps(void **state)
{
	static const struct session session = { "0", NULL, self, NULL, false,
		run_cmplog };
	static const char other[] = "1:2:3:4.000000005";
	char same[FILE_STAMP_SIZE];
	const struct {
		const char *program, *cmplog;
		bool refused;
	} ROWS_OF[] = { { same, same, false }, { other, same, true },
		{ same, other, true } };
	char text[TEXT_SIZE];
	struct stat st;

	assert_int_equal(stat(self, &st), 0);
	file_stamp(&st, same);
	for (size_t i = 0; i < ROWS(ROWS_OF); i++) {
		int status;

		program_stamp = ROWS_OF[i].program;
		cmplog_stamp = ROWS_OF[i].cmplog;
		status = play(&session, text);
		row_check(WIFEXITED(status) &&
				WEXITSTATUS(status) ==
					(ROWS_OF[i].refused ? GAVE_UP : 0),
			"row %zu: 0x%x %s", i, status, text);
		row_check((strstr(text, "was built again while it was used") !=
				  NULL) == ROWS_OF[i].refused,
			"row %zu: %s", i, text);
	}
	program_stamp = cmplog_stamp = NULL;
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(sessions, scratch_open,
			scratch_close),
		cmocka_unit_test(refused),
		cmocka_unit_test(stamps),
	};

	if (argc > 2 && strcmp(argv[1], FAKE) == 0)
		return fake_main(argv[2], argv[3]);
	if (!files_allow(256)) /* the protocol has 198 and 199 */
		return FILES_SKIP;
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) <= 0)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
