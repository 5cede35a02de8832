/*
 * test_sources: a question always gets its reply from the loop, a table or an
 * error, whatever the helper does, and no process is left over.
 *
 * The program starts itself again as a helper, a good one or a bad one.
 */
#include "coverage/sources.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "symbols/helper.h"

#define COUNTERS 40000u

/* ---- bad helpers ---- */

static void
say(const void *data, size_t len)
{
	if (send(0, data, len, MSG_NOSIGNAL) < 0)
		_exit(1);
}

/* The path, as "/x-die", selects the misbehaviour. */
static int
bad_helper(void)
{
	static struct source_request request;
	static char zeros[SOURCE_PACKET_MAX + 64];
	const struct source_packet rows = { SOURCE_ROWS, 0 };
	const struct {
		struct source_packet head;
		struct source_end end;
	} end = { .head = { SOURCE_END, 1 } };
	const char *way;

	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (recv(0, &request, sizeof(request), 0) != (ssize_t)sizeof(request))
		return 1;
	way = request.path + 3;
	if (strcmp(way, "hang") == 0)
		for (;;)
			pause();
	if (strcmp(way, "short") == 0)
		say(zeros, 3);
	else if (strcmp(way, "long") == 0)
		say(zeros, sizeof(zeros));
	else if (strcmp(way, "half") == 0)
		say(&rows, sizeof(rows));
	else if (strcmp(way, "end") == 0)
		say(&end, sizeof(end));
	return 0;
}

/* ---- fixture ---- */

struct stage {
	struct event_base *base;
	struct sources *sources;
	uint64_t pcs[COUNTERS];
	unsigned answers;
	bool found;
	struct source_table table;
	char why[128];
};

static void
on_done(void *arg, struct source_table *take_table, const char *why)
{
	struct stage *s = arg;

	s->answers++;
	s->found = take_table != NULL;
	snprintf(s->why, sizeof(s->why), "%s", why != NULL ? why : "");
	source_table_clear(&s->table);
	if (take_table != NULL) {
		s->table = *take_table;
		memset(take_table, 0, sizeof(*take_table));
	}
	event_base_loopbreak(s->base);
}

static void
open_sources(struct stage *s, const char *program, char **argv,
	uint64_t silence_ms)
{
	const struct sources_config config = { .base = s->base,
		.program = program,
		.argv = argv,
		.silence_ms = silence_ms,
		.done = on_done,
		.arg = s };

	s->sources = sources_create(&config);
}

static int
open_stage(void **state)
{
	struct stage *s = calloc(1, sizeof(*s));

	assert_non_null(s);
	s->base = event_base_new();
	for (uint32_t i = 0; i < COUNTERS; i++)
		s->pcs[i] = (0x1000 + i) | (i % 10 == 0 ? SOURCE_ENTRY : 0);
	*state = s;
	return 0;
}

static int
close_stage(void **state)
{
	struct stage *s = *state;

	sources_destroy(s->sources);
	source_table_clear(&s->table);
	event_base_free(s->base);
	free(s);
	/* No child process is left, not even a zombie. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	return 0;
}

static void
ask(struct stage *s, const char *path, uint32_t n)
{
	const struct sources_question question = { path, "", s->pcs, n };
	unsigned before = s->answers;

	assert_true(sources_ask(s->sources, &question));
	assert_false(sources_ask(s->sources, &question));
	assert_int_equal(s->answers, before);
	while (s->answers == before)
		event_base_loop(s->base, EVLOOP_ONCE);
	assert_int_equal(s->answers, before + 1);
}

/* ---- tests ---- */

/* This program as a bad helper. */
static char name[] = "test", bad[] = "bad";
static char *bad_argv[] = { name, bad, NULL };

static void
test_bad_helpers(void **state)
{
	static const struct {
		const char *path, *why;
	} rows[] = {
		{ "/x-die", "died" },
		{ "/x-short", "sent an invalid reply" },
		{ "/x-long", "sent an invalid reply" },
		{ "/x-half", "died" },
		{ "/x-end", "sent an invalid reply" },
	};
	struct stage *s = *state;

	open_sources(s, NULL, bad_argv, 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ask(s, rows[i].path, 5);
		assert_false(s->found);
		if (strstr(s->why, rows[i].why) == NULL)
			fail_msg("%s: %s", rows[i].path, s->why);
	}
	/* Without counters, a table is just its end. */
	ask(s, "/x-end", 0);
	assert_true(s->found);
}

static void
test_silent_helper(void **state)
{
	struct stage *s = *state;

	open_sources(s, NULL, bad_argv, 200);
	ask(s, "/x-hang", 5);
	assert_false(s->found);
	assert_non_null(strstr(s->why, "took too long"));
}

static void
test_no_helper(void **state)
{
	struct stage *s = *state;

	open_sources(s, "/nowhere/helper", NULL, 0);
	ask(s, "/x", 1);
	assert_false(s->found);
	assert_non_null(strstr(s->why, "cannot be started"));
}

/* Many packets, more than the socket takes at once. */
static void
test_true_helper(void **state)
{
	struct stage *s = *state;

	open_sources(s, NULL, NULL, 0);
	ask(s, "/nowhere", COUNTERS);
	assert_true(s->found);
	assert_int_equal(s->table.locations_n, COUNTERS);
	assert_int_equal(s->table.functions_n, COUNTERS / 10);
	assert_int_equal(s->table.locations[COUNTERS - 1].function,
		COUNTERS / 10 - 1);
	ask(s, "/nowhere", 1);
	assert_int_equal(s->table.functions_n, 1);
}

static void
test_too_much(void **state)
{
	struct stage *s = *state;
	struct sources_question question = { "/x", "", s->pcs,
		SOURCE_COUNTERS_MAX + 1 };
	static char path[PATH_MAX + 1];

	open_sources(s, NULL, NULL, 0);
	assert_false(sources_ask(s->sources, &question));
	memset(path, '/', PATH_MAX);
	question = (struct sources_question){ path, "", s->pcs, 1 };
	assert_false(sources_ask(s->sources, &question));
	/* One request is still running at the end. */
	question.path = "/nowhere";
	assert_true(sources_ask(s->sources, &question));
	event_base_loop(s->base, EVLOOP_NONBLOCK);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, open_stage, close_stage)

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TEST(test_bad_helpers),
		TEST(test_silent_helper),
		TEST(test_no_helper),
		TEST(test_true_helper),
		TEST(test_too_much),
	};
	int status;

	if (argc == 2 && strcmp(argv[1], "bad") == 0)
		return bad_helper();
	if (symbols_helper_main(argc, argv, &status))
		return status;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
