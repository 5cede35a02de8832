/*
 * isolate: helper and init, and how both are started, see isolate.h.
 */
#include "isolate/isolate.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/spawn.h"
#include "base/xmalloc.h"
#include "isolate/isolate_private.h"

#define ISOLATE_EXIT 71      /* of a helper that failed */
#define ISOLATE_TRY_MS 10000 /* mounts take almost no time */
#define ISOLATE_NAME "cfuzz"
#define ISOLATE_PRELOAD "LD_PRELOAD"
#define ISOLATE_KEPT "CFUZZ_PRELOAD" /* its value, for the target alone */

extern char **environ;

/* ---- what is shown ------------------------------------------------------ */

/* Is the folder, the first len bytes of path, this one, or does it hold it? */
static bool
isolate_holds(const char *path, size_t len, const char *inner)
{
	return strncmp(inner, path, len) == 0 &&
		(inner[len] == '/' || inner[len] == '\0');
}

bool
isolate_folder_too_wide(const char *path, const char *home)
{
	const char *const homes[] = { getenv("HOME"), home };
	size_t len = (size_t)(strrchr(path, '/') - path);
	bool known = false,
	     wide = isolate_holds(path, len, ISOLATE_HOME) ||
		isolate_holds(path, len, ISOLATE_SHM);

	for (size_t i = 0; i < sizeof(homes) / sizeof(homes[0]); i++) {
		char *real;

		if (homes[i] == NULL || homes[i][0] != '/')
			continue;
		known = true;
		real = realpath(homes[i], NULL);
		wide |= real != NULL && isolate_holds(path, len, real);
		free(real);
	}
	return wide || !known;
}

/* ---- the command line of the helper ------------------------------------- */

/* OPTION LIMIT HOME HIDDEN... "" READABLE... "" TARGET ARGUMENT... */
char **
isolate_argv(const struct isolate_spec *spec, char *const *argv,
	char number[ISOLATE_NUMBER])
{
	static char name[] = ISOLATE_NAME, option[] = ISOLATE_OPTION,
		    none[] = "";
	size_t args_n = 0, n = 0, i;
	char **all;

	while (argv != NULL && argv[args_n] != NULL)
		args_n++;
	all = xcalloc(spec->hidden_n + spec->readable_n + args_n + 7,
		sizeof(*all));
	all[n++] = name;
	all[n++] = option;
	snprintf(number, ISOLATE_NUMBER, "%llu",
		(unsigned long long)spec->file_limit_mb);
	all[n++] = number;
	all[n++] = spec->home != NULL ? (char *)spec->home : none;
	for (i = 0; i < spec->hidden_n; i++)
		all[n++] = spec->hidden[i];
	all[n++] = none;
	for (i = 0; i < spec->readable_n; i++)
		all[n++] = spec->readable[i];
	all[n++] = none;
	for (i = 0; i < args_n; i++)
		all[n++] = argv[i];
	return all;
}

char **
isolate_envp(char *const *envp)
{
	size_t n = 0, i;
	char **all;

	if (envp == NULL)
		return NULL;
	while (envp[n] != NULL)
		n++;
	all = xcalloc(n + 1, sizeof(*all));
	for (i = 0; i < n; i++)
		all[i] = strncmp(envp[i], ISOLATE_PRELOAD "=",
				 sizeof(ISOLATE_PRELOAD)) == 0
			? xasprintf(ISOLATE_KEPT "%s", strchr(envp[i], '='))
			: xstrdup(envp[i]);
	return all;
}

/* The paths from `first` to the next empty argument; returns what follows it. */
static int
isolate_parse_paths(int argc, char **argv, int first, char *const **paths,
	size_t *n)
{
	int i = first;

	while (i < argc && argv[i][0] != '\0')
		i++;
	*paths = argv + first;
	*n = (size_t)(i - first);
	return i + 1;
}

/* False: the line was not made by isolate_argv(). */
static bool
isolate_parse(int argc, char **argv, struct isolate_spec *spec, char ***target)
{
	int i = 4;

	if (argc < i || fcntl(WORKER_FD_PROGRAM, F_GETFD) < 0)
		return false;
	*spec = (struct isolate_spec){
		.file_limit_mb = strtoull(argv[2], NULL, 10),
		.home = argv[3],
	};
	i = isolate_parse_paths(argc, argv, i, &spec->hidden, &spec->hidden_n);
	if (i > argc)
		return false;
	i = isolate_parse_paths(argc, argv, i, &spec->readable,
		&spec->readable_n);
	*target = argv + i;
	return i <= argc;
}

/* ---- all three ---------------------------------------------------------- */

/* Ends with a message. The engine shows it if a target does not start. */
static void __attribute__((noreturn)) isolate_give_up(const char *text)
{
	static const char name[] = ISOLATE_NAME ": ";

	if (write(STDERR_FILENO, name, sizeof(name) - 1) < 0 ||
		write(STDERR_FILENO, text, strlen(text)) < 0 ||
		write(STDERR_FILENO, "\n", 1) < 0)
		_exit(ISOLATE_EXIT);
	_exit(ISOLATE_EXIT);
}

static void
isolate_close_from(unsigned first, unsigned last)
{
	if (first <= last)
		(void)syscall(SYS_close_range, first, last, 0u);
}

/* True if the other end of the pipe is closed. */
static bool
isolate_is_closed(int fd, short how)
{
	struct pollfd pfd = { .fd = fd, .events = 0 };

	return poll(&pfd, 1, 0) > 0 && (pfd.revents & how) != 0;
}

/* ---- the target --------------------------------------------------------- */

static void __attribute__((noreturn)) isolate_refuse(const char *name)
{
	struct error err = { .code = OK };

	error_set(&err, E_TARGET, "--isolate: cannot execute %s: %s%s", name,
		strerror(errno),
		errno == EACCES
			? "; a target of root runs as user nobody, who needs "
			  "permission"
			: "");
	isolate_give_up(err.text);
}

/* The engine sets this limit for others; it may not do so for these targets. */
static void
isolate_limit_files(uint64_t limit_mb)
{
	struct rlimit limit;

	if (limit_mb == 0 || getrlimit(RLIMIT_FSIZE, &limit) != 0 ||
		limit.rlim_cur <= limit_mb << 20)
		return;
	limit.rlim_cur = limit_mb << 20;
	(void)setrlimit(RLIMIT_FSIZE, &limit);
}

static bool
isolate_give_libraries(void)
{
	const char *kept = getenv(ISOLATE_KEPT);

	return kept == NULL ||
		(setenv(ISOLATE_PRELOAD, kept, 1) == 0 &&
			unsetenv(ISOLATE_KEPT) == 0);
}

static void __attribute__((noreturn))
isolate_exec(const struct isolate_spec *spec, int fd, char **argv)
{
	struct error err = { .code = OK };
	sigset_t none;

	sigemptyset(&none);
	(void)setsid();
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (chdir(ISOLATE_HOME) != 0 || setenv("TMPDIR", ISOLATE_HOME, 1) != 0)
		isolate_give_up("--isolate: the target has no folder");
	if (!isolate_give_libraries())
		isolate_give_up(
			"--isolate: no memory for the target's libraries");
	isolate_limit_files(spec->file_limit_mb);
	if (rights_filter(&err) != OK)
		isolate_give_up(err.text);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	if (dup2(fd, WORKER_FD_PROGRAM) >= 0)
		(void)syscall(SYS_execveat, WORKER_FD_PROGRAM, "", argv,
			environ, AT_EMPTY_PATH);
	isolate_refuse(argv[0]);
}

/* ---- the init ----------------------------------------------------------- */

/* Reaps every process until the target has ended; returns its wait status. */
static int
isolate_wait_for(pid_t target)
{
	int status = 0;
	pid_t pid;

	do
		pid = waitpid(-1, &status, 0);
	while (pid != target && (pid > 0 || errno == EINTR));
	return status;
}

static void __attribute__((noreturn))
isolate_init(const struct isolate_spec *spec, bool root, char **argv, int tell)
{
	struct error err = { .code = OK };
	int fd = -1, status = 0;
	pid_t target;

	if (root_make(spec, WORKER_FD_PROGRAM, &fd, &err) != OK ||
		rights_drop(root, &err) != OK)
		isolate_give_up(err.text);
	close(WORKER_FD_PROGRAM);
	/* After rights_drop(): a change of credentials resets both. */
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	(void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	if (isolate_is_closed(tell, POLLERR))
		_exit(0);
	if (argv[0] == NULL &&
		faccessat(fd, "", X_OK, AT_EMPTY_PATH | AT_EACCESS) != 0)
		isolate_refuse("the target");
	if (argv[0] != NULL) {
		target = fork();
		if (target == 0)
			isolate_exec(spec, fd, argv);
		if (target < 0)
			isolate_give_up(
				"--isolate: cannot start a process for the target");
		close(fd);
		isolate_close_from(0, (unsigned)tell - 1);
		status = isolate_wait_for(target);
	}
	if (write(tell, &status, sizeof(status)) != sizeof(status))
		_exit(ISOLATE_EXIT);
	_exit(0);
}

/* ---- the helper --------------------------------------------------------- */

/* Ends this process in the same way as the process of that wait status. */
static int
isolate_end_as(int status)
{
	sigset_t all;

	if (!WIFSIGNALED(status))
		return WEXITSTATUS(status);
	(void)signal(WTERMSIG(status), SIG_DFL);
	sigfillset(&all);
	(void)sigprocmask(SIG_UNBLOCK, &all, NULL);
	(void)raise(WTERMSIG(status));
	return ISOLATE_EXIT;
}

/* Ends as the target ended, or as the init did if no target was started. */
static int
isolate_wait(pid_t init, int told)
{
	int status, init_status = 0;
	ssize_t n;

	isolate_close_from(0, (unsigned)told - 1);
	do
		n = read(told, &status, sizeof(status));
	while (n < 0 && errno == EINTR);
	while (waitpid(init, &init_status, 0) < 0 && errno == EINTR)
		continue;
	return isolate_end_as(n == sizeof(status) ? status : init_status);
}

static int
isolate_help(const struct isolate_spec *spec, char **argv)
{
	bool root = rights_are_root();
	struct error err = { .code = OK };
	int ends[2];
	sigset_t all;
	pid_t init;

	sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
	isolate_close_from(WORKER_FD_PROGRAM + 1, ~0u);
	if (argv[0] == NULL) /* a try has no pipes */
		isolate_close_from(WORKER_FD_DEFAULT, WORKER_FD_PROGRAM - 1);
	if (rights_unshare(root, &err) != OK)
		isolate_give_up(err.text);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (isolate_is_closed(WORKER_FD_DEFAULT + WORKER_FD_IN, POLLHUP))
		return 0;
	(void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	if (fd_pipe(ends, &err) != OK)
		isolate_give_up(err.text);
	init = fork();
	if (init == 0) {
		close(ends[0]);
		isolate_init(spec, root, argv, ends[1]);
	}
	if (init < 0)
		isolate_give_up(
			"--isolate: cannot start a process for the target");
	close(ends[1]);
	return isolate_wait(init, ends[0]);
}

bool
isolate_main(int argc, char **argv, int *status)
{
	struct isolate_spec spec;
	char **target;

	if (argc < 2 || strcmp(argv[1], ISOLATE_OPTION) != 0)
		return false;
	*status = 2;
	if (!isolate_parse(argc, argv, &spec, &target)) {
		(void)fprintf(stderr,
			"%s: %s is how cfuzz starts itself, not for use by "
			"hand\n",
			argv[0], ISOLATE_OPTION);
		return true;
	}
	(void)prctl(PR_SET_NAME, "cfuzz-isolate", 0, 0, 0);
	/* _exit: no exit handlers of libraries may run here. */
	_exit(isolate_help(&spec, target));
}

/* ---- a try -------------------------------------------------------------- */

/* Reads the helper's output until the helper ends or takes too long. */
static void
isolate_listen(int fd, pid_t pid, char *text, size_t size)
{
	uint64_t end_ms = clock_now_ns() / 1000000 + ISOLATE_TRY_MS, now_ms;
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	size_t len = 0;
	ssize_t n = 1;

	while (n > 0 && len + 1 < size) {
		now_ms = clock_now_ns() / 1000000;
		if (now_ms >= end_ms) {
			kill(pid, SIGKILL);
			break;
		}
		if (poll(&pfd, 1, (int)(end_ms - now_ms)) <= 0)
			continue;
		n = read(fd, text + len, size - 1 - len);
		len += n > 0 ? (size_t)n : 0;
	}
	text[len] = '\0';
	text[strcspn(text, "\n")] = '\0';
}

enum status
isolate_try(const struct isolate_spec *spec, int target_fd, struct error *err)
{
	static const char name[] = ISOLATE_NAME ": ";
	char **argv, number[ISOLATE_NUMBER], text[ERROR_TEXT_MAX];
	const char *said = text;
	int ends[2], status = 0, e;
	pid_t pid;

	if (fd_pipe(ends, err) != OK)
		return err->code;
	argv = isolate_argv(spec, NULL, number);
	e = spawn_apart(&pid, "/proc/self/exe", argv, NULL, NULL,
		(struct spawn_fd[]){ { 0, -1 }, { 1, -1 }, { 2, ends[1] },
			{ WORKER_FD_PROGRAM, target_fd } },
		4);
	free(argv);
	close(ends[1]);
	if (e == 0) {
		isolate_listen(ends[0], pid, text, sizeof(text));
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			continue;
	}
	close(ends[0]);
	if (e == 0 && status == 0)
		return OK;
	if (e != 0)
		return error_set(err, E_IO,
			"--isolate: cannot start a process: %s", strerror(e));
	if (strncmp(said, name, sizeof(name) - 1) == 0)
		said += sizeof(name) - 1;
	return error_set(err, E_USAGE, "%s",
		said[0] != '\0' ? said
				: "--isolate: isolation is not possible here");
}
