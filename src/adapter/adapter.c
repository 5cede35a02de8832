/*
 * adapter: a fuzz target that runs the program of another fuzzer.
 *
 * It is linked with the runtime, so it is a worker as any target. Its command
 * line is the program's. LLVMFuzzerInitialize() starts the program's fork
 * server; each call of LLVMFuzzerTestOneInput() is a run of the program. When a
 * run dies, the child dies in the same way, and the worker's fork server finds
 * the cause of death as usual.
 *
 * The program's fork server outlives the children. The state of its run is in
 * shared memory, because the next child must know it.
 */

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapter/afl_server.h"
#include "target/abi.h"
#include "target/child/worker.h"
#include "target/hooks/counters.h"
#include "target/program/program_input.h"
#include "target/server/serve.h"

/* The exit status after a sanitizer's report, set by worker/environment.c. */
#define ADAPTER_SANITIZER_EXIT 77

#define ADAPTER_LIBRARY "libcfuzz-crash.so"

int LLVMFuzzerInitialize(int *argc, char ***argv);

enum adapter_phase {
	ADAPTER_IDLE,
	ADAPTER_COMMANDED, /* a run was commanded; its process is unknown */
	ADAPTER_RUNNING,
};

/* In shared memory. */
struct adapter_run {
	enum adapter_phase phase;
	pid_t pid;
	bool stopped;             /* the process waits for the next input */
	char why[ERROR_TEXT_MAX]; /* the program was lost */
};

/* LLVMFuzzerTestOneInput() has no argument for it. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct adapter {
	struct worker *worker;
	struct afl_binary binary;
	struct afl_server_spec spec;
	struct afl_server server;
	char preload[PATH_MAX];
	struct worker_foreign foreign;
	struct adapter_run *run;
	struct program_input input;
	/* The program's modules, for the frames of a crash. */
	struct failure_module modules[FAILURE_MODULES_MAX];
	uint32_t modules_n;
	pid_t self; /* 0: this child has not run anything yet */
} adapter;

static enum status
adapter_read_binary(const char *path, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0)
		return error_set(err, E_TARGET, "%s cannot be read", path);
	afl_binary_read(fd, (uint64_t)st.st_size, &adapter.binary);
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
 * The library that notes where a crash happens; false: there is none, or the
 * program's AddressSanitizer must be the first library.
 */
static bool
adapter_find_preload(char path[PATH_MAX])
{
	char self[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	const char *slash;

	if (adapter.binary.asan_library)
		return false;
	self[len > 0 ? len : 0] = '\0';
	slash = strrchr(self, '/');
	if (slash == NULL)
		return false;
	(void)snprintf(path, PATH_MAX, "%.*s/" ADAPTER_LIBRARY,
		(int)(slash - self), self);
	if (access(path, R_OK) != 0)
		(void)snprintf(path, PATH_MAX, "%s/" ADAPTER_LIBRARY,
			CFUZZ_LIBDIR);
	return access(path, R_OK) == 0;
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

static void
adapter_stop(void)
{
	afl_server_stop(&adapter.server);
}

static void
adapter_start_again(void)
{
	struct error err = { .code = OK };
	uint32_t size = adapter.server.map_size;

	*adapter.run = (struct adapter_run){ .phase = ADAPTER_IDLE };
	if (afl_server_start(&adapter.server, &adapter.spec, &err) != OK)
		serve_give_up(err.text);
	if (adapter.server.map_size != size)
		serve_give_up("the program's map has another size now: it was "
			      "built again");
}

static enum status
adapter_start(char **argv, struct error *err)
{
	struct afl_server_spec *spec = &adapter.spec;

	*spec = (struct afl_server_spec){ .argv = argv,
		.binary = &adapter.binary,
		.input_max = adapter.worker->layout.value_size,
		.head_fd = adapter.worker->memory_fd };
	adapter.run = mmap(NULL, sizeof(*adapter.run), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (adapter.run == MAP_FAILED)
		return error_set(err, E_NOMEM, "no memory to start with");
	if (adapter_read_binary(argv[0], err) != OK ||
		program_input_open(&adapter.input, adapter.worker->input_path,
			err) != OK)
		return err->code;
	if (adapter_find_preload(adapter.preload))
		spec->preload = adapter.preload;
	if (afl_server_start(&adapter.server, spec, err) != OK)
		return err->code;
	adapter_take_modules();
	/* No module holds the map: its counters have no addresses. */
	counters_add(COUNTERS_EXTRA, adapter.server.map.at,
		adapter.server.map_size, adapter.server.map.at);
	adapter.worker->kind = "AFL++";
	adapter.foreign =
		(struct worker_foreign){ .sanitizer = adapter.binary.sanitizer,
			.why = adapter.run->why,
			.stop = adapter_stop,
			.start = adapter_start_again };
	adapter.worker->foreign = &adapter.foreign;
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
	memcpy(adapter.run->why, err->text, sizeof(adapter.run->why));
	_exit(WORKER_EXIT_LOST);
}

static void
adapter_read_pid(void)
{
	struct error err = { .code = OK };

	if (afl_server_pid(&adapter.server, &adapter.run->pid, &err) != OK)
		adapter_lose(&err);
	adapter.run->phase = ADAPTER_RUNNING;
}

static int
adapter_read_status(void)
{
	struct error err = { .code = OK };
	int status;

	if (afl_server_status(&adapter.server, &status, &err) != OK)
		adapter_lose(&err);
	adapter.run->stopped = WIFSTOPPED(status);
	adapter.run->phase = ADAPTER_IDLE;
	return status;
}

/*
 * A new child begins with a new process of the program. The last child may have
 * died in the middle of a run.
 */
static bool
adapter_begin(void)
{
	struct adapter_run *run = adapter.run;
	bool killed;

	adapter.self = getpid();
	memcpy(adapter.worker->head->map, adapter.modules,
		sizeof(adapter.modules));
	adapter.worker->head->map_n = adapter.modules_n;
	if (run->phase == ADAPTER_COMMANDED)
		adapter_read_pid();
	if (run->phase == ADAPTER_RUNNING) {
		(void)kill(run->pid, SIGKILL);
		(void)adapter_read_status();
	}
	killed = run->stopped;
	if (killed)
		(void)kill(run->pid, SIGKILL);
	run->stopped = false;
	return killed;
}

static void
adapter_put(const uint8_t *data, size_t len)
{
	struct error err = { .code = OK };
	int errnum;

	if (adapter.server.shared_input) {
		afl_server_put(&adapter.server, data, len);
		return;
	}
	errnum = program_input_put(&adapter.input, data, len);
	if (errnum == 0)
		return;
	(void)error_set(&err, E_IO, "the input cannot be written: %s",
		strerror(errnum));
	adapter_lose(&err);
}

/* The run's process is the one that the engine watches, and kills. */
static void
adapter_publish(pid_t pid)
{
	__atomic_store_n(&adapter.worker->head->child_pid, pid,
		__ATOMIC_RELEASE);
}

/* The child dies as the run has died. */
static void __attribute__((noreturn)) adapter_die(int signo)
{
	sigset_t only;

	(void)signal(signo, SIG_DFL);
	sigemptyset(&only);
	sigaddset(&only, signo);
	(void)sigprocmask(SIG_UNBLOCK, &only, NULL);
	(void)kill(getpid(), signo);
	_exit(WORKER_EXIT_LOST);
}

/* Has the program written something, such as a sanitizer's report? */
static bool
adapter_has_output(void)
{
	return lseek(STDERR_FILENO, 0, SEEK_CUR) > 0;
}

static void
adapter_judge(int status)
{
	int exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;

	if (WIFSIGNALED(status))
		adapter_die(WTERMSIG(status));
	if (exit_status != 0 &&
		(adapter.worker->fail_on_exit ||
			(exit_status == ADAPTER_SANITIZER_EXIT &&
				adapter_has_output())))
		_exit(exit_status);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = { .code = OK };
	bool killed = false;
	int status;

	if (adapter.self == 0)
		killed = adapter_begin();
	adapter_put(data, size);
	/* Only the output of the last run says why it failed. */
	(void)lseek(STDERR_FILENO, 0, SEEK_SET);
	adapter.run->phase = ADAPTER_COMMANDED;
	if (afl_server_command(&adapter.server, killed, &err) != OK)
		adapter_lose(&err);
	adapter_read_pid();
	adapter_publish(adapter.run->pid);
	status = adapter_read_status();
	adapter_publish(adapter.self);
	adapter_judge(status);
	return 0;
}
