/* hook_process: see hook_process.h. */
#include "engine/notify/hook_process.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/spawn.h"
#include "base/xmalloc.h"
#include "worker/target/command_path.h"

#define HOOK_FACTS_MAX (32u << 10) /* fits into a pipe that nobody reads */
#define HOOK_PATH_SIZE 4096
#define HOOK_GRACE_NS CLOCK_NS_PER_S /* for a killed process to end */

extern char **environ;

/* ---- the words of a command line ---- */

/* Copies one word to `to`; returns what follows, NULL: an open quote. */
static const char *
hook_word(const char *at, char *to)
{
	char quote = '\0';

	for (; *at != '\0' && (quote != '\0' || !isblank((unsigned char)*at));
		at++) {
		if (quote == '\0' && (*at == '\'' || *at == '"')) {
			quote = *at;
			continue;
		}
		if (*at == quote && quote != '\0') {
			quote = '\0';
			continue;
		}
		if (*at == '\\' && quote != '\'' && at[1] != '\0')
			at++;
		*to++ = *at;
	}
	*to = '\0';
	return quote == '\0' ? at : NULL;
}

enum status
hook_argv_parse(const char *line, char ***argv, struct error *err)
{
	size_t n = 0, room = strlen(line) + 1;
	char *word = xmalloc(room);
	char **list = xcalloc(room / 2 + 2, sizeof(*list));

	while (line != NULL) {
		line += strspn(line, " \t");
		if (*line == '\0')
			break;
		line = hook_word(line, word);
		list[n++] = xstrdup(word);
	}
	free(word);
	*argv = list;
	if (line != NULL && n > 0)
		return OK;
	xfree_list(list);
	*argv = NULL;
	return error_set(err, E_FORMAT,
		line == NULL ? "a quote is not closed"
			     : "the command is empty");
}

/* ---- facts ---- */

/* "CFUZZ_PATH=…"; numbers and truth values in their JSON form. */
static char *
hook_variable(const char *name, const json_t *value)
{
	char *text = json_is_string(value)
		? xstrdup(json_string_value(value))
		: json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
	char *variable =
		xasprintf("CFUZZ_%s=%s", name, text != NULL ? text : "");

	for (char *c = variable; *c != '='; c++)
		*c = (char)toupper((unsigned char)*c);
	free(text);
	return variable;
}

/* Ours, and one variable per fact. */
static char **
hook_environment(const json_t *facts)
{
	size_t n = 0, i = 0;
	const char *name;
	json_t *value;
	char **list;

	while (environ[n] != NULL)
		n++;
	list = xcalloc(n + json_object_size(facts) + 1, sizeof(*list));
	for (size_t k = 0; k < n; k++)
		if (strncmp(environ[k], "CFUZZ_", 6) != 0)
			list[i++] = xstrdup(environ[k]);
	json_object_foreach((json_t *)(uintptr_t)facts, name, value)
		list[i++] = hook_variable(name, value);
	return list;
}

/*
 * A pipe that holds the facts, with a line end. Nobody reads them yet, so they
 * must fit: a user with many pipes gets small ones. Returns 0 or an errno.
 */
static int
hook_fill_pipe(const json_t *facts, int *fd)
{
	char *text = json_dumps(facts, JSON_COMPACT);
	size_t len = text != NULL ? strlen(text) : 0;
	int ends[2], failed = 0;

	*fd = -1;
	if (len == 0 || len > HOOK_FACTS_MAX) {
		failed = E2BIG;
	} else if (pipe2(ends, O_CLOEXEC) != 0) {
		failed = errno;
	} else {
		text[len] = '\n'; /* in place of the end */
		if (fcntl(ends[1], F_SETFL, O_NONBLOCK) != 0 ||
			fd_write_all(ends[1], text, len + 1, NULL) != OK)
			failed = errno;
		fd_close(&ends[1]);
		*fd = ends[0];
	}
	free(text);
	return failed;
}

/* ---- the process ---- */

enum status
hook_start(struct hook_process *hook, char *const *argv, const json_t *facts,
	uint64_t ns, struct error *err)
{
	char path[HOOK_PATH_SIZE];
	const char *program = command_path_find(argv[0], path, sizeof(path));
	char **envp = hook_environment(facts);
	struct spawn_fd fds[] = { { 0, -1 }, { 1, -1 }, { 2, -1 } };
	int in, failed = hook_fill_pipe(facts, &in);

	fds[0].from = in;
	if (failed == 0)
		failed = spawn_apart(&hook->pid, program, argv, envp, NULL, fds,
			3);
	fd_close(&in);
	xfree_list(envp);
	if (failed != 0) {
		hook->pid = 0;
		return error_set(err, E_NOT_FOUND, "cannot be started: %s",
			strerror(failed));
	}
	hook->end_ns = clock_now_ns() + ns;
	hook->killed = hook->told = false;
	return OK;
}

static void
hook_say_end(int status, char why[HOOK_WHY_SIZE])
{
	if (WIFSIGNALED(status))
		snprintf(why, HOOK_WHY_SIZE, "ended by signal %d (%s)",
			WTERMSIG(status), strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status) != 0)
		snprintf(why, HOOK_WHY_SIZE, "ended with status %d",
			WEXITSTATUS(status));
}

/* Kills the command when its time is over. True: it has not ended since, for
 * example because it waits for a disk that does not answer. */
static bool
hook_is_late(struct hook_process *hook)
{
	uint64_t now = clock_now_ns();

	if (now < hook->end_ns)
		return false;
	if (hook->killed)
		return true;
	kill(-hook->pid, SIGKILL);
	hook->killed = true;
	hook->end_ns = now + HOOK_GRACE_NS;
	return false;
}

/* Has it ended? Its number, and so its group's, stays taken until it is
 * reaped. */
static bool
hook_has_ended(const struct hook_process *hook)
{
	siginfo_t info = { 0 };

	return waitid(P_PID, (id_t)hook->pid, &info,
		       WEXITED | WNOHANG | WNOWAIT) != 0 ||
		info.si_pid == hook->pid;
}

bool
hook_check(struct hook_process *hook, char why[HOOK_WHY_SIZE])
{
	int status = 0;
	bool ended;

	why[0] = '\0';
	if (hook->pid == 0)
		return false;
	ended = hook_has_ended(hook);
	if (!ended && !hook_is_late(hook))
		return true;
	/* Kill what the command has left behind, if anything. */
	kill(-hook->pid, SIGKILL);
	if (!ended)
		snprintf(why, HOOK_WHY_SIZE,
			"does not end although it was killed");
	else if (waitpid(hook->pid, &status, 0) == hook->pid && !hook->killed)
		hook_say_end(status, why);
	else if (hook->killed)
		snprintf(why, HOOK_WHY_SIZE, "was killed %s",
			hook->told ? "because cfuzz was told to end"
				   : "when its time was up");
	hook->pid = 0;
	return false;
}

bool
hook_wait(struct hook_process *hook, const sigset_t *leave,
	char why[HOOK_WHY_SIZE])
{
	sigset_t awaited = *leave, child, old;
	bool told = false;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigaddset(&awaited, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &old);
	while (hook_check(hook, why)) {
		uint64_t now = clock_now_ns();
		uint64_t left = hook->end_ns > now ? hook->end_ns - now : 1;
		const struct timespec limit = {
			.tv_sec = (time_t)(left / CLOCK_NS_PER_S),
			.tv_nsec = (long)(left % CLOCK_NS_PER_S),
		};

		int signo = sigtimedwait(&awaited, NULL, &limit);

		if (signo <= 0 || signo == SIGCHLD)
			continue;
		told = true;
		if (hook->killed)
			continue;
		hook->told = true;
		hook->end_ns = 0;
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	return !told;
}
