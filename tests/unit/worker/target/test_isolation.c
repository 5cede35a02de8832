/*
 * test_isolation: the settings of isolated targets, which are refused at once
 * or passed to the workers.
 */
#include "worker/target/isolation.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/tree.h"

static enum status
open_with(struct isolation *isolation, bool on, const char *readable,
	struct error *err)
{
	char *items[] = { (char *)(uintptr_t)readable };
	struct settings settings = { .isolate = on,
		.readable = { .items = items, .n = readable != NULL } };
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	enum status status;

	assert_true(fd >= 0);
	error_clear(err);
	status = isolation_open(isolation, &settings, fd, err);
	close(fd);
	return status;
}

static void
test_off(void **state)
{
	const struct tree *tree = *state;
	struct isolation isolation;
	struct error err;

	assert_int_equal(open_with(&isolation, false, NULL, &err), OK);
	assert_null(isolation_spec(&isolation));
	assert_string_equal(isolation_hint(&isolation), "");
	isolation_hide(&isolation, tree->path);
	assert_null(isolation.hidden);
	isolation_close(&isolation);
}

/* A folder that cannot be made readable is refused before anything starts. */
static void
test_refused(void **state)
{
	static const struct {
		bool on;
		const char *readable, *words;
	} rows[] = {
		{ false, "/usr", "--readable needs --isolate" },
		{ true, "/", "/ would show everything" },
		{ true, "/tmp", "a /tmp of its own" },
		{ true, "/proc", "a /proc of its own" },
		{ true, "/proc/self", "a /proc of its own" },
		{ true, "/dev/pts", "a /dev of its own" },
		{ true, "/nobody/has/this", "No such file" },
	};
	struct isolation isolation;
	struct error err;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		row_check(open_with(&isolation, rows[i].on, rows[i].readable,
				  &err) == E_USAGE,
			"%s", rows[i].readable);
		row_check(strstr(err.text, rows[i].words) != NULL, "%s: %s",
			rows[i].readable, err.text);
		isolation_close(&isolation);
		assert_null(isolation_spec(&isolation));
	}
}

/* Links are resolved: a target could change what they lead to. */
static void
test_on(void **state)
{
	const struct tree *tree = *state;
	const struct isolate_spec *spec;
	struct isolation isolation;
	struct error err;
	static const char *const hidden[] = { "real", "output" };

	tree_folder(tree, "real");
	tree_folder(tree, "output");
	assert_int_equal(symlinkat("real", tree->fd, "link"), 0);
	if (open_with(&isolation, true, tree_path(tree, "link"), &err) != OK) {
		/* The machine has no namespaces for this user. */
		assert_int_equal(err.code, E_USAGE);
		print_message("not isolated: %s\n", err.text);
	}
	spec = isolation_spec(&isolation);
	assert_non_null(spec);
	assert_int_equal(spec->readable_n, 1);
	assert_string_equal(spec->readable[0], tree_path(tree, "real"));
	assert_non_null(strstr(isolation_hint(&isolation), "--readable"));
	isolation_hide(&isolation, tree_path(tree, "real"));
	isolation_hide(&isolation, tree_path(tree, "output"));
	isolation_hide(&isolation, tree_path(tree, "link"));
	isolation_hide(&isolation, tree_path(tree, "none"));
	assert_int_equal(spec->hidden_n, 2);
	for (size_t i = 0; i < 2; i++)
		assert_string_equal(spec->hidden[i],
			tree_path(tree, hidden[i]));
	isolation_close(&isolation);
}

/* A path is shown once, under its real name. */
static void
test_show(void **state)
{
	const struct tree *tree = *state;
	struct isolation isolation = { .on = true };
	struct error err;

	error_clear(&err);
	tree_folder(tree, "real");
	assert_int_equal(symlinkat("real", tree->fd, "link"), 0);
	assert_int_equal(isolation_show(&isolation, tree_path(tree, "link"),
				 &err),
		OK);
	assert_int_equal(isolation_show(&isolation, tree_path(tree, "real"),
				 &err),
		OK);
	assert_int_equal(isolation.spec.readable_n, 1);
	assert_string_equal(isolation.spec.readable[0],
		tree_path(tree, "real"));
	assert_int_equal(isolation_show(&isolation, tree_path(tree, "none"),
				 &err),
		E_TARGET);
	assert_non_null(strstr(err.text, "none cannot be read: No such file"));
	isolation_close(&isolation);
	assert_int_equal(isolation_show(&isolation, tree_path(tree, "real"),
				 &err),
		OK);
	assert_null(isolation.readable);
}

/* The folder of a program, unless it holds what others own. */
static void
test_show_beside(void **state)
{
	static const struct {
		const char *home, *program; /* in the tree; or absolute */
		bool refused;
	} rows[] = {
		{ "home", "home/bin/program", false },
		{ "home", "homes/program", false },
		{ "home", "home/program", true },
		{ "home/bin", "home/program", true },
		{ "link", "home/program", true },
		{ "none", "home/program", false },
		{ "home", "/etc", true },
	};
	const struct tree *tree = *state;
	struct isolation isolation;
	char home[128], program[128];
	struct error err;
	size_t i;

	tree_folder(tree, "home");
	tree_folder(tree, "home/bin");
	tree_folder(tree, "homes");
	tree_text(tree, "home/program", "x");
	tree_text(tree, "home/bin/program", "x");
	tree_text(tree, "homes/program", "x");
	strcpy(home, tree_path(tree, "home"));
	assert_int_equal(symlinkat(home, tree->fd, "link"), 0);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		isolation = (struct isolation){ .on = true };
		error_clear(&err);
		assert_int_equal(setenv("HOME", tree_path(tree, rows[i].home),
					 1),
			0);
		snprintf(program, sizeof(program), "%s",
			rows[i].program[0] == '/'
				? rows[i].program
				: tree_path(tree, rows[i].program));
		row_check((isolation_show_beside(&isolation, program, &err) ==
				  E_USAGE) == rows[i].refused,
			"%s, home %s", rows[i].program, rows[i].home);
		row_check((strstr(err.text, "move the program") != NULL) ==
				rows[i].refused,
			"%s: %s", rows[i].program, err.text);
		row_check(isolation.spec.readable_n == !rows[i].refused, "%s",
			rows[i].program);
		isolation_close(&isolation);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_open, tree_close)

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TEST(test_off),
		TEST(test_refused),
		TEST(test_on),
		TEST(test_show),
		TEST(test_show_beside),
	};
	int status;

	if (isolate_main(argc, argv, &status))
		return status;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
