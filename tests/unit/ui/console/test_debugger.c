/*
 * test_debugger: programs that have the terminal for a while, and how they end.
 * FLAGS: -lutil
 */
#include "ui/console/debugger.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/check.h"
#include "lib/session.h"
#include "lib/tree.h"

/* clang-format off */
static const struct run_row {
	const char *name, *command; /* of a shell; NULL: no such program */
	const char *shows, *keys, *end;
} RUNS[] = {
	{ "it ends", "exit 0", "ended: status 0", NULL, NULL },
	{ "it fails", "exit 3", "-- any key goes back to cfuzz --", "x",
		"ended: status 3" },
	{ "^C goes back, too", "exit 1", "-- any key goes back", "\003",
		"ended: status 1" },
	{ "a signal", "kill -KILL $$", "-- any key goes back", "x",
		"ended: signal 9" },
	{ "it reads", "echo ready; read word; echo \"<$word>\"", "ready",
		"hello\r", "<hello>" },
	{ "^C is the program's", "trap 'echo caught; exit 0' INT; echo ready; "
		"while :; do read word; done", "ready", "\003", "caught" },
	{ "^Z goes on", "kill -STOP $$; echo back", "back", NULL, NULL },
	{ "no such program", NULL, "cannot run /nowhere/gdb: No such file",
		"x", "ended: status 127" },
};
/* clang-format on */

static void
on_done(void *arg, int status)
{
	if (WIFSIGNALED(status))
		printf("ended: signal %d\n", WTERMSIG(status));
	else
		printf("ended: status %d\n", WEXITSTATUS(status));
	event_base_loopbreak(arg);
}

static void
on_end(evutil_socket_t fd, short what, void *arg)
{
	debugger_destroy(*(struct debugger **)arg);
	exit(tcgetpgrp(STDIN_FILENO) == getpgrp() ? 7 : 8);
}

/* In the session: the console's part. SIGUSR1 is its end. */
static int
run_debugger(int argc, char **argv)
{
	char *shell[] = { (char *)"/bin/sh", (char *)"-c", argv[argc - 1],
		NULL };
	char *none[] = { (char *)"/nowhere/gdb", NULL };
	struct event_base *base = event_base_new();
	struct debugger *debugger;
	struct event *end = evsignal_new(base, SIGUSR1, on_end, &debugger);
	struct error err = { 0 };

	event_add(end, NULL);
	if (debugger_start(&debugger, base, STDIN_FILENO,
		    argv[argc - 1][0] != '\0' ? shell : none, on_done, base,
		    &err) != OK)
		return 9;
	event_base_dispatch(base);
	return tcgetpgrp(STDIN_FILENO) == getpgrp() ? 0 : 8;
}

static void
begin(struct session *s, const char *command)
{
	const char *const args[] = { command, NULL };

	session_start(s, run_debugger, NULL, args);
}

static void
test_run(void **state)
{
	const struct run_row *row = *state;
	struct session s;

	begin(&s, row->command != NULL ? row->command : "");
	session_expect(&s, row->shows);
	if (row->keys != NULL) {
		session_send(&s, row->keys);
		session_expect(&s, row->end);
	}
	assert_int_equal(session_wait(&s), 0);
	session_close(&s);
}

/* The console ends first: so does the debugger. */
static void
test_destroy(void **state)
{
	struct session s;
	int pid = 0;

	begin(&s, "trap '' HUP INT; echo \"[$$]\"; while :; do read x; done");
	session_expect(&s, "]");
	assert_int_equal(sscanf(strchr(s.seen, '['), "[%d]", &pid), 1);
	assert_int_equal(kill(pid, 0), 0);
	kill(s.pid, SIGUSR1);
	assert_int_equal(session_wait(&s), 7);
	assert_int_equal(kill(pid, 0), -1);
	session_close(&s);
	debugger_destroy(NULL);
}

static void
test_installed(void **state)
{
	const struct tree *tree = *state;
	/* clang-format off */
	const struct {
		const char *name, *path; /* NULL: no PATH */
		bool found;
	} rows[] = {
		{ "gdb", "/nowhere:TREE", true },
		{ "gdb", "TREE:/nowhere", true },
		{ "gdb", "/nowhere", false },
		{ "gdb", "::", false },
		{ "gdb", "", false },
		{ "gdb", NULL, false },
		{ "text", "TREE", false },
	};
	/* clang-format on */
	char *old = strdup(getenv("PATH")), path[256];

	tree_text(tree, "gdb", "");
	tree_text(tree, "text", "");
	assert_int_equal(chmod(tree_path(tree, "gdb"), 0755), 0);
	for (size_t i = 0; i < ROWS(rows); i++) {
		const char *at = rows[i].path != NULL
			? strstr(rows[i].path, "TREE")
			: NULL;

		if (rows[i].path == NULL)
			unsetenv("PATH");
		else if (at == NULL)
			setenv("PATH", rows[i].path, 1);
		else {
			snprintf(path, sizeof(path), "%.*s%s%s",
				(int)(at - rows[i].path), rows[i].path,
				tree->path, at + strlen("TREE"));
			setenv("PATH", path, 1);
		}
		check(debugger_is_installed(rows[i].name) == rows[i].found,
			"row %zu", i);
	}
	setenv("PATH", old, 1);
	free(old);
}

/* It is beside this program. */
static void
test_cfuzz(void **state)
{
	char self[4096] = "", *path;
	int fd;

	assert_true(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	strcpy(strrchr(self, '/'), "/cfuzz");
	fd = open(self, O_CREAT | O_WRONLY | O_CLOEXEC, 0700);
	assert_true(fd >= 0);
	close(fd);
	path = debugger_cfuzz();
	assert_int_equal(unlink(self), 0);
	assert_string_equal(path, self);
	free(path);
}

int
main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_destroy),
		cmocka_unit_test_setup_teardown(test_installed, tree_open,
			tree_close),
		cmocka_unit_test(test_cfuzz),
	};

	return rows_run_with("debugger", ROWS_OF(RUNS, name, test_run), others,
		ROWS(others), NULL, NULL);
}
