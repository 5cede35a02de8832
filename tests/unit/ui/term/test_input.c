/*
 * test_input: bytes of terminals, one by one and all at once.
 */
#include "ui/term/input.h"

#include "lib/check.h"
#include "ui/model/text_field.h"

struct got {
	char text[4096]; /* keys separated by spaces, pastes in <> */
};

static void
got_add(struct got *got, const char *before, const char *text, size_t len,
	const char *after)
{
	size_t at = strlen(got->text);

	if (at + len + 8 < sizeof(got->text))
		snprintf(got->text + at, sizeof(got->text) - at, "%s%s%.*s%s",
			at > 0 ? " " : "", before, (int)len, text, after);
}

static void
on_key(void *arg, const char *key)
{
	assert_true(strlen(key) < KEY_NAME_SIZE);
	got_add(arg, "", key, strlen(key), "");
}

static void
on_paste(void *arg, const char *text, size_t len)
{
	got_add(arg, "<", text, len, ">");
}

static void
on_mouse(void *arg, const struct mouse *mouse)
{
	static const char *const kinds[] = { "click", "up", "down" };
	char text[64];

	assert_in_range(mouse->x, 0, INPUT_SIDE_MAX);
	assert_in_range(mouse->y, 0, INPUT_SIDE_MAX);
	snprintf(text, sizeof(text), "%s@%d,%d", kinds[mouse->kind], mouse->x,
		mouse->y);
	got_add(arg, "", text, strlen(text), "");
}

static const struct input_handlers handlers = { on_key, on_paste, on_mouse };

static const struct {
	const char *name, *bytes, *want;
} rows[] = {
	/* clang-format off */
	{ "letters", "aZ9?", "a Z 9 ?" },
	{ "space, enter, tab", " \r\n\t", "Space Enter Enter Tab" },
	{ "controls", "\x03\x0c\x1a\x01", "C-c C-l C-z C-a" },
	{ "backspaces", "\x7f\x08", "BSpace BSpace" },
	{ "NUL and others", "\x1c\x1f", "" },
	{ "UTF-8", "ö世", "ö 世" },
	{ "bad UTF-8", "\xff\xc3q\x80z", "q z" },
	{ "cut UTF-8", "\xe4\xb8q", "q" },
	{ "a surrogate", "\xed\xa0\x80q", "q" },
	{ "arrows", "\033[A\033[B\033[C\033[D", "Up Down Right Left" },
	{ "application arrows", "\033OA\033OB", "Up Down" },
	{ "with modifiers", "\033[1;5A\033[1;2D", "Up Left" },
	{ "home and end", "\033[H\033[F\033[1~\033[4~\033[7~\033[8~\033OH",
		"Home End Home End Home End Home" },
	{ "pages", "\033[5~\033[6~", "PgUp PgDn" },
	{ "insert, delete", "\033[2~\033[3~", "Ins Del" },
	{ "shift tab", "\033[Z", "S-Tab" },
	{ "function keys", "\033OP\033[15~\033[24~\033[[A\033[[E",
		"F1 F5 F12 F1 F5" },
	{ "modified function key", "\033[1;2P", "F1" },
	{ "keypad enter", "\033OM", "Enter" },
	{ "two escapes", "\033\033[A", "Esc Up" },
	{ "alt and a letter", "\033qx", "x" },
	{ "cursor report", "\033[24;80Rx", "x" },
	{ "device attributes", "\033[?62;1;4cx", "x" },
	{ "focus report", "\033[Ix", "x" },
	{ "SGR mouse", "\033[<0;9999;-1Mx\033[<0;1;1mx", "x x" },
	{ "a click", "\033[<0;10;5Mx", "click@9,4 x" },
	{ "its release", "\033[<0;10;5mx", "x" },
	{ "with Shift, Ctrl", "\033[<4;1;1M\033[<16;2;2M",
		"click@0,0 click@1,1" },
	{ "other buttons", "\033[<1;1;1M\033[<2;1;1M\033[<128;1;1Mx", "x" },
	{ "the wheel", "\033[<64;1;2M\033[<65;223;300M",
		"up@0,1 down@222,299" },
	{ "a wheel to the side", "\033[<66;1;1M\033[<67;1;1Mx", "x" },
	{ "motion", "\033[<32;1;1M\033[<35;1;1Mx", "x" },
	{ "column 0", "\033[<0;0;1Mx", "x" },
	{ "row 0", "\033[<0;1;0Mx", "x" },
	{ "the last there can be", "\033[<0;9999;9999M",
		"click@9998,9998" },
	{ "too far", "\033[<0;10000;1M\033[<0;1;99999999999Mx", "x" },
	{ "a number is missing", "\033[<0;;1M\033[<0;1M\033[<Mx", "x" },
	{ "one too many", "\033[<0;1;1;1Mx", "x" },
	{ "other characters", "\033[<0:1;1M\033[<0;1;?1Mx", "x" },
	{ "too long a report",
		"\033[<0;1;1111111111111111111111111111111111111111Mx", "x" },
	{ "old mouse", "\033[M !\"x", "click@0,1 x" },
	{ "old release", "\033[M#!!x", "x" },
	{ "old wheel", "\033[M`!!\033[Ma!!", "up@0,0 down@0,0" },
	{ "old, the last place", "\033[M \xff\xff", "click@222,222" },
	{ "old, before the first", "\033[M  \x01x", "x" },
	{ "keys and clicks in order", "a\033[<0;1;1Mb",
		"a click@0,0 b" },
	{ "paste of a report", "\033[200~\033[<0;1;1M\033[201~",
		"<\033[<0;1;1M>" },
	{ "title reply", "\033]0;quit q\007x", "x" },
	{ "title reply, ST", "\033]0;quit q\033\\x", "x" },
	{ "device string", "\033P1$rq\033\\x", "x" },
	{ "cancelled string", "\033]0;abc\x18x", "x" },
	{ "sequence in a sequence", "\033[1;\033[Ax", "Up x" },
	{ "control in a sequence", "\033[1;\x03x", "x" },
	{ "long sequence",
		"\033[1111111111111111111111111111111111111111111111Ax",
		"Up x" },
	{ "unknown number", "\033[99~x", "x" },
	{ "paste", "\033[200~qqs\033[201~x", "<qqs> x" },
	{ "paste after a key", "x\033[200~qqs\033[201~\r", "x <qqs> Enter" },
	{ "paste with ESC inside", "\033[200~a\033[20b\033[201~",
		"<a\033[20b>" },
	{ "paste of nothing", "\033[200~\033[201~x", "x" },
	{ "burst", "qqqqqqqqqq", "<q> <q> <q> <q> <q> <q> <q> <q> <q> <q>" },
	{ "burst with controls", "abcdefgh\x03\r",
		"<a> <b> <c> <d> <e> <f> <g> <h> <> <\n>" },
	{ "many arrows are no burst",
		"\033[A\033[A\033[A\033[A\033[A\033[A\033[A\033[A\033[A\033[A",
		"Up Up Up Up Up Up Up Up Up Up" },
	/* clang-format on */
};

static void
test_whole(void **state)
{
	for (size_t i = 0; i < ROWS(rows); i++) {
		struct got got = { "" };
		struct input input;

		input_init(&input, &handlers, &got);
		input_feed(&input, rows[i].bytes, strlen(rows[i].bytes), 1000);
		check_text(got.text, rows[i].want, rows[i].name);
		check(input_wait_ms(&input) == -1, "%s", rows[i].name);
	}
}

/* A sequence may arrive in pieces; slow characters are not a paste. */
static void
test_pieces(void **state)
{
	for (size_t i = 0; i < ROWS(rows); i++) {
		struct got got = { "" };
		struct input input;

		if (strncmp(rows[i].name, "burst", 5) == 0 ||
			strncmp(rows[i].name, "paste", 5) == 0)
			continue;
		input_init(&input, &handlers, &got);
		for (size_t b = 0; rows[i].bytes[b] != '\0'; b++)
			input_feed(&input, rows[i].bytes + b, 1, 1000 * b);
		check_text(got.text, rows[i].want, rows[i].name);
	}
}

static void
test_burst_over_reads(void **state)
{
	struct got got = { "" };
	struct input input;

	input_init(&input, &handlers, &got);
	input_feed(&input, "abcd", 4, 100);
	input_feed(&input, "efghi", 5, 105);
	assert_string_equal(got.text, "a b c d <e> <f> <g> <h> <i>");
	got.text[0] = '\0';
	input_feed(&input, "j", 1, 200);
	assert_string_equal(got.text, "j");
}

/* An unfinished sequence does not block the keyboard for ever. */
static void
test_silence(void **state)
{
	static const struct {
		const char *bytes, *want;
	} unfinished[] = {
		{ "\033", "Esc" },
		{ "\033[", "" },
		{ "\033[1;", "" },
		{ "\033O", "" },
		{ "\033]0;title", "" },
		{ "\033P", "" },
		{ "\033[M!", "" },
		{ "\033[200~abc", "<abc>" },
		{ "\xe4\xb8", "" },
	};

	for (size_t i = 0; i < ROWS(unfinished); i++) {
		struct got got = { "" };
		struct input input;
		char want[64];

		input_init(&input, &handlers, &got);
		input_feed(&input, unfinished[i].bytes,
			strlen(unfinished[i].bytes), 1000);
		assert_true(input_wait_ms(&input) > 0);
		input_flush(&input);
		assert_int_equal(input_wait_ms(&input), -1);
		input_feed(&input, "q", 1, 2000);
		snprintf(want, sizeof(want), "%s%sq", unfinished[i].want,
			unfinished[i].want[0] != '\0' ? " " : "");
		check_text(got.text, want, unfinished[i].bytes);
	}
}

static void
on_field_key(void *arg, const char *key)
{
}

static void
on_field_paste(void *arg, const char *text, size_t len)
{
	assert_in_range(len, 1, INPUT_CHUNK + 8);
	text_field_insert(arg, text, len);
}

/* A character may arrive in two reads, or lie across the end of a chunk. */
static void
test_paste_characters(void **state)
{
	static const struct input_handlers field_handlers = { on_field_key,
		on_field_paste, NULL };
	static const struct {
		const char *name, *bytes; /* between the paste marks */
		int times;
		const char *want;
	} pastes[] = {
		{ "two bytes", "ö", 200, "ö" },
		{ "three bytes", "世", 150, "世" },
		{ "four bytes", "😀", 120, "😀" },
		{ "all lengths", "aö世😀", 50, "aö世😀" },
		{ "cut by another", "\xe4\xb8q", 100, "q" },
		{ "no characters", "\xff\xf0\x9fq\xc3", 90, "q" },
		{ "cut by ESC", "\xe4\xb8\033[20q", 60, "[20q" },
		{ "cut by the end", "\xf0\x9f\x98", 1, "" },
	};

	for (size_t i = 0; i < ROWS(pastes); i++)
		for (size_t piece = 1; piece <= 2000; piece += piece + 3) {
			struct text_field field = { 0 }, want = { 0 };
			char bytes[2000] = "\033[200~";
			struct input input;
			size_t len;

			for (int n = 0; n < pastes[i].times; n++) {
				strcat(bytes, pastes[i].bytes);
				text_field_insert(&want, pastes[i].want,
					strlen(pastes[i].want));
			}
			/* What is left of a character is in no other paste. */
			strcat(bytes, "\033[201~\033[200~\x96.\033[201~");
			text_field_insert(&want, ".", 1);
			len = strlen(bytes);
			input_init(&input, &field_handlers, &field);
			for (size_t at = 0; at < len; at += piece)
				input_feed(&input, bytes + at,
					piece < len - at ? piece : len - at,
					1000);
			check(input_wait_ms(&input) == -1, "%s",
				pastes[i].name);
			check_text(field.text, want.text, pastes[i].name);
		}
}

/* The same after a silence, which ends a paste. */
static void
test_paste_silence(void **state)
{
	static const char *const bytes[] = { "\033[200~a\xe4\xb8",
		"\033[200~\x96q\033[201~" };
	static const struct input_handlers field_handlers = { on_field_key,
		on_field_paste, NULL };
	struct text_field field = { 0 };
	struct input input;

	input_init(&input, &field_handlers, &field);
	for (size_t i = 0; i < ROWS(bytes); i++) {
		input_feed(&input, bytes[i], strlen(bytes[i]), 1000 * i);
		input_flush(&input);
	}
	assert_string_equal(field.text, "aq");
}

static void
on_any_key(void *arg, const char *key)
{
	check(key_name_valid(key), "`%s`", key);
}

static void
on_any_paste(void *arg, const char *text, size_t len)
{
	assert_true(len <= INPUT_CHUNK + 8);
}

/* A megabyte of random bytes: only names of keys come out. */
static void
test_random(void **state)
{
	static const struct input_handlers any = { on_any_key, on_any_paste,
		NULL };
	struct input input;
	uint64_t seed = 1;
	char bytes[977];

	input_init(&input, &any, NULL);
	for (int round = 0; round < 1100; round++) {
		for (size_t i = 0; i < sizeof(bytes); i++) {
			seed = seed * 6364136223846793005u +
				1442695040888963407u;
			bytes[i] =
				seed >> 61 == 0 ? '\033' : (char)(seed >> 40);
		}
		input_feed(&input, bytes, sizeof(bytes), (uint64_t)round);
		if (round % 7 == 0)
			input_flush(&input);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_burst_over_reads),
		cmocka_unit_test(test_silence),
		cmocka_unit_test(test_paste_characters),
		cmocka_unit_test(test_paste_silence),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
