/*
 * test_symbols_client: whatever the helper does, each question gets its answer,
 * the loop does not block and no process is left.
 *
 * The program starts itself again as a good or a bad helper.
 */
#include "findings/symbols_client.h"

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

#define HANG_MS 1000    /* the tests wait for this one, so it is short … */
#define ANSWER_MS 60000 /* … but never for this one */

struct stage {
	struct event_base *base;
	struct symbols_client *client;
	unsigned asked, answered;
	unsigned blind;   /* answers with `blind` set */
	char words[4096]; /* names, in order of the answers */
};

/* ---- bad helpers ---- */

enum bad_way {
	BAD_NOTHING, /* a good answer */
	BAD_DIE,
	BAD_HANG,
	BAD_SHORT,
	BAD_LONG,
	BAD_SEQ,
	BAD_MANY,
	BAD_LINES,
	BAD_FEWER,
	BAD_CLOSE,
	BAD_TWICE,
	BAD_ESCAPE,
	BAD_BLIND,
	BAD_COUNT
};

static const char *const bad_names[BAD_COUNT] = { "good", "die", "hang",
	"short", "long", "seq", "many", "lines", "fewer", "close", "twice",
	"escape", "blind" };

static enum bad_way
bad_find(const char *name)
{
	int i;

	for (i = 0; i < BAD_COUNT; i++)
		if (strcmp(name, bad_names[i]) == 0)
			return (enum bad_way)i;
	return BAD_NOTHING;
}

static void
bad_say(const void *data, size_t len)
{
	if (send(0, data, len, MSG_NOSIGNAL) < 0)
		_exit(1);
}

static void
bad_answer(enum bad_way way, const struct symbols_request *request)
{
	static char large[200000];
	struct symbols_reply r = { .seq = request->seq, .n = 1 };
	size_t len = SYMBOLS_REPLY_LEN(1);

	snprintf(r.symbols[0].function, sizeof(r.symbols[0].function), "f%u",
		(unsigned)request->offset);
	switch (way) {
	case BAD_DIE:
		raise(SIGKILL);
		break;
	case BAD_HANG:
		for (;;)
			pause();
	case BAD_SHORT:
		len = 3;
		break;
	case BAD_LONG:
		bad_say(large, sizeof(large));
		return;
	case BAD_SEQ:
		r.seq++;
		break;
	case BAD_MANY:
		r.n = UINT32_MAX;
		break;
	case BAD_LINES:
		r.lines_n = SYMBOL_LINES_MAX + 1;
		break;
	case BAD_FEWER:
		r.n = 2;
		break;
	case BAD_TWICE:
		bad_say(&r, len);
		break;
	case BAD_ESCAPE:
		/* Not even terminated. */
		memset(r.symbols[0].function, '\033', SYMBOL_FUNCTION_MAX);
		memset(r.symbols[0].file, 0xff, SYMBOL_FILE_MAX);
		r.lines_n = SYMBOL_LINES_MAX;
		memset(r.lines, '\033', sizeof(r.lines));
		break;
	case BAD_BLIND:
		r.blind = 1;
		r.n = 0;
		len = SYMBOLS_REPLY_LEN(0);
		break;
	case BAD_CLOSE:
		close(0);
		for (;;)
			pause();
	default:
		break;
	}
	bad_say(&r, len);
}

/* Sends bad answers for the path "/x-die", good ones for all others. */
static int
bad_helper(void)
{
	struct symbols_request request;

	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	while (recv(0, &request, sizeof(request), 0) ==
		(ssize_t)sizeof(request))
		bad_answer(bad_find(request.path + 3), &request);
	return 0;
}

/* ---- the stage ---- */

static void
stage_open_for(struct stage *s, const char *program, uint64_t request_ms,
	uint64_t idle_ms)
{
	static char name[] = "test", bad[] = "bad";
	static char *argv[] = { name, bad, NULL };
	struct symbols_client_config config = {
		.argv = argv,
		.program = program,
		.request_ms = request_ms,
		.idle_ms = idle_ms,
	};

	memset(s, 0, sizeof(*s));
	s->base = config.base = event_base_new();
	s->client = symbols_client_create(&config);
}

static void
stage_open(struct stage *s, const char *program, uint64_t idle_ms)
{
	stage_open_for(s, program, ANSWER_MS, idle_ms);
}

static void
stage_close(struct stage *s)
{
	symbols_client_destroy(s->client);
	event_base_free(s->base);
	/* No child is left, not even a zombie. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void
on_answer(void *arg, struct symbols_answer *answer)
{
	struct stage *s = arg;
	size_t len = strlen(s->words);
	uint32_t i;

	for (i = 0; i < answer->n; i++) {
		len += (size_t)snprintf(s->words + len, sizeof(s->words) - len,
			"%s ",
			answer->at[i].n > 0 ? answer->at[i].symbols[0].function
					    : "-");
		assert_true(len < sizeof(s->words));
	}
	s->blind += answer->blind;
	s->answered++;
	symbols_answer_destroy(answer);
}

static void
stage_ask(struct stage *s, const char *path, uint64_t offset)
{
	const struct symbols_place place = { .path = path, .offset = offset };

	assert_true(symbols_ask(s->client, &place, 1, on_answer, s));
	s->asked++;
}

static void
stage_wait(struct stage *s, const char *words)
{
	while (s->answered < s->asked)
		event_base_loop(s->base, EVLOOP_ONCE);
	assert_string_equal(s->words, words);
}

/* ---- tests ---- */

static void
test_bad_helpers(void **state)
{
	struct stage s;
	char path[64];
	int way;

	for (way = BAD_NOTHING; way < BAD_TWICE; way++) {
		snprintf(path, sizeof(path), "/x-%s", bad_names[way]);
		print_message("         %s\n", bad_names[way]);
		stage_open_for(&s, NULL, way == BAD_HANG ? HANG_MS : ANSWER_MS,
			0);
		stage_ask(&s, "/x-good", 1);
		stage_ask(&s, path, 2);
		stage_ask(&s, "/x-good", 3);
		stage_ask(&s, path, 4);
		stage_ask(&s, "/x-good", 5);
		stage_wait(&s,
			way == BAD_NOTHING ? "f1 f2 f3 f4 f5 "
					   : "f1 - f3 - f5 ");
		stage_close(&s);
	}
}

/* The second answer may come while the next question is under way. */
static void
test_uninvited(void **state)
{
	struct stage s;
	int i;

	stage_open(&s, NULL, 0);
	stage_ask(&s, "/x-twice", 1);
	for (i = 0; i < 5; i++)
		stage_ask(&s, "/x-good", 7);
	stage_wait(&s, "f1 f7 f7 f7 f7 f7 ");
	stage_close(&s);
}

/* A helper without libdw: a normal answer, with `blind` set. */
static void
test_blind(void **state)
{
	const struct symbols_place places[] = { { .path = "/x-blind" },
		{ .path = "/x-good", .offset = 2 } };
	struct stage s;

	stage_open(&s, NULL, 0);
	stage_ask(&s, "/x-good", 1);
	s.asked++;
	assert_true(symbols_ask(s.client, places, 2, on_answer, &s));
	stage_ask(&s, "/x-good", 3);
	stage_wait(&s, "f1 - f2 f3 ");
	assert_int_equal(s.blind, 1);
	stage_close(&s);
}

static void
on_hostile(void *arg, struct symbols_answer *answer)
{
	const struct symbol *symbol = &answer->at[0].symbols[0];
	struct stage *s = arg;

	assert_int_equal(answer->at[0].n, 1);
	assert_non_null(memchr(symbol->function, '\0', SYMBOL_FUNCTION_MAX));
	assert_non_null(memchr(symbol->file, '\0', SYMBOL_FILE_MAX));
	assert_null(strchr(symbol->function, '\033'));
	assert_null(strchr(symbol->file, '\377'));
	assert_int_equal(answer->lines_n, SYMBOL_LINES_MAX);
	assert_non_null(memchr(answer->lines[SYMBOL_LINES_MAX - 1].text, '\0',
		SYMBOL_LINE_MAX));
	assert_null(strchr(answer->lines[0].text, '\033'));
	s->answered++;
	symbols_answer_destroy(answer);
}

static void
test_hostile_text(void **state)
{
	const struct symbols_place place = { .path = "/x-escape" };
	struct stage s;

	stage_open(&s, NULL, 0);
	s.asked = 1;
	assert_true(symbols_ask(s.client, &place, 1, on_hostile, &s));
	stage_wait(&s, "");
	stage_close(&s);
}

/* A stack gets one answer; places that cannot be requested stay empty. */
static void
test_stack(void **state)
{
	char longest[PATH_MAX + 1];
	struct symbols_place places[SYMBOLS_PLACES_MAX] = {
		{ .path = "/x-good", .offset = 1 },
		{ .path = NULL, .offset = 2 },
		{ .path = longest, .offset = 3 },
		{ .path = "/x-good", .id = longest, .offset = 4 },
		{ .path = "/x-die", .offset = 5 },
		{ .path = "/x-good", .offset = 6 },
	};
	struct stage s;

	memset(longest, '/', PATH_MAX);
	longest[PATH_MAX] = '\0';
	stage_open(&s, NULL, 0);
	s.asked = 2;
	assert_true(symbols_ask(s.client, places, 6, on_answer, &s));
	assert_true(symbols_ask(s.client, places, 0, on_answer, &s));
	assert_int_equal(s.answered, 0);
	stage_wait(&s, "f1 - - - - f6 ");
	stage_close(&s);
}

static void
test_no_helper(void **state)
{
	struct stage s;

	stage_open(&s, "/nonexistent/program", 0);
	stage_ask(&s, "/x-good", 1);
	stage_ask(&s, "/x-good", 2);
	stage_wait(&s, "- - ");
	stage_close(&s);
}

static void
test_full(void **state)
{
	const struct symbols_place place = { .path = "/x-hang" };
	struct stage s;
	unsigned i;

	stage_open(&s, NULL, 0);
	for (i = 0; i < SYMBOLS_QUEUE_MAX; i++)
		stage_ask(&s, "/x-good", 1);
	assert_false(symbols_ask(s.client, &place, 1, on_answer, &s));
	/* Closed while all questions wait. */
	event_base_loop(s.base, EVLOOP_ONCE);
	stage_close(&s);
}

static void
on_time(evutil_socket_t fd, short what, void *arg)
{
	event_base_loopbreak(arg);
}

/* An idle helper is ended; the next question starts a new one. */
static void
test_idle(void **state)
{
	const struct timeval moment = { 0, 5000 };
	struct stage s;

	stage_open(&s, NULL, 1);
	stage_ask(&s, "/x-good", 1);
	stage_wait(&s, "f1 ");
	while (waitpid(-1, NULL, WNOHANG) == 0) {
		event_base_once(s.base, -1, EV_TIMEOUT, on_time, s.base,
			&moment);
		event_base_dispatch(s.base);
	}
	stage_ask(&s, "/x-good", 2);
	stage_wait(&s, "f1 f2 ");
	stage_close(&s);
}

/* The real helper, for this program. */
static void
test_true_helper(void **state)
{
	struct stage s = { .base = event_base_new() };
	const struct symbols_client_config config = { .base = s.base };

	s.client = symbols_client_create(&config);
	stage_ask(&s, "/nonexistent/file", 4096);
	stage_ask(&s, "/proc/self/exe", UINT64_MAX);
	stage_wait(&s, "- - ");
	stage_close(&s);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bad_helpers),
		cmocka_unit_test(test_uninvited),
		cmocka_unit_test(test_blind),
		cmocka_unit_test(test_hostile_text),
		cmocka_unit_test(test_stack),
		cmocka_unit_test(test_no_helper),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_idle),
		cmocka_unit_test(test_true_helper),
	};
	int status;

	if (symbols_helper_main(argc, argv, &status))
		return status;
	if (argc == 2 && strcmp(argv[1], "bad") == 0)
		return bad_helper();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
