/* terminal: what a terminal may send, in pieces. */
#include "fuzz/fuzz.h"
#include "ui/term/input.h"

int fuzz_terminal(const uint8_t *data, size_t size);

static void
terminal_fuzz_key(void *arg, const char *key)
{
	unsigned *n = arg;

	FUZZ_CHECK(key[0] != '\0');
	++*n;
}

static void
terminal_fuzz_paste(void *arg, const char *text, size_t len)
{
	unsigned *n = arg;

	for (size_t i = 0; i < len; i++)
		*n += (unsigned char)text[i];
}

static void
terminal_fuzz_mouse(void *arg, const struct mouse *mouse)
{
	FUZZ_CHECK(mouse->x >= 0 && mouse->x <= INPUT_SIDE_MAX &&
		mouse->y >= 0 && mouse->y <= INPUT_SIDE_MAX);
}

int
fuzz_terminal(const uint8_t *data, size_t size)
{
	static const struct input_handlers handlers = { terminal_fuzz_key,
		terminal_fuzz_paste, terminal_fuzz_mouse };
	static struct input input;
	unsigned n = 0;
	uint64_t now_ms = 0;
	size_t piece;

	input_init(&input, &handlers, &n);
	for (size_t at = 1; at < size; at += piece) {
		piece = data[0] % 64 + 1;
		if (piece > size - at)
			piece = size - at;
		input_feed(&input, data + at, piece, now_ms);
		now_ms += data[0] / 64 * 7;
		if (data[0] & 1)
			input_flush(&input);
	}
	input_flush(&input);
	return 0;
}

FUZZ_TARGET(terminal)
