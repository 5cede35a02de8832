/*
 * --on-finding and --on-end: what their commands are told, one at a time, and
 * what is said of those that fail, hang or are missing.
 *
 * The clock of the hooks is the test's: it stands until the test moves it.
 *
 * FLAGS: -Wl,--wrap=clock_now_ns
 */
#include "engine/notify/hooks.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jansson.h>

#include "base/clock.h"
#include "lib/fake_worker.h"
#include "lib/own_note.h"
#include "lib/whole_engine.h"

static const char *const plain[] = { "parallel", "1", NULL };

/* ---- the clock ------------------------------------------------------------ */

static uint64_t stands_at; /* 0: it goes */

uint64_t __real_clock_now_ns(void);
uint64_t __wrap_clock_now_ns(void);

uint64_t
__wrap_clock_now_ns(void)
{
	return stands_at > 0 ? stands_at : __real_clock_now_ns();
}

static void
clock_move(uint64_t ms)
{
	stands_at += ms * CLOCK_NS_PER_MS;
}

/* ---- a campaign ----------------------------------------------------------- */

struct run {
	const struct tree *tree;
	struct engine *engine;
	struct hooks *hooks;
	char lines[8192];
	char script[128]; /* "sh FOLDER/script" */
};

static void
on_report(void *arg, const struct report *report)
{
	struct run *run = arg;
	size_t len = strlen(run->lines);

	if (report->kind == REPORT_LINE)
		snprintf(run->lines + len, sizeof(run->lines) - len, "%s\n",
			report->text);
}

static void
set(struct run *run, const char *name, const char *value)
{
	struct error err = { 0 };

	assert_int_equal(settings_set(engine_change_settings(run->engine), name,
				 value, ORIGIN_FLAG, &err),
		OK);
}

static void
run_open(struct run *run, const struct tree *tree)
{
	*run = (struct run){ .tree = tree };
	stands_at = 0;
	run->engine =
		whole_engine_open(tree, "good", plain, -1, on_report, run);
	snprintf(run->script, sizeof(run->script), "sh %s",
		tree_path(tree, "script"));
}

static void
run_close(struct run *run)
{
	hooks_destroy(run->hooks);
	stands_at = 0;
	engine_destroy(run->engine);
}

/* Both options run this shell script, in the test's folder; the clock stands. */
static void
start(struct run *run, const char *script)
{
	char text[1024];
	struct error err = { 0 };

	snprintf(text, sizeof(text), "cd '%s' || exit 99\n%s\n",
		run->tree->path, script);
	tree_text(run->tree, "script", text);
	set(run, "on-finding", run->script);
	set(run, "on-end", run->script);
	set(run, "hook-time", "3600000");
	assert_int_equal(hooks_create(&run->hooks, run->engine, &err), OK);
	stands_at = __real_clock_now_ns();
}

static void
find(struct run *run, const char *id)
{
	struct snapshot_finding f = { .len = 7 };

	snprintf(f.id, sizeof(f.id), "%s", id);
	snprintf(f.folder, sizeof(f.folder), "crashes/%s", id);
	strcpy(f.kind, "crash");
	strcpy(f.what, "SIGSEGV");
	strcpy(f.where, "parse t.c:3");
	strcpy(f.text, "$(touch evil) \033[31m");
	hooks_on_finding(run->hooks, &f);
}

static void
finish(struct run *run)
{
	const struct snapshot s = {
		.exit_status = 1,
		.execs = 1234,
		.elapsed_s = 2.5,
		.corpus = 8,
		.progress_inputs = 3,
	};

	sigset_t none;

	sigemptyset(&none);
	hooks_end(run->hooks, &s, false);
	hooks_finish(run->hooks, &none);
}

static size_t
times_said(const struct run *run, const char *text)
{
	const char *at = run->lines;
	size_t n = 0;

	for (; (at = strstr(at, text)) != NULL; at += strlen(text))
		n++;
	return n;
}

/* ---- children ------------------------------------------------------------- */

/* Waits until the command has ended, and leaves its end to the hooks. */
static void
await_end(void)
{
	siginfo_t info;

	assert_int_equal(waitid(P_ALL, 0, &info, WEXITED | WNOWAIT), 0);
}

/* A FIFO of this name in the test's folder, open for both sides. */
static int
make_fifo(const struct tree *tree, const char *name)
{
	int fd;

	assert_int_equal(mkfifo(tree_path(tree, name), 0600), 0);
	fd = open(tree_path(tree, name), O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	return fd;
}

/* Reads a line that a command writes: how many it is. */
static long
read_number(int fifo)
{
	char text[32] = "";
	size_t n = 0;

	while (n + 1 < sizeof(text) && read(fifo, text + n, 1) == 1 &&
		text[n] != '\n')
		n++;
	return strtol(text, NULL, 10);
}

/* A process whose parent has ended is ours. It must be killed. */
static void
check_killed(pid_t pid)
{
	int status = 0;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/* ---- facts ---------------------------------------------------------------- */

/* clang-format off */
static const struct facts_row {
	const char *event;
	const char *json; /* ' for ", %s for the folder, sorted */
	const char *variables;
} FACTS[] = {
	{ "finding",
		"{'event':'finding','finding':'f1','kind':'crash','len':7,'output':'%s/out','path':'%s/out/crashes/f1',"
		"'target':'test_hooks','text':'$(touch evil) \\\\x1b[31m','what':'SIGSEGV','where':'parse t.c:3'}",
		"CFUZZ_EVENT=finding\nCFUZZ_FINDING=f1\nCFUZZ_KIND=crash\nCFUZZ_LEN=7\nCFUZZ_OUTPUT=%s/out\n"
		"CFUZZ_PATH=%s/out/crashes/f1\nCFUZZ_TARGET=test_hooks\nCFUZZ_TEXT=$(touch evil) \\x1b[31m\n"
		"CFUZZ_WHAT=SIGSEGV\nCFUZZ_WHERE=parse t.c:3\n" },
	{ "end",
		"{'corpus':5,'elapsed_s':2.5,'event':'end','execs':1234,'exit':1,'findings':0,'output':'%s/out','target':'test_hooks'}",
		"CFUZZ_CORPUS=5\nCFUZZ_ELAPSED_S=2.5\nCFUZZ_EVENT=end\nCFUZZ_EXECS=1234\nCFUZZ_EXIT=1\nCFUZZ_FINDINGS=0\n"
		"CFUZZ_OUTPUT=%s/out\nCFUZZ_TARGET=test_hooks\n" },
};
/* clang-format on */

/* The text with the folder for each %s, and " for '. */
static void
fill_in(char *to, const char *text, const char *folder)
{
	for (; *text != '\0'; text++)
		if (strncmp(text, "%s", 2) == 0) {
			to = stpcpy(to, folder);
			text++;
		} else {
			*to++ = *text;
		}
	*to = '\0';
}

static void
check_facts(const struct run *run, const struct facts_row *row)
{
	char want[1024], name[32], *got;
	json_t *facts;

	snprintf(name, sizeof(name), "%s.json", row->event);
	got = tree_read(run->tree, name, NULL);
	row_check(got != NULL, "%s", name);
	facts = json_loads(got, 0, NULL);
	row_check(facts != NULL && strchr(got, '\n')[1] == '\0', "%s", got);
	free(got);
	got = json_dumps(facts, JSON_SORT_KEYS | JSON_COMPACT);
	fill_in(want, row->json, run->tree->path);
	for (char *c = want; (c = strchr(c, '\'')) != NULL;)
		*c = '"';
	row_check(strcmp(got, want) == 0, "%s", got);
	free(got);
	json_decref(facts);
	snprintf(name, sizeof(name), "%s.env", row->event);
	got = tree_read(run->tree, name, NULL);
	fill_in(want, row->variables, run->tree->path);
	row_check(got != NULL && strcmp(got, want) == 0, "%s", got);
	free(got);
}

/* What they are told; a variable of ours does not reach them. */
static void
test_facts(void **state)
{
	struct run run;

	setenv("CFUZZ_HTTP_TOKEN", "secret", 1);
	run_open(&run, *state);
	start(&run,
		"cat >$CFUZZ_EVENT.json\n"
		"env | grep ^CFUZZ_ | LC_ALL=C sort >$CFUZZ_EVENT.env");
	find(&run, "f1");
	finish(&run);
	for (size_t i = 0; i < ROWS(FACTS); i++)
		check_facts(&run, &FACTS[i]);
	assert_false(tree_has(run.tree, "evil"));
	assert_int_equal(times_said(&run, "--on-"), 0);
	run_close(&run);
	unsetenv("CFUZZ_HTTP_TOKEN");
}

/* ---- failures ------------------------------------------------------------- */

/* clang-format off */
static const struct failure_row {
	const char *script, *why;
} FAILURES[] = {
	{ "exit 3", "ended with status 3" },
	{ "kill -SEGV $$", "ended by signal 11 (Segmentation fault)" },
	{ "exit 0", NULL },
};
/* clang-format on */

/* Said once for each option, while the campaign runs and at its end. */
static void
test_failures(void **state)
{
	char text[256];
	struct run run;

	run_open(&run, *state);
	for (size_t i = 0; i < ROWS(FAILURES); i++) {
		const struct failure_row *row = &FAILURES[i];

		run.lines[0] = '\0';
		start(&run, row->script);
		for (unsigned k = 0; k < 3; k++) {
			find(&run, "f1");
			await_end();
			clock_move(1001);
			hooks_on_second(run.hooks);
		}
		snprintf(text, sizeof(text), "--on-finding: sh %s\n", row->why);
		row_check(times_said(&run, text) == (row->why != NULL),
			"%s: %s", row->script, run.lines);
		finish(&run);
		finish(&run);
		row_check(times_said(&run, text) == (row->why != NULL),
			"%s: %s", row->script, run.lines);
		snprintf(text, sizeof(text), "--on-end: sh %s\n", row->why);
		row_check(times_said(&run, text) == (row->why != NULL),
			"%s: %s", row->script, run.lines);
		hooks_destroy(run.hooks);
		run.hooks = NULL;
	}
	run_close(&run);
}

/* One that hangs is killed when its time is up, with what it has started. */
static void
test_hang(void **state)
{
	pid_t leader, child;
	struct run run;
	int fifo;

	run_open(&run, *state);
	fifo = make_fifo(run.tree, "fifo");
	start(&run, "echo $$ >fifo; sleep 100000 & echo $! >fifo; wait");
	set(&run, "hook-time", "1000");
	find(&run, "f1");
	leader = (pid_t)read_number(fifo);
	child = (pid_t)read_number(fifo);
	clock_move(999);
	hooks_on_second(run.hooks);
	assert_int_equal(kill(child, 0), 0);
	assert_int_equal(times_said(&run, "--on-finding: "), 0);
	clock_move(1);
	hooks_on_second(run.hooks);
	assert_int_equal(waitid(P_PID, (id_t)leader, &(siginfo_t){ 0 },
				 WEXITED | WNOWAIT),
		0);
	hooks_on_second(run.hooks);
	check_killed(child);
	assert_int_equal(times_said(&run,
				 "--on-finding: sh was killed when its time "
				 "was up\n"),
		1);
	close(fifo);
	run_close(&run);
}

/* A process that a command has left behind ends with it. */
static void
test_left_behind(void **state)
{
	struct run run;
	pid_t pid;
	int fifo;

	run_open(&run, *state);
	fifo = make_fifo(run.tree, "fifo");
	start(&run, "sleep 100000 & echo $! >fifo");
	find(&run, "f1");
	pid = (pid_t)read_number(fifo);
	await_end();
	hooks_on_second(run.hooks);
	check_killed(pid);
	assert_int_equal(times_said(&run, "--on-"), 0);
	/* Nor does one outlive the engine. */
	clock_move(1001);
	find(&run, "f2");
	pid = (pid_t)read_number(fifo);
	hooks_destroy(run.hooks);
	run.hooks = NULL;
	check_killed(pid);
	close(fifo);
	run_close(&run);
}

/* A program that has gone since the start. */
static void
test_gone(void **state)
{
	struct run run;
	struct error err = { 0 };
	char text[256];

	run_open(&run, *state);
	tree_text(run.tree, "gone", "#!/bin/sh\n");
	assert_int_equal(chmod(tree_path(run.tree, "gone"), 0700), 0);
	set(&run, "on-finding", tree_path(run.tree, "gone"));
	assert_int_equal(hooks_create(&run.hooks, run.engine, &err), OK);
	assert_int_equal(unlink(tree_path(run.tree, "gone")), 0);
	stands_at = __real_clock_now_ns();
	for (unsigned i = 0; i < 2; i++) {
		find(&run, "f1");
		clock_move(1001);
	}
	finish(&run);
	snprintf(text, sizeof(text),
		"--on-finding: %s cannot be started: No such file or "
		"directory\n",
		tree_path(run.tree, "gone"));
	assert_int_equal(times_said(&run, text), 1);
	run_close(&run);
}

/* clang-format off */
static const struct refused_row {
	const char *command, *why; /* %s: the test's folder */
} REFUSED[] = {
	{ "%s/nothing", "%s/nothing is not a program that can be started" },
	{ "no-such-program -x", "no-such-program is not a program that can be started" },
	{ "%s/text", "%s/text is not a program that can be started" },
	{ "%s", "%s is not a program that can be started" },
	{ "'a\033[31mb'", "a\\x1b[31mb is not a program that can be started" },
	{ "sh 'x", "a quote is not closed" },
	{ "  ", "the command is empty" },
};
/* clang-format on */

static void
test_refused(void **state)
{
	static const char *const options[] = { "on-finding", "on-end" };
	char text[256], why[300];
	struct run run;

	run_open(&run, *state);
	tree_text(run.tree, "text", "text");
	for (size_t i = 0; i < ROWS(REFUSED) * ROWS(options); i++) {
		const struct refused_row *row = &REFUSED[i / ROWS(options)];
		const char *option = options[i % ROWS(options)];
		struct error err = { 0 };

		fill_in(text, row->command, run.tree->path);
		set(&run, option, text);
		row_check(hooks_create(&run.hooks, run.engine, &err) ==
					E_USAGE &&
				run.hooks == NULL,
			"%s", row->command);
		snprintf(why, sizeof(why), "--%s: ", option);
		fill_in(why + strlen(why), row->why, run.tree->path);
		row_check(strcmp(err.text, why) == 0, "%s: %s", row->command,
			err.text);
		set(&run, option, "");
	}
	run_close(&run);
}

/* Without commands there are no hooks, and nothing happens. */
static void
test_none(void **state)
{
	struct error err = { 0 };
	struct run run;

	run_open(&run, *state);
	assert_int_equal(hooks_create(&run.hooks, run.engine, &err), OK);
	assert_null(run.hooks);
	find(&run, "f1");
	hooks_on_second(run.hooks);
	finish(&run);
	set(&run, "on-end", "sh -c 'exit 3'");
	assert_int_equal(hooks_create(&run.hooks, run.engine, &err), OK);
	find(&run, "f1");
	finish(&run);
	assert_int_equal(times_said(&run, "--on-end: sh ended with"), 1);
	run_close(&run);
}

/* ---- the rate ------------------------------------------------------------- */

/* How many commands have begun. */
static unsigned
begun(const struct run *run)
{
	size_t len = 0;
	char *text = tree_read(run->tree, "begun", &len);

	free(text);
	return (unsigned)len;
}

/* One command at a time, and one start per second. */
static void
test_rate(void **state)
{
	struct run run;
	int said, go;

	run_open(&run, *state);
	said = make_fifo(run.tree, "said");
	go = make_fifo(run.tree, "go");
	start(&run, "printf x >>begun; echo 1 >said; read -r line <go");
	for (unsigned i = 0; i < 3; i++)
		find(&run, "f1");
	assert_int_equal(read_number(said), 1);
	clock_move(5000);
	hooks_on_second(run.hooks); /* the first still runs */
	assert_int_equal(write(go, "\n", 1), 1);
	await_end();
	assert_int_equal(begun(&run), 1);
	hooks_on_second(run.hooks); /* the second starts */
	assert_int_equal(read_number(said), 1);
	assert_int_equal(write(go, "\n", 1), 1);
	await_end();
	clock_move(999);
	hooks_on_second(run.hooks); /* it is too early for the third */
	assert_int_equal(waitid(P_ALL, 0, &(siginfo_t){ 0 },
				 WEXITED | WNOHANG | WNOWAIT),
		-1);
	assert_int_equal(begun(&run), 2);
	clock_move(1);
	hooks_on_second(run.hooks);
	assert_int_equal(read_number(said), 1);
	assert_int_equal(begun(&run), 3);
	assert_int_equal(write(go, "\n", 1), 1);
	await_end();
	close(said);
	close(go);
	run_close(&run);
}

/* What comes too fast is left out, which is said once. */
static void
test_queue(void **state)
{
	struct run run;
	int said, go;

	run_open(&run, *state);
	said = make_fifo(run.tree, "said");
	go = make_fifo(run.tree, "go");
	start(&run,
		"[ $CFUZZ_EVENT = finding ] || exit 0; printf x >>begun\n"
		"[ $CFUZZ_FINDING = f0 ] || exit 0; echo 1 >said; "
		"read -r line <go");
	find(&run, "f0");
	assert_int_equal(read_number(said), 1);
	for (unsigned i = 0; i < HOOKS_WAITING; i++)
		find(&run, "f1");
	assert_int_equal(times_said(&run, "some are left out\n"), 0);
	for (unsigned i = 0; i < 3; i++)
		find(&run, "f2");
	assert_int_equal(times_said(&run,
				 "--on-finding: findings come faster than the "
				 "command takes them; some are left out\n"),
		1);
	assert_int_equal(write(go, "\n", 1), 1);
	finish(&run);
	assert_int_equal(begun(&run), 1 + HOOKS_WAITING);
	close(said);
	close(go);
	run_close(&run);
}

/* The number of findings that are said to be left out; 0: none. */
static unsigned
left_out(const struct run *run)
{
	static const char before[] =
		"warning: --on-finding: the campaign ends before the command "
		"has taken all findings; ";
	const char *at = strstr(run->lines, before);
	char text[256];
	unsigned n;

	if (at == NULL)
		return 0;
	n = (unsigned)strtoul(at + strlen(before), NULL, 10);
	snprintf(text, sizeof(text), "%s%u %s left out\n", before, n,
		n == 1 ? "is" : "are");
	assert_int_equal(times_said(run, text), 1);
	return n;
}

/* The end waits for commands no longer than their time; that is said. A slow
 * shell is killed before its command has begun. */
static void
test_late_end(void **state)
{
	struct run run;
	unsigned n;

	run_open(&run, *state);
	start(&run,
		"[ $CFUZZ_EVENT = end ] && exec touch ended\n"
		"printf x >>begun; exec sleep 100000");
	set(&run, "hook-time", "100");
	for (unsigned i = 0; i < 3; i++)
		find(&run, "f1");
	stands_at = 0;
	finish(&run);
	n = left_out(&run);
	assert_in_range(n, 1, 2);
	assert_true(begun(&run) + n <= 3);
	assert_true(tree_has(run.tree, "ended") ||
		times_said(&run, "--on-end: sh was killed") == 1);
	run_close(&run);
}

int
main(int argc, char **argv)
{
#define ROW(fn) cmocka_unit_test_setup_teardown(fn, tree_open, tree_close)
	const struct CMUnitTest tests[] = {
		ROW(test_facts),
		ROW(test_failures),
		ROW(test_hang),
		ROW(test_left_behind),
		ROW(test_gone),
		ROW(test_refused),
		ROW(test_none),
		ROW(test_rate),
		ROW(test_queue),
		ROW(test_late_end),
	};

	fake_worker_main(argv);
	return cmocka_run_group_tests_name("hooks", tests, NULL, NULL);
}
