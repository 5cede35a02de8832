/*
 * input: turns a terminal's bytes into keys, pasted text and mouse events.
 *
 * The state machine never waits, has a fixed size, and consumes every escape
 * sequence as a whole, even an unknown one. A lone ESC becomes the Esc key
 * after a short silence: while input_wait_ms() is not negative, call
 * input_flush() after that time without input. More than eight characters
 * within ten milliseconds count as a paste, even without paste marks.
 */
#ifndef CFUZZ_UI_TERM_INPUT_H
#define CFUZZ_UI_TERM_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/term/keys.h"

/* A mouse event at a cell; columns and rows count from 0. */
enum mouse_kind {
	MOUSE_CLICK, /* left button pressed */
	MOUSE_WHEEL_UP,
	MOUSE_WHEEL_DOWN,
};

struct mouse {
	enum mouse_kind kind;
	int x, y; /* 0 … INPUT_SIDE_MAX; may be outside the screen */
};

#define INPUT_SIDE_MAX 9999
/* More characters than this in so many milliseconds are a paste. */
#define INPUT_BURST_KEYS 8
#define INPUT_BURST_MS 10
#define INPUT_CHUNK 256   /* bytes that are handled together */
#define INPUT_SEQUENCE 32 /* bytes kept of an escape sequence */

/* Texts are valid during the call. A long paste comes in several calls, none of
 * which ends within a character. Only the end of the paste may cut one. */
struct input_handlers {
	void (*on_key)(void *arg, const char *key);
	void (*on_paste)(void *arg, const char *text, size_t len);
	void (*on_mouse)(void *arg, const struct mouse *mouse); /* or NULL */
};

enum input_state {
	INPUT_GROUND,
	INPUT_UTF8,   /* inside a character */
	INPUT_ESC,    /* after ESC */
	INPUT_CSI,    /* after ESC [ */
	INPUT_SS3,    /* after ESC O */
	INPUT_LINUX,  /* after ESC [ [, function keys of the Linux console */
	INPUT_MOUSE,  /* in the three bytes of an old mouse report */
	INPUT_STRING, /* OSC, DCS …; ends with ST or BEL */
	INPUT_STRING_ESC,
	INPUT_PASTE, /* between the paste marks */
};

struct input_event {
	char key[KEY_NAME_SIZE]; /* "" = a mouse event */
	bool text;               /* a character, which may be pasted */
	struct mouse mouse;
};

struct input {
	const struct input_handlers *handlers;
	void *arg;
	enum input_state state;
	char sequence[INPUT_SEQUENCE]; /* parameters, cut if too long */
	size_t sequence_n;
	size_t left;       /* missing bytes of a character or mouse report */
	size_t end_n;      /* matched bytes of the paste's end mark */
	uint64_t burst_ms; /* when the present burst of characters began */
	uint64_t now_ms;   /* of the bytes that are read */
	unsigned burst_n;
	struct input_event events[INPUT_CHUNK];
	size_t events_n;
	char paste[INPUT_CHUNK + 8];
	size_t paste_n;
};

void input_init(struct input *input, const struct input_handlers *handlers,
	void *arg);
void input_feed(struct input *input, const void *data, size_t len,
	uint64_t now_ms);
int input_wait_ms(const struct input *input); /* -1: nothing pending */
void input_flush(struct input *input);

#endif
