/*
 * test_isolation: the settings of isolated targets, which are refused at once
 * or passed to the workers.
 */
#include "worker/target/isolation.h"

#include <fcntl.h>
#include <pwd.h>
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
	const struct passwd *user;
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
	user = getpwuid(geteuid());
	if (user == NULL)
		assert_null(spec->home);
	else
		assert_string_equal(spec->home, user->pw_dir);
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

static void
put(const struct tree *tree, const char *name, char path[128])
{
	snprintf(path, 128, "%s",
		name == NULL             ? ""
			: name[0] == '/' ? name
					 : tree_path(tree, name));
}

/* The folder of a program, unless it holds what others own. */
static void
test_show_beside(void **state)
{
	static const struct row {
		/* In the tree, or absolute; no home: not known. */
		const char *home, *listed, *program;
		const char *words; /* why it is refused; NULL: it is not */
	} rows[] = {
		{ "home", "/none", "home/bin/program", NULL },
		{ "home", "/none", "homes/program", NULL },
		{ "home", "/none", "home/program", "to another folder" },
		{ "home/bin", "/none", "home/program", "to another folder" },
		{ "link", "/none", "home/program", "to another folder" },
		{ "none", "/none", "home/program", NULL },
		{ "home", "/none", "/etc", "to another folder" },
		{ "homes", "home", "home/program", "to another folder" },
		{ "homes", "link", "home/program", "to another folder" },
		{ NULL, "home", "home/program", "to another folder" },
		{ NULL, "home", "homes/program", NULL },
		{ "home", NULL, "homes/program", NULL },
		{ NULL, NULL, "homes/program", "and set HOME" },
	};
	const struct tree *tree = *state;
	struct isolation isolation;
	char home[128], listed[128], program[128];
	const struct row *row;
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
		row = &rows[i];
		error_clear(&err);
		put(tree, row->program, program);
		put(tree, row->home, home);
		put(tree, row->listed, listed);
		assert_int_equal(row->home != NULL ? setenv("HOME", home, 1)
						   : unsetenv("HOME"),
			0);
		isolation = (struct isolation){ .on = true,
			.spec.home = row->listed != NULL ? listed : NULL };
		row_check(isolation_show_beside(&isolation, program, &err) ==
				(row->words != NULL ? E_USAGE : OK),
			"%zu: %s", i, row->program);
		row_check(row->words == NULL ||
				strstr(err.text, row->words) != NULL,
			"%zu: %s: %s", i, row->program, err.text);
		row_check(isolation.spec.readable_n == (row->words == NULL),
			"%zu: %s", i, row->program);
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
