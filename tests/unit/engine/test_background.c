/*
 * test_background: an engine in a process of its own: what its console and the
 * note say about an engine that cannot start, and the starter that waits until
 * the campaign fuzzes.
 * FLAGS: -Wl,--wrap=syslog -Wl,--wrap=__syslog_chk
 */
#include "engine/engine.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jansson.h>

#include "base/fd.h"
#include "control/endpoint.h"
#include "lib/fake_worker.h"
#include "lib/output.h"
#include "lib/own_note.h"
#include "lib/tree.h"

/* What the system's log got, line by line. */
static char logged[4096];
void __wrap_syslog(int priority, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void __wrap___syslog_chk(int priority, int flag, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

__attribute__((format(printf, 1, 0))) static void
log_line(const char *fmt, va_list ap)
{
	size_t n = strlen(logged);

	vsnprintf(logged + n, sizeof(logged) - n, fmt, ap);
	n = strlen(logged);
	snprintf(logged + n, sizeof(logged) - n, "\n");
}

void
__wrap_syslog(int priority, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	log_line(fmt, ap);
	va_end(ap);
}

void
__wrap___syslog_chk(int priority, int flag, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	log_line(fmt, ap);
	va_end(ap);
}

struct campaign {
	struct settings settings;
	struct engine_config config;
	char target[PATH_MAX];
	char *args[2];
};

/* mode: what the worker does; target: NULL: this program. */
static void
campaign_open(struct campaign *c, const struct tree *tree, const char *mode,
	const char *target)
{
	memset(c, 0, sizeof(*c));
	settings_init(&c->settings);
	assert_int_equal(settings_set(&c->settings, "output",
				 tree_path(tree, "out"), ORIGIN_FLAG, NULL),
		OK);
	assert_int_equal(settings_set(&c->settings, "parallel", "1",
				 ORIGIN_FLAG, NULL),
		OK);
	assert_true(readlink("/proc/self/exe", c->target,
			    sizeof(c->target) - 1) > 0);
	if (target != NULL)
		snprintf(c->target, sizeof(c->target), "%s", target);
	c->args[0] = (char *)(uintptr_t)mode;
	c->config = (struct engine_config){
		.settings = &c->settings,
		.target = c->target,
		.args = c->args,
		.control_fd = -1,
	};
}

/* ---- the engine's process --------------------------------------------------
 */

/* All that was sent until the other end closed; good until the next call. */
static const char *
read_all(int fd)
{
	static char text[65536];
	size_t len = 0;
	ssize_t n;

	while (len < sizeof(text) - 1 &&
		(n = read(fd, text + len, sizeof(text) - 1 - len)) > 0)
		len += (size_t)n;
	text[len] = '\0';
	return text;
}

/* clang-format off */
static const struct failure_row {
	const char *name, *target;
	const char *says; /* to the console and in the note */
} FAILURES[] = {
	{ "no such target", "/nowhere/target", "/nowhere/target" },
	{ "a name that no terminal should get", "/nowhere/\033[2J", "/nowhere/" },
	{ "a name that is no UTF-8", "/nowhere/\xff\xfe", "/nowhere/" },
	{ "no target", "/etc/passwd", "/etc/passwd is not executable" },
};
/* clang-format on */

/* An engine that never was says goodbye as one that ran. */
static void
test_no_engine(void **state)
{
	const struct failure_row *row;
	struct campaign c;

	for (row = FAILURES; row < FAILURES + ROWS(FAILURES); row++) {
		int control[2], note[2], status;
		json_t *all;
		const json_t *bye;
		const char *text;

		campaign_open(&c, *state, "good", row->target);
		assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, control),
			0);
		assert_int_equal(pipe(note), 0);
		status = engine_serve(&c.config, control[1], note[1]);
		row_check(status == EXIT_SETUP, "%s: %d", row->name, status);
		fd_close(&control[1]);
		fd_close(&note[1]);
		text = read_all(control[0]);
		all = json_loads(text, 0, NULL);
		row_check(all != NULL, "%s: %s", row->name, text);
		bye = json_object_get(all, "bye");
		assert_int_equal(json_integer_value(
					 json_object_get(bye, "exit")),
			EXIT_SETUP);
		text = json_string_value(json_object_get(bye, "text"));
		row_check(strstr(text, row->says) != NULL &&
				strchr(text, '\033') == NULL,
			"%s: %s", row->name, text);
		text = read_all(note[0]);
		row_check(strstr(text, row->says) != NULL, "%s: %s", row->name,
			text);
		row_check(logged[0] == '\0', "%s: logged", row->name);
		json_decref(all);
		fd_close(&control[0]);
		fd_close(&note[0]);
		settings_clear(&c.settings);
	}
}

/* Whom nobody hears, because both ends are closed, ends as well. The last words of
 * a campaign in the background are in the system's log. */
static void
test_nobody_hears(void **state)
{
	struct campaign c;
	int control[2], note[2];

	campaign_open(&c, *state, "good", "/nowhere/\033target");
	logged[0] = '\0';
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, control), 0);
	assert_int_equal(pipe(note), 0);
	fd_close(&control[0]);
	fd_close(&note[0]);
	assert_int_equal(engine_serve(&c.config, control[1], note[1]),
		EXIT_SETUP);
	fd_close(&control[1]);
	fd_close(&note[1]);
	settings_clear(&c.settings);
	if (strstr(logged, "/nowhere/\\x1btarget: ") != logged)
		fail_msg("logged: %s", logged);
	assert_ptr_equal(strchr(logged, '\n'), strrchr(logged, '\n'));
	assert_non_null(strstr(logged, "does not exist"));
	logged[0] = '\0';
}

/* ---- the starter -----------------------------------------------------------
 */

/* Attaches to the campaign and stops it. */
static void
stop_campaign(const struct tree *tree)
{
	static const char words[] =
		"{\"hello\": {\"version\": 1}}\n"
		"{\"command\": {\"id\": 1, \"line\": \"stop\"}}\n";
	struct error err = { 0 };
	int fd = -1, status = -1;

	if (endpoint_connect(tree_path(tree, "out"), &fd, &err) != OK)
		fail_msg("%s", err.text);
	assert_int_equal(fd_write_all(fd, words, sizeof(words) - 1, NULL), OK);
	while (read_all(fd)[0] != '\0')
		; /* until the engine has gone */
	fd_close(&fd);
	assert_true(wait(&status) > 0); /* the process that was left */
	assert_int_equal(status, 0);
}

/* Scripts read it next; that of an earlier run says that the campaign is over. */
static void
check_stats(json_t *take_stats, unsigned run)
{
	json_t *stats = take_stats;
	const char *state = json_string_value(json_object_get(stats, "state"));

	row_check(json_integer_value(json_object_get(stats, "runs")) == run,
		"run %u: another stats.json, or none", run);
	row_check(state != NULL && strcmp(state, "ended") != 0, "run %u: %s",
		run, state);
	json_decref(stats);
}

/* The starter leaves when the campaign fuzzes, and says how to come back. */
static void
check_detached(const struct tree *tree, unsigned run)
{
	struct campaign c;
	struct output output;
	json_t *stats;
	int status;

	campaign_open(&c, tree, "good", NULL);
	output_begin(&output);
	status = engine_start_detached(&c.config);
	fflush(stdout);
	output_end(&output);
	assert_int_equal(status, 0);
	stats = json_load_file(tree_path(tree, "out/stats.json"), 0, NULL);
	stop_campaign(tree);
	check_stats(stats, run);
	if (strstr(output.out, "the campaign goes on: cfuzz attach") == NULL)
		fail_msg("%s%s", output.out, output.err);
	assert_false(tree_has(tree, "out/control.sock"));
	settings_clear(&c.settings);
}

static void
test_detached(void **state)
{
	check_detached(*state, 1);
	check_detached(*state, 2);
}

/* clang-format off */
static const struct start_row {
	const char *name, *mode, *target; /* target: NULL: this program */
	int status;
	const char *says;
} STARTS[] = {
	{ "no such target", "good", "/nowhere/target", EXIT_SETUP, "cfuzz: " },
	{ "no worker starts", "old-version", NULL, EXIT_SETUP, "cfuzz: " },
};
/* clang-format on */

/* A campaign that ends before it fuzzes: its status, and the reason. */
static void
test_not_detached(void **state)
{
	const struct start_row *row;
	void *tree;

	for (row = STARTS; row < STARTS + ROWS(STARTS); row++) {
		struct campaign c;
		struct output output;
		int status;

		assert_int_equal(tree_open(&tree), 0);
		campaign_open(&c, tree, row->mode, row->target);
		output_begin(&output);
		status = engine_start_detached(&c.config);
		fflush(stdout);
		output_end(&output);
		row_check(status == row->status, "%s: %d: %s", row->name,
			status, output.err);
		row_check(strstr(output.err, row->says) != NULL, "%s: %s",
			row->name, output.err);
		settings_clear(&c.settings);
		tree_close(&tree);
	}
}

int
main(int argc, char **argv)
{
#define ROW(fn) cmocka_unit_test_setup_teardown(fn, tree_open, tree_close)
	const struct CMUnitTest tests[] = {
		ROW(test_no_engine),
		ROW(test_nobody_hears),
		ROW(test_detached),
		cmocka_unit_test(test_not_detached),
	};

	fake_worker_main(argv);
	return cmocka_run_group_tests_name("background", tests, NULL, NULL);
}
