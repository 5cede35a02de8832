/*
 * launcher: the process that the shell started.
 *
 * It waits for signals and has no handlers, so there is one loop and no race.
 * Signals of the terminal do not reach the engine, which has a session of its
 * own; the launcher forwards signals from other processes.
 */
#include "ui/console/launcher.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/harden.h"
#include "base/rlimits.h"
#include "base/spawn.h"
#include "control/endpoint.h"
#include "ui/console/launcher_private.h"
#include "ui/console/summary.h"

#define LAUNCHER_NOTE 65536 /* bytes; what a pipe has room for */
#define LAUNCHER_RESET 512
#define LAUNCHER_RESET_MS 500

/* ---- the two processes ---- */

/* Set-up of a child: signals, and death together with the launcher. */
static void
launcher_child(const struct launched *l, int deathsig)
{
	prctl(PR_SET_PDEATHSIG, deathsig);
	if (getppid() != l->self) /* the parent died before */
		_exit(LAUNCHER_FAILED);
	sigprocmask(SIG_SETMASK, &l->mask, NULL);
}

static int
launcher_engine(struct launched *l)
{
	fd_close(&l->control[0]);
	fd_close(&l->reset[0]);
	fd_close(&l->reset[1]);
	fd_close(&l->note[0]);
	if (l->launcher->console.record_fd > 0)
		close(l->launcher->console.record_fd); /* the console's alone */
	spawn_leave_terminal();
	return l->launcher->engine(l->launcher->arg, l->control[1], l->note[1]);
}

/*
 * The console dies together with the launcher. The engine notices the lost
 * connection and decides what to do.
 */
static enum status
launcher_start(struct launched *l, struct error *err)
{
	char why[RLIMITS_TEXT_MAX];
	int errnum;

	fflush(NULL);
	l->console = fork();
	if (l->console == 0) {
		launcher_child(l, SIGTERM);
		_exit(launcher_console(l));
	}
	errnum = errno;
	if (l->launcher->attached_fd > 0 && l->console > 0) {
		fd_close(&l->control[0]);
		fd_close(&l->reset[1]);
		fd_close(&l->note[1]);
		return OK;
	}
	l->engine = l->console > 0 ? fork() : -1;
	if (l->console > 0)
		errnum = errno;
	if (l->engine == 0) {
		launcher_child(l, 0);
		_exit(launcher_engine(l));
	}
	fd_close(&l->control[0]);
	fd_close(&l->control[1]);
	fd_close(&l->reset[1]);
	fd_close(&l->note[1]);
	if (l->engine > 0)
		return OK;
	error_set(err, E_IO, "cannot start a process: %s",
		rlimits_text(errnum, why, sizeof(why)));
	l->engine = 0;
	/* The console may own the terminal already: it resets it first. */
	if (l->console > 0)
		kill(l->console, SIGTERM);
	else
		l->console = 0;
	return err->code;
}

/* ---- the terminal ---- */

static size_t
launcher_read_pipe(int fd, char *buf, size_t size)
{
	size_t len = 0;

	while (len + 1 < size) {
		ssize_t n = read(fd, buf + len, size - 1 - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		len += (size_t)n;
	}
	buf[len] = '\0';
	return len;
}

/* Limited time: the terminal may not accept output. */
static void
launcher_write_terminal(const char *text, size_t len)
{
	struct pollfd room = { .fd = STDOUT_FILENO, .events = POLLOUT };

	if (poll(&room, 1, LAUNCHER_RESET_MS) == 1 &&
		(room.revents & POLLOUT) && write(room.fd, text, len) < 0)
		return;
}

/* A console that crashes leaves its campaign as one that detaches, unless that
 * was told to end. An attached one has nothing else to leave. */
static bool
launcher_left_engine(const struct launched *l)
{
	if (l->launcher->attached_fd > 0)
		return true;
	/* A player has no output. */
	return l->engine > 0 && l->asked == 0 && l->launcher->output != NULL &&
		WIFSIGNALED(l->console_status) &&
		!l->launcher->console.settings->stop_on_hangup;
}

static void
launcher_say_crash(const struct launched *l)
{
	char line[ENDPOINT_LINE_SIZE] = "stopping the campaign";
	int status = l->console_status;

	if (l->launcher->output == NULL)
		snprintf(line, sizeof(line), "the recording is unchanged");
	else if (launcher_left_engine(l))
		endpoint_come_back(l->launcher->output, line, sizeof(line));
	if (WIFSIGNALED(status))
		fprintf(stderr,
			"cfuzz-tui: the console ended by signal %d (%s); %s\n",
			WTERMSIG(status), strsignal(WTERMSIG(status)), line);
	else
		fprintf(stderr,
			"cfuzz-tui: the console ended with status %d; %s\n",
			WEXITSTATUS(status), line);
}

/* Blocks SIGTTOU: a debugger of the console may be in the foreground. */
static void
launcher_set_modes(const struct termios *modes)
{
	sigset_t stop, old;

	sigemptyset(&stop);
	sigaddset(&stop, SIGTTOU);
	sigprocmask(SIG_BLOCK, &stop, &old);
	tcsetattr(STDIN_FILENO, TCSANOW, modes);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

/*
 * Restores the modes, unless the console has done that itself, as a second NUL in
 * the pipe says, and the terminal is another program's by now. Before that the
 * pipe has the escape sequences; they are written if there is no second NUL.
 * After that comes the run which the console has shown.
 */
static void
launcher_restore(struct launched *l)
{
	char text[LAUNCHER_RESET];
	size_t len = launcher_read_pipe(l->reset[0], text, sizeof(text));
	size_t reset = strlen(text);
	bool done = len > reset + 1;

	if (len == reset + 2 + sizeof(l->runs))
		memcpy(&l->runs, text + reset + 2, sizeof(l->runs));
	if (!done && len > 0) {
		tcflush(STDIN_FILENO, TCIFLUSH);
		launcher_write_terminal(text, reset);
		launcher_write_terminal("\r\n", 2);
	}
	if (l->has_saved && (!done || tcgetpgrp(STDIN_FILENO) == getpgrp()))
		launcher_set_modes(&l->saved);
	if (!done && len > 0)
		launcher_say_crash(l);
}

/* ---- waiting ---- */

static bool
launcher_exited(const struct launched *l, int status)
{
	return WIFEXITED(l->console_status) &&
		WEXITSTATUS(l->console_status) == status;
}

static bool
launcher_is_detached(const struct launched *l)
{
	return launcher_exited(l, LAUNCHER_DETACHED) ||
		launcher_exited(l, LAUNCHER_LEFT);
}

/* Requests the end; the third time it kills. */
static void
launcher_end(struct launched *l)
{
	if (l->engine > 0)
		kill(l->engine, ++l->asked < 3 ? SIGTERM : SIGKILL);
	else if (l->console > 0)
		kill(l->console, SIGTERM);
}

static void
launcher_reap(struct launched *l)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == l->engine) {
			l->engine = 0;
			l->engine_status = status;
			/*
			 * The console shows the result until a key is pressed.
			 * After a request to end it does not wait.
			 */
			if (l->asked > 0 && l->console > 0)
				kill(l->console, SIGTERM);
		} else if (pid == l->console) {
			l->console = 0;
			l->console_status = status;
			launcher_restore(l);
			l->left = (launcher_is_detached(l) && l->asked == 0) ||
				launcher_left_engine(l);
			if (l->left)
				l->engine = 0; /* it is on its own now */
			else if (WIFEXITED(status) && status != 0 &&
				!launcher_is_detached(l))
				launcher_end(l); /* it could not start */
		}
	}
}

static void
launcher_block_signals(struct launched *l, sigset_t *waited)
{
	sigemptyset(waited);
	sigaddset(waited, SIGCHLD);
	/* The parent may have set SIGCHLD to be ignored. */
	signal(SIGCHLD, SIG_DFL);
	sigaddset(waited, SIGINT);
	sigaddset(waited, SIGQUIT);
	sigaddset(waited, SIGTERM);
	sigaddset(waited, SIGHUP);
	sigprocmask(SIG_BLOCK, waited, &l->mask);
}

static void
launcher_wait(struct launched *l, const sigset_t *waited)
{
	launcher_reap(l);
	while (l->console > 0 || l->engine > 0) {
		int sig = sigwaitinfo(waited, NULL);

		if (sig == SIGCHLD)
			launcher_reap(l);
		/* The console handles a hang-up. */
		else if (sig > 0 && sig != SIGHUP)
			launcher_end(l);
	}
}

/* ---- the end ---- */

static int
launcher_status(const struct launched *l)
{
	if (l->left && launcher_is_detached(l))
		return 0;
	if (l->left || l->launcher->attached_fd > 0)
		return WIFEXITED(l->console_status)
			? WEXITSTATUS(l->console_status)
			: LAUNCHER_FAILED;
	return WIFEXITED(l->engine_status) ? WEXITSTATUS(l->engine_status)
					   : LAUNCHER_FAILED;
}

static void
launcher_print_note(struct launched *l)
{
	char note[LAUNCHER_NOTE + 1];

	if (launcher_read_pipe(l->note[0], note, sizeof(note)) > 0)
		summary_complain(stderr, note);
}

static void
launcher_say_goodbye(struct launched *l)
{
	int status = launcher_status(l);

	if (l->left && launcher_exited(l, LAUNCHER_LEFT))
		launcher_say_come_back(l);
	if (l->left || l->launcher->attached_fd > 0)
		return;
	launcher_print_note(l);
	if (WIFSIGNALED(l->engine_status))
		fprintf(stderr,
			"cfuzz-tui: the engine ended by signal %d (%s); its "
			"findings are in %s\n",
			WTERMSIG(l->engine_status),
			strsignal(WTERMSIG(l->engine_status)),
			l->launcher->output != NULL ? l->launcher->output
						    : "-");
	else if (status != LAUNCHER_SETUP && l->launcher->output != NULL)
		summary_print(stdout, l->launcher->output, l->runs, status);
}

static enum status
launcher_open(struct launched *l, struct error *err)
{
	l->has_saved = tcgetattr(STDIN_FILENO, &l->saved) == 0;
	l->control[0] = l->launcher->attached_fd;
	l->control[1] = -1;
	if ((l->control[0] <= 0 && fd_socketpair(l->control, err) != OK) ||
		fd_pipe(l->reset, err) != OK || fd_pipe(l->note, err) != OK)
		return err->code;
	return OK;
}

int
launcher_run(const struct launcher *launcher)
{
	struct launched l = { .launcher = launcher, .self = getpid() };
	sigset_t waited;
	struct error err = { 0 };

	harden_process();
	launcher_block_signals(&l, &waited);
	if (launcher_open(&l, &err) != OK || launcher_start(&l, &err) != OK) {
		launcher_wait(&l, &waited);
		summary_complain(stderr, err.text);
		return LAUNCHER_SETUP;
	}
	launcher_wait(&l, &waited);
	launcher_say_goodbye(&l);
	return launcher_status(&l);
}
