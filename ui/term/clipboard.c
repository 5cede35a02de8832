/* clipboard: see clipboard.h. */
#include "ui/term/clipboard.h"

#include <stdint.h>
#include <string.h>

#include "base/xmalloc.h"

#define CLIPBOARD_BEGIN "\033]52;c;"
#define CLIPBOARD_END "\a"

/* Encodes the first n of three bytes as four base64 digits. */
static void
clipboard_digits(const uint8_t *from, size_t n, char *to)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t bits = (uint32_t)from[0] << 16;

	bits |= n > 1 ? (uint32_t)from[1] << 8 : 0;
	bits |= n > 2 ? from[2] : 0;
	to[0] = digits[bits >> 18];
	to[1] = digits[bits >> 12 & 63];
	to[2] = n > 1 ? digits[bits >> 6 & 63] : '=';
	to[3] = n > 2 ? digits[bits & 63] : '=';
}

char *
clipboard_line(const char *text)
{
	size_t len = strlen(text), at;
	char *line = xmalloc(sizeof(CLIPBOARD_BEGIN) + len / 3 * 4 + 4 +
		sizeof(CLIPBOARD_END));
	char *to = stpcpy(line, CLIPBOARD_BEGIN);

	for (at = 0; at < len; at += 3, to += 4)
		clipboard_digits((const uint8_t *)text + at,
			len - at < 3 ? len - at : 3, to);
	stpcpy(to, CLIPBOARD_END);
	return line;
}
