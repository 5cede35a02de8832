/*
 * test_ask: commands that ask a question first, and the commands that the
 * answers send.
 */
#include "ui/console/ask.h"

#include "lib/check.h"

struct asked {
	struct model *model;
	struct ask ask;
	struct snapshot *s;
	struct snapshot_worker workers[9];
};

static void
asked_open(struct asked *a, size_t workers_n)
{
	memset(a, 0, sizeof(*a));
	a->model = malloc(sizeof(*a->model));
	model_init(a->model);
	a->s = (struct snapshot *)a->model->snapshot;
	a->s->state = RUN_FUZZING;
	a->s->workers = a->workers;
	a->s->workers_n = workers_n;
	for (uint32_t i = 0; i < 9; i++)
		a->workers[i].id = i;
	a->ask.processors = 2;
}

static bool
asked_about(struct asked *a, const char *line)
{
	struct command command;

	return command_parse(line, &command, NULL) == OK &&
		ask_about(&a->ask, a->model, &command, line);
}

static void
asked_close(struct asked *a)
{
	a->s->workers = NULL;
	a->s->workers_n = 0;
	model_clear(a->model);
	free(a->model);
}

static void
test_who_asks(void **state)
{
	static const struct {
		const char *line;
		size_t workers;
		enum stop_step step; /* of all, and of worker 1 */
		bool asks;
	} rows[] = {
		{ "pause", 2, STOP_NONE, false },
		{ "quit", 2, STOP_NONE, true },
		{ "quit now", 2, STOP_NONE, false },
		{ "stop", 2, STOP_NONE, true },
		{ "stop", 2, STOP_CLOSED, false },
		{ "stop", 2, STOP_INTERRUPT, true },
		{ "stop 1", 2, STOP_CLOSED, false },
		{ "stop 1", 2, STOP_INTERRUPT, true },
		{ "stop 7", 2, STOP_INTERRUPT, false },
		{ "workers -1", 2, STOP_NONE, false },
		{ "workers -1", 1, STOP_NONE, false },
		{ "workers 0", 2, STOP_NONE, false },
		{ "workers +1", 3, STOP_NONE, false },
		{ "workers +1", 4, STOP_NONE, true },
		{ "workers 5", 2, STOP_NONE, true },
		{ "workers 256", 2, STOP_NONE, true },
		{ "workers 257", 2, STOP_NONE, false },
		{ "workers +255", 2, STOP_NONE, false },
		{ "workers +9223372036854775807", 2, STOP_NONE, false },
		{ "workers 5x", 2, STOP_NONE, false },
		{ "set parallel 5", 2, STOP_NONE, true },
		{ "set parallel 99999", 2, STOP_NONE, false },
		{ "set parallel 2", 2, STOP_NONE, false },
		{ "set timeout 5s", 2, STOP_NONE, false },
		{ "accept 51ab0c", 2, STOP_NONE, true },
		{ "minimize 51ab0c", 2, STOP_NONE, false },
		{ "no such command", 2, STOP_NONE, false },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct asked a;

		asked_open(&a, rows[i].workers);
		a.s->stop_step = a.workers[1].stop_step = rows[i].step;
		check(asked_about(&a, rows[i].line) == rows[i].asks, "%s",
			rows[i].line);
		check(a.model->question.open == rows[i].asks, "%s",
			rows[i].line);
		asked_close(&a);
	}
}

/* Only of leaving: all else is refused. */
static void
test_who_watches(void **state)
{
	static const struct {
		const char *line;
		bool asks;
	} rows[] = {
		{ "quit", true },
		{ "stop", false },
		{ "stop 1", false },
		{ "workers 5", false },
		{ "set parallel 5", false },
		{ "accept 51ab0c", false },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct asked a;

		asked_open(&a, 2);
		a.model->watching = true;
		a.workers[1].stop_step = STOP_INTERRUPT;
		check(asked_about(&a, rows[i].line) == rows[i].asks, "%s",
			rows[i].line);
		check(a.model->question.open == rows[i].asks, "%s",
			rows[i].line);
		asked_close(&a);
	}
}

static void
test_many_workers_once(void **state)
{
	struct asked a;

	asked_open(&a, 4);
	assert_true(asked_about(&a, "workers +1"));
	assert_false(asked_about(&a, "workers +1"));
	asked_close(&a);
}

static void
test_answers(void **state)
{
	static const struct {
		const char *line, *keys; /* commands, or =x for a key */
		bool minimizing, stopping;
		const char *want; /* NULL: still open */
	} rows[] = {
		{ "quit", "accept", false, false, "quit" },
		{ "quit", "again", false, false, "quit" },
		{ "quit", "cancel", false, false, "" },
		{ "quit", "=s", false, false, "quit" },
		{ "quit", "=c", false, false, "" },
		{ "quit", "=x", false, false, NULL },
		{ "quit", "=f", false, false, NULL },
		{ "quit", "=f", true, false, "quit minimized" },
		{ "quit", "next accept", true, false, "quit minimized" },
		{ "quit", "next next next next accept", true, false, "quit" },
		{ "quit", "previous accept", true, false, "" },
		{ "quit", "accept", false, true, "quit now" },
		{ "accept 51ab", "accept", false, false, "mark 51ab accepted" },
		{ "accept 51ab", "=k", false, false, "mark 51ab known" },
		{ "accept 51ab", "=n", false, false, "mark 51ab new" },
		{ "accept 51ab", "again", false, false, "" },
		{ "stop", "=s", false, false, "stop" },
		{ "stop", "accept", false, false, "stop" },
		{ "stop", "=c", false, false, "" },
		{ "workers 7", "=a", false, false, "workers 7" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		char keys[64], *rest = keys, *key;
		const char *line = NULL;
		bool closed = false;
		struct asked a;

		asked_open(&a, 2);
		a.s->minimize_queue = rows[i].minimizing;
		if (rows[i].stopping)
			a.s->state = RUN_STOPPING;
		assert_true(asked_about(&a, rows[i].line));
		snprintf(keys, sizeof(keys), "%s", rows[i].keys);
		while ((key = strsep(&rest, " ")) != NULL)
			closed = key[0] == '='
				? ask_key(a.model, key + 1, &line)
				: ask_command(a.model, key, &line);
		check(closed == (rows[i].want != NULL), "%s %s", rows[i].line,
			rows[i].keys);
		check(a.model->question.open == !closed, "%s", rows[i].keys);
		if (closed)
			check_text(line, rows[i].want, rows[i].keys);
		asked_close(&a);
	}
}

/* It opens by itself: only its own key leaves. */
static void
test_ended(void **state)
{
	static const struct {
		const char *command, *want;
	} rows[] = { { "accept", "" }, { "cancel", "" }, { "again", "" },
		{ "=l", "" }, { "=q", "quit" } };

	for (size_t i = 0; i < ROWS(rows); i++) {
		const char *command = rows[i].command, *line = NULL;
		struct asked a;

		asked_open(&a, 0);
		ask_ended(a.model);
		assert_true(command[0] == '='
				? ask_key(a.model, command + 1, &line)
				: ask_command(a.model, command, &line));
		check_text(line, rows[i].want, command);
		asked_close(&a);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_who_asks),
		cmocka_unit_test(test_who_watches),
		cmocka_unit_test(test_many_workers_once),
		cmocka_unit_test(test_answers),
		cmocka_unit_test(test_ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
