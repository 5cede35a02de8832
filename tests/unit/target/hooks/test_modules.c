/*
 * modules: the program's name, whatever became of its file. The test starts
 * copies of itself, as a name is that of a running program.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/scratch.h"
#include "target/hooks/modules.h"

/* In the copy: 0 if it has this name after the shell command. */
static int
look(const char *command, const char *want)
{
	static struct failure_module modules[FAILURE_MODULES_MAX];

	if (system(command) != 0 ||
		modules_list(modules, FAILURE_MODULES_MAX) == 0)
		return 2;
	if (strcmp(modules[0].name, want) == 0)
		return 0;
	(void)fprintf(stderr, "\"%s\", not \"%s\"\n", modules[0].name, want);
	return 1;
}

/* Starts a copy with this name. */
static void
check(const struct scratch *s, const char *name, const char *command)
{
	char path[128], copy[256];
	int status;
	pid_t pid;

	(void)snprintf(path, sizeof(path), "%s/%s", s->path, name);
	(void)snprintf(copy, sizeof(copy), "cp /proc/%d/exe '%s'",
		(int)getpid(), path);
	assert_int_equal(system(copy), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		if (chdir(s->path) == 0)
			execl(path, path, command, name, (char *)NULL);
		_exit(3);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void
test_name(void **state)
{
	const struct scratch *s = *state;

	check(s, "plain", "true");
	check(s, "gone", "rm gone");
	check(s, "same", "cp same new && mv new same");
	check(s, "other", "echo >new && mv new other");
	/* Another file has the name that the kernel gives. */
	check(s, "t", "rm t && echo >'t (deleted)'");
}

/* A name may end as the mark of a deleted file. */
static void
test_own_mark(void **state)
{
	const struct scratch *s = *state;

	check(s, "x (deleted)", "true");
	check(s, "y (deleted)", "echo >y");
	check(s, "z (deleted)", "rm 'z (deleted)'");
	check(s, " (deleted)", "true");
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_name, scratch_open,
			scratch_close),
		cmocka_unit_test_setup_teardown(test_own_mark, scratch_open,
			scratch_close),
	};

	if (argc == 3)
		return look(argv[1], argv[2]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
