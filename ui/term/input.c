/*
 * input: turns a terminal's bytes into keys, pasted text and mouse events.
 *
 * Each byte moves the state machine by one step. The keys of a chunk are handed
 * out at its end, when their number is known, because many at once are a paste.
 */
#include "ui/term/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8_width.h"

#define INPUT_WAIT_ESC_MS 25
#define INPUT_WAIT_STRING_MS 100
#define INPUT_WAIT_PASTE_MS 500
#define INPUT_PASTE_END "\033[201~"

static const struct {
	char final;
	const char *key;
} input_letters[] = {
	/* clang-format off */
	{ 'A', "Up" }, { 'B', "Down" }, { 'C', "Right" }, { 'D', "Left" },
	{ 'H', "Home" }, { 'F', "End" }, { 'Z', "S-Tab" }, { 'M', "Enter" },
	{ 'P', "F1" }, { 'Q', "F2" }, { 'R', "F3" }, { 'S', "F4" },
	/* clang-format on */
};

static const struct {
	int number;
	const char *key;
} input_numbers[] = {
	/* clang-format off */
	{ 1, "Home" }, { 2, "Ins" }, { 3, "Del" }, { 4, "End" },
	{ 5, "PgUp" }, { 6, "PgDn" }, { 7, "Home" }, { 8, "End" },
	{ 11, "F1" }, { 12, "F2" }, { 13, "F3" }, { 14, "F4" }, { 15, "F5" },
	{ 17, "F6" }, { 18, "F7" }, { 19, "F8" }, { 20, "F9" }, { 21, "F10" },
	{ 23, "F11" }, { 24, "F12" },
	/* clang-format on */
};

#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))

void
input_init(struct input *input, const struct input_handlers *handlers,
	void *arg)
{
	memset(input, 0, sizeof(*input));
	input->handlers = handlers;
	input->arg = arg;
}

static size_t
input_utf8_len(uint8_t byte)
{
	return byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 0;
}

/* ---- events ---- */

static void
input_add(struct input *input, const char *key, bool text)
{
	struct input_event *event;

	if (input->events_n == COUNT_OF(input->events))
		return;
	event = &input->events[input->events_n++];
	snprintf(event->key, sizeof(event->key), "%s", key);
	event->text = text;
}

/* Bytes of a character at the end of the pasted text that is not complete. */
static size_t
input_paste_rest(const struct input *input)
{
	for (size_t n = 1; n < UTF8_LEN_MAX && n <= input->paste_n; n++) {
		uint8_t byte = (uint8_t)input->paste[input->paste_n - n];

		if ((byte & 0xc0) != 0x80)
			return input_utf8_len(byte) > n ? n : 0;
	}
	return 0;
}

/* Hands out all pasted text but its last `rest` bytes. */
static void
input_give_paste(struct input *input, size_t rest)
{
	size_t n = input->paste_n - rest;

	if (n > 0)
		input->handlers->on_paste(input->arg, input->paste, n);
	memmove(input->paste, input->paste + n, rest);
	input->paste_n = rest;
}

static const char *
input_text_of(const char *key)
{
	if (strcmp(key, "Space") == 0)
		return " ";
	if (strcmp(key, "Enter") == 0)
		return "\n";
	if (strcmp(key, "Tab") == 0)
		return "\t";
	return strncmp(key, "C-", 2) == 0 ? "" : key;
}

/* Hands out the keys of a chunk; a burst of characters becomes a paste. */
static void
input_give_keys(struct input *input)
{
	size_t n = input->events_n;
	bool burst;

	if (input->now_ms - input->burst_ms > INPUT_BURST_MS) {
		input->burst_ms = input->now_ms;
		input->burst_n = 0;
	}
	for (size_t i = 0; i < n; i++)
		input->burst_n += input->events[i].text;
	burst = input->burst_n > INPUT_BURST_KEYS;
	input->events_n = 0;
	for (size_t i = 0; i < n; i++) {
		const char *key = input->events[i].key;
		const char *text = input_text_of(key);

		if (key[0] == '\0')
			input->handlers->on_mouse(input->arg,
				&input->events[i].mouse);
		else if (burst && input->events[i].text)
			input->handlers->on_paste(input->arg, text,
				strlen(text));
		else
			input->handlers->on_key(input->arg, key);
	}
}

/* ---- the mouse ---- */

static void
input_to(struct input *input, enum input_state state)
{
	input->state = state;
	input->sequence_n = 0;
	input->left = 0;
	input->end_n = 0;
}

#define INPUT_MOUSE_BUTTONS 0xc3 /* without modifiers and motion */
#define INPUT_MOUSE_MOTION 0x20

/* Takes button and position as in a mouse report; positions start at 1. */
static void
input_add_mouse(struct input *input, int button, int x, int y)
{
	struct input_event *event;
	struct mouse mouse = { .x = x - 1, .y = y - 1 };

	if (x < 1 || y < 1 || x > INPUT_SIDE_MAX || y > INPUT_SIDE_MAX ||
		button < 0 || button & INPUT_MOUSE_MOTION ||
		input->handlers->on_mouse == NULL ||
		input->events_n == COUNT_OF(input->events))
		return;
	button &= INPUT_MOUSE_BUTTONS;
	if (button != 0 && button != 64 && button != 65)
		return;
	mouse.kind = button == 0 ? MOUSE_CLICK
		: button == 64   ? MOUSE_WHEEL_UP
				 : MOUSE_WHEEL_DOWN;
	event = &input->events[input->events_n++];
	memset(event, 0, sizeof(*event));
	event->mouse = mouse;
}

/* Reads a number of up to four digits and the character `after`; or -1. */
static int
input_mouse_number(const char **at, char after)
{
	int number = 0, digits = 0;

	for (; **at >= '0' && **at <= '9' && digits < 5; digits++)
		number = number * 10 + *(*at)++ - '0';
	if (digits == 0 || digits == 5 || **at != after)
		return -1;
	*at += after != '\0';
	return number;
}

/* SGR mouse report: `<button;x;y`, then M for a press or m for a release. */
static void
input_mouse_sgr(struct input *input, char final)
{
	const char *at = input->sequence + 1;
	int button = input_mouse_number(&at, ';');
	int x = button >= 0 ? input_mouse_number(&at, ';') : -1;
	int y = x >= 0 ? input_mouse_number(&at, '\0') : -1;

	if (final == 'M')
		input_add_mouse(input, button, x, y);
}

/* Old mouse report: three bytes, each with 32 added. */
static void
input_mouse_old(struct input *input, uint8_t byte)
{
	const uint8_t *p = (const uint8_t *)input->sequence;

	input->sequence[input->sequence_n++] = (char)byte;
	if (--input->left > 0)
		return;
	input_add_mouse(input, p[0] - 32, p[1] - 32, p[2] - 32);
	input_to(input, INPUT_GROUND);
}

/* ---- the state machine ---- */

static void
input_control(struct input *input, uint8_t byte)
{
	char key[KEY_NAME_SIZE];

	if (byte == 0x1b) {
		input_to(input, INPUT_ESC);
	} else if (byte == '\r' || byte == '\n') {
		input_add(input, "Enter", true);
	} else if (byte == '\t') {
		input_add(input, "Tab", true);
	} else if (byte == 0x08 || byte == 0x7f) {
		input_add(input, "BSpace", false);
	} else if (byte >= 1 && byte <= 26) {
		snprintf(key, sizeof(key), "C-%c", 'a' + byte - 1);
		input_add(input, key, true);
	}
}

static void
input_ground(struct input *input, uint8_t byte)
{
	char key[2] = { (char)byte, '\0' };
	size_t n = input_utf8_len(byte);

	if (byte < 0x20 || byte == 0x7f) {
		input_control(input, byte);
	} else if (byte == ' ') {
		input_add(input, "Space", true);
	} else if (byte < 0x80) {
		input_add(input, key, true);
	} else if (n > 0) {
		input_to(input, INPUT_UTF8);
		input->sequence[input->sequence_n++] = (char)byte;
		input->left = n - 1;
	}
}

static void
input_utf8(struct input *input, uint8_t byte)
{
	uint32_t code;
	char key[UTF8_LEN_MAX + 1] = { 0 };

	if ((byte & 0xc0) != 0x80) {
		input_to(input, INPUT_GROUND);
		input_ground(input, byte);
		return;
	}
	input->sequence[input->sequence_n++] = (char)byte;
	if (--input->left > 0)
		return;
	memcpy(key, input->sequence, input->sequence_n);
	if (utf8_decode(key, input->sequence_n, &code) == input->sequence_n &&
		utf8_width(code) >= 0)
		input_add(input, key, true);
	input_to(input, INPUT_GROUND);
}

static void
input_esc(struct input *input, uint8_t byte)
{
	if (byte == 0x1b) { /* the first ESC is the Esc key */
		input_add(input, "Esc", false);
		return;
	}
	input_to(input, INPUT_GROUND);
	if (byte == '[')
		input_to(input, INPUT_CSI);
	else if (byte == 'O')
		input_to(input, INPUT_SS3);
	else if (byte != '\0' && strchr("]PX^_", byte) != NULL)
		input_to(input, INPUT_STRING);
	/* Other bytes mean Alt and a character: not bound, so ignored. */
}

static const char *
input_find_letter(char final)
{
	for (size_t i = 0; i < COUNT_OF(input_letters); i++)
		if (input_letters[i].final == final)
			return input_letters[i].key;
	return NULL;
}

static const char *
input_find_number(int number)
{
	for (size_t i = 0; i < COUNT_OF(input_numbers); i++)
		if (input_numbers[i].number == number)
			return input_numbers[i].key;
	return NULL;
}

/*
 * A complete control sequence. Some replies of the terminal look like keys:
 * skip sequences with a private mark, and a cursor position report, which ends
 * in R as F3 does.
 */
static void
input_csi_end(struct input *input, char final)
{
	const char *p = input->sequence, *key = NULL;
	int number;

	input->sequence[input->sequence_n] = '\0';
	if (p[0] == '<' && (final == 'M' || final == 'm'))
		input_mouse_sgr(input, final);
	if (p[0] >= '<' && p[0] <= '?')
		return;
	number = atoi(p);
	if (final == '~')
		key = input_find_number(number);
	else if (final >= 'P' && final <= 'S')
		key = number <= 1 && p[0] != '\0' ? input_find_letter(final)
						  : NULL;
	else if (final != 'M')
		key = input_find_letter(final);
	if (key != NULL)
		input_add(input, key, false);
}

static void
input_csi(struct input *input, uint8_t byte)
{
	bool first = input->sequence_n == 0;

	if (byte >= 0x20 && byte <= 0x3f) {
		if (input->sequence_n + 1 < sizeof(input->sequence))
			input->sequence[input->sequence_n++] = (char)byte;
	} else if (byte == 0x1b) {
		input_to(input, INPUT_ESC);
	} else if (byte < 0x40 || byte > 0x7e) {
		input_to(input, INPUT_GROUND);
	} else if (byte == '[' && first) {
		input_to(input, INPUT_LINUX);
	} else if (byte == 'M' && first) {
		input_to(input, INPUT_MOUSE);
		input->left = 3;
	} else {
		input_csi_end(input, (char)byte);
		if (byte == '~' && strcmp(input->sequence, "200") == 0) {
			input_give_keys(input); /* they came before */
			input_to(input, INPUT_PASTE);
		} else {
			input_to(input, INPUT_GROUND);
		}
	}
}

static void
input_ss3(struct input *input, uint8_t byte)
{
	const char *key = input_find_letter((char)byte);

	if (byte >= '0' && byte <= '9') /* a modifier */
		return;
	input_to(input, byte == 0x1b ? INPUT_ESC : INPUT_GROUND);
	if (key != NULL)
		input_add(input, key, false);
}

static void
input_linux(struct input *input, uint8_t byte)
{
	if (byte >= 'A' && byte <= 'E')
		input_add(input, input_find_number(11 + byte - 'A'), false);
	input_to(input, INPUT_GROUND);
}

static void
input_string(struct input *input, uint8_t byte)
{
	bool escaped = input->state == INPUT_STRING_ESC;

	if (byte == 0x07 || byte == 0x18 || byte == 0x1a ||
		(escaped && byte == '\\'))
		input_to(input, INPUT_GROUND);
	else
		input_to(input, byte == 0x1b ? INPUT_STRING_ESC : INPUT_STRING);
}

/* Collects pasted text; holds back bytes that may begin the end mark. */
static void
input_paste(struct input *input, uint8_t byte)
{
	const char *end = INPUT_PASTE_END;

	if ((char)byte == end[input->end_n]) {
		if (end[++input->end_n] == '\0') {
			input_give_paste(input, 0);
			input_to(input, INPUT_GROUND);
		}
		return;
	}
	memcpy(input->paste + input->paste_n, end, input->end_n);
	input->paste_n += input->end_n;
	input->end_n = (char)byte == end[0];
	if (input->end_n == 0)
		input->paste[input->paste_n++] = (char)byte;
	if (input->paste_n >= INPUT_CHUNK)
		input_give_paste(input, input_paste_rest(input));
}

static void (*const input_step[])(struct input *input, uint8_t byte) = {
	[INPUT_GROUND] = input_ground,
	[INPUT_UTF8] = input_utf8,
	[INPUT_ESC] = input_esc,
	[INPUT_CSI] = input_csi,
	[INPUT_SS3] = input_ss3,
	[INPUT_LINUX] = input_linux,
	[INPUT_MOUSE] = input_mouse_old,
	[INPUT_STRING] = input_string,
	[INPUT_STRING_ESC] = input_string,
	[INPUT_PASTE] = input_paste,
};

/* ---- bytes ---- */

void
input_feed(struct input *input, const void *data, size_t len, uint64_t now_ms)
{
	const uint8_t *bytes = data;

	input->now_ms = now_ms;
	while (len > 0) {
		size_t n = len < INPUT_CHUNK ? len : INPUT_CHUNK;

		for (size_t i = 0; i < n; i++)
			input_step[input->state](input, bytes[i]);
		input_give_keys(input);
		input_give_paste(input, input_paste_rest(input));
		bytes += n;
		len -= n;
	}
}

int
input_wait_ms(const struct input *input)
{
	switch (input->state) {
	case INPUT_GROUND:
		return -1;
	case INPUT_STRING:
	case INPUT_STRING_ESC:
		return INPUT_WAIT_STRING_MS;
	case INPUT_PASTE:
		return INPUT_WAIT_PASTE_MS;
	default:
		return INPUT_WAIT_ESC_MS;
	}
}

void
input_flush(struct input *input)
{
	bool esc = input->state == INPUT_ESC;

	input_give_paste(input, 0);
	input_to(input, INPUT_GROUND);
	if (esc)
		input->handlers->on_key(input->arg, "Esc");
}
