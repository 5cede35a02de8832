/*
 * adapter: a fuzz target that runs the program of another fuzzer.
 *
 * It is linked with the runtime, so it is a worker as any target. Its command
 * line is the program's. LLVMFuzzerInitialize() starts the program's fork
 * server; each call of LLVMFuzzerTestOneInput() is a run of the program. When a
 * run dies, the child dies in the same way, and the worker's fork server finds
 * the cause of death as usual.
 *
 * A second program may run beside it, built with CmpLog: it records the
 * comparisons of the inputs for the comparison stage.
 */

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapter/afl_cmplog.h"
#include "adapter/afl_program.h"
#include "shared/beside.h"
#include "shared/wire/failure.h"
#include "shared/wire/rpc.h"
#include "target/abi.h"
#include "target/child/worker.h"
#include "target/crash/sanitizers.h"
#include "target/hooks/counters.h"
#include "target/hooks/hooks_cmp.h"
#include "target/program/program_input.h"
#include "target/server/serve.h"

/* The exit status after a sanitizer's report, set by worker/target/environment.c. */
#define ADAPTER_SANITIZER_EXIT 77

#define ADAPTER_LIBRARY "libcfuzz-crash.so"

int LLVMFuzzerInitialize(int *argc, char ***argv);

/* A run with CmpLog that takes longer is given up. */
#define ADAPTER_CMPLOG_MS 500

/* LLVMFuzzerTestOneInput() has no argument for it. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct adapter {
	struct worker *worker;
	struct afl_binary binary, cmplog_binary;
	struct afl_program program;
	struct afl_program cmplog; /* run is NULL: no run is under way */
	struct afl_memory records; /* of comparisons */
	struct afl_cmplog comparisons;
	char **cmplog_argv;
	char *stamp, *cmplog_stamp; /* of both programs; owned, or NULL */
	char preload[PATH_MAX];
	struct worker_foreign foreign;
	struct program_input input;
	/* The program's modules, for the frames of a crash. */
	struct failure_module modules[FAILURE_MODULES_MAX];
	uint32_t modules_n;
	pid_t self; /* 0: this child has not run anything yet */
} adapter;

static enum status
adapter_read_binary(const char *path, struct afl_binary *binary,
	struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0)
		return error_set(err, E_TARGET, "%s cannot be read", path);
	afl_binary_read(fd, (uint64_t)st.st_size, binary);
	close(fd);
	return OK;
}

/* A new child has run nothing: called after fork(). */
static void
adapter_on_fork(void)
{
	adapter.self = 0;
}

/*
 * Finds the library that notes where a crash happens. False: there is none, or
 * the program's AddressSanitizer must be the first library, or the dynamic
 * linker would take a character of the path as a separator.
 */
static bool
adapter_find_preload(char path[PATH_MAX])
{
	return !adapter.binary.asan_library &&
		beside_find(ADAPTER_LIBRARY, CFUZZ_LIBDIR, R_OK, path,
			PATH_MAX) &&
		strpbrk(path, " :") == NULL;
}

/* The program has listed its modules before its hello. */
static void
adapter_take_modules(void)
{
	const struct worker_head *head = adapter.worker->head;

	adapter.modules_n = head->map_n < FAILURE_MODULES_MAX
		? head->map_n
		: FAILURE_MODULES_MAX;
	memcpy(adapter.modules, head->map, sizeof(adapter.modules));
}

/* Tells the engine that the program is stopped and started again, which has a time
 * limit of its own. */
static void
adapter_say_reviving(bool reviving)
{
	uint32_t *word = &adapter.worker->head->reviving;

	if (__atomic_load_n(word, __ATOMIC_RELAXED) % 2 != reviving)
		__atomic_add_fetch(word, 1, __ATOMIC_RELEASE);
}

static void
adapter_stop(void)
{
	adapter_say_reviving(true);
	afl_server_stop(&adapter.program.server);
	if (adapter.cmplog.run != NULL)
		afl_server_stop(&adapter.cmplog.server);
}

static enum status
adapter_start_cmplog_again(struct error *err)
{
	if (afl_memory_renew(&adapter.records, err) != OK ||
		afl_program_open_again(&adapter.cmplog, err) != OK)
		return err->code;
	afl_memory_unlink(&adapter.records);
	return OK;
}

static void
adapter_start_again(void)
{
	struct error err = { .code = OK };

	if (afl_program_open_again(&adapter.program, &err) != OK)
		serve_give_up(err.text);
	/* The new process has its modules at other addresses. */
	adapter_take_modules();
	if (adapter.cmplog.run != NULL &&
		adapter_start_cmplog_again(&err) != OK)
		serve_give_up(err.text);
}

/* The arguments of the program, for another one. */
static char **
adapter_argv_for(char *path, char **argv)
{
	size_t n = 0;
	char **copy;

	while (argv[n] != NULL)
		n++;
	copy = calloc(n + 1, sizeof(*copy));
	if (copy == NULL)
		return NULL;
	memcpy(copy, argv, n * sizeof(*copy));
	copy[0] = path;
	return copy;
}

/* A second program, with CmpLog, runs beside the first. */
static enum status
adapter_start_cmplog(char *path, char **argv, struct error *err)
{
	struct afl_binary *binary = &adapter.cmplog_binary;

	if (adapter_read_binary(path, binary, err) != OK)
		return err->code;
	if (!binary->is_afl)
		return error_set(err, E_TARGET,
			"%s is no program of AFL++: build it with "
			"AFL_LLVM_CMPLOG=1 afl-clang-fast",
			path);
	adapter.cmplog_argv = adapter_argv_for(path, argv);
	if (adapter.cmplog_argv == NULL)
		return error_set(err, E_NOMEM, "no memory to start with");
	if (afl_memory_open(&adapter.records, AFL_CMPLOG_SIZE, binary->posix,
		    err) != OK)
		return err->code;
	adapter.comparisons.map = adapter.records.at;
	adapter.cmplog.spec = (struct afl_server_spec){
		.argv = adapter.cmplog_argv,
		.stamp = adapter.cmplog_stamp,
		.binary = binary,
		.input_max = adapter.worker->layout.value_size,
		.head_fd = -1,
		.cmplog = adapter.records.name,
	};
	if (afl_program_open(&adapter.cmplog, err) != OK)
		return err->code;
	afl_memory_unlink(&adapter.records);
	return OK;
}

static enum status
adapter_start_program(char **argv, struct error *err)
{
	struct afl_server_spec *spec = &adapter.program.spec;

	*spec = (struct afl_server_spec){ .argv = argv,
		.stamp = adapter.stamp,
		.binary = &adapter.binary,
		.input_max = adapter.worker->layout.value_size,
		.head_fd = adapter.worker->memory_fd };
	if (adapter_read_binary(argv[0], &adapter.binary, err) != OK)
		return err->code;
	if (adapter_find_preload(adapter.preload))
		spec->preload = adapter.preload;
	return afl_program_open(&adapter.program, err);
}

/* So the engine can see that the program does not read standard input. */
static void
adapter_drop_stdin(void)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	(void)dup2(fd, STDIN_FILENO);
	close(fd);
}

static uint32_t
adapter_words(uint8_t *to, size_t room)
{
	return afl_server_words(&adapter.program.server, to, room);
}

static void
adapter_tell_worker(void)
{
	const struct afl_server *server = &adapter.program.server;

	/* No module holds the map: its counters have no addresses. */
	counters_add(COUNTERS_EXTRA, server->map.at, server->map_size,
		server->map.at);
	adapter.foreign =
		(struct worker_foreign){ .sanitizer = adapter.binary.sanitizer,
			.why = adapter.program.run->why,
			.stop = adapter_stop,
			.start = adapter_start_again,
			.words = adapter_words };
	if (server->shared_input)
		adapter_drop_stdin();
	adapter.worker->kind = RPC_KIND_AFL;
	adapter.worker->foreign = &adapter.foreign;
}

/* The program must not see it. */
static char *
adapter_take_text(const char *name)
{
	const char *value = getenv(name);
	char *text = value != NULL ? strdup(value) : NULL;

	(void)unsetenv(name);
	return text;
}

static enum status
adapter_start(char **argv, struct error *err)
{
	char *cmplog = getenv(WORKER_CMPLOG);

	(void)unsetenv(WORKER_CMPLOG);
	adapter.stamp = adapter_take_text(WORKER_PROGRAM_STAMP);
	adapter.cmplog_stamp = adapter_take_text(WORKER_CMPLOG_STAMP);
	if (program_input_open(&adapter.input, adapter.worker->input_path,
		    err) != OK ||
		adapter_start_program(argv, err) != OK)
		return err->code;
	adapter_take_modules();
	if (cmplog != NULL && adapter_start_cmplog(cmplog, argv, err) != OK)
		return err->code;
	adapter_tell_worker();
	(void)pthread_atfork(NULL, NULL, adapter_on_fork);
	return OK;
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct error err = { .code = OK };

	adapter.worker = worker_opened();
	if (adapter.worker == NULL || *argc < 2)
		serve_give_up("cfuzz-adapter is started by cfuzz: name the "
			      "program to cfuzz or cfuzz-tui");
	if (adapter_start(*argv + 1, &err) != OK)
		serve_give_up(err.text);
	return 0;
}

/* The worker's fork server starts the program again. */
static void __attribute__((noreturn)) adapter_lose(const struct error *err)
{
	struct afl_run *run = adapter.program.run;

	memcpy(run->why, err->text, sizeof(run->why));
	_exit(WORKER_EXIT_LOST);
}

static bool
adapter_has_cmplog(void)
{
	return adapter.cmplog.run != NULL && !adapter.cmplog.run->lost;
}

static void
adapter_begin(void)
{
	struct error err = { .code = OK };

	adapter.self = getpid();
	memcpy(adapter.worker->head->map, adapter.modules,
		sizeof(adapter.modules));
	adapter.worker->head->map_n = adapter.modules_n;
	adapter.worker->head->exits_fail = adapter.worker->fail_on_exit;
	if (afl_program_take_over(&adapter.program, &err) != OK)
		adapter_lose(&err);
	/* Without it, there are only no comparisons. */
	if (adapter_has_cmplog() &&
		afl_program_take_over(&adapter.cmplog, &err) != OK)
		error_clear(&err);
}

/* False: the input cannot run. */
static bool
adapter_put(struct afl_program *program, const uint8_t *data, size_t len)
{
	/* Only the output of the last run says why it failed. */
	(void)lseek(STDERR_FILENO, 0, SEEK_SET);
	if (!program->server.shared_input)
		return program_input_offer(&adapter.input, adapter.worker, data,
			len);
	afl_server_put(&program->server, data, len);
	return true;
}

/* The run's process is the one that the engine watches, and kills. */
static void
adapter_publish(pid_t pid)
{
	__atomic_store_n(&adapter.worker->head->child_pid, pid,
		__ATOMIC_RELEASE);
}

/* Such a run has a limit of its own. */
static void
adapter_say_comparing(bool comparing)
{
	__atomic_store_n(&adapter.worker->head->comparing, comparing,
		__ATOMIC_RELEASE);
}

/*
 * Without the library in the program, which lists the modules, nobody sees how it
 * has ended: by exit() or by _exit().
 */
static void __attribute__((noreturn)) adapter_exit(int status)
{
	struct failure_block *block = &adapter.worker->head->failure;

	if (adapter.modules_n == 0) {
		block->kind = FAILURE_EXIT;
		block->frames_n = 0;
	}
	_exit(status);
}

static void
adapter_judge(int status)
{
	int exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;

	if (WIFSIGNALED(status))
		worker_die(WTERMSIG(status));
	/* A crash signal stops a traced run; only our library lets it go on. */
	if (WIFSTOPPED(status) && failure_is_crash_signal(WSTOPSIG(status)))
		worker_die(WSTOPSIG(status));
	if (exit_status != 0 &&
		(adapter.worker->fail_on_exit ||
			(exit_status == ADAPTER_SANITIZER_EXIT &&
				adapter.binary.sanitizer[0] != '\0' &&
				sanitizers_have_reported(STDERR_FILENO))))
		adapter_exit(exit_status);
}

static int
adapter_run(void)
{
	struct afl_program *program = &adapter.program;
	struct error err = { .code = OK };
	int status;
	pid_t pid;

	if (afl_program_begin(program, &pid, &err) != OK)
		adapter_lose(&err);
	adapter_publish(pid);
	if (afl_program_end(program, -1, &status, &err) != OK)
		adapter_lose(&err);
	adapter_publish(adapter.self);
	return status;
}

/*
 * The input once more, to record its comparisons. How this run ends does not
 * matter, and neither does the loss of the program.
 */
static void
adapter_compare(const uint8_t *data, size_t size)
{
	struct afl_program *program = &adapter.cmplog;
	struct error err = { .code = OK };
	int status;
	pid_t pid;

	adapter_say_comparing(true);
	afl_cmplog_clear(&adapter.comparisons);
	if (adapter_put(program, data, size) &&
		afl_program_begin(program, &pid, &err) == OK &&
		afl_program_end(program, ADAPTER_CMPLOG_MS, &status, &err) ==
			OK)
		afl_cmplog_read(&adapter.comparisons);
	(void)lseek(STDERR_FILENO, 0, SEEK_SET);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (adapter.self == 0)
		adapter_begin();
	/* Only here: the count that shows progress is written by now. */
	adapter_say_comparing(false);
	adapter_say_reviving(false);
	if (!adapter_put(&adapter.program, data, size))
		return 0;
	adapter_judge(adapter_run());
	if (adapter_has_cmplog() && hooks_cmp_is_recording())
		adapter_compare(data, size);
	return 0;
}
