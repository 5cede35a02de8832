/*
 * test_spawn: a program starts apart from our terminal, session and signals.
 */
#include "base/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd.h"
#include "lib/scratch.h"

/* Runs a shell script and gets its output from descriptor 2. */
static void
ask(const char *script, char *const *envp, const char *folder, char *answer,
	size_t size)
{
	char name[] = "sh", option[] = "-c";
	char *argv[] = { name, option, (char *)(uintptr_t)script, NULL };
	size_t len = 0;
	ssize_t got;
	pid_t pid;
	int ends[2], status;

	assert_int_equal(fd_pipe(ends, NULL), OK);
	assert_int_equal(spawn_apart(&pid, "/bin/sh", argv, envp, folder,
				 (struct spawn_fd[]){ { 0, -1 }, { 1, -1 },
					 { 2, ends[1] }, { 7, ends[1] } },
				 4),
		0);
	close(ends[1]);
	while ((got = read(ends[0], answer + len, size - 1 - len)) > 0)
		len += (size_t)got;
	answer[len] = '\0';
	close(ends[0]);
	assert_true(spawn_is_ours(pid));
	assert_false(spawn_is_ours(getpid()));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void
test_what_it_has(void **state)
{
	static char kept[] = "KEPT=yes";
	char *envp[] = { kept, NULL };
	const struct {
		const char *name, *script, *answer;
	} cases[] = {
		{ "input", "echo $(readlink /proc/$$/fd/0) >&2",
			"/dev/null\n" },
		{ "output", "r=$(readlink /proc/$$/fd/1); echo $r >&2",
			"/dev/null\n" },
		{ "an end for reading", "read x || echo end >&2", "end\n" },
		{ "one more", "echo seven >&7", "seven\n" },
		{ "session",
			"read -r p n s pp g sid rest </proc/$$/stat\n"
			"[ $sid = $$ ] && echo own >&2",
			"own\n" },
		{ "ignored",
			"grep SigIgn /proc/self/status | grep -o 0000000$ >&2",
			"0000000\n" },
		{ "blocked",
			"grep SigBlk /proc/self/status | grep -o 0000000$ >&2",
			"0000000\n" },
		{ "environment", "echo $KEPT$HOME >&2", "yes\n" },
	};
	char answer[256];
	sigset_t blocked, before;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	assert_int_equal(sigprocmask(SIG_BLOCK, &blocked, &before), 0);
	signal(SIGPIPE, SIG_IGN);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		print_message("%s\n", cases[i].name);
		ask(cases[i].script, envp, NULL, answer, sizeof(answer));
		assert_string_equal(answer, cases[i].answer);
	}
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static void
test_our_environment(void **state)
{
	char answer[64];

	assert_int_equal(setenv("SPAWN_TEST", "ours", 1), 0);
	ask("echo $SPAWN_TEST >&2", NULL, NULL, answer, sizeof(answer));
	assert_string_equal(answer, "ours\n");
}

static void
test_folder(void **state)
{
	char answer[PATH_MAX + 2], here[PATH_MAX + 2];

	assert_non_null(getcwd(here, sizeof(here) - 1));
	strcat(here, "\n");
	ask("pwd -P >&2", NULL, NULL, answer, sizeof(answer));
	assert_string_equal(answer, here);
	ask("pwd -P >&2", NULL, "/", answer, sizeof(answer));
	assert_string_equal(answer, "/\n");
}

/* A program is not started if a descriptor, the file or the folder is
 * missing. */
static void
test_refused(void **state)
{
	char name[] = "sh";
	char *argv[] = { name, NULL };
	const struct {
		const char *path, *folder;
		struct spawn_fd fd;
		int errnum;
	} cases[] = {
		{ "/bin/sh", NULL, { 2, 1000 }, EBADF },
		{ "/nowhere/sh", NULL, { 2, -1 }, ENOENT },
		{ "/bin/sh", "/nowhere", { 2, -1 }, ENOENT },
	};
	pid_t pid;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(spawn_apart(&pid, cases[i].path, argv, NULL,
					 cases[i].folder, &cases[i].fd, 1),
			cases[i].errnum);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_it_has),
		cmocka_unit_test(test_our_environment),
		cmocka_unit_test(test_folder),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
