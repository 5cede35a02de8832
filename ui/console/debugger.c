/* debugger: see debugger.h. */
#include "ui/console/debugger.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/xmalloc.h"
#include "shared/beside.h"

#define DEBUGGER_NOT_FOUND 127

struct debugger {
	int fd;    /* of the terminal; not owned */
	pid_t pid; /* and process group; 0: ended */
	int status;
	struct event *died, *key;
	struct termios modes; /* modes before waiting for a key */
	debugger_done_fn *done;
	void *arg;
};

/* ---- what there is ---- */

bool
debugger_is_installed(const char *name)
{
	const char *path = getenv("PATH");
	bool found = false;

	while (path != NULL && *path != '\0' && !found) {
		size_t len = strcspn(path, ":");
		char *file = xasprintf("%.*s/%s", (int)len, path, name);

		found = len > 0 && access(file, X_OK) == 0;
		free(file);
		path += len + (path[len] == ':');
	}
	return found;
}

char *
debugger_cfuzz(void)
{
	char path[PATH_MAX];

	return xstrdup(
		beside_find("cfuzz", CFUZZ_BINDIR, X_OK, path, sizeof(path))
			? path
			: "cfuzz");
}

/* ---- the terminal ---- */

/*
 * A background process may change the foreground group only with SIGTTOU
 * blocked.
 */
static void
debugger_give(int fd, pid_t group)
{
	sigset_t stop, old;

	sigemptyset(&stop);
	sigaddset(&stop, SIGTTOU);
	sigprocmask(SIG_BLOCK, &stop, &old);
	(void)tcsetpgrp(fd, group);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

static void
debugger_child(int fd, char *const argv[])
{
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGHUP);
	(void)setpgid(0, 0);
	debugger_give(fd, getpid());
	for (int i = 1; i < NSIG; i++)
		(void)signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execv(argv[0], argv);
	dprintf(STDERR_FILENO, "cannot run %s: %s\n", argv[0], strerror(errno));
	_exit(DEBUGGER_NOT_FOUND);
}

/* ---- its end ---- */

static void
debugger_free(struct debugger *d)
{
	event_free(d->died);
	event_free(d->key);
	free(d);
}

static void
debugger_finish(struct debugger *d)
{
	debugger_done_fn *done = d->done;
	void *arg = d->arg;
	int status = d->status;

	debugger_free(d);
	done(arg, status);
}

/* A key was pressed after a failure. */
static void
debugger_on_key(evutil_socket_t fd, short what, void *arg)
{
	struct debugger *d = arg;

	tcflush(d->fd, TCIFLUSH);
	tcsetattr(d->fd, TCSANOW, &d->modes);
	debugger_finish(d);
}

/* Waits for any key, including ^C. */
static bool
debugger_wait_key(struct debugger *d)
{
	static const char text[] = "\n-- any key goes back to cfuzz --\n";
	struct termios modes;

	if (tcgetattr(d->fd, &d->modes) != 0)
		return false;
	modes = d->modes;
	modes.c_lflag &= ~(tcflag_t)(ISIG | ICANON | ECHO);
	tcsetattr(d->fd, TCSANOW, &modes);
	/* Only now: the user may press ^C as soon as the text is there. */
	if (write(STDOUT_FILENO, text, sizeof(text) - 1) < 0) {
		tcsetattr(d->fd, TCSANOW, &d->modes);
		return false;
	}
	event_add(d->key, NULL);
	return true;
}

static bool
debugger_failed(int status)
{
	return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

/* There is no shell to continue a debugger stopped by ^Z: continue it here. */
static void
debugger_on_died(evutil_socket_t fd, short what, void *arg)
{
	struct debugger *d = arg;
	pid_t pid;

	pid = waitpid(d->pid, &d->status, WNOHANG | WUNTRACED);
	if (pid == 0 || (pid < 0 && errno == EINTR))
		return;
	if (pid > 0 && WIFSTOPPED(d->status)) {
		debugger_give(d->fd, d->pid);
		kill(-d->pid, SIGCONT);
		return;
	}
	kill(-d->pid, SIGHUP); /* processes that it left behind */
	d->pid = 0;
	event_del(d->died);
	debugger_give(d->fd, getpgrp());
	if (!debugger_failed(d->status) || !debugger_wait_key(d))
		debugger_finish(d);
}

/* ---- life ---- */

enum status
debugger_start(struct debugger **debugger, struct event_base *base, int fd,
	char *const argv[], debugger_done_fn *done, void *arg,
	struct error *err)
{
	struct debugger *d = xcalloc(1, sizeof(*d));

	*debugger = NULL;
	d->fd = fd;
	d->done = done;
	d->arg = arg;
	d->died = evsignal_new(base, SIGCHLD, debugger_on_died, d);
	d->key = event_new(base, fd, EV_READ, debugger_on_key, d);
	event_add(d->died, NULL); /* before it can die */
	d->pid = fork();
	if (d->pid == 0)
		debugger_child(fd, argv);
	if (d->pid < 0) {
		error_set(err, E_IO, "no process can be started: %s",
			strerror(errno));
		debugger_free(d);
		return err->code;
	}
	/* Parent and child both do it: either may run first. */
	(void)setpgid(d->pid, d->pid);
	debugger_give(fd, d->pid);
	*debugger = d;
	return OK;
}

void
debugger_destroy(struct debugger *d)
{
	if (d == NULL)
		return;
	if (d->pid > 0) {
		kill(-d->pid, SIGHUP);
		kill(-d->pid, SIGCONT);
		kill(-d->pid, SIGKILL);
		(void)waitpid(d->pid, NULL, 0);
		debugger_give(d->fd, getpgrp());
	}
	debugger_free(d);
}
