/*
 * cfuzz debug: the command line of gdb. The program plays gdb itself and
 * prints its arguments.
 */
#include "engine/engine.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/own_note.h"
#include "lib/tree.h"

struct debug {
	struct settings settings;
	struct engine_config config;
	char target[PATH_MAX];
};

static void
open_debug(struct debug *d, const struct tree *tree)
{
	*d = (struct debug){ .config = { .control_fd = -1 } };
	settings_init(&d->settings);
	assert_true(readlink("/proc/self/exe", d->target,
			    sizeof(d->target) - 1) > 0);
	d->config.settings = &d->settings;
	d->config.target = d->target;
	assert_int_equal(chdir(tree->path), 0);
}

static void
close_debug(struct debug *d)
{
	settings_clear(&d->settings);
	assert_int_equal(chdir("/"), 0);
}

/* The test's program is the target, which names a function under test. */
int LLVMFuzzerTestOneInput(void);

__attribute__((used)) int
LLVMFuzzerTestOneInput(void)
{
	return 0;
}

/* ---- gdb ----------------------------------------------------------------- */

static int
play_gdb(int argc, char **argv)
{
	const char *leaks = getenv("ASAN_OPTIONS");
	int i;

	for (i = 0; i < argc; i++)
		printf("%s\n", argv[i]);
	printf("leaks: %s\n",
		leaks != NULL && strstr(leaks, "detect_leaks=0") != NULL ? "no"
									 : "?");
	return 0;
}

/* Runs the tool in a child; its output is in the file "said". */
static int
run_debug(const struct debug *d, const struct tree *tree, const char *path)
{
	struct error err = { 0 };
	pid_t child = fork();
	int fd, status;

	if (child == 0) {
		fd = openat(tree->fd, "said", O_WRONLY | O_CREAT | O_TRUNC,
			0600);
		if (fd < 0 || dup2(fd, 1) < 0 || dup2(fd, 2) < 0 ||
			setenv("PATH", tree_path(tree, "bin"), 1) != 0)
			_exit(9);
		status = (int)engine_debug(&d->config, path, &err);
		dprintf(1, "%s\n", err.text);
		_exit(status);
	}
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* clang-format off */
static const struct argument_row {
	const char *name, *path, *args[3];
	const char *where; /* in crash.json; NULL: there is none */
	const char *frame; /* the frame to select */
	const char *runs;  /* the end of the command line */
} ARGUMENTS[] = {
	{ "a file", "in", { NULL }, NULL, "frame", "in" },
	{ "with arguments", "in", { "-x", "a b", NULL }, NULL, "frame",
		"-x\na b\nin" },
	{ "a finding", "crashes/x", { NULL }, "read_tile t.c:118",
		"frame function read_tile", "crashes/x/minimized" },
	{ "its input", "crashes/x/input", { NULL }, "read_tile t.c:118",
		"frame function read_tile", "crashes/x/input" },
	{ "C++", "crashes/x", { NULL }, "ns::Tile::~Tile t.cc:1",
		"frame function ns::Tile::~Tile", "crashes/x/minimized" },
	{ "an offset", "crashes/x", { NULL }, "read+0x12", "frame function read",
		"crashes/x/minimized" },
	{ "no name", "crashes/x", { NULL }, "0x1234", "frame",
		"crashes/x/minimized" },
	{ "no function", "crashes/x", { NULL }, "", "frame",
		"crashes/x/minimized" },
	{ "a command", "crashes/x", { NULL }, "f;shell t.c:1", "frame",
		"crashes/x/minimized" },
	{ "a second line", "crashes/x", { NULL }, "f\\nshell t.c:1", "frame",
		"crashes/x/minimized" },
};
/* clang-format on */

static void
make_files(const struct tree *tree, const char *target)
{
	tree_folder(tree, "bin");
	assert_int_equal(symlinkat(target, tree->fd, "bin/gdb"), 0);
	tree_folder(tree, "crashes");
	tree_folder(tree, "crashes/x");
	tree_text(tree, "in", "i");
	tree_text(tree, "crashes/x/input", "ii");
	tree_text(tree, "crashes/x/minimized", "m");
}

static void
check_row(const struct tree *tree, struct debug *d,
	const struct argument_row *row)
{
	char json[128], want[3 * PATH_MAX], real[PATH_MAX], runs[64];
	const char *file = strrchr(row->runs, '\n');
	char *said;

	file = file != NULL ? file + 1 : row->runs;
	snprintf(runs, sizeof(runs), "%.*s", (int)(file - row->runs),
		row->runs);
	unlinkat(tree->fd, "crashes/x/crash.json", 0);
	snprintf(json, sizeof(json), "{\"where\":\"%s\"}",
		row->where != NULL ? row->where : "");
	if (row->where != NULL)
		tree_text(tree, "crashes/x/crash.json", json);
	d->config.args = (char **)(uintptr_t)row->args;
	row_check(run_debug(d, tree, row->path) == 0, "%s", row->name);
	row_check(realpath(file, real) != NULL, "%s", row->name);
	snprintf(want, sizeof(want),
		"gdb\n-q\n-ex\nset confirm off\n-ex\n"
		"set breakpoint pending on\n-ex\nbreak cfuzz_fail\n-ex\necho\n"
		"-ex\nrun\n"
		"-ex\nframe function LLVMFuzzerTestOneInput\n-ex\n%s\n--args\n"
		"%s\n%s%s\nleaks: no\n",
		row->frame, d->target, runs, real);
	said = tree_read(tree, "said", NULL);
	row_check(strcmp(said, want) == 0, "%s: `%s`, not `%s`", row->name,
		said, want);
	free(said);
}

/* Where gdb stops for a kind of failure, and what is said if it does not. */
static void
test_kinds(void **state)
{
	static const char exits[] = "-ex\nbreak cfuzz_fail\n"
				    "-ex\nbreak exit\n-ex\nbreak _exit\n"
				    "-ex\nbreak quick_exit\n-ex\necho\n";
	static const struct {
		const char *kind, *what, *says, *breaks;
	} rows[] = {
		{ "signal", "SIGSEGV", "gdb\n",
			"break cfuzz_fail\n-ex\necho\n" },
		{ "killed", "SIGALRM", "gdb\n",
			"break cfuzz_fail\n-ex\nhandle SIGALRM stop print\n"
			"-ex\necho\n" },
		{ "killed", "SIG64", "gdb\n",
			"\n-ex\nhandle SIG64 stop print\n" },
		{ "killed", "SIGKILL", "cfuzz: gdb does not stop at SIGKILL",
			"break cfuzz_fail\n-ex\necho\n" },
		{ "killed", "SIGALRM\\nshell", "gdb\n",
			"break cfuzz_fail\n-ex\necho\n" },
		{ "mutator", "SIGPROF", "gdb\n",
			"\n-ex\nhandle SIGPROF stop print\n" },
		{ "exit", "exit 3", "gdb\n", exits },
		{ "hang", "hang",
			"cfuzz: press ^C to see where it hangs\ngdb\n", "" },
		{ "oom", "oom", "cfuzz: press ^C to see where it allocates",
			"" },
		{ "leak", "leak", "cfuzz: gdb does not stop at a leak", "" },
		{ "input-modified", "input-modified",
			"cfuzz: gdb does not stop where the input", "" },
		{ "shell", "shell", "gdb\n", "" },
	};
	const struct tree *tree = *state;
	char json[128], *said;
	struct debug d;
	size_t i;

	open_debug(&d, tree);
	make_files(tree, d.target);
	for (i = 0; i < ROWS(rows); i++) {
		snprintf(json, sizeof(json),
			"{\"kind\":\"%s\",\"what\":\"%s\"}", rows[i].kind,
			rows[i].what);
		unlinkat(tree->fd, "crashes/x/crash.json", 0);
		tree_text(tree, "crashes/x/crash.json", json);
		row_check(run_debug(&d, tree, "crashes/x") == 0, "%s",
			rows[i].what);
		said = tree_read(tree, "said", NULL);
		row_check(strncmp(said, rows[i].says, strlen(rows[i].says)) ==
				0,
			"%s: %s", rows[i].what, said);
		row_check(strstr(said, rows[i].breaks) != NULL, "%s: %s",
			rows[i].what, said);
		row_check(strstr(said, "shell") == NULL, "%s: %s", rows[i].what,
			said);
		free(said);
	}
	close_debug(&d);
}

static void
test_arguments(void **state)
{
	const struct tree *tree = *state;
	struct debug d;
	size_t i;

	open_debug(&d, tree);
	make_files(tree, d.target);
	for (i = 0; i < ROWS(ARGUMENTS); i++)
		check_row(tree, &d, &ARGUMENTS[i]);
	close_debug(&d);
}

/* The arguments of a campaign are those of its findings. */
static void
test_campaign(void **state)
{
	const struct tree *tree = *state;
	struct debug d;
	char *said;

	open_debug(&d, tree);
	make_files(tree, d.target);
	tree_text(tree, "journal.jsonl",
		"{\"event\":\"campaign\",\"target\":\"/t\",\"build_id\":\"\","
		"\"args\":[\"--deep\"]}\n");
	assert_int_equal(run_debug(&d, tree, "crashes/x"), 0);
	said = tree_read(tree, "said", NULL);
	assert_non_null(strstr(said, "\n--deep\n"));
	free(said);
	close_debug(&d);
}

/* ---- errors -------------------------------------------------------------- */

/* clang-format off */
static const struct error_row {
	const char *name, *path, *target; /* NULL: this program */
	const char *gdb;                  /* a file: "bin" or "empty" */
	bool isolate;
	const char *says;
} ERRORS[] = {
	{ "no file", "gone", NULL, "bin", false, "cannot read gone: No such" },
	{ "a folder", ".", NULL, "bin", false,
		". is a folder without an input: name a file, or the folder of " },
	{ "a device", "/dev/null", NULL, "bin", false, "not a regular file" },
	{ "no target", "in", "/dev/null", "bin", false, "/dev/null" },
	{ "isolated", "in", NULL, "bin", true,
		"gdb runs the target without isolation: allow that with " },
	{ "no gdb", "in", NULL, "empty", false,
		"gdb is not installed: install it" },
	{ "no program", "in", NULL, "bad", false, "gdb cannot be started: " },
};
/* clang-format on */

static void
test_errors(void **state)
{
	const struct tree *tree = *state;
	char *path = strdup(getenv("PATH"));
	struct debug d;
	size_t i;

	open_debug(&d, tree);
	make_files(tree, d.target);
	tree_folder(tree, "empty");
	tree_folder(tree, "bad");
	tree_text(tree, "bad/gdb", "no program");
	for (i = 0; i < ROWS(ERRORS); i++) {
		const struct error_row *row = &ERRORS[i];
		struct error err = { 0 };

		d.config.target = row->target != NULL ? row->target : d.target;
		d.settings.isolate = row->isolate;
		setenv("PATH", tree_path(tree, row->gdb), 1);
		row_check(engine_debug(&d.config, row->path, &err) ==
				EXIT_SETUP,
			"%s", row->name);
		row_check(strstr(err.text, row->says) != NULL, "%s: %s",
			row->name, err.text);
	}
	setenv("PATH", path, 1);
	free(path);
	close_debug(&d);
}

/* ---- sequences ----------------------------------------------------------- */

static void
make_sequence(const struct tree *tree)
{
	tree_text(tree, "journal.jsonl", "{\"event\":\"campaign\"}\n");
	tree_folder(tree, "crashes/x/sequence");
	tree_text(tree, "crashes/x/sequence/000001", "A");
	tree_text(tree, "crashes/x/sequence/000002", "B");
}

/* A function gets all inputs in one process; in gdb a program gets one. */
static void
test_sequence(void **state)
{
	static const struct row {
		const char *kind, *path;
		int status;
		const char *says;
	} rows[] = {
		{ "function", "crashes/x", 0, "/crashes/x/sequence\nleaks" },
		{ "function", "crashes/x/sequence/000001", 0,
			"/sequence/000001\nleaks" },
		{ "main()", "crashes/x", EXIT_SETUP,
			"crashes/x/sequence is a sequence of inputs, and in gdb a "
			"program with a main() gets one: leave out --gdb" },
		{ "AFL++", "crashes/x", EXIT_SETUP, "leave out --gdb" },
		{ "main()", "crashes/x/sequence/000001", 0,
			"/sequence/000001\n-ex" },
		{ "main()", "crashes/x/input", 0, "/crashes/x/input\n-ex" },
	};
	const struct tree *tree = *state;
	struct debug d;
	size_t i;

	open_debug(&d, tree);
	make_files(tree, d.target);
	make_sequence(tree);
	for (i = 0; i < ROWS(rows); i++) {
		char json[64], *said;
		int status;

		snprintf(json, sizeof(json), "{\"kind\":\"%s\"}", rows[i].kind);
		tree_text(tree, "stats.json", json);
		status = run_debug(&d, tree, rows[i].path);
		said = tree_read(tree, "said", NULL);
		row_check(status == rows[i].status, "%s %s: %d", rows[i].kind,
			rows[i].path, status);
		row_check(strstr(said, rows[i].says) != NULL, "%s %s: %s",
			rows[i].kind, rows[i].path, said);
		free(said);
	}
	close_debug(&d);
}

/* ---- standard input ------------------------------------------------------ */

/* What stands behind `run` replaces what stands behind --args. */
static void
test_standard_input(void **state)
{
	static const struct row {
		const char *args[4], *says;
	} rows[] = {
		{ { NULL }, "\nrun < " },
		{ { "-x", "a b", NULL }, "\nrun -x 'a b' < " },
		{ { "", "it's", NULL }, "\nrun '' 'it'\\''s' < " },
		{ { "-x", "@@", NULL }, "\nrun\n" },
	};
	const struct tree *tree = *state;
	struct debug d;
	size_t i;

	open_debug(&d, tree);
	make_files(tree, d.target);
	tree_text(tree, "journal.jsonl", "{\"event\":\"campaign\"}\n");
	tree_text(tree, "stats.json", "{\"kind\":\"main()\"}");
	for (i = 0; i < ROWS(rows); i++) {
		char *said;

		d.config.args = (char **)(uintptr_t)rows[i].args;
		row_check(run_debug(&d, tree, "crashes/x") == 0, "%s",
			rows[i].says);
		said = tree_read(tree, "said", NULL);
		row_check(strstr(said, rows[i].says) != NULL, "%s: %s",
			rows[i].says, said);
		free(said);
	}
	close_debug(&d);
}

/* An argument may be longer than a path. */
static void
test_long_argument(void **state)
{
	const struct tree *tree = *state;
	size_t len = 8 * PATH_MAX;
	char *word = malloc(len + 1), *args[] = { word, NULL }, *said;
	struct debug d;

	assert_non_null(word);
	memset(word, 'w', len);
	word[len] = '\0';
	open_debug(&d, tree);
	make_files(tree, d.target);
	tree_text(tree, "journal.jsonl", "{\"event\":\"campaign\"}\n");
	tree_text(tree, "stats.json", "{\"kind\":\"main()\"}");
	d.config.args = args;
	assert_int_equal(run_debug(&d, tree, "crashes/x"), 0);
	said = tree_read(tree, "said", NULL);
	assert_non_null(strstr(said, "\nrun www"));
	assert_int_equal(strspn(strstr(said, "\nrun w") + 5, "w"), len);
	free(said);
	free(word);
	close_debug(&d);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(test_kinds),
		TREE_TEST(test_arguments),
		TREE_TEST(test_campaign),
		TREE_TEST(test_errors),
		TREE_TEST(test_sequence),
		TREE_TEST(test_standard_input),
		TREE_TEST(test_long_argument),
	};

	if (strcmp(argv[0], "gdb") == 0)
		return play_gdb(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
