/*
 * test_input_file: the name of the input file in arguments and environment, and
 * that nothing of it is left.
 */
#include "worker/input_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xmalloc.h"
#include "lib/tree.h"
#include "shared/wire/memory.h"

static char *
text(const char *constant)
{
	return (char *)(uintptr_t)constant;
}

/* The name of the program is no argument. */
static void
test_mark(void **state)
{
	static const struct {
		const char *name, *first, *second;
		bool marked;
	} rows[] = {
		{ "p", NULL, NULL, false },
		{ "@@", NULL, NULL, false },
		{ "p", "@@", NULL, true },
		{ "p", "-v", "--in=@@", true },
		{ "p", "@", "@ @", false },
		{ "p", "a@@b@@", NULL, true },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		char *argv[] = { text(rows[i].name), text(rows[i].first),
			text(rows[i].second), NULL };

		assert_int_equal(input_file_is_marked(argv), rows[i].marked);
	}
}

static void
test_argv(void **state)
{
	char *argv[] = { text("@@"), text("@@"), text("--in=@@"),
		text("a@@b@@c"), text("@@@"), text("none"), text(""), NULL };
	static const char *const want[] = { "@@", "/in", "--in=/in",
		"a/inb/inc", "/in@", "none", "" };
	char **got = input_file_argv(argv, "/in");

	for (size_t i = 0; i < ROWS(want); i++)
		assert_string_equal(got[i], want[i]);
	assert_null(got[ROWS(want)]);
	xfree_list(got);
	xfree_list(NULL);
}

/* The last variable names the file. */
static const char *
last_of(char **envp)
{
	const char *last = NULL;

	for (; *envp != NULL; envp++)
		last = *envp;
	return last;
}

static void
test_stdin(void **state)
{
	char *argv[] = { text("p"), text("-x"), NULL };
	char *envp[] = { text("A=1"), NULL };
	const struct input_file_spec spec = { .folder = "/out", .name = "" };
	struct input_file file;
	char **env;

	input_file_init(&file, NULL, argv, envp, 0);
	assert_null(file.path);
	assert_ptr_equal(file.argv, argv);
	input_file_init(&file, &spec, argv, envp, 0);
	assert_null(file.path);
	assert_ptr_equal(file.argv, argv);
	env = input_file_envp(&file);
	assert_string_equal(env[0], "A=1");
	assert_null(env[1]);
	xfree_list(env);
	input_file_clear(&file);
}

static void
test_file(void **state)
{
	const struct tree *tree = *state;
	char *argv[] = { text("p"), text("--in=@@"), NULL };
	char *envp[] = { text("A=1"), NULL };
	const struct input_file_spec spec = { .folder = tree->path };
	struct input_file file;
	char **env;

	input_file_init(&file, &spec, argv, envp, 7);
	/* A process that starts later gets what the environment is then. */
	envp[0] = text("A=2");
	env = input_file_envp(&file);
	assert_string_equal(file.path, tree_path(tree, ".input-7"));
	assert_memory_equal(file.argv[1], "--in=/", 6);
	assert_string_equal(file.argv[1] + 5, file.path);
	assert_string_equal(env[0], "A=2");
	assert_memory_equal(last_of(env), WORKER_INPUT "=",
		sizeof(WORKER_INPUT));
	assert_string_equal(last_of(env) + sizeof(WORKER_INPUT), file.path);
	xfree_list(env);
	tree_text(tree, ".input-7", "x");
	input_file_clear(&file);
	assert_false(tree_has(tree, ".input-7"));
	assert_null(file.path);
}

/* The program knows the name, the arguments need not. */
static void
test_named(void **state)
{
	const struct tree *tree = *state;
	const char *path = tree_path(tree, "settings");
	char *argv[] = { text("p"), text("-x"), NULL }, *envp[] = { NULL };
	const struct input_file_spec spec = { .folder = "/out", .name = path };
	struct input_file file;
	char **env;

	input_file_init(&file, &spec, argv, envp, 0);
	env = input_file_envp(&file);
	assert_string_equal(file.path, path);
	assert_string_equal(file.argv[1], "-x");
	assert_string_equal(last_of(env) + sizeof(WORKER_INPUT), path);
	xfree_list(env);
	input_file_clear(&file);
}

/* Of workers that are no more, another run may have the files. */
static void
test_left(void **state)
{
	const struct tree *tree = *state;
	char *argv[] = { text("p"), text("@@"), NULL }, *envp[] = { NULL };
	struct input_file_spec spec = { .folder = tree->path, .lock_fd = -1 };
	struct input_file file;
	int taken;

	for (taken = 0; taken < 2; taken++) {
		input_file_init(&file, &spec, argv, envp, 7);
		input_file_leave(&spec);
		if (taken)
			assert_int_equal(input_file_take(&spec, NULL), OK);
		tree_text(tree, ".input-7", "x");
		input_file_clear(&file);
		assert_int_equal(tree_has(tree, ".input-7"), !taken);
	}
}

/* One process runs programs with a file, whatever it is called; another process
 * is another spec here. */
static void
test_taken(void **state)
{
	static const struct {
		const char *name; /* of the second one */
		bool isolated, refused;
	} rows[] = {
		{ "sub/in", false, true },
		{ "sub/../sub/./in", false, true },
		{ "link/in", false, true },
		{ "sub/in", true, false },
		{ "sub/in2", false, false },
		{ "in", false, false },
		{ "none/in", false, false },
		{ NULL, false, false },
	};
	const struct tree *tree = *state;
	struct input_file_spec spec = { .lock_fd = -1 }, other;
	struct error err = { .code = OK };

	tree_folder(tree, "sub");
	assert_int_equal(symlinkat("sub", tree->fd, "link"), 0);
	spec.name = tree_path(tree, "sub/in");
	assert_int_equal(input_file_take(&spec, &err), OK);
	/* It is ours already. */
	assert_int_equal(input_file_take(&spec, &err), OK);
	for (size_t i = 0; i < ROWS(rows); i++) {
		other = (struct input_file_spec){ .lock_fd = -1,
			.isolated = rows[i].isolated,
			.name = rows[i].name != NULL
				? tree_path(tree, rows[i].name)
				: "" };
		error_clear(&err);
		row_check((input_file_take(&other, &err) == E_BUSY) ==
					rows[i].refused &&
				(err.code == OK) == !rows[i].refused,
			"row %zu: %s", i, err.text);
		row_check(!rows[i].refused ||
				strstr(err.text,
					"in is the file of another cfuzz") !=
					NULL,
			"row %zu: %s", i, err.text);
		input_file_leave(&other);
	}
	input_file_leave(&spec);
	other = (struct input_file_spec){ .lock_fd = -1,
		.name = tree_path(tree, "sub/in") };
	error_clear(&err);
	assert_int_equal(input_file_take(&other, &err), OK);
	input_file_leave(&other);
}

/* A file that is no longer ours may be that of another campaign. */
static void
test_named_is_kept(void **state)
{
	const struct tree *tree = *state;
	const char *path = tree_path(tree, "in");
	char *argv[] = { text("p"), NULL }, *envp[] = { NULL };
	struct input_file_spec spec = { .name = path, .lock_fd = -1 };
	struct input_file file;
	struct error err = { .code = OK };

	for (int ours = 0; ours < 2; ours++) {
		tree_text(tree, "in", "x");
		if (ours)
			assert_int_equal(input_file_take(&spec, &err), OK);
		input_file_init(&file, &spec, argv, envp, 0);
		input_file_clear(&file);
		assert_int_equal(tree_has(tree, "in"), !ours);
		input_file_leave(&spec);
	}
}

/* Of a file that exists nobody knows whose it is; without a word of the user it
 * stays. */
static void
test_kept_if_there(void **state)
{
	static const struct {
		const char *name;
		bool keep, isolated, refused;
	} rows[] = {
		{ "in", true, false, true },
		{ "link", true, false, true },
		{ "none", true, false, false },
		{ "in", false, false, false },
		{ "in", true, true, false },
	};
	const struct tree *tree = *state;
	struct error err;

	tree_text(tree, "in", "x");
	assert_int_equal(symlinkat("nowhere", tree->fd, "link"), 0);
	for (size_t i = 0; i < ROWS(rows); i++) {
		struct input_file_spec spec = { .name = tree_path(tree,
							rows[i].name),
			.keep = rows[i].keep,
			.isolated = rows[i].isolated,
			.lock_fd = -1 };

		error_clear(&err);
		row_check((input_file_take(&spec, &err) == E_EXISTS) ==
				rows[i].refused,
			"row %zu: %s", i, err.text);
		row_check(rows[i].refused || err.code == OK, "row %zu: %s", i,
			err.text);
		/* It is not taken, and another process may take it. */
		row_check(!rows[i].refused || spec.lock_fd == -1, "row %zu", i);
		input_file_leave(&spec);
	}
}

/* The file is replaced and removed: that must not happen to anything else. */
static void
test_check(void **state)
{
	static const struct {
		const char *name, *says; /* NULL: it is not refused */
		bool isolate;
	} rows[] = {
		{ "file", NULL, false },
		{ "none", NULL, false },
		{ "folder", "/folder is a folder, and", false },
		{ "fifo", "/fifo is a FIFO, and", false },
		{ "link", "/link is a symbolic link, and", false },
		{ "dangling", "/dangling is a symbolic link, and", false },
		{ "fifo", NULL, true },
	};
	const struct tree *tree = *state;
	struct settings settings;
	struct error err;

	tree_write(tree, "file", "x", 1);
	tree_folder(tree, "folder");
	assert_int_equal(mkfifoat(tree->fd, "fifo", 0600), 0);
	assert_int_equal(symlinkat("file", tree->fd, "link"), 0);
	assert_int_equal(symlinkat("none", tree->fd, "dangling"), 0);
	for (size_t i = 0; i < ROWS(rows); i++) {
		settings_init(&settings);
		assert_int_equal(settings_set(&settings, "input-file",
					 tree_path(tree, rows[i].name),
					 ORIGIN_FLAG, &err),
			OK);
		settings.isolate = rows[i].isolate;
		error_clear(&err);
		row_check((input_file_check(&settings, NULL, &err) == OK) ==
				(rows[i].says == NULL),
			"%s: %s", rows[i].name, err.text);
		row_check(rows[i].says == NULL ||
				strstr(err.text, rows[i].says) != NULL,
			"%s: %s", rows[i].name, err.text);
		settings_clear(&settings);
	}
}

/* The name is relative to where the target works. */
static void
test_name(void **state)
{
	static const struct {
		const char *name, *folder;
		bool isolate;
		const char *want;
	} rows[] = {
		{ "", "/f", false, "" },
		{ "a/b", NULL, false, "a/b" },
		{ "a/b", "/f", false, "/f/a/b" },
		{ "/a/b", "/f", false, "/a/b" },
		{ "a/b", "/f", true, "a/b" },
	};
	struct settings settings;
	char *name;

	for (size_t i = 0; i < ROWS(rows); i++) {
		settings_init(&settings);
		free(settings.input_file);
		settings.input_file = xstrdup(rows[i].name);
		settings.isolate = rows[i].isolate;
		name = input_file_name(&settings, rows[i].folder);
		row_check(strcmp(name, rows[i].want) == 0, "row %zu: %s", i,
			name);
		free(name);
		settings_clear(&settings);
	}
}

/* Two workers would overwrite each other's input. */
static void
test_one_worker(void **state)
{
	static const struct {
		const char *name, *parallel;
		bool refused;
	} rows[] = {
		{ "", "4", false },
		{ "none", NULL, false },
		{ "none", "1", false },
		{ "none", "2", true },
	};
	struct settings settings;
	struct error err;

	for (size_t i = 0; i < ROWS(rows); i++) {
		settings_init(&settings);
		settings.parallel = 3;
		if (rows[i].name[0] != '\0')
			assert_int_equal(settings_set(&settings, "input-file",
						 rows[i].name, ORIGIN_FLAG,
						 &err),
				OK);
		if (rows[i].parallel != NULL)
			assert_int_equal(settings_set(&settings, "parallel",
						 rows[i].parallel, ORIGIN_FLAG,
						 &err),
				OK);
		error_clear(&err);
		row_check((input_file_check(&settings, NULL, &err) != OK) ==
				rows[i].refused,
			"row %zu: %s", i, err.text);
		row_check(rows[i].refused || rows[i].name[0] == '\0' ||
				settings.parallel == 1,
			"row %zu: %llu workers", i,
			(unsigned long long)settings.parallel);
		settings_clear(&settings);
	}
}

/* An isolated target has a file of its own, which is not ours to remove. */
static void
test_isolated(void **state)
{
	char *argv[] = { text("p"), text("@@"), NULL }, *envp[] = { NULL };
	const struct input_file_spec spec = { .folder = "/out",
		.isolated = true };
	struct input_file file;

	input_file_init(&file, &spec, argv, envp, 3);
	assert_string_equal(file.path, "/dev/shm/input");
	assert_string_equal(file.argv[1], "/dev/shm/input");
	input_file_clear(&file);
}

static void
test_folder(void **state)
{
	const struct tree *tree = *state;
	char *marked[] = { text("-x"), text("@@"), NULL };
	char *plain[] = { text("-x"), NULL };
	struct error err = { .code = OK };
	char folder[128];

	assert_int_equal(setenv("TMPDIR", tree->path, 1), 0);
	assert_int_equal(input_file_make_folder(plain, folder, sizeof(folder),
				 &err),
		OK);
	assert_string_equal(folder, "");
	assert_int_equal(input_file_make_folder(NULL, folder, sizeof(folder),
				 &err),
		OK);
	assert_string_equal(folder, "");
	assert_int_equal(input_file_make_folder(marked, folder, sizeof(folder),
				 &err),
		OK);
	assert_memory_equal(folder, tree->path, strlen(tree->path));
	assert_int_equal(rmdir(folder), 0);
	assert_int_equal(setenv("TMPDIR", "/no such folder", 1), 0);
	assert_int_equal(input_file_make_folder(marked, folder, sizeof(folder),
				 &err),
		E_IO);
	assert_string_equal(folder, "");
	assert_non_null(strstr(err.text, "/no such folder"));
	assert_int_equal(unsetenv("TMPDIR"), 0);
}

/* What a killed engine has left, be it a folder. */
static void
test_remove_old(void **state)
{
	const struct tree *tree = *state;

	tree_text(tree, ".input-0", "x");
	tree_folder(tree, ".input-12");
	tree_text(tree, "input-0", "kept");
	tree_text(tree, ".lock", "kept");
	input_file_remove_old(tree->path);
	assert_false(tree_has(tree, ".input-0"));
	assert_false(tree_has(tree, ".input-12"));
	assert_true(tree_has(tree, "input-0"));
	assert_true(tree_has(tree, ".lock"));
	input_file_remove_old("/no such folder");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mark),
		cmocka_unit_test(test_argv),
		cmocka_unit_test(test_stdin),
		cmocka_unit_test_setup_teardown(test_file, tree_open,
			tree_close),
		cmocka_unit_test_setup_teardown(test_named, tree_open,
			tree_close),
		cmocka_unit_test_setup_teardown(test_left, tree_open,
			tree_close),
		cmocka_unit_test_setup_teardown(test_taken, tree_open,
			tree_close),
		cmocka_unit_test_setup_teardown(test_named_is_kept, tree_open,
			tree_close),
		cmocka_unit_test_setup_teardown(test_kept_if_there, tree_open,
			tree_close),
		cmocka_unit_test_setup_teardown(test_check, tree_open,
			tree_close),
		cmocka_unit_test(test_name),
		cmocka_unit_test(test_one_worker),
		cmocka_unit_test(test_isolated),
		cmocka_unit_test_setup_teardown(test_folder, tree_open,
			tree_close),
		cmocka_unit_test_setup_teardown(test_remove_old, tree_open,
			tree_close),
	};

	return cmocka_run_group_tests_name("input_file", tests, NULL, NULL);
}
