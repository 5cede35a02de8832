/*
 * test_frame: messages that arrive over a socket pair: whole, in pieces, hostile.
 */
#include "control/frame.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/xmalloc.h"
#include "lib/rows.h"
#include "lib/wire.h"

static void
test_messages(void **state)
{
	struct wire wire;

	wire_open(&wire, FRAME_TO_ENGINE_MAX);
	wire_say(&wire, "{\"text\": \"one\"}\n");
	assert_int_equal(wire.messages, 1);
	assert_string_equal(wire.last, "one");
	wire_say(&wire, "{}\n{\"text\":\"a\"}\n{\"text\":\"b\"}\n{\"text\":");
	assert_int_equal(wire.messages, 4);
	assert_string_equal(wire.last, "b");
	wire_say(&wire, "\"c\"}");
	assert_int_equal(wire.messages, 4);
	wire_say(&wire, "\n");
	assert_int_equal(wire.messages, 5);
	assert_string_equal(wire.last, "c");
	wire_say(&wire, " {\"text\": \"braces }{ and \\\" inside\"}\r\n");
	assert_int_equal(wire.messages, 6);
	assert_int_equal(wire.closed, 0);
	wire_close(&wire);
}

static void
test_byte_by_byte(void **state)
{
	static const char text[] = "{\"text\": \"slow\"}\n{\"text\": \"er\"}\n";
	struct wire wire;

	wire_open(&wire, FRAME_TO_ENGINE_MAX);
	for (size_t i = 0; i < sizeof(text) - 1; i++)
		wire_write(&wire, &text[i], 1);
	assert_int_equal(wire.messages, 2);
	assert_string_equal(wire.last, "er");
	wire_close(&wire);
}

/* The other side may close the connection after any byte. */
static void
test_cut_after_any_byte(void **state)
{
	static const char text[] = "{\"hello\": {\"version\": 1}}\n{}\n";

	for (size_t len = 0; len < sizeof(text); len++) {
		struct wire wire;

		wire_open(&wire, FRAME_TO_ENGINE_MAX);
		wire_write(&wire, text, len);
		fd_close(&wire.fd);
		wire_turn(&wire);
		wire_turn(&wire);
		row_check(wire.closed == 1, "after %zu bytes", len);
		row_check(wire.messages == (len >= 26) + (len >= 29),
			"after %zu bytes", len);
		assert_string_equal(wire.why,
			"the other side closed the connection");
		wire_close(&wire);
	}
}

static void
test_hostile_lines(void **state)
{
	static const struct {
		const char *line, *why;
	} rows[] = {
		{ "\n", "a message is not JSON: " },
		{ "hello\n", "a message is not JSON: " },
		{ "{\n", "a message is not JSON: " },
		{ "{} {}\n", "a message is not JSON: " },
		{ "{\"a\": NaN}\n", "a message is not JSON: " },
		{ "{\"a\": 1e999}\n", "a message is not JSON: " },
		{ "{\"a\": 99999999999999999999}\n",
			"a message is not JSON: " },
		{ "{\"a\": \"\\ud800\"}\n", "a message is not JSON: " },
		{ "{\"a\": \"\\u0000\"}\n", "a message is not JSON: " },
		{ "{\"a\": \"\xff\"}\n", "a message is not JSON: " },
		{ "{\"a\": 1, \"a\": 2}\n", "a message is not JSON: " },
		{ "\x1b]0;x\x07\n", "a message is not JSON: " },
		{ "[]\n", "a message is not an object" },
		{ "\"text\"\n", "a message is not JSON: " },
		{ "{\"a\":[[[[[[[[1]]]]]]]]}\n",
			"a message is nested more than 8 deep" },
		{ "{\"a\":[[[[[[[1]]]]]]],\"b\":[[[[[[[[1]]]]]]]]}\n",
			"a message is nested more than 8 deep" },
	};
	struct wire wire;

	for (size_t i = 0; i < ROWS(rows); i++) {
		wire_open(&wire, FRAME_TO_ENGINE_MAX);
		wire_say(&wire, rows[i].line);
		row_check(wire.closed == 1, "%s", rows[i].line);
		row_check(wire.messages == 0, "%s", rows[i].line);
		row_check(strncmp(wire.why, rows[i].why, strlen(rows[i].why)) ==
				0,
			"%s: %s", rows[i].line, wire.why);
		row_check(!strchr(wire.why, '\x1b') && !strchr(wire.why, '\n'),
			"%s: raw", rows[i].line);
		wire_close(&wire);
	}
	wire_open(&wire, FRAME_TO_ENGINE_MAX);
	wire_say(&wire, "{\"a\":[[[[[[[1]]]]]]],\"b\":\"[[[[[[[[[[\"}\n");
	wire_write(&wire, "{\"a\":\0}\n", 8);
	assert_int_equal(wire.messages, 1);
	assert_int_equal(wire.closed, 1);
	wire_close(&wire);
}

static void
test_nothing_after_a_bad_line(void **state)
{
	struct wire wire;

	wire_open(&wire, FRAME_TO_ENGINE_MAX);
	wire_say(&wire, "{}\nnonsense\n{}\n{}\n");
	assert_int_equal(wire.messages, 1);
	assert_int_equal(wire.closed, 1);
	wire_close(&wire);
}

/* {"0": 0, …} with n members. */
static char *
many_members(size_t n)
{
	char *text = xmalloc(n * 16 + 4);
	size_t len = 0;

	for (size_t i = 0; i < n; i++)
		len += (size_t)sprintf(text + len, "%c\"%zu\":0", i ? ',' : '{',
			i);
	strcpy(text + len, "}\n");
	return text;
}

static void
test_members_are_capped_towards_the_engine(void **state)
{
	char *text_64 = many_members(64), *text_65 = many_members(65);
	struct wire wire;

	wire_open(&wire, FRAME_TO_ENGINE_MAX);
	wire_say(&wire, text_64);
	assert_int_equal(wire.messages, 1);
	wire_say(&wire, text_65);
	assert_int_equal(wire.messages, 1);
	assert_string_equal(wire.why, "a message has more than 64 members");
	wire_close(&wire);
	wire_open(&wire, FRAME_TO_CONSOLE_MAX);
	wire_say(&wire, text_65);
	assert_int_equal(wire.messages, 1);
	wire_close(&wire);
	free(text_64);
	free(text_65);
}

static void
check_size(size_t max, size_t len, bool fits)
{
	char *text = wire_message(len);
	struct wire wire;

	wire_open(&wire, max);
	wire_write(&wire, text, len);
	row_check(wire.messages == fits, "%zu of %zu", len, max);
	row_check(wire.closed == !fits, "%zu of %zu", len, max);
	if (!fits)
		row_check(strncmp(wire.why, "a message is longer than ", 25) ==
				0,
			"%s", wire.why);
	wire_close(&wire);
	free(text);
}

static void
test_length_cap(void **state)
{
	check_size(FRAME_TO_ENGINE_MAX, FRAME_TO_ENGINE_MAX - 1, true);
	check_size(FRAME_TO_ENGINE_MAX, FRAME_TO_ENGINE_MAX, true);
	check_size(FRAME_TO_ENGINE_MAX, FRAME_TO_ENGINE_MAX + 1, false);
	check_size(FRAME_TO_ENGINE_MAX, FRAME_TO_ENGINE_MAX * 3, false);
	check_size(FRAME_TO_CONSOLE_MAX, FRAME_TO_CONSOLE_MAX, true);
	check_size(FRAME_TO_CONSOLE_MAX, FRAME_TO_CONSOLE_MAX + 1, false);
}

static long
resident_kb(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

/* A line without an end is refused at the limit. */
static void
test_endless_line(void **state)
{
	static char block[1 << 16];
	size_t written = 0;
	struct wire wire;
	long before;

	memset(block, '{', sizeof(block));
	wire_open(&wire, FRAME_TO_ENGINE_MAX);
	before = resident_kb();
	while (wire.peer && written < (size_t)1 << 30) {
		ssize_t n = send(wire.fd, block, sizeof(block), MSG_NOSIGNAL);

		if (n > 0)
			written += (size_t)n;
		wire_turn(&wire);
	}
	assert_int_equal(wire.closed, 1);
	assert_string_equal(wire.why, "a message is longer than 65536 bytes");
	assert_true(written < 2 << 20);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__clang__)
	assert_true(resident_kb() - before <= 1024);
#else
	(void)before;
#endif
	wire_close(&wire);
}

static void
test_deep_nesting(void **state)
{
	size_t n = 30000;
	char *text = xmalloc(2 * n + 8);
	struct wire wire;

	memset(text, '[', n);
	memset(text + n, ']', n);
	strcpy(text + 2 * n, "\n");
	wire_open(&wire, FRAME_TO_ENGINE_MAX);
	wire_say(&wire, text);
	assert_int_equal(wire.closed, 1);
	assert_string_equal(wire.why, "a message is nested more than 8 deep");
	wire_close(&wire);
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_byte_by_byte),
		cmocka_unit_test(test_cut_after_any_byte),
		cmocka_unit_test(test_hostile_lines),
		cmocka_unit_test(test_nothing_after_a_bad_line),
		cmocka_unit_test(test_members_are_capped_towards_the_engine),
		cmocka_unit_test(test_length_cap),
		cmocka_unit_test(test_endless_line),
		cmocka_unit_test(test_deep_nesting),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
