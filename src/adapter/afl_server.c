/* afl_server: see afl_server.h. */

#include "adapter/afl_server.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapter/afl_hello.h"
#include "shared/file_stamp.h"
#include "shared/wire/memory.h"

#define AFL_HEAD_FD 197 /* for our own library in the program */
#define AFL_COMMAND_FD 198
#define AFL_STATUS_FD 199
#define AFL_SAFE_FD 200
#define AFL_EXIT_NO_START 127

/* The ends of both pipes, all above the descriptors of the protocol. */
struct afl_pipes {
	int command[2], status[2];
};

static enum status
afl_server_raise(int *fd, struct error *err)
{
	int high = fcntl(*fd, F_DUPFD_CLOEXEC, AFL_SAFE_FD);

	close(*fd);
	*fd = high;
	return high >= 0
		? OK
		: error_set(err, E_IO,
			  "a program of AFL++ needs descriptors 198 and 199: "
			  "`ulimit -n` must be 256 or more");
}

static enum status
afl_server_pipe(int ends[2], struct error *err)
{
	if (pipe2(ends, O_CLOEXEC) != 0)
		return error_set(err, E_IO, "no pipe to a program of AFL++: %s",
			strerror(errno));
	if (afl_server_raise(&ends[0], err) != OK) {
		close(ends[1]);
		return E_IO;
	}
	if (afl_server_raise(&ends[1], err) != OK) {
		close(ends[0]);
		return E_IO;
	}
	return OK;
}

/* The soft limit may forbid the numbers that the protocol wants. */
static void
afl_server_allow_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
		limit.rlim_cur >= 2 * AFL_SAFE_FD)
		return;
	limit.rlim_cur = limit.rlim_max < 2 * AFL_SAFE_FD ? limit.rlim_max
							  : 2 * AFL_SAFE_FD;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
}

static enum status
afl_server_open_pipes(struct afl_pipes *pipes, struct error *err)
{
	afl_server_allow_descriptors();
	if (afl_server_pipe(pipes->command, err) != OK)
		return E_IO;
	if (afl_server_pipe(pipes->status, err) == OK)
		return OK;
	close(pipes->command[0]);
	close(pipes->command[1]);
	return E_IO;
}

/* The user's own libraries stay, behind ours. */
static void
afl_server_preload(const struct afl_server_spec *spec)
{
	const char *before = getenv("LD_PRELOAD");
	char list[2 * PATH_MAX], fd[16];

	if (spec->preload == NULL)
		return;
	(void)snprintf(list, sizeof(list), "%s%s%s", spec->preload,
		before != NULL ? ":" : "", before != NULL ? before : "");
	(void)snprintf(fd, sizeof(fd), "%d", AFL_HEAD_FD);
	(void)dup2(spec->head_fd, AFL_HEAD_FD);
	(void)setenv("LD_PRELOAD", list, 1);
	(void)setenv(WORKER_HEAD_ENVIRONMENT, fd, 1);
}

static void
afl_server_set_environment(const struct afl_server *s,
	const struct afl_server_spec *spec)
{
	char size[16];

	(void)snprintf(size, sizeof(size), "%zu", s->map.size);
	(void)setenv("__AFL_SHM_ID", s->map.name, 1);
	(void)setenv("__AFL_SHM_FUZZ_ID", s->input.name, 1);
	(void)setenv("AFL_MAP_SIZE", size, 1);
	if (spec->cmplog != NULL) {
		(void)setenv("__AFL_CMPLOG_SHM_ID", spec->cmplog, 1);
		/* This tells the program that it runs beside one without
		 * CmpLog. */
		(void)setenv("___AFL_EINS_ZWEI_POLIZEI___", "1", 1);
	}
	if (getenv("LD_BIND_LAZY") == NULL)
		(void)setenv("LD_BIND_NOW", "1", 0);
	if (spec->binary->persistent)
		(void)setenv("__AFL_PERSISTENT", "1", 1);
	if (spec->binary->deferred)
		(void)setenv("__AFL_DEFER_FORKSRV", "1", 1);
}

/* In the new process; plain system calls and the environment only. */
static void __attribute__((noreturn))
afl_server_exec(const struct afl_server *s, const struct afl_server_spec *spec,
	const struct afl_pipes *pipes)
{
	const struct rlimit none = { 0, 0 };
	pid_t parent = getppid();
	sigset_t mask;

	(void)setsid();
	/* The program must not outlive the fork server of the worker. */
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != parent)
		_exit(0);
	(void)setrlimit(RLIMIT_CORE, &none);
	/* A worker's fork server, too, may start it. */
	sigemptyset(&mask);
	(void)sigprocmask(SIG_SETMASK, &mask, NULL);
	(void)signal(SIGPIPE, SIG_DFL);
	(void)signal(SIGINT, SIG_DFL);
	(void)dup2(pipes->command[0], AFL_COMMAND_FD);
	(void)dup2(pipes->status[1], AFL_STATUS_FD);
	afl_server_set_environment(s, spec);
	afl_server_preload(spec);
	(void)execv(spec->argv[0], spec->argv);
	dprintf(STDERR_FILENO, "%s: %s\n", spec->argv[0], strerror(errno));
	_exit(AFL_EXIT_NO_START);
}

static enum status
afl_server_fork(struct afl_server *s, const struct afl_server_spec *spec,
	struct error *err)
{
	struct afl_pipes pipes;

	if (afl_server_open_pipes(&pipes, err) != OK)
		return E_IO;
	s->command_fd = pipes.command[1];
	s->status_fd = pipes.status[0];
	s->pid = fork();
	if (s->pid == 0)
		afl_server_exec(s, spec, &pipes);
	close(pipes.command[0]);
	close(pipes.status[1]);
	if (s->pid > 0)
		return OK;
	s->pid = 0;
	return error_set(err, E_IO, "%s cannot be started: %s", s->path,
		strerror(errno));
}

/* The second time, the names were removed, but the memory is still in use. */
static enum status
afl_server_open_memory(struct afl_server *s, const struct afl_server_spec *spec,
	struct error *err)
{
	bool posix = spec->binary->posix;
	/* A larger POSIX memory would be mapped in part. */
	size_t input_max = posix || spec->input_max < AFL_SERVER_INPUT_MIN
		? AFL_SERVER_INPUT_MIN
		: spec->input_max;

	if (s->map.at != NULL)
		return afl_memory_renew(&s->map, err) != OK
			? err->code
			: afl_memory_renew(&s->input, err);
	if (afl_memory_open(&s->map, AFL_SERVER_MAP_MAX, posix, err) != OK)
		return err->code;
	return afl_memory_open(&s->input, input_max + sizeof(uint32_t), posix,
		err);
}

/* It is started by its path: another one may be there now. */
static enum status
afl_server_check_file(const struct afl_server_spec *spec, struct error *err)
{
	char now[FILE_STAMP_SIZE];
	struct stat st;

	if (spec->stamp == NULL || stat(spec->argv[0], &st) != 0)
		return OK;
	file_stamp(&st, now);
	return strcmp(now, spec->stamp) == 0
		? OK
		: error_set(err, E_TARGET,
			  "%s was built again while it was used: start cfuzz "
			  "again",
			  spec->argv[0]);
}

enum status
afl_server_start(struct afl_server *s, const struct afl_server_spec *spec,
	struct error *err)
{
	*s = (struct afl_server){ .path = spec->argv[0],
		.command_fd = -1,
		.status_fd = -1,
		.map = s->map,
		.input = s->input };
	/* The program's death must show as an error of write(). */
	(void)signal(SIGPIPE, SIG_IGN);
	if (afl_server_check_file(spec, err) != OK ||
		afl_server_open_memory(s, spec, err) != OK ||
		afl_server_fork(s, spec, err) != OK ||
		afl_hello(s, err) != OK) {
		afl_server_stop(s);
		afl_memory_close(&s->map);
		afl_memory_close(&s->input);
		return err->code;
	}
	afl_memory_unlink(&s->map);
	return OK;
}

uint32_t
afl_server_words(const struct afl_server *s, uint8_t *to, size_t room)
{
	uint32_t n = 0, len;

	/* A byte is the length of the word behind it. */
	for (size_t at = 0; at < s->words_len; at += len + 1) {
		len = s->words[at];
		if (len > s->words_len - at - 1 || sizeof(len) + len > room)
			break;
		memcpy(to, &len, sizeof(len));
		memcpy(to + sizeof(len), s->words + at + 1, len);
		to += sizeof(len) + len;
		room -= sizeof(len) + len;
		n++;
	}
	return n;
}

void
afl_server_put(struct afl_server *s, const uint8_t *data, size_t len)
{
	uint32_t n = (uint32_t)(len < s->input.size - sizeof(n)
			? len
			: s->input.size - sizeof(n));

	memcpy(s->input.at, &n, sizeof(n));
	memcpy(s->input.at + sizeof(n), data, n);
}

enum status
afl_server_pid(struct afl_server *s, pid_t *pid, struct error *err)
{
	int32_t word;

	if (afl_link_read(s, &word, sizeof(word), err) != OK)
		return err->code;
	if (word <= 1)
		return error_set(err, E_TARGET,
			"the fork server of %s could not start a run, or "
			"answers nonsense (%d)",
			s->path, (int)word);
	*pid = word;
	return OK;
}

enum status
afl_server_status(struct afl_server *s, int *wait_status, struct error *err)
{
	int32_t word;

	if (afl_link_read(s, &word, sizeof(word), err) != OK)
		return err->code;
	/* If the run reads its input in memory, it has attached that memory by
	 * now. */
	afl_memory_unlink(&s->input);
	*wait_status = word;
	return OK;
}

/* watch_reap_orphans() may have reaped a dead server long ago, too: by now its
 * number can be that of a stranger. */
static bool
afl_server_is_child(pid_t pid)
{
	siginfo_t info;

	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) ==
		0;
}

void
afl_server_stop(struct afl_server *s)
{
	if (s->pid > 0 && afl_server_is_child(s->pid)) {
		(void)kill(s->pid, SIGKILL);
		(void)waitpid(s->pid, NULL, 0);
	}
	if (s->command_fd >= 0)
		close(s->command_fd);
	if (s->status_fd >= 0)
		close(s->status_fd);
	/* It may have ended before its first run was over. */
	afl_memory_unlink(&s->input);
	free(s->words);
	s->pid = 0;
	s->command_fd = s->status_fd = -1;
	s->words = NULL;
	s->words_len = 0;
}
